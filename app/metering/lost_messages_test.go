package metering_test

import (
	"bytes"
	"context"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// lossyShared is a proxy in front of a Redis that swallows responses: the command is executed, and the
// connection breaks.
type lossyShared struct {
	url   string
	lose  atomic.Int64 // how many more
	swept chan struct{}
}

func before(t *testing.T, server string) *lossyShared {
	t.Helper()
	at, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	ears, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &lossyShared{swept: make(chan struct{}, 1)}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	t.Cleanup(func() { stop(); _ = ears.Close(); all.Wait() })
	target := at.Host
	at.Host = ears.Addr().String()
	l.url = at.String()
	all.Go(func() {
		for {
			client, err := ears.Accept()
			if err != nil {
				return
			}
			all.Go(func() { l.between(ctx, client, target) })
		}
	})
	return l
}

func (l *lossyShared) between(ctx context.Context, client net.Conn, target string) {
	defer client.Close()
	server, err := (&net.Dialer{}).DialContext(ctx, "tcp", target)
	if err != nil {
		return
	}
	defer server.Close()
	defer context.AfterFunc(ctx, func() { _ = client.Close(); _ = server.Close() })()
	var mute atomic.Bool
	go pass(client, server, func(asked []byte) bool {
		if bytes.Contains(asked, []byte("eval")) && l.lose.Load() > 0 {
			l.lose.Add(-1)
			mute.Store(true)
		}
		return true
	})
	pass(server, client, func([]byte) bool {
		if mute.Load() {
			l.swept <- struct{}{}
			return false
		}
		return true
	})
}

// pass forwards data until one end is closed or data is not wanted.
func pass(from, to net.Conn, wanted func([]byte) bool) {
	defer from.Close()
	defer to.Close()
	some := make([]byte, 1<<16)
	for {
		n, err := from.Read(some)
		if err != nil {
			return
		}
		if !wanted(some[:n]) {
			return
		}
		if _, err := to.Write(some[:n]); err != nil {
			return
		}
	}
}
