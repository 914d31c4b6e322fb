package testservers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Process is one of our server processes that a test starts, kills and restarts on the same address.
type Process struct {
	Path  string   // binary
	Args  []string // for example "serve"
	Env   []string // added to an otherwise empty environment
	URL   string   // base URL
	Probe string   // path that answers 200 when ready; "" is /readyz

	ProbeInterval time.Duration // between two requests for it; 0: 20 ms

	mu   sync.Mutex
	cmd  *exec.Cmd
	done chan struct{}
	out  output
}

// output collects what a process prints, and can be read meanwhile.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Start runs the program and waits until it is ready or ctx ends.
func (p *Process) Start(ctx context.Context) error {
	p.mu.Lock()
	cmd := exec.Command(p.Path, p.Args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, p.Env...)
	cmd.Stdout, cmd.Stderr = &p.out, &p.out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started, done := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // the death signal is sent when the thread that started the child ends, so the thread is dedicated
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // it is stopped or killed on purpose, so its exit is not an error
		}
		close(done)
	}()
	err := <-started
	if err == nil {
		p.cmd, p.done = cmd, done
	}
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return p.ready(ctx, done)
}

// probe is nil when the probe is answered with 200, else how it is answered.
func (p *Process) probe(ctx context.Context, client *http.Client) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+cmp.Or(p.Probe, "/readyz"), http.NoBody)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s", res.Status, body)
	}
	return err
}

func (p *Process) ready(ctx context.Context, done chan struct{}) error {
	tick := time.NewTicker(cmp.Or(p.ProbeInterval, 20*time.Millisecond))
	defer tick.Stop()
	client := http.Client{Timeout: time.Second}
	notYet := errors.New("the probe was not sent")
	for began := time.Now(); ; {
		err := p.probe(ctx, &client)
		if err == nil {
			return nil
		}
		if ctx.Err() == nil {
			notYet = err // not the end of this wait itself
		}
		select {
		case <-tick.C:
		case <-done:
			return fmt.Errorf("%s ended before it was ready:\n%s", p.Path, p.Output())
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready after %s: %w: %w\n%s", p.Path, time.Since(began).Round(time.Second), ctx.Err(), notYet, p.Output())
		}
	}
}

// Alive reports whether the process is running.
func (p *Process) Alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == nil {
		return false
	}
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// ExitCode is the exit code of the process: -1 while it runs, or when a signal ended it.
func (p *Process) ExitCode() int {
	if p.Alive() {
		return -1
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cmd.ProcessState.ExitCode()
}

// PID is the process id, 0 before the first start.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// Kill ends the process with SIGKILL, as a crash would, and waits for its end.
func (p *Process) Kill() { p.end(syscall.SIGKILL) }

// Stop asks the process to end with SIGTERM and waits for its end.
func (p *Process) Stop() { p.end(syscall.SIGTERM) }

func (p *Process) end(sig syscall.Signal) {
	p.mu.Lock()
	cmd, done := p.cmd, p.done
	p.mu.Unlock()
	if cmd == nil {
		return
	}
	if err := cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return
	}
	<-done
}

// Output is what the process has printed so far, over all restarts.
func (p *Process) Output() string { return p.out.String() }

// Wait waits until the process has ended by itself, or ctx has ended.
func (p *Process) Wait(ctx context.Context) {
	p.mu.Lock()
	done := p.done
	p.mu.Unlock()
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}
