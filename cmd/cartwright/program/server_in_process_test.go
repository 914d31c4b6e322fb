package program

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// startServer runs a server in this process until the test ends.
func startServer(t *testing.T, c Config, clock func() time.Time, log *slog.Logger) *Server {
	t.Helper()
	s, err := build(t.Context(), c, clock, log)
	if err != nil {
		t.Fatal(err)
	}
	s.findCredentials()
	runUntilCleanup(t, s)
	return s
}

// findCredentials has NewCredentials be those of the data folder, if there are any, also when the server did not make them.
func (s *Server) findCredentials() {
	if keys, err := readCredentials(s.config.File(credentialsFile)); err == nil {
		s.NewCredentials = &keys
	}
}

// captureLog is a logger for a server. If the test fails, the end of the log becomes part of its output.
func captureLog(t *testing.T) (log *slog.Logger, logged func() []byte) {
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			text, _ := os.ReadFile(path)
			t.Logf("the server logged:\n%s", tail(text))
		}
		_ = file.Close()
	})
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelWarn})), func() []byte {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return text
	}
}

// tail is the end of a log.
func tail(text []byte) []byte {
	const size = 8 << 10
	return text[max(0, len(text)-size):]
}

// runUntilCleanup runs s until the test ends.
func runUntilCleanup(t *testing.T, s *Server) {
	t.Helper()
	stop, ended := startRun(s)
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, s.Close()); err != nil {
			t.Error(err)
		}
	})
}

// startRun runs s until stop is called; ended receives the result of Run.
func startRun(s *Server) (stop context.CancelFunc, ended chan error) {
	ctx, stop := context.WithCancel(context.Background())
	ended = make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	return stop, ended
}
