package redis

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
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

// keepCalls is how long the count of a month stays after it was last told of: longer than the month.
const keepCalls = 40 * 24 * time.Hour

// unknown is what the scripts tell of a count that is not there; refused of one at its limit.
const (
	unknown = -1
	refused = 0
)

// The count of a month is a hash: by counter "turn calls at", at being Redis' time in milliseconds when it last told
// something, or 0 when Calls is what it kept; and their sum.
const held = `local key, sum = KEYS[1], tonumber(redis.call('HGET', KEYS[1], 'sum'))
local function now() local t = redis.call('TIME'); return t[1] * 1000 + math.floor(t[2] / 1000) end
local function get(counter)
  local turn, calls, at = string.match(redis.call('HGET', key, 'c:' .. counter) or '', '(%d+) (%d+) (%d+)')
  return tonumber(turn or 0), tonumber(calls or 0), tonumber(at or 0)
end
local function set(counter, turn, calls, at, before)
  sum = sum + calls - before
  redis.call('HSET', key, 'c:' .. counter, string.format('%.0f %.0f %.0f', turn, calls, at), 'sum', string.format('%.0f', sum))
end
`

// take admits by what the others hold, whatever is known of this counter: it knows better. A call that was overtaken by
// something newer was under way then and is counted in that, so nothing is noted for it.
const take = held + `if not sum then return -1 end
local counter, told, newest, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local turn, calls = get(counter)
local used = sum - calls + told
if used > limit then return 0 end
if newest > turn then set(counter, newest, told, now(), calls) end
return used`

// Take implements ports.SharedCount.
func (c Calls) Take(ctx context.Context, id tenant.ID, month quota.Month, with ports.Holding, limit int64) (used int64, admitted bool, err error) {
	var got *goredis.Cmd
	name := []string{c.name(id, month)}
	worked := c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) {
		got = p.Eval(ctx, take, name, with.Counter, with.Calls, with.Turn, limit)
	})
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

// tell notes what a counter holds, and has the count stay. When it only raises, the turn stays too: calls whose take is
// still to come are not in it.
const tell = held + `if not sum then return -1 end
local counter, told, newest, least = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local turn, calls = get(counter)
local keep = newest <= turn or least and told <= calls
set(counter, (keep or least) and turn or newest, keep and calls or told, now(), calls)
redis.call('PEXPIRE', key, ARGV[6])
if sum - (keep and calls or told) < tonumber(ARGV[5]) then return -1 end
return 0`

// tell adds the command that tells a holding, and that others hold so much.
func (c Calls) tell(ctx context.Context, p goredis.Pipeliner, name string, h ports.Holding, elsewhere int64) *goredis.Cmd {
	return p.Eval(ctx, tell, []string{name}, h.Counter, h.Calls, h.Turn, h.AtLeast, elsewhere, keepCalls.Milliseconds())
}

// Tell implements ports.SharedCount.
func (c Calls) Tell(id tenant.ID, month quota.Month, h ports.Holding) {
	name := c.name(id, month)
	c.pipe.send(func(ctx context.Context, p goredis.Pipeliner) { c.tell(ctx, p, name, h, 0) })
}

// Share implements ports.SharedCount.
func (c Calls) Share(ctx context.Context, month quota.Month, all map[tenant.ID]ports.Holding, elsewhere map[tenant.ID]int64) (behind []tenant.ID, err error) {
	errands := make([]errandOf, 0, len(all))
	got := make(map[tenant.ID]**goredis.Cmd, len(all))
	for id, h := range all {
		name, answer := c.name(id, month), new(*goredis.Cmd)
		got[id] = answer
		errands = append(errands, func(ctx context.Context, p goredis.Pipeliner) { *answer = c.tell(ctx, p, name, h, elsewhere[id]) })
	}
	if err := c.each(ctx, errands); err != nil {
		return nil, err
	}
	for id, answer := range got {
		if n, err := (*answer).Int64(); err == nil && n == unknown {
			behind = append(behind, id)
		}
	}
	return behind, nil
}

// raise has each counter hold at least what it kept.
const raise = held + `if not sum then sum = 0; redis.call('HSET', key, 'sum', 0) end
for i = 2, #ARGV, 2 do
  local turn, calls, at = get(ARGV[i])
  if calls < tonumber(ARGV[i + 1]) then set(ARGV[i], turn, tonumber(ARGV[i + 1]), at, calls) end
end
redis.call('PEXPIRE', key, ARGV[1])
return 0`

// Raise implements ports.SharedCount.
func (c Calls) Raise(ctx context.Context, id tenant.ID, month quota.Month, kept map[string]int64) error {
	name, args := []string{c.name(id, month)}, []any{keepCalls.Milliseconds()}
	for counter, calls := range kept {
		args = append(args, counter, calls)
	}
	return c.each(ctx, []errandOf{func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, raise, name, args...) }})
}

// silent answers counters that told nothing for so long, each with when it last did.
const silent = held + `local all, found, now = redis.call('HGETALL', key), {}, now()
for i = 1, #all, 2 do
  local at = string.match(all[i + 1], '%d+ %d+ (%d+)')
  if at and at ~= '0' and now - tonumber(at) >= tonumber(ARGV[1]) then
    table.insert(found, string.sub(all[i], 3))
    table.insert(found, at)
  end
end
return found`

// Silent implements ports.SharedCount.
func (c Calls) Silent(ctx context.Context, id tenant.ID, month quota.Month, since time.Duration) (map[string]int64, error) {
	var got *goredis.Cmd
	name := []string{c.name(id, month)}
	worked := c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) { got = p.Eval(ctx, silent, name, since.Milliseconds()) })
	if !worked {
		return nil, ports.ErrCountAway
	}
	words, err := got.StringSlice()
	heard := make(map[string]int64, len(words)/2) //nolint:mnd // pairs
	for i := 1; i < len(words) && err == nil; i += 2 {
		heard[words[i-1]], err = strconv.ParseInt(words[i], 10, 64)
	}
	if err != nil {
		return nil, ports.ErrCountAway
	}
	return heard, nil
}

// settle has counters hold what they kept, unless they told something since.
const settle = held + `if not sum then return 0 end
for i = 1, #ARGV, 3 do
  local turn, calls, at = get(ARGV[i])
  if at == tonumber(ARGV[i + 1]) then set(ARGV[i], turn, tonumber(ARGV[i + 2]), 0, calls) end
end
return 0`

// Settle implements ports.SharedCount.
func (c Calls) Settle(ctx context.Context, id tenant.ID, month quota.Month, heard, kept map[string]int64) error {
	name, args := []string{c.name(id, month)}, []any{}
	for counter, at := range heard {
		args = append(args, counter, at, kept[counter])
	}
	return c.each(ctx, []errandOf{func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, settle, name, args...) }})
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
	return c.prefix + "held:" + month.First.String()[:len("2026-01")] + ":" + string(id)
}

// burstName is where the counts of a caller stand: tokens and addresses never reach Redis' monitors.
func (c Calls) burstName(name string) string {
	sum := sha256.Sum256([]byte(name))
	return c.prefix + "burst:" + base64.RawURLEncoding.EncodeToString(sum[:])
}
