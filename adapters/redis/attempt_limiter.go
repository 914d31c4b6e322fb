package redis

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"math/rand/v2"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/ports"
)

// AttemptLimiter is ports.AttemptLimiter shared by all instances. Each instance also counts its own attempts
// locally. While Redis is unavailable the local count alone decides, so that guessing stays limited and
// nobody is locked out.
type AttemptLimiter struct {
	prefix string
	window time.Duration
	pipe   *pipeline
	local  ports.AttemptLimiter
}

var _ ports.AttemptLimiter = (*AttemptLimiter)(nil)

// NewAttemptLimiter counts over the window under keys with prefix; local counts the attempts of this process.
func NewAttemptLimiter(client *Client, prefix string, window time.Duration, local ports.AttemptLimiter) *AttemptLimiter {
	return &AttemptLimiter{prefix: prefix, window: window, pipe: client.pipe, local: local}
}

// tryScript storeReceipt a set of times per key. It drops those outside the window, and adds one unless the set is
// full. It returns how many milliseconds the oldest will stay, or 0 when the attempt was added.
const tryScript = `local now, window, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local n = redis.call('ZCARD', KEYS[1])
if n >= limit then
  local first = redis.call('ZRANGE', KEYS[1], n - limit, n - limit, 'WITHSCORES')
  return tonumber(first[2]) + window - now
end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], window)
return 0`

// Try implements ports.AttemptLimiter.
func (a *AttemptLimiter) Try(ctx context.Context, key string, limit int, now time.Time) time.Duration {
	if wait := a.local.Try(ctx, key, limit, now); wait > 0 {
		return wait
	}
	var got *goredis.Cmd
	name, member := []string{a.attemptsKey(key)}, strconv.FormatUint(rand.Uint64(), 36) //nolint:gosec // only distinguishes attempts of the same moment
	worked := a.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) {
		got = p.Eval(ctx, tryScript, name, now.UnixMilli(), a.window.Milliseconds(), limit, member)
	})
	if !worked {
		return 0
	}
	wait, err := got.Int64()
	if err != nil || wait <= 0 {
		return 0
	}
	a.local.Undo(ctx, key) // a refused attempt does not count
	return time.Duration(wait) * time.Millisecond
}

// Undo implements ports.AttemptLimiter.
func (a *AttemptLimiter) Undo(ctx context.Context, key string) {
	a.local.Undo(ctx, key)
	name := a.attemptsKey(key)
	a.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) { p.ZRemRangeByRank(ctx, name, -1, -1) })
}

// Reset implements ports.AttemptLimiter.
func (a *AttemptLimiter) Reset(ctx context.Context, key string) {
	a.local.Reset(ctx, key)
	name := a.attemptsKey(key)
	a.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) { p.Del(ctx, name) })
}

// attemptsKey is the Redis key of an attempt key. It is hashed, so that email addresses do not show up in
// Redis monitors.
func (a *AttemptLimiter) attemptsKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return a.prefix + "attempts:" + base64.RawURLEncoding.EncodeToString(sum[:])
}
