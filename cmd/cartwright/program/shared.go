package program

import (
	"context"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/quotes"
	"github.com/cartwright-dev/cartwright/ports"
)

// shared is what the instances of an installation share through Redis. Without Redis each instance has its own.
type shared struct {
	redis            *redis.Client // nil without Redis
	receipts         ports.ReceiptCache
	loginAttempts    ports.AttemptLimiter
	discountAttempts ports.AttemptLimiter // of discount codes
}

// openShared connects to Redis where one is configured.
func (k *platform) openShared(ctx context.Context) (shared, error) {
	own := shared{
		receipts: memory.NewReceipts(64<<20, k.now, k.store), loginAttempts: token.NewAttemptLimiter(loginAttemptWindow),
		discountAttempts: token.NewAttemptLimiter(quotes.AttemptWindow),
	}
	if k.config.Redis == "" {
		return own, nil
	}
	goredis.SetLogger(silentLogger{})
	client, err := redis.Connect(k.config.Redis, k.log)
	if err != nil {
		return shared{}, err
	}
	client.Supervise(k.background.Task("redis"))
	k.closers = append(k.closers, client.Close)
	if err := client.Diagnose(ctx, redisPrefix); err != nil {
		k.log.Warn("Redis (CARTWRIGHT_REDIS_URL) is unusable; falling back to the database", "error", err)
	}
	if err := client.Trace(k.tracing.InstrumentRedis); err != nil {
		return shared{}, err
	}
	return shared{
		redis: client, receipts: redis.NewReceipts(client, redisPrefix, k.store),
		loginAttempts:    redis.NewAttemptLimiter(client, redisPrefix, loginAttemptWindow, own.loginAttempts),
		discountAttempts: redis.NewAttemptLimiter(client, redisPrefix, quotes.AttemptWindow, own.discountAttempts),
	}, nil
}

// checks are the readiness checks of shared services, all optional: the server also works without them.
func (s shared) checks() []rest.Check {
	if s.redis == nil {
		return nil
	}
	return []rest.Check{{Name: "redis", Ready: s.redis.Ready, Optional: true}}
}

// redisPrefix is the prefix of all keys in Redis.
const redisPrefix = "cartwright:"

// silentLogger keeps the Redis driver from logging every failed dial; the circuit breaker logs an outage once.
type silentLogger struct{}

// Printf implements the driver's logger.
func (silentLogger) Printf(context.Context, string, ...any) {}
