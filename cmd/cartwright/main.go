package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker in released builds.
var version = "development"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, process{args: os.Args[1:], getenv: os.Getenv, environ: os.Environ(), in: os.Stdin, out: os.Stdout, log: os.Stderr})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cartwright: "+err.Error())
		os.Exit(exitCode(err))
	}
}

// process is the environment of a command.
type process struct {
	args    []string
	getenv  func(string) string
	environ []string  // "NAME=value", all variables
	in      io.Reader // input of a terminal; nil without one
	out     io.Writer // results
	log     io.Writer // logs, progress
}

// run executes one command line until it is done or ctx ends. Errors: usageError for an invalid command line;
// others from its execution.
func run(ctx context.Context, p process) error {
	root := p.commands() //nolint:contextcheck // cobra hands ctx to each command
	root.SetArgs(p.args)
	root.SetOut(p.out)
	root.SetErr(p.log)
	cmd, err := root.ExecuteContextC(ctx)
	return withHelpHint(cmd, err)
}
