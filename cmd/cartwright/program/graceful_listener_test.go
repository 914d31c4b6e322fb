package program

import (
	"context"
	"errors"
	"io"
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
	graceful := newGracefulListener(l)
	early, err := net.Dial("tcp", l.Addr().String()) // in the kernel's queue, not accepted
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
	go func() { // its first packet is dropped, and the repeated one is refused
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			err = errors.Join(errors.New("it was accepted"), c.Close())
		}
		late <- err
	}()
	if got, err := acceptAndRead(graceful, len("hello")); err != nil || got != "hello" {
		t.Errorf("the early connection sent %q, %v", got, err)
	}
	if err := graceful.shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-late; !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("a late connection: %v", err)
	}
	if err := graceful.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

// acceptAndRead accepts a connection and reads size bytes from it.
func acceptAndRead(l net.Listener, size int) (string, error) {
	c, err := l.Accept()
	if err != nil {
		return "", err
	}
	b := make([]byte, size)
	_, err = io.ReadFull(c, b)
	return string(b), err
}

// A new connection may still send its first byte; one that has been silent for long does not delay the
// shutdown.
func TestShutdownWaitsForFirstByte(t *testing.T) {
	t.Parallel()
	l, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	graceful := newGracefulListener(l)
	connect := func() (client net.Conn, server *silentConn) {
		client, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Close() })
		c, err := graceful.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return client, c.(*silentConn)
	}
	_, silent := connect()
	silent.openedAt = time.Now().Add(-time.Minute)
	client, server := connect()
	read := make(chan error, 1)
	go func() {
		_, err := server.Read(make([]byte, 8))
		read <- err
	}()
	stopped := make(chan error, 1)
	go func() { stopped <- graceful.shutdown(context.Background()) }()
	if _, err := client.Write([]byte("a byte")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(<-read, <-stopped); err != nil {
		t.Error(err)
	}
	if _, err := silent.Conn.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the silent connection is not closed: %v", err)
	}
}
