package redis

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func dialing(dial func() (net.Conn, error)) *Receipts {
	return NewReceipts(newClient(goredis.NewClient(&goredis.Options{
		MaxRetries: -1, DialerRetries: 1, ContextTimeoutEnabled: true, PoolSize: 1,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return dial() },
	}), quiet, roundTripTimeout), "test:", portstest.InEpoch("1"))
}

var quiet = slog.New(slog.DiscardHandler)

func TestMain(m *testing.M) {
	goredis.SetLogger(mute{}) // silences the driver's log of every failed dial
	m.Run()
}

type mute struct{}

func (mute) Printf(context.Context, string, ...any) {}

// The driver's pool storeReceipt dialing once a second by itself; only round trips that a caller waits for count.
func TestOpenBreakerSkipsRedis(t *testing.T) {
	t.Parallel()
	asked := &counted{}
	c := dialing(func() (net.Conn, error) { return nil, errors.New("connection refused") })
	c.pipe.client.AddHook(asked)
	began := time.Now()
	for range tripAfter {
		if _, ok := c.Find(t.Context(), ports.ReceiptKey{}); ok {
			t.Fatal("found a receipt without Redis")
		}
	}
	if !c.pipe.circuitOpen() || (&Client{pipe: c.pipe}).Circuit() != (ports.Circuit{Name: "redis", State: ports.CircuitOpen}) {
		t.Fatal("the breaker is closed")
	}
	if n := asked.trips.Load(); n != tripAfter {
		t.Errorf("%d round trips opened the breaker, want %d", n, tripAfter)
	}
	c.Find(t.Context(), ports.ReceiptKey{})
	c.Put(t.Context(), "1", ports.Receipt{At: time.Unix(0, 0), Expires: time.Unix(9, 0)})
	if !c.Lease(t.Context(), ports.ReceiptKey{}, "a", time.Minute) {
		t.Error("refused a lease without Redis; only the database may")
	}
	if asked.trips.Load() > tripAfter+int64(time.Since(began)/openFor) { // on a stalled machine the breaker may have let one through
		t.Error("Redis was asked with the breaker open")
	}
}

func TestHangingRedisOpensTheBreaker(t *testing.T) {
	t.Parallel()
	c := dialing(func() (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() { // reads, never answers
			buf := make([]byte, 512)
			for _, err := theirs.Read(buf); err == nil; _, err = theirs.Read(buf) {
			}
		}()
		return ours, nil
	})
	for range tripAfter {
		c.Find(t.Context(), ports.ReceiptKey{})
	}
	if !c.pipe.circuitOpen() {
		t.Error("the breaker is closed")
	}
}

func TestKeepNeverBlocks(t *testing.T) {
	t.Parallel()
	block := make(chan struct{})
	c := dialing(func() (net.Conn, error) { <-block; return nil, errors.New("late") })
	for range maxQueued + maxPipeline + 10 { // more than fits; the rest is dropped
		c.Put(t.Context(), "1", ports.Receipt{})
	}
	close(block)
}

func TestURLsOfEveryTopologyAreRead(t *testing.T) {
	t.Parallel()
	for url, ok := range map[string]bool{
		"redis://:secret@h:6379/1":                     true,
		"rediss://h":                                   true,
		"redis+cluster://h:1?addr=h2:2":                true,
		"rediss+sentinel://h:1?master_name=m&addr=i:2": true,
		"http://h":                 false,
		"redis://h?nonsense=1":     false,
		"redis+other://:secret@h/": false,
	} {
		client, err := Connect(url, quiet)
		if (err == nil) != ok {
			t.Errorf("%s: %v", url, err)
		}
		if client != nil {
			_ = client.Close()
		}
	}
}

// Without Redis each process counts attempts by itself: they stay limited, and not all are refused.
func TestAttemptsAreLocalWithoutRedis(t *testing.T) {
	t.Parallel()
	dead := goredis.NewClient(&goredis.Options{
		MaxRetries: -1, DialerRetries: 1, PoolSize: 1,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("connection refused") },
	})
	portstest.AttemptLimiter(t,
		NewAttemptLimiter(newClient(dead, quiet, roundTripTimeout), "test:", 15*time.Minute, token.NewAttemptLimiter(15*time.Minute)))
}

// Attempts counted by other processes count here.
func TestAttemptsAreShared(t *testing.T) {
	t.Parallel()
	client := connected(t, testservers.Redis(t))
	process := func() *AttemptLimiter {
		return NewAttemptLimiter(client, "shared:", time.Hour, token.NewAttemptLimiter(time.Hour))
	}
	one, two := process(), process()
	now := time.Now()
	for i := range 4 {
		if wait := []*AttemptLimiter{one, two}[i%2].Try(t.Context(), "k", 4, now); wait != 0 {
			t.Fatalf("attempt %d waits %s", i, wait)
		}
	}
	if one.Try(t.Context(), "k", 4, now) == 0 || two.Try(t.Context(), "k", 4, now) == 0 || process().Try(t.Context(), "k", 4, now) == 0 {
		t.Error("the fifth attempt was admitted")
	}
	if two.Reset(t.Context(), "k"); process().Try(t.Context(), "k", 4, now) != 0 {
		t.Error("a success at one process does not clear the shared count")
	}
}
