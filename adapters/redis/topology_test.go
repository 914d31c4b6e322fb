package redis

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// patience is how long a test waits, on however busy a machine.
const patience = time.Minute

// connected is a client with a timeout as long as the test waits.
func connected(t *testing.T, url string) *Client { return connectedFor(t, url, patience) }

func connectedFor(t *testing.T, url string, timeout time.Duration) *Client {
	t.Helper()
	c, err := ConnectWithTimeout(url, quiet, timeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// started runs one or more servers until the test ends.
func started[S interface{ Stop() error }](t *testing.T, start func(context.Context) (S, error)) S {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s, err := start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// contracts runs the contract suites of the ports on a topology.
func contracts(t *testing.T, c *Client, prefix string) {
	t.Helper()
	t.Run("receipts", func(t *testing.T) {
		portstest.ReceiptCache(t, func(_ *testing.T, database ports.Epochs) ports.ReceiptCache {
			return NewReceipts(c, prefix, database)
		})
	})
	t.Run("attempts", func(t *testing.T) {
		portstest.AttemptLimiter(t, NewAttemptLimiter(c, prefix, 15*time.Minute, token.NewAttemptLimiter(15*time.Minute)))
	})
	t.Run("calls", func(t *testing.T) {
		portstest.SharedCounter(t, NewSharedCounter(c, prefix), NewSharedCounter(c, prefix))
	})
	t.Run("tenants", func(t *testing.T) {
		receipts, counter := NewReceipts(c, prefix, portstest.InEpoch("1")), NewSharedCounter(c, prefix)
		portstest.TenantCache(t, NewTenantCache(receipts, counter), receipts, counter)
	})
	if err := c.Diagnose(t.Context(), prefix); err != nil {
		t.Error(err)
	}
	if err := c.Ready(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSingleServer(t *testing.T) {
	t.Parallel()
	contracts(t, connected(t, testservers.Redis(t)), "test:")
}

// On a cluster, keys live on the node of their slot, and one round trip reaches all nodes.
func TestCluster(t *testing.T) {
	t.Parallel()
	cluster := started(t, func(ctx context.Context) (*testservers.RedisCluster, error) {
		return testservers.StartRedisCluster(ctx, 3)
	})
	c := connected(t, cluster.URL)
	contracts(t, c, "test:")

	receipts := NewReceipts(c, "spread:", portstest.InEpoch("1"))
	for i := range 100 {
		receipts.Put(t.Context(), "1", receiptOf(byte(i)))
	}
	until(t, "all 100 receipts", func() bool {
		for i := range 100 {
			if _, ok := receipts.Find(t.Context(), receiptOf(byte(i)).Key); !ok {
				return false
			}
		}
		return true
	})
	for _, node := range cluster.Nodes {
		if n := keysOn(t, node.URL); n == 0 || n == 100 {
			t.Errorf("%s holds %d of 100 receipts", node.URL, n)
		}
	}
}

func receiptOf(n byte) ports.Receipt {
	at := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	return ports.Receipt{
		Tenant: "t", Key: ports.ReceiptKey{n}, Result: ports.ReceiptOK, Body: []byte("{}"), At: at, Expires: at.Add(time.Hour),
	}
}

func keysOn(t *testing.T, url string) int {
	t.Helper()
	o, err := goredis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := goredis.NewClient(o)
	defer func() { _ = client.Close() }() // the answer was read
	keys, err := client.Keys(t.Context(), "spread:*").Result()
	if err != nil {
		t.Fatal(err)
	}
	return len(keys)
}

// When the master dies, the sentinels name a new one, and the client switches to it.
func TestSentinels(t *testing.T) {
	t.Parallel()
	s := started(t, testservers.StartRedisSentinel)
	c := connected(t, s.URL)
	contracts(t, c, "before:")

	receipts, r := NewReceipts(c, "test:", portstest.InEpoch("1")), receiptOf(1)
	receipts.Put(t.Context(), "1", r)
	until(t, "the receipt", func() bool { _, ok := receipts.Find(t.Context(), r.Key); return ok })
	s.Master.Kill()
	until(t, "a failover", func() bool {
		receipts.Put(t.Context(), "1", r) // the first write may not have reached the replica
		_, ok := receipts.Find(t.Context(), r.Key)
		return ok
	})
	contracts(t, c, "after:")
}

// A misconfigured URL is answered with the setting to fix.
func TestMisconfiguredURLIsExplained(t *testing.T) {
	t.Parallel()
	single := started(t, testservers.StartRedis)
	cluster := started(t, func(ctx context.Context) (*testservers.RedisCluster, error) {
		return testservers.StartRedisCluster(ctx, 2)
	})
	sentinel := started(t, testservers.StartRedisSentinel)
	address := func(url string) string { _, rest, _ := strings.Cut(url, "://"); return rest }
	gone := started(t, testservers.StartRedis)
	gone.Kill()
	silent := started(t, testservers.StartRedis)
	if err := silent.Pause(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ url, want string }{
		"a node as a single server":    {cluster.Nodes[0].URL, "has to begin with redis+cluster://"},
		"a single server as a cluster": {"redis+cluster://" + strings.TrimSuffix(address(single.URL), "/0"), "has to begin with redis://"},
		"a replica":                    {sentinel.Replica.URL, "is a replica"},
		"a sentinel as a server":       {sentinel.Sentinel.URL, "has to begin with redis+sentinel://"},
		"an unknown master":            {strings.Replace(sentinel.URL, "main", "other", 1), "no master of that master_name"},
		"a password that is not set":   {"redis://user:secret@" + address(single.URL), "the user or the password"},
		"a hanging server":             {silent.URL, "does not answer in time"},
		"nobody there":                 {gone.URL, "connection refused"},
		"absent sentinels": {
			"redis+sentinel://" + strings.TrimSuffix(address(gone.URL), "/0") + "?master_name=main", "no sentinel of the URL answers",
		},
		"an absent cluster":              {"redis+cluster://" + strings.TrimSuffix(address(gone.URL), "/0"), "connection refused"},
		"a database that does not exist": {strings.TrimSuffix(single.URL, "/0") + "/9999", "DB index"},
	} {
		err := connectedFor(t, c.url, roundTripTimeout).Diagnose(t.Context(), "test:")
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := connectedFor(t, gone.URL, roundTripTimeout).Ready(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a stopped server is ready: %v", err)
	}
}
