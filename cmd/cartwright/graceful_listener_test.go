package main

import (
	"context"
	"errors"
	"net"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// A connection made before a listener shuts down is served, even if it was not accepted yet; a later one is
// refused.
func TestShutdownResetsNoConnection(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := newGracefulListener(l)
	early, err := net.Dial("tcp", l.Addr().String()) // it waits in the kernel, not accepted
	if err != nil {
		t.Fatal(err)
	}
	defer early.Close()
	if _, err := early.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" {
		if err := dropNewConnections(l); err != nil {
			t.Fatal(err)
		}
	}
	late := make(chan error, 1)
	go func() { // it knocks at a deaf door, and once more when that is closed
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			err = errors.Join(errors.New("let in"), c.Close())
		}
		late <- err
	}()
	said := make(chan string, 1)
	go func() {
		c, err := d.Accept()
		if err != nil {
			said <- err.Error()
			return
		}
		b := make([]byte, 5)
		_, _ = c.Read(b)
		said <- string(b)
	}()
	if got := <-said; got != "hello" {
		t.Errorf("who came early said %q", got)
	}
	if err := d.shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-late; !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("who came late: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

// A new connection may still send its first byte; one that has been silent for long does not delay the
// shutdown.
func TestShutdownWaitsForFirstByte(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := newGracefulListener(l)
	enter := func() (client net.Conn, server *silentConn) {
		client, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Close() })
		c, err := d.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return client, c.(*silentConn)
	}
	_, silent := enter()
	silent.openedAt = time.Now().Add(-time.Minute)
	caller, answering := enter()
	read := make(chan error, 1)
	go func() {
		_, err := answering.Read(make([]byte, 8))
		read <- err
	}()
	retired := make(chan error, 1)
	go func() { retired <- d.shutdown(context.Background()) }()
	if _, err := caller.Write([]byte("a word")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(<-read, <-retired); err != nil {
		t.Error(err)
	}
	if _, err := silent.Conn.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("who kept silent: %v", err)
	}
}
