package program

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/redis"
)

// minRedisVersion is the first version that supports RESP3, which the driver uses.
const minRedisVersion = 6

// checkRedisSettings reports unsuitable settings of a working Redis. All are warnings: nothing essential is
// only in Redis, so a wrong setting costs time, and loosens limits.
func (k *core) checkRedisSettings(ctx context.Context, found *findings) {
	client, err := redis.Connect(k.config.Redis, k.log)
	if err != nil {
		return // checkRedis reports it
	}
	defer client.Close() //nolint:errcheck // it was only read
	configs, err := client.ServerConfigs(ctx)
	if err != nil {
		found.warn("redis", "its settings cannot be read: allow the user of CARTWRIGHT_REDIS_URL to run INFO ("+err.Error()+")")
		return
	}
	var warnings []string
	for _, s := range configs {
		warnings = append(warnings, redisWarnings(s)...)
	}
	slices.Sort(warnings)
	for _, text := range slices.Compact(warnings) { // nodes of a cluster have the same settings
		found.warn("redis", text)
	}
}

// redisWarnings are the unsuitable settings of a server, each with its fix. Settings that it does not report
// are not guessed.
func redisWarnings(s redis.ServerConfig) (warnings []string) {
	if major, _, _ := strings.Cut(s.Version, "."); s.Version != "" {
		if n, err := strconv.Atoi(major); err == nil && n < minRedisVersion {
			warnings = append(warnings,
				fmt.Sprintf("the server is version %s, which is untested: use version %d or newer", s.Version, minRedisVersion))
		}
	}
	switch s.MaxmemoryPolicy {
	case "", "noeviction", "volatile-ttl":
	default:
		warnings = append(warnings,
			"maxmemory-policy "+s.MaxmemoryPolicy+" evicts call counts and login attempts as readily as cached receipts when memory is full, which loosens limits and loads the database; set volatile-ttl, which evicts the monthly counts last, or noeviction")
	}
	if s.AOF == "0" && s.SaveKnown && s.Save == "" {
		warnings = append(warnings,
			"it has no persistence: a restart loses login attempts, and call counts and receipts have to be read from the database again; set appendonly yes")
	}
	return warnings
}
