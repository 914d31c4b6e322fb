package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// profile writes a CPU profile of the server over length to path; it returns at once, and wait blocks until
// the file exists. Without a path it does nothing.
func profile(ctx context.Context, addr, path string, length time.Duration) (wait func() error) {
	if path == "" {
		return func() error { return nil }
	}
	done := make(chan error, 1)
	go func() { done <- fetchProfile(ctx, addr, path, length) }()
	return func() error { return <-done }
}

// allocationCount is the number of allocations of the server at addr so far; 0 when unknown.
func allocationCount(ctx context.Context, addr string) int {
	n, _ := profilerNumber(ctx, addr, "allocs?debug=1", "# Mallocs = ")
	return n
}

// profilerNumber is the number after name in a text of the profiler at addr.
func profilerNumber(ctx context.Context, addr, text, name string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/debug/pprof/"+text, http.NoBody)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if number, ok := strings.CutPrefix(lines.Text(), name); ok {
			return strconv.Atoi(number)
		}
	}
	return 0, fmt.Errorf("the profiler's %s has no %q", text, name)
}

func fetchProfile(ctx context.Context, addr, path string, length time.Duration) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	at := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", addr, max(1, int(length.Seconds())-1))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, http.NoBody)
	if err != nil {
		return errors.Join(err, out.Close())
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return errors.Join(err, out.Close())
	}
	_, err = io.Copy(out, res.Body)
	return errors.Join(err, res.Body.Close(), out.Close())
}
