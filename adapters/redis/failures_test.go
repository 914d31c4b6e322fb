package redis

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// counted counts the round trips of a client, failed ones included.
type counted struct{ trips atomic.Int64 }

// DialHook implements goredis.Hook.
func (*counted) DialHook(next goredis.DialHook) goredis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements goredis.Hook.
func (*counted) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook { return next }

// ProcessPipelineHook implements goredis.Hook.
func (c *counted) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return func(ctx context.Context, all []goredis.Cmder) error {
		c.trips.Add(1)
		return next(ctx, all)
	}
}

// failing is a real Redis that the test stops, crashes or hangs, with everything a process uses it for.
type failing struct {
	*testing.T

	server   *testservers.Server
	client   *Client
	receipts *Receipts
	attempts *AttemptLimiter
	trips    *counted
	log      *lines
}

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), what)
}

func degraded(t *testing.T) *failing {
	t.Helper()
	f := &failing{T: t, server: started(t, testservers.StartRedis), trips: &counted{}, log: &lines{}}
	c, err := Connect(f.server.URL, slog.New(slog.NewTextHandler(f.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	c.redis.AddHook(f.trips)
	f.client, f.receipts, f.attempts = c, NewReceipts(c, "test:", portstest.InEpoch("1")), NewAttemptLimiter(c, "test:", time.Hour,
		token.NewAttemptLimiter(time.Hour))
	return f
}

// storeReceipt stores a receipt and waits until it is found.
func (f *failing) storeReceipt() {
	f.Helper()
	r := receiptOf(1)
	until(f.T, "a receipt that is kept", func() bool {
		f.receipts.Put(f.Context(), "1", r)
		_, ok := f.receipts.Find(f.Context(), r.Key)
		return ok
	})
}

// workWithoutRedis makes many calls of every kind. None may fail, and together they make no more round trips
// than it takes to open the breaker, plus one per elapsed openFor.
func (f *failing) workWithoutRedis() {
	f.Helper()
	before, began := f.trips.trips.Load(), time.Now()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for i := range 300 {
		r := receiptOf(byte(i))
		f.receipts.Put(f.Context(), "1", r)
		if _, ok := f.receipts.Find(f.Context(), r.Key); ok {
			f.Fatal("found a receipt without Redis")
		}
		if !f.receipts.Lease(f.Context(), r.Key, "a", time.Minute) {
			f.Fatal("a lease was refused; only the database may")
		}
		f.receipts.ReleaseLease(f.Context(), r.Key, "a")
		if wait := f.attempts.Try(f.Context(), "k", 1000, now); wait != 0 {
			f.Fatalf("an attempt waits %s", wait)
		}
	}
	most := tripAfter + int64(time.Since(began)/openFor) + 1
	if n := f.trips.trips.Load() - before; n > most {
		f.Errorf("%d round trips, want at most %d", n, most)
	}
	if err := f.client.Ready(f.Context()); err == nil {
		f.Error("reported ready without Redis")
	}
	if n := f.log.count("Redis is unavailable"); n != 1 {
		f.Errorf("logged %d times", n)
	}
}

func (f *failing) start() {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), patience)
	defer cancel()
	if err := f.server.Start(ctx); err != nil {
		f.Fatal(err)
	}
}

func (f *failing) recovers() {
	f.Helper()
	f.storeReceipt()
	until(f.T, "the log of the recovery", func() bool { return f.log.count("Redis is available again") == 1 })
	if f.client.pipe.circuitOpen() {
		f.Error("the breaker is open")
	}
}

func TestRedisDownAtStart(t *testing.T) {
	t.Parallel()
	f := degraded(t)
	f.server.Kill()
	f.workWithoutRedis()
	f.start()
	f.recovers()
}

func TestRedisCrash(t *testing.T) {
	t.Parallel()
	f := degraded(t)
	f.storeReceipt()
	f.server.Kill()
	f.workWithoutRedis()
	f.start()
	f.recovers()
}

func TestRedisHang(t *testing.T) {
	t.Parallel()
	f := degraded(t)
	f.storeReceipt()
	if err := f.server.Pause(); err != nil {
		t.Fatal(err)
	}
	f.workWithoutRedis()
	if err := f.server.Resume(); err != nil {
		t.Fatal(err)
	}
	f.recovers()
}

// An empty Redis is not a failure: old entries are not found, and new ones are kept.
func TestRedisFlush(t *testing.T) {
	t.Parallel()
	f := degraded(t)
	f.storeReceipt()
	until(t, "a lease", func() bool { return f.receipts.Lease(t.Context(), ports.ReceiptKey{1}, "a", time.Hour) })
	if err := f.client.redis.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	if _, ok := f.receipts.Find(t.Context(), receiptOf(1).Key); ok {
		t.Error("a receipt survived")
	}
	if !f.receipts.Lease(t.Context(), ports.ReceiptKey{1}, "b", time.Hour) {
		t.Error("a lease survived")
	}
	if f.storeReceipt(); f.client.pipe.circuitOpen() || f.log.count("Redis") != 0 {
		t.Error("an empty Redis counts as a failure")
	}
}

// A caller of a hanging Redis waits for the running round trip and its own.
func TestCallersOfHangingRedisShareRoundTrips(t *testing.T) {
	t.Parallel()
	f := degraded(t)
	f.storeReceipt()
	if err := f.server.Pause(); err != nil {
		t.Fatal(err)
	}
	before, began := f.trips.trips.Load(), time.Now()
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for range 20 {
				f.receipts.Find(t.Context(), ports.ReceiptKey{byte(i)})
			}
		})
	}
	all.Wait()
	if n, most := f.trips.trips.Load()-before, tripAfter+int64(time.Since(began)/openFor)+1; n > most {
		t.Errorf("%d round trips for 1280 calls, want at most %d", n, most)
	}
}
