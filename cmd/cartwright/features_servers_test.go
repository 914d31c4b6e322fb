package main

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/features/steps"
)

// serve starts a server with settings of its own for a scenario. Its shop is the one it opens with.
func serve(t *testing.T) func(context.Context, map[string]string) (string, steps.Credentials, error) {
	t.Helper()
	return func(_ context.Context, settings map[string]string) (url string, shop steps.Credentials, err error) {
		c, err := commandEnv{settings}.config()
		if err != nil {
			return "", shop, err
		}
		c.Address, c.Data = "127.0.0.1:0", t.TempDir()
		s, err := build(t.Context(), c, time.Now, slog.New(slog.DiscardHandler)) // it outlives the scenario
		if err != nil {
			return "", shop, err
		}
		keepRunning(t, s)
		return s.BaseURL, printedCredentials(*s.NewCredentials), nil
	}
}

// keepRunning has a server run until the test ends.
func keepRunning(t *testing.T, s *Server) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, s.Close()); err != nil {
			t.Error(err)
		}
	})
}
