package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// profile takes a CPU profile of the server for length and writes it to path; it returns at once, and wait blocks until
// it is there. Without a path it does nothing.
func profile(addr, path string, length time.Duration) (wait func() error) {
	if path == "" {
		return func() error { return nil }
	}
	done := make(chan error, 1)
	go func() { done <- fetchProfile(addr, path, length) }()
	return func() error { return <-done }
}

func fetchProfile(addr, path string, length time.Duration) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	res, err := http.Get(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", addr, max(1, int(length.Seconds())-1)))
	if err != nil {
		return errors.Join(err, out.Close())
	}
	_, err = io.Copy(out, res.Body)
	return errors.Join(err, res.Body.Close(), out.Close())
}
