package redis

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Calls is ports.SharedCount. All commands of a moment share a round trip.
type Calls struct {
	prefix string
	pipe   *pipeline
}

var _ ports.SharedCount = Calls{}

// NewCalls counts under names that begin with prefix.
func NewCalls(client *Client, prefix string) Calls { return Calls{prefix, client.pipe} }

// keepCalls is how long the count of a month stays after it was last raised: longer than the month.
const keepCalls = 40 * 24 * time.Hour

// unknown is what the script takes tells of a count that is not there; refused of one at its limit.
const (
	unknown = -1
	refused = 0
)

// take counts a call when the count is known and below the limit, and answers the count with it.
const take = `local n = tonumber(redis.call('GET', KEYS[1]))
if not n then return -1 end
if n >= tonumber(ARGV[1]) then return 0 end
return redis.call('INCR', KEYS[1])`

// Take implements ports.SharedCount.
func (c Calls) Take(ctx context.Context, id tenant.ID, month quota.Month, limit int64) (used int64, admitted bool, err error) {
	var got *goredis.Cmd
	name := []string{c.name(id, month)}
	worked := c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) { got = p.Eval(ctx, take, name, limit) })
	if !worked {
		return 0, false, ports.ErrCountAway
	}
	switch used, err = got.Int64(); {
	case err != nil:
		return 0, false, ports.ErrCountAway
	case used == unknown:
		return 0, false, ports.ErrCountUnknown
	case used == refused:
		return limit, false, nil
	}
	return used, true, nil
}

// giveBack uncounts a call of a count that is known.
const giveBack = `if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end return 0`

// GiveBack implements ports.SharedCount.
func (c Calls) GiveBack(id tenant.ID, month quota.Month) {
	name := []string{c.name(id, month)}
	c.pipe.send(func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, giveBack, name) })
}

// raise makes a count at least as high as told, and has it stay.
const raise = `local n = tonumber(redis.call('GET', KEYS[1]))
if not n or n < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 0`

// Raise implements ports.SharedCount.
func (c Calls) Raise(ctx context.Context, month quota.Month, used map[tenant.ID]int64) error {
	all := make([]errandOf, 0, len(used))
	for id, n := range used {
		name := []string{c.name(id, month)}
		all = append(all, func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, raise, name, n, keepCalls.Milliseconds()) })
	}
	return c.each(ctx, all)
}

// errandOf adds a command to a pipeline.
type errandOf = func(context.Context, goredis.Pipeliner)

// each carries out many commands, a round trip's worth at a time. Errors: ports.ErrCountAway.
func (c Calls) each(ctx context.Context, all []errandOf) error {
	for len(all) > 0 {
		some := all[:min(maxPipeline, len(all))]
		all = all[len(some):]
		answers := make([]<-chan bool, len(some))
		for i, add := range some {
			if answers[i] = c.pipe.send(add); answers[i] == nil { //nolint:contextcheck // see send
				return ports.ErrCountAway
			}
		}
		for _, answer := range answers {
			select {
			case worked := <-answer:
				if !worked {
					return ports.ErrCountAway
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// burstLife is how long what a process told of a caller counts.
const burstLife = 3 * time.Second

// bursts keeps what each process counted of a caller, with the time at which it said so, and answers the sum of what the
// others said lately.
const bursts = `redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ':' .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
local all, sum = redis.call('HGETALL', KEYS[1]), 0
for i = 1, #all, 2 do
  local n, at = string.match(all[i + 1], '(%d+):(%d+)')
  if all[i] ~= ARGV[1] and tonumber(at) > tonumber(ARGV[3]) - tonumber(ARGV[4]) then sum = sum + tonumber(n) end
end
return sum`

// Bursts implements ports.SharedCount.
func (c Calls) Bursts(ctx context.Context, counter string, counts map[string]int, now time.Time) (map[string]int, error) {
	all := make([]errandOf, 0, len(counts))
	got := make(map[string]**goredis.Cmd, len(counts))
	for name, n := range counts {
		key, answer := []string{c.burstName(name)}, new(*goredis.Cmd)
		got[name] = answer
		all = append(all, func(ctx context.Context, p goredis.Pipeliner) {
			*answer = p.Eval(ctx, bursts, key, counter, n, now.UnixMilli(), burstLife.Milliseconds())
		})
	}
	if err := c.each(ctx, all); err != nil {
		return nil, err
	}
	elsewhere := make(map[string]int, len(counts))
	for name, answer := range got {
		if n, err := (*answer).Int(); err == nil && n > 0 {
			elsewhere[name] = n
		}
	}
	return elsewhere, nil
}

// name is where the count of a tenant's month stands.
func (c Calls) name(id tenant.ID, month quota.Month) string {
	return c.prefix + "calls:" + month.First.String()[:len("2026-01")] + ":" + string(id)
}

// burstName is where the counts of a caller stand: tokens and addresses never reach Redis' monitors.
func (c Calls) burstName(name string) string {
	sum := sha256.Sum256([]byte(name))
	return c.prefix + "burst:" + base64.RawURLEncoding.EncodeToString(sum[:])
}
