package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
)

// asServer is the variable that makes the test binary run as cartwright, so that tests can start real processes.
const asServer = "CARTWRIGHT_FEATURES_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		p := osProcess()
		p.passwordCost = token.MinimumCost
		os.Exit(p.main())
	}
	code := m.Run()
	if err := chromium.quit(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// serverProcess is a server as a process of its own.
type serverProcess struct {
	*testservers.Process

	env []string
}

// startProcess starts a server on a free address, which runs until the test ends.
func startProcess(t *testing.T, env ...string) serverProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	address, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	env = append([]string{asServer + "=yes", "CARTWRIGHT_BURST_PER_MINUTE=0"}, env...)
	p := &testservers.Process{
		Path: self, Args: []string{"serve"}, Env: append([]string{"CARTWRIGHT_ADDR=" + address}, env...), URL: "http://" + address,
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.Start(ctx); err != nil {
		t.Fatalf("%v\n%s", err, p.Output())
	}
	t.Cleanup(func() {
		p.Stop()
		if t.Failed() {
			t.Logf("the server at %s printed:\n%s", p.URL, tail([]byte(p.Output())))
		}
	})
	return serverProcess{p, env}
}

// createShop creates a tenant while the server runs, and returns the credentials as the command prints them.
func (p serverProcess) createShop(ctx context.Context, name string) ([]byte, error) {
	create := exec.CommandContext(ctx, p.Path, "tenant", "create", "--name", name, "--plan", "enterprise", "--json")
	create.Env = append(os.Environ(), p.env...)
	out, err := create.Output()
	if err != nil {
		return nil, fmt.Errorf("create a tenant: %w: %s", err, stderrOf(err))
	}
	return out, nil
}

// stderrOf is the error output of a command that failed with err.
func stderrOf(err error) []byte {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.Stderr
	}
	return nil
}
