package redis

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"

	goredis "github.com/redis/go-redis/v9"
)

// ServerConfig is the settings that a server reports; "" is not reported.
type ServerConfig struct {
	Version         string // such as 7.2.4
	MaxmemoryPolicy string // maxmemory-policy
	AOF             string // "1": the append-only file is on
	Save            string // snapshot schedule; "" also when not reported, see SaveKnown
	// SaveKnown reports whether Save was reported: hosted servers often forbid CONFIG.
	SaveKnown bool
}

// ServerConfigs asks the server, or each master of a cluster, without the breaker.
func (c *Client) ServerConfigs(ctx context.Context) (states []ServerConfig, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*roundTripTimeout)
	defer cancel()
	var mu sync.Mutex
	each := func(ctx context.Context, on *goredis.Client) error {
		s, err := readServerConfig(ctx, on)
		mu.Lock()
		defer mu.Unlock()
		states = append(states, s)
		return err
	}
	switch r := c.redis.(type) {
	case *goredis.ClusterClient:
		err = r.ForEachMaster(ctx, each)
	case *goredis.Client:
		err = each(ctx, r)
	}
	return states, err
}

func readServerConfig(ctx context.Context, on *goredis.Client) (s ServerConfig, err error) {
	text, err := on.Info(ctx).Result()
	for isTimeout(err) && ctx.Err() == nil { // a busy machine says nothing of the settings
		text, err = on.Info(ctx).Result()
	}
	if err != nil {
		return s, err
	}
	for line := range strings.Lines(text) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), ":"); name {
		case "redis_version":
			s.Version = value
		case "maxmemory_policy":
			s.MaxmemoryPolicy = value
		case "aof_enabled":
			s.AOF = value
		}
	}
	if set, err := on.ConfigGet(ctx, "save").Result(); err == nil {
		s.Save, s.SaveKnown = set["save"]
	}
	return s, nil
}

// isTimeout reports whether a call got no answer in the time that a request can wait for one.
func isTimeout(err error) bool {
	late, ok := errors.AsType[net.Error](err)
	return ok && late.Timeout()
}
