package testservers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a throwaway Postgres or Redis.
type Server struct {
	URL string // postgres://…/postgres as its superuser, or redis://…

	binary     string
	args       []string
	dir        string
	credential *syscall.Credential
	ping       func(ctx context.Context) error
	cmd        *exec.Cmd
	done       chan struct{}
	out        output
}

// StartPostgres creates and starts a Postgres with fsync on.
func StartPostgres(ctx context.Context) (*Server, error) {
	return startPostgres(ctx, durableTempDir, "fsync=on", "full_page_writes=on")
}

// StartPostgresWithoutFsync is StartPostgres without fsync, and in memory where there is room. Acknowledged
// commits survive a SIGKILL but not a power cut: it is for tests that are not about durability, which would
// spend most of their time waiting for the disk. Autovacuum, which would look at each of some hundred databases in
// every minute, waits for longer than tests take.
func StartPostgresWithoutFsync(ctx context.Context) (*Server, error) {
	return startPostgres(ctx, volatileTempDir, "fsync=off", "full_page_writes=off", "max_wal_size=256MB",
		"autovacuum_naptime=1h", "jit=off")
}

// tempDirMaker makes a temporary folder for a server.
type tempDirMaker func(name string, who *syscall.Credential) (string, error)

func startPostgres(ctx context.Context, tempDir tempDirMaker, settings ...string) (*Server, error) {
	initdb, err := findBinary("initdb")
	if err != nil {
		return nil, err
	}
	binary, err := findBinary("postgres")
	if err != nil {
		return nil, err
	}
	s, err := newServer("postgres", binary, tempDir)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(s.dir, "data")
	create := exec.CommandContext(ctx, initdb, "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C",
		"--no-instructions")
	create.SysProcAttr, create.Dir = &syscall.SysProcAttr{Credential: s.credential}, s.dir
	if out, err := create.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	host, port, err := freeHostPort()
	if err != nil {
		return nil, err
	}
	s.URL = "postgres://postgres@" + net.JoinHostPort(host, port) + "/postgres?sslmode=disable"
	s.args = []string{"-D", data, "-h", host, "-p", port, "-k", s.dir}
	for _, setting := range append(settings, "synchronous_commit=on", "max_connections=300", "shared_buffers=256MB",
		"log_min_messages=warning") {
		s.args = append(s.args, "-c", setting)
	}
	s.ping = func(ctx context.Context) error {
		conn, err := pgx.Connect(ctx, s.URL)
		if err != nil {
			return err
		}
		return conn.Close(ctx)
	}
	return s, s.Start(ctx)
}

func newServer(name, binary string, tempDir tempDirMaker) (*Server, error) {
	who, err := unprivilegedCredential()
	if err != nil {
		return nil, err
	}
	dir, err := tempDir(name, who)
	return &Server{binary: binary, dir: dir, credential: who}, err
}

// freeHostPort is FreeAddr as host and port.
func freeHostPort() (host, port string, err error) {
	addr, err := FreeAddr()
	if err != nil {
		return "", "", err
	}
	return net.SplitHostPort(addr)
}

// Start runs the server and waits until it answers; after Kill it recovers the acknowledged commits.
func (s *Server) Start(ctx context.Context) error {
	s.cmd = exec.Command(s.binary, s.args...)
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = s.dir, &s.out, &s.out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.credential, Pdeathsig: syscall.SIGQUIT, Setpgid: true}
	s.done = make(chan struct{})
	started := make(chan error)
	go func(cmd *exec.Cmd, done chan struct{}) {
		runtime.LockOSThread() // the death signal is tied to the thread that starts the child
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // it is stopped or killed on purpose, so its exit is not an error
		}
		close(done)
	}(s.cmd, s.done)
	if err := <-started; err != nil {
		return err
	}
	return s.ready(ctx)
}

func (s *Server) ready(ctx context.Context) error {
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		err := s.ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-s.done:
			return fmt.Errorf("%s ended at once:\n%s", s.binary, s.out.String())
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}

// Output is what the server has printed so far, over all starts.
func (s *Server) Output() string { return s.out.String() }

// PID is the process id of the running server; its backends are child processes.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Kill ends the server and all its processes with SIGKILL, like a power cut, and waits for their end.
// Backends of Postgres have process groups of their own, so they are found as children; the server is paused
// first, so that it neither starts new ones nor cleans up.
func (s *Server) Kill() {
	pid := s.cmd.Process.Pid
	_ = syscall.Kill(pid, syscall.SIGSTOP) // an ended process is fine, here and below
	for _, child := range childrenOf(pid) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	<-s.done
}

func childrenOf(pid int) (children []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the process ended meanwhile
		}
		_, rest, _ := strings.Cut(string(text), ") ") // state and parent follow
		fields := strings.Fields(rest)
		if child, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			children = append(children, child)
		}
	}
	return children
}

// lifelines are pipe ends that close when this process ends, and not before: without a reference the garbage
// collector would close them.
var lifelines sync.Map

// removeDirAtExit removes the server's folder when this process ends in whatever way: a shell waits for the
// other end of its input to close.
func (s *Server) removeDirAtExit() error {
	wait := exec.Command("sh", "-c", `read -r _; sleep 1; rm -rf "$0"`, s.dir)
	wait.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	line, err := wait.StdinPipe()
	if err != nil {
		return err
	}
	lifelines.Store(s.dir, line)
	return wait.Start()
}

// CPU is the processor time of the server and its processes; known once it has ended.
func (s *Server) CPU() time.Duration {
	if s.cmd == nil || s.cmd.ProcessState == nil {
		return 0
	}
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}

// Pause suspends the server: connections are accepted but nothing is answered, as on a suspended machine.
func (s *Server) Pause() error { return s.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume continues a paused server.
func (s *Server) Resume() error { return s.cmd.Process.Signal(syscall.SIGCONT) }

// Stop shuts the server down and removes its folder.
func (s *Server) Stop() error {
	_ = s.Resume()
	_ = s.cmd.Process.Signal(syscall.SIGINT)
	select {
	case <-s.done:
	case <-time.After(20 * time.Second):
		s.Kill()
	}
	return os.RemoveAll(s.dir)
}

// Database creates a database on the Postgres at adminURL, and returns its URL and a function that drops it.
func Database(ctx context.Context, adminURL string) (url string, drop func(context.Context) error, err error) {
	return databaseLike(ctx, adminURL, "template1")
}

// databaseLike is Database as a copy of a template database, which must have no connections.
func databaseLike(ctx context.Context, adminURL, template string) (url string, drop func(context.Context) error, err error) {
	name := "t_" + strings.ToLower(rand.Text()[:16])
	run := func(ctx context.Context, sql string) error {
		conn, err := pgx.Connect(ctx, adminURL)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, sql)
		return errors.Join(err, conn.Close(ctx))
	}
	if err := run(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template); err != nil {
		return "", nil, err
	}
	head, query, _ := strings.Cut(adminURL, "?")
	url = head[:strings.LastIndex(head, "/")+1] + name + "?" + query
	return url, func(ctx context.Context) error { return run(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") }, nil
}
