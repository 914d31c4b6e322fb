package main

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

// shared is what the instances of a server share through Redis. Without one each keeps its own.
type shared struct {
	redis            *redis.Client      // nil without
	receipts         ports.ReceiptCache // the fast copy of receipts
	loginAttempts    ports.AttemptLimiter
	discountAttempts ports.AttemptLimiter // of discount codes
}

// openShared connects to Redis where one is configured.
func (k *platform) openShared(ctx context.Context) (shared, error) {
	own := shared{
		receipts: memory.NewReceipts(64<<20, k.now), loginAttempts: token.NewAttemptLimiter(loginAttemptWindow),
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
	k.closers = append(k.closers, client.Close)
	if err := client.Diagnose(ctx, redisPrefix); err != nil {
		k.log.Warn("Redis (CARTWRIGHT_REDIS_URL) is unusable; falling back to the database", "error", err)
	}
	if err := client.Trace(k.tracing.InstrumentRedis); err != nil {
		return shared{}, err
	}
	return shared{
		redis: client, receipts: redis.NewReceipts(client, redisPrefix),
		loginAttempts:    redis.NewAttemptLimiter(client, redisPrefix, loginAttemptWindow, own.loginAttempts),
		discountAttempts: redis.NewAttemptLimiter(client, redisPrefix, quotes.AttemptWindow, own.discountAttempts),
	}, nil
}

// checks are of what the server can serve without.
func (h shared) checks() []rest.Check {
	if h.redis == nil {
		return nil
	}
	return []rest.Check{{Name: "redis", Ready: h.redis.Ready, Optional: true}}
}

// redisPrefix begins the names of all that we keep in Redis.
const redisPrefix = "cartwright:"

// silentLogger keeps the Redis driver from writing a line of its own for every failed dial; the breaker and we tell it once.
type silentLogger struct{}

// Printf implements the driver's logger.
func (silentLogger) Printf(context.Context, string, ...any) {}
