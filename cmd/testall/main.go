// Command testall runs the tests of all packages and reports where the time went:
//
//	go run ./cmd/testenv -- go run ./cmd/testall [-only raced|plain] [-first command]… [package…]
//
// Rules, use cases and stores run under the race detector, everything else without it; no package runs twice.
// Packages that start whole servers keep every processor busy, and have deadlines to keep like their users: they run one
// after the other. Then both groups run at the same time, each with its longest packages first, so that every processor is
// busy until the end. Commands given with -first run before.
//
// A passed package is one line, as go test prints it; of a failed test all output is shown. The last lines
// count tests and list the packages and tests that took longest, by wall time and by the processor time of
// the test and all processes that it started and waited for, and how long processors were idle.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	ok, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testall:", err)
	}
	if !ok || err != nil {
		os.Exit(1)
	}
}

// options are the command-line options.
type options struct {
	only     string   // one kind of packages; "": both
	first    []string // commands for the shell
	patterns []string // of packages
}

func parseOptions(args []string) (o options, err error) {
	flags := flag.NewFlagSet("testall", flag.ContinueOnError)
	flags.StringVar(&o.only, "only", "", "run only packages that are `raced` or plain")
	flags.Func("first", "a shell `command` to run before", func(command string) error {
		o.first = append(o.first, command)
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.only != "" && o.only != "raced" && o.only != "plain" {
		return o, errors.New("-only is raced or plain")
	}
	if o.patterns = flags.Args(); len(o.patterns) == 0 {
		o.patterns = []string{"./..."}
	}
	return o, nil
}

func run(args []string) (ok bool, err error) {
	began, idle := time.Now(), idleTime()
	o, err := parseOptions(args)
	if err != nil {
		return false, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	groups, err := packageGroups(ctx, o)
	if err != nil {
		return false, err
	}
	r := newResults(os.Stdout)
	ended, sampled := make(chan struct{}), make(chan map[string]time.Duration)
	go func() { sampled <- sampleCPU(ended) }()
	for _, command := range o.first {
		r.command(ctx, command)
	}
	var together sync.WaitGroup
	for _, g := range groups {
		if g.alone {
			g.test(ctx, r)
			continue
		}
		together.Go(func() { g.test(ctx, r) })
	}
	together.Wait()
	close(ended)
	r.addCPU(<-sampled, groups)
	r.report(time.Since(began), idleTime()-idle)
	return r.ok(), ctx.Err()
}

// interruptible is a command that is interrupted with its child processes when ctx ends, and killed some
// seconds later.
func interruptible(ctx context.Context, name string, args ...string) *exec.Cmd {
	const grace = 10 * time.Second
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		group := -cmd.Process.Pid
		time.AfterFunc(grace, func() { _ = syscall.Kill(group, syscall.SIGKILL) }) // it may have ended already
		return syscall.Kill(group, syscall.SIGINT)
	}
	cmd.WaitDelay = 2 * grace
	return cmd
}
