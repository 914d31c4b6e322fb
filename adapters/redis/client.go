// Package redis storeReceipt data in Redis that may be lost at any time. Redis never decides an outcome: when it is
// slow, empty or gone, that costs round trips to the database, never an answer. Bounds: a round trip takes at
// most roundTripTimeout and then counts as a failure; a caller waits for the running round trip and its own,
// never longer than two. After tripAfter failures in a row the breaker, one per client, refuses everything
// for openFor, and then lets one round trip through at a time until one succeeds. So when Redis hangs,
// callers wait a few tenths of a second, and later one of them per openFor.
//
// Every command names one key, so that it works on clusters. A round trip to a cluster is one per node, in
// parallel, and fails if any of them fails. An error of a command affects that command only. A failover is an
// outage until the sentinels name the new master.
package redis

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/app/background"
)

const (
	roundTripTimeout = 100 * time.Millisecond // of one round trip, including dialing
	tripAfter        = 3                      // failures in a row that open the breaker
	openFor          = time.Second            // how long an open breaker refuses everything
)

var errURL = errors.New("redis URL: want redis:// or rediss://, with +cluster or +sentinel after the scheme, and options go-redis knows")

// ErrUnavailable means that Redis did not answer, or that the breaker is open because it did not.
var ErrUnavailable = errors.New("redis does not answer")

// Client is a Redis of any topology, behind one breaker.
type Client struct {
	redis goredis.UniversalClient
	pipe  *pipeline
}

// Connect makes a client; it dials on first use. A URL is redis://… or rediss://… for a single server, with
// +cluster or +sentinel (query master_name) after the scheme for the other topologies, with go-redis' query
// options; addr may be repeated. It errors on an invalid URL, without quoting it: it may hold a password.
func Connect(url string, log *slog.Logger) (*Client, error) {
	return ConnectWithTimeout(url, log, roundTripTimeout)
}

// ConnectWithTimeout is Connect with another timeout of round trips.
func ConnectWithTimeout(url string, log *slog.Logger, timeout time.Duration) (*Client, error) {
	redis, err := parseURL(url, timeout)
	if err != nil {
		return nil, err
	}
	return newClient(redis, log, timeout), nil
}

func newClient(redis goredis.UniversalClient, log *slog.Logger, timeout time.Duration) *Client {
	return &Client{redis, newPipeline(redis, log, timeout)}
}

// Supervise has the goroutines of c belong to task. Call it before the first use.
func (c *Client) Supervise(task *background.Task) { c.pipe.task = task }

func parseURL(url string, timeout time.Duration) (goredis.UniversalClient, error) {
	scheme, address, _ := strings.Cut(url, "://")
	transport, topology, _ := strings.Cut(scheme, "+")
	url = transport + "://" + address
	switch topology {
	case "":
		if o, err := goredis.ParseURL(url); err == nil {
			o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.MaxRetries, o.DialerRetries = timeout, timeout, timeout, -1, 1
			o.ContextTimeoutEnabled = true
			return goredis.NewClient(o), nil
		}
	case "cluster":
		if o, err := goredis.ParseClusterURL(url); err == nil {
			o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.MaxRetries, o.DialerRetries = timeout, timeout, timeout, -1, 1
			o.ContextTimeoutEnabled = true
			return goredis.NewClusterClient(o), nil
		}
	case "sentinel":
		if o, err := goredis.ParseFailoverURL(url); err == nil {
			o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.MaxRetries, o.DialerRetries = timeout, timeout, timeout, -1, 1
			o.ContextTimeoutEnabled = true
			return goredis.NewFailoverClient(o), nil
		}
	}
	return nil, errURL
}

// Trace installs instrument on the underlying driver.
func (c *Client) Trace(instrument func(goredis.UniversalClient) error) error {
	return instrument(c.redis)
}

// Ready reports whether Redis answers. It takes at most two round trips, and none while the breaker is open.
// Errors: ErrUnavailable.
func (c *Client) Ready(ctx context.Context) error {
	if !c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) { p.Ping(ctx) }) {
		return ErrUnavailable
	}
	return nil
}

// Close closes all connections.
func (c *Client) Close() error { return c.redis.Close() }
