// Command testenv runs a command with a throwaway Postgres and Redis beside it:
//
//	go run ./cmd/testenv -- go test ./...
//
// It looks for the servers, installs them with apt-get when it runs as root and they are missing, and
// otherwise says what to install. The servers listen on loopback and end with the command, whose exit code it
// returns.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testenv:", err)
	}
	os.Exit(code)
}

func run(args []string) (code int, err error) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return 2, errors.New("usage: testenv -- command…")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := install(ctx); err != nil {
		return 1, err
	}
	env, stopServers, err := startServers(ctx)
	defer func() { err = errors.Join(err, stopServers()) }()
	if err != nil {
		return 1, err
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return max(1, exit.ExitCode()), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}

// startServers starts Postgres and Redis, and returns the environment variables in which tests find them.
func startServers(ctx context.Context) (env []string, stop func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var stops []func() error
	stop = func() (err error) {
		for _, f := range slices.Backward(stops) {
			err = errors.Join(err, f())
		}
		return err
	}
	versions, err := testservers.Versions(ctx)
	if err != nil {
		return nil, stop, err
	}
	env = append(os.Environ(), testservers.VersionsEnv+"="+versions)
	for _, server := range []struct {
		name, env string
		start     func(ctx context.Context) (*testservers.Server, error)
	}{
		{"Postgres", testservers.PostgresEnv, testservers.StartPostgresWithoutFsync},
		{"Redis", testservers.RedisEnv, testservers.StartRedis},
	} {
		s, err := server.start(ctx)
		if err != nil {
			return nil, stop, err
		}
		stops = append(stops, func() error {
			err := s.Stop()
			fmt.Fprintf(os.Stderr, "testenv: %s took %.1f s of processor time\n", server.name, s.CPU().Seconds())
			return err
		})
		env = append(env, server.env+"="+s.URL)
	}
	return env, stop, nil
}

// install installs missing servers with apt-get, without letting the packages start services.
func install(ctx context.Context) (err error) {
	missing := testservers.Available()
	apt, err := exec.LookPath("apt-get")
	if missing == nil {
		return nil
	}
	if err != nil || os.Getuid() != 0 {
		return missing
	}
	fmt.Fprintln(os.Stderr, "testenv: installing", testservers.Packages)
	const policy = "/usr/sbin/policy-rc.d" // Debian runs it before a package starts a service; 101 forbids it
	if _, is := os.Stat(policy); errors.Is(is, os.ErrNotExist) {
		if err := os.WriteFile(policy, []byte("#!/bin/sh\nexit 101\n"), 0o755); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.Remove(policy)) }() // left behind it would keep services of this machine from starting
	}
	for _, args := range [][]string{
		{"update", "-q"}, slices.Concat([]string{"install", "-qy", "--no-install-recommends"}, testservers.Packages),
	} {
		cmd := exec.CommandContext(ctx, apt, args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return errors.Join(missing, err)
		}
	}
	return testservers.Available()
}
