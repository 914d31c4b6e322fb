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

// SharedCounter is ports.SharedCounter. All commands of a moment share a round trip.
type SharedCounter struct {
	prefix string
	pipe   *pipeline
}

var _ ports.SharedCounter = SharedCounter{}

// NewSharedCounter counts under names that begin with prefix.
func NewSharedCounter(client *Client, prefix string) SharedCounter {
	return SharedCounter{prefix, client.pipe}
}

// countTTL is how long the count of a month stays after it was last told of: longer than the month.
const countTTL = 40 * 24 * time.Hour

// countUnknown is what the scripts tell of a count that is not there; refused of one at its limit.
const (
	countUnknown = -1
	limitReached = 0
)

// The count of a month is a hash: by counter "turn calls at", at being Redis' time in milliseconds when it last told
// something, or 0 when Calls is what it kept; and their sum.
const countLibrary = `local key, sum = KEYS[1], tonumber(redis.call('HGET', KEYS[1], 'sum'))
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

// admitScript admits by what the others hold, whatever is known of this counter: it knows better. A call that was overtaken by
// something newer was under way then and is counted in that, so nothing is noted for it.
const admitScript = countLibrary + `if not sum then return -1 end
local counter, told, newest, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local turn, calls = get(counter)
local used = sum - calls + told
if used > limit then return 0 end
if newest > turn then set(counter, newest, told, now(), calls) end
return used`

// Admit implements ports.SharedCounter.
func (c SharedCounter) Admit(ctx context.Context, id tenant.ID, month quota.Month, with ports.CounterState, limit int64) (used int64, admitted bool, err error) {
	var got *goredis.Cmd
	name := []string{c.countKey(id, month)}
	worked := c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) {
		got = p.Eval(ctx, admitScript, name, with.Counter, with.Calls, with.Version, limit)
	})
	if !worked {
		return 0, false, ports.ErrCountUnavailable
	}
	switch used, err = got.Int64(); {
	case err != nil:
		return 0, false, ports.ErrCountUnavailable
	case used == countUnknown:
		return 0, false, ports.ErrCountUnknown
	case used == limitReached:
		return limit, false, nil
	}
	return used, true, nil
}

// reportScript notes what a counter holds, and has the count stay. When it only raises, the turn stays too: calls whose take is
// still to come are not in it.
const reportScript = countLibrary + `if not sum then return -1 end
local counter, told, newest, least = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local turn, calls = get(counter)
local keep = newest <= turn or least and told <= calls
set(counter, (keep or least) and turn or newest, keep and calls or told, now(), calls)
redis.call('PEXPIRE', key, ARGV[6])
if sum - (keep and calls or told) < tonumber(ARGV[5]) then return -1 end
return 0`

// addReport adds the command that tells a holding, and that others hold so much.
func (c SharedCounter) addReport(ctx context.Context, p goredis.Pipeliner, name string, h ports.CounterState, elsewhere int64) *goredis.Cmd {
	return p.Eval(ctx, reportScript, []string{name}, h.Counter, h.Calls, h.Version, h.LowerBound, elsewhere, countTTL.Milliseconds())
}

// Report implements ports.SharedCounter.
func (c SharedCounter) Report(id tenant.ID, month quota.Month, h ports.CounterState) {
	name := c.countKey(id, month)
	c.pipe.send(func(ctx context.Context, p goredis.Pipeliner) { c.addReport(ctx, p, name, h, 0) })
}

// Sync implements ports.SharedCounter.
func (c SharedCounter) Sync(ctx context.Context, month quota.Month, all map[tenant.ID]ports.CounterState, elsewhere map[tenant.ID]int64) (behind []tenant.ID, err error) {
	errands := make([]addCommands, 0, len(all))
	got := make(map[tenant.ID]**goredis.Cmd, len(all))
	for id, h := range all {
		name, answer := c.countKey(id, month), new(*goredis.Cmd)
		got[id] = answer
		errands = append(errands, func(ctx context.Context, p goredis.Pipeliner) { *answer = c.addReport(ctx, p, name, h, elsewhere[id]) })
	}
	if err := c.runAll(ctx, errands); err != nil {
		return nil, err
	}
	for id, answer := range got {
		if n, err := (*answer).Int64(); err == nil && n == countUnknown {
			behind = append(behind, id)
		}
	}
	return behind, nil
}

// raiseScript has each counter hold at least what it kept.
const raiseScript = countLibrary + `if not sum then sum = 0; redis.call('HSET', key, 'sum', 0) end
for i = 2, #ARGV, 2 do
  local turn, calls, at = get(ARGV[i])
  if calls < tonumber(ARGV[i + 1]) then set(ARGV[i], turn, tonumber(ARGV[i + 1]), at, calls) end
end
redis.call('PEXPIRE', key, ARGV[1])
return 0`

// RaiseTo implements ports.SharedCounter.
func (c SharedCounter) RaiseTo(ctx context.Context, id tenant.ID, month quota.Month, kept map[string]int64) error {
	name, args := []string{c.countKey(id, month)}, []any{countTTL.Milliseconds()}
	for counter, calls := range kept {
		args = append(args, counter, calls)
	}
	return c.runAll(ctx, []addCommands{func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, raiseScript, name, args...) }})
}

// inactiveScript answers counters that told nothing for so long, each with when it last did.
const inactiveScript = countLibrary + `local all, found, now = redis.call('HGETALL', key), {}, now()
for i = 1, #all, 2 do
  local at = string.match(all[i + 1], '%d+ %d+ (%d+)')
  if at and at ~= '0' and now - tonumber(at) >= tonumber(ARGV[1]) then
    table.insert(found, string.sub(all[i], 3))
    table.insert(found, at)
  end
end
return found`

// Inactive implements ports.SharedCounter.
func (c SharedCounter) Inactive(ctx context.Context, id tenant.ID, month quota.Month, since time.Duration) (map[string]int64, error) {
	var got *goredis.Cmd
	name := []string{c.countKey(id, month)}
	worked := c.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) {
		got = p.Eval(ctx, inactiveScript, name, since.Milliseconds())
	})
	if !worked {
		return nil, ports.ErrCountUnavailable
	}
	words, err := got.StringSlice()
	heard := make(map[string]int64, len(words)/2) //nolint:mnd // pairs
	for i := 1; i < len(words) && err == nil; i += 2 {
		heard[words[i-1]], err = strconv.ParseInt(words[i], 10, 64)
	}
	if err != nil {
		return nil, ports.ErrCountUnavailable
	}
	return heard, nil
}

// reconcileScript has counters hold what they kept, unless they told something since.
const reconcileScript = countLibrary + `if not sum then return 0 end
for i = 1, #ARGV, 3 do
  local turn, calls, at = get(ARGV[i])
  if at == tonumber(ARGV[i + 1]) then set(ARGV[i], turn, tonumber(ARGV[i + 2]), 0, calls) end
end
return 0`

// Reconcile implements ports.SharedCounter.
func (c SharedCounter) Reconcile(ctx context.Context, id tenant.ID, month quota.Month, heard, kept map[string]int64) error {
	name, args := []string{c.countKey(id, month)}, []any{}
	for counter, at := range heard {
		args = append(args, counter, at, kept[counter])
	}
	return c.runAll(ctx, []addCommands{func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, reconcileScript, name, args...) }})
}

// addCommands adds a command to a pipeline.
type addCommands = func(context.Context, goredis.Pipeliner)

// runAll carries out many commands, a round trip's worth at a time. Errors: ports.ErrCountUnavailable.
func (c SharedCounter) runAll(ctx context.Context, all []addCommands) error {
	for len(all) > 0 {
		some := all[:min(maxPipeline, len(all))]
		all = all[len(some):]
		answers := make([]<-chan bool, len(some))
		for i, add := range some {
			if answers[i] = c.pipe.send(add); answers[i] == nil { //nolint:contextcheck // see send
				return ports.ErrCountUnavailable
			}
		}
		for _, answer := range answers {
			select {
			case worked := <-answer:
				if !worked {
					return ports.ErrCountUnavailable
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// burstTTL is how long what a process told of a caller counts.
const burstTTL = 3 * time.Second

// burstsScript keeps what each process counted of a caller, with the time at which it said so, and answers the sum of what the
// others said lately.
const burstsScript = `redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ':' .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
local all, sum = redis.call('HGETALL', KEYS[1]), 0
for i = 1, #all, 2 do
  local n, at = string.match(all[i + 1], '(%d+):(%d+)')
  if all[i] ~= ARGV[1] and tonumber(at) > tonumber(ARGV[3]) - tonumber(ARGV[4]) then sum = sum + tonumber(n) end
end
return sum`

// ExchangeBursts implements ports.SharedCounter.
func (c SharedCounter) ExchangeBursts(ctx context.Context, counter string, counts map[string]int, now time.Time) (map[string]int, error) {
	all := make([]addCommands, 0, len(counts))
	got := make(map[string]**goredis.Cmd, len(counts))
	for name, n := range counts {
		key, answer := []string{c.burstKey(name)}, new(*goredis.Cmd)
		got[name] = answer
		all = append(all, func(ctx context.Context, p goredis.Pipeliner) {
			*answer = p.Eval(ctx, burstsScript, key, counter, n, now.UnixMilli(), burstTTL.Milliseconds())
		})
	}
	if err := c.runAll(ctx, all); err != nil {
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

// countKey is where the count of a tenant's month stands.
func (c SharedCounter) countKey(id tenant.ID, month quota.Month) string {
	return c.prefix + "held:" + month.First.String()[:len("2026-01")] + ":" + string(id)
}

// burstKey is where the counts of a caller stand: tokens and addresses never reach Redis' monitors.
func (c SharedCounter) burstKey(name string) string {
	sum := sha256.Sum256([]byte(name))
	return c.prefix + "burst:" + base64.RawURLEncoding.EncodeToString(sum[:])
}
