package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/redis"
)

// oldestRedis is the first version that speaks what our driver speaks to it (RESP3).
const oldestRedis = 6

// lookIntoRedis tells what a Redis that works is set to that it should not be. All of it is a warning: nothing that
// counts is in Redis alone, so that a wrong setting costs time, and makes limits looser than they are meant.
func (k *core) lookIntoRedis(ctx context.Context, found *findings) {
	client, err := redis.Connect(k.config.Redis, k.log)
	if err != nil {
		return // told by tryRedis
	}
	defer client.Close() //nolint:errcheck // it was only read
	states, err := client.States(ctx)
	if err != nil {
		found.doubt("redis", "it does not say how it is set: let the user of CARTWRIGHT_REDIS_URL run INFO ("+err.Error()+")")
		return
	}
	var told []string
	for _, s := range states {
		told = append(told, redisDoubts(s)...)
	}
	slices.Sort(told)
	for _, text := range slices.Compact(told) { // nodes of a cluster are set alike
		found.doubt("redis", text)
	}
}

// redisDoubts is what should be otherwise on a server, each with how to mend it. What it does not say is not guessed.
func redisDoubts(s redis.State) (told []string) {
	if major, _, _ := strings.Cut(s.Version, "."); s.Version != "" {
		if n, err := strconv.Atoi(major); err == nil && n < oldestRedis {
			told = append(told, fmt.Sprintf("the server is version %s, which nobody tries any more: run version %d or newer", s.Version, oldestRedis))
		}
	}
	switch s.Policy {
	case "", "noeviction", "volatile-ttl":
	default:
		told = append(told, "maxmemory-policy "+s.Policy+" throws away counts of calls and of tries to log in as readily as copies of receipts when memory is full: limits get looser and the database is asked more; set volatile-ttl, which lets the counts of the month go last, or noeviction")
	}
	if s.AOF == "0" && s.SaysSave && s.Save == "" {
		told = append(told, "it saves nothing: a restart forgets tries to log in, which are then counted anew, and counts of calls and receipts, which are then looked up in the database; set appendonly yes")
	}
	return told
}
