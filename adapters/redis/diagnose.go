package redis

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// probeKeys is how many keys Diagnose tries: enough to reach every node of a cluster.
const probeKeys = 64

// settingRemedies say how to fix the setting behind an error of Redis or its driver.
var settingRemedies = []struct{ message, remedy string }{
	{"MOVED", "this server is a node of a cluster: the URL has to begin with redis+cluster://"},
	{"cluster support disabled", "this server is not a cluster: the URL has to begin with redis://"},
	{"READONLY", "this server is a replica: name its master, or its sentinels with redis+sentinel://"},
	{"NOAUTH", "the URL lacks a password"},
	{"WRONGPASS", "the user or the password of the URL is wrong"},
	{"No such master", "the sentinels know no master of that master_name"},
	{"unreachable: redis: nil", "the sentinels know no master of that master_name"},
	{"unknown command", "this server lacks a command; if it is a sentinel, the URL has to begin with redis+sentinel://"},
	{"i/o timeout", "the server accepts connections but does not answer in time"},
	{"NOPERM", "the user of the URL may not run all commands on all keys"},
	{"sentinels specified in configuration are unreachable", "no sentinel of the URL answers"},
}

// Diagnose tries every kind of command that the server uses, on keys of its own and without the breaker.
// Where it can, its error names the setting to fix.
func (c *Client) Diagnose(ctx context.Context, prefix string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*roundTripTimeout)
	defer cancel()
	prefix += "doctor:" + rand.Text() + ":"
	for i := range probeKeys {
		if err := c.probeKey(ctx, prefix+strconv.Itoa(i)); err != nil {
			return withRemedy(err)
		}
	}
	return nil
}

func (c *Client) probeKey(ctx context.Context, key string) error {
	p := c.redis.Pipeline()
	p.Set(ctx, key, "well?", time.Minute)
	read := p.Get(ctx, key)
	p.Eval(ctx, unleaseScript, []string{key}, "well?")
	if _, err := p.Exec(ctx); err != nil {
		return err
	}
	if read.Val() != "well?" {
		return errors.New("a test value was read back with different contents")
	}
	return nil
}

func withRemedy(err error) error {
	for _, r := range settingRemedies {
		if strings.Contains(err.Error(), r.message) {
			return fmt.Errorf("%s (%w)", r.remedy, err)
		}
	}
	return err
}
