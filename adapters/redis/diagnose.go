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

// probeKeys is how many keys Examine tries: on every node of a cluster some.
const probeKeys = 64

// settingRemedies say what to do about words that Redis and its driver have for a setting that does not fit.
var settingRemedies = []struct{ says, remedy string }{
	{"MOVED", "this server is a node of a cluster: the URL has to begin with redis+cluster://"},
	{"cluster support disabled", "this server is no cluster: the URL has to begin with redis://"},
	{"READONLY", "this server is a replica: name its master, or its sentinels with redis+sentinel://"},
	{"NOAUTH", "a password is missing in the URL"},
	{"WRONGPASS", "the user or the password of the URL is wrong"},
	{"No such master", "the sentinels know no master of that master_name"},
	{"unreachable: redis: nil", "the sentinels know no master of that master_name"},
	{"unknown command", "this server lacks a command; is it a sentinel? Then the URL has to begin with redis+sentinel://"},
	{"i/o timeout", "the server takes calls and does not answer in time"},
	{"NOPERM", "the user of the URL may not run all commands on all keys"},
	{"sentinels specified in configuration are unreachable", "no sentinel of the URL answers"},
}

// Diagnose does everything with Redis that the server does, on keys of its own, and past the breaker. Its error says what
// is wrong with the setting, where that can be told.
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
		if strings.Contains(err.Error(), r.says) {
			return fmt.Errorf("%s (%w)", r.remedy, err)
		}
	}
	return err
}
