// Package redis keeps in Redis what may be lost at any time. Nothing here decides anything: a Redis that is slow, empty or
// gone costs round trips to the database, never an answer. Bounds: a pipeline takes at most timeout, then counts as a
// failure; after trip failures in a row the breaker lets nothing through for rest.
package redis

import (
	"errors"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

const (
	timeout = 100 * time.Millisecond // of one round trip, dialling included
	trip    = 3                      // failures in a row that open the breaker
	rest    = time.Second            // how long an open breaker refuses everything
)

var errURL = errors.New("redis URL: want redis:// or rediss://, with +cluster or +sentinel after the scheme, and options go-redis knows")

// Connect makes a client; it dials when first used. A URL is redis://… or rediss://… for a single server, with +cluster or
// +sentinel (query master_name) after the scheme for the others, with go-redis' query options; addr may be repeated.
// It errors on a URL it cannot read, without repeating it: it may hold a password.
func Connect(url string) (goredis.UniversalClient, error) {
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
