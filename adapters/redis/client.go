// Package redis keeps in Redis what may be lost at any time. Nothing here decides anything: a Redis that is slow, empty or
// gone costs round trips to the database, never an answer. Bounds: a round trip takes at most timeout, then counts as a
// failure; a caller waits for the one under way and its own, no longer than two of them; after trip failures in a row the
// breaker, one for all that a process does with its Redis, lets nothing through for rest, and then one round trip at a time
// until one succeeds. So a Redis that hangs makes the calls of a few tenths of a second wait, and once a rest one of them.
//
// Every command names one key, so that a cluster takes them wherever their slots are; a round trip to it is as many as
// there are nodes, at the same time, and is a failure when one of them is. What Redis says of a command concerns that one
// only. A failover is an outage until the sentinels tell of another
// master.
package redis

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

const (
	roundTripTimeout = 100 * time.Millisecond // of one round trip, dialling included
	tripAfter        = 3                      // failures in a row that open the breaker
	openFor          = time.Second            // how long an open breaker refuses everything
)

var errURL = errors.New("redis URL: want redis:// or rediss://, with +cluster or +sentinel after the scheme, and options go-redis knows")

// ErrUnavailable says that Redis did not answer, or is left alone for a moment because it did not.
var ErrUnavailable = errors.New("redis does not answer")

// Client is a Redis in whatever topology, behind one breaker.
type Client struct {
	redis goredis.UniversalClient
	pipe  *pipeline
}

// Connect makes a client; it dials when first used. A URL is redis://… or rediss://… for a single server, with +cluster or
// +sentinel (query master_name) after the scheme for the others, with go-redis' query options; addr may be repeated.
// It errors on a URL it cannot read, without repeating it: it may hold a password.
func Connect(url string, log *slog.Logger) (*Client, error) {
	return ConnectWithTimeout(url, log, roundTripTimeout)
}

// ConnectWithTimeout is Connect for whoever would rather wait for so long than do without an answer.
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

// Trace lets instrument see what is sent to Redis.
func (c *Client) Trace(instrument func(goredis.UniversalClient) error) error {
	return instrument(c.redis)
}

// Ready reports whether Redis answers. Like all that is asked of it this takes no longer than two round trips, and none
// while the breaker is open. Errors: ErrUnavailable.
func (c *Client) Ready(ctx context.Context) error {
	if !c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) { p.Ping(ctx) }) {
		return ErrUnavailable
	}
	return nil
}

// Close lets go of all connections.
func (c *Client) Close() error { return c.redis.Close() }
