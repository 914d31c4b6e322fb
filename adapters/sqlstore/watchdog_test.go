package sqlstore_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// relay stands before a Postgres. While it is paused it takes connections and bytes, and passes nothing on.
type relay struct {
	gate   sync.RWMutex // held for writing while paused
	target string
}

// before starts a relay and returns it with the URL that leads through it.
func before(t *testing.T, postgres string) (*relay, string) {
	t.Helper()
	u, err := url.Parse(postgres)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	r := &relay{target: u.Host}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go r.serve(c)
		}
	}()
	u.Host = l.Addr().String()
	return r, u.String()
}

func (r *relay) serve(c net.Conn) {
	defer c.Close()
	r.gate.RLock()
	server, err := net.Dial("tcp", r.target)
	r.gate.RUnlock()
	if err != nil {
		return
	}
	defer server.Close()
	go r.pass(c, server)
	r.pass(server, c)
}

func (r *relay) pass(to io.WriteCloser, from io.Reader) {
	defer to.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		r.gate.RLock()
		_, err = to.Write(b[:n])
		r.gate.RUnlock()
		if err != nil {
			return
		}
	}
}

// A paused machine or a cut cable refuses nothing: without the pulse everybody would wait for the deadline,
// and a commit for ever.
func TestSilentDatabaseIsUnavailableWithinASecond(t *testing.T) {
	t.Parallel()
	r, through := before(t, testservers.Postgres(t))
	registry := portstest.ScratchRegistry()
	makers := registry.Get("makers")
	s := open(t, sqlstore.Options{URL: through, Deadline: time.Hour}, registry)
	kept := collection.Record{"id": "m", "tenant": "a"}
	if err := write(t.Context(), s, ports.ForTenant("a"), makers, nil, kept, "e1"); err != nil {
		t.Fatal(err)
	}
	r.gate.Lock()
	start := time.Now()
	if _, err := s.Read(ports.ForTenant("a")).Get(t.Context(), makers, "m"); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("a read answers %v", err)
	}
	if err := write(t.Context(), s, ports.ForTenant("a"), makers, kept, kept.Clone(), "e2"); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("a write answers %v", err)
	}
	if took := time.Since(start); took > patience { // a second on a machine that does nothing else
		t.Errorf("that took %v", took)
	}
	r.gate.Unlock()
	waitUntilAvailable(t, s, makers)
}

// A new connection may take its time on a busy machine, but not because nobody is there.
func TestSilentDatabaseFailsNewConnections(t *testing.T) {
	t.Parallel()
	r, through := before(t, testservers.Postgres(t))
	registry := portstest.ScratchRegistry()
	var log bytes.Buffer
	s := open(t, sqlstore.Options{URL: through, Deadline: time.Minute, Logger: slog.New(slog.NewTextHandler(&log, nil))}, registry)
	r.gate.Lock()
	defer r.gate.Unlock()
	_, err := s.Read(ports.ForTenant("a")).Get(t.Context(), registry.Get("makers"), "m")
	if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(log.String(), "database unresponsive") {
		t.Error(err, log.String())
	}
}

func TestCommitHasATimeLimit(t *testing.T) {
	t.Parallel()
	r, through := before(t, testservers.Postgres(t))
	registry := portstest.ScratchRegistry()
	s := open(t, sqlstore.Options{URL: through, Deadline: time.Minute}, registry)
	err := s.Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Records.Get(ctx, registry.Get("makers"), "m"); !errors.Is(err, ports.ErrNotFound) {
			return err
		}
		r.gate.Lock()
		return nil
	})
	r.gate.Unlock()
	if !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("the commit answers %v", err)
	}
}

func TestLongStatementKeepsConnection(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := open(t, sqlstore.Options{
		URL: testservers.Postgres(t), Deadline: 2 * time.Second, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}, portstest.ScratchRegistry())
	if err := s.Stall(t.Context(), ports.ForTenant("a")); !errors.Is(err, fault.ErrUnavailable) {
		t.Error(err)
	}
	if err := s.Close(); err != nil || strings.Contains(log.String(), "unresponsive") {
		t.Error(err, log.String())
	}
}
