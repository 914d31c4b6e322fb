package program

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/cartwright-dev/cartwright/adapters/token"
)

// version is set by the linker in released builds.
var version = "development"

// Main runs the command line of this operating system process until it is done or interrupted, and returns the
// exit code. The server has the payment providers of the product and more.
func Main(more ...NewProvider) int {
	p := osProcess()
	p.providers = more
	return p.main()
}

// osProcess is the environment of this operating system process.
func osProcess() process {
	return process{args: os.Args[1:], getenv: os.Getenv, environ: os.Environ(), in: os.Stdin, out: os.Stdout, log: os.Stderr}
}

// main runs the command line until it is done or interrupted, and returns the exit code.
func (p process) main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, p)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cartwright: "+err.Error())
		return exitCode(err)
	}
	return 0
}

// process is the environment of a command.
type process struct {
	args    []string
	getenv  func(string) string
	environ []string  // "NAME=value", all variables
	in      io.Reader // input of a terminal; nil without one
	out     io.Writer // results
	log     io.Writer // logs, progress

	providers    []NewProvider // besides those of the product
	passwordCost token.Cost    // of hashing a password; only tests set it; zero: token.RecommendedCost
}

// config is the configuration that the environment describes. Errors: every problem of it, one per line.
func (p process) config() (Config, error) {
	c, err := loadConfig(p.getenv)
	c.Providers = p.providers
	if p.passwordCost != (token.Cost{}) {
		c.PasswordCost = p.passwordCost
	}
	return c, err
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
