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

// SharedCounter is ports.SharedCounter. Commands issued at the same time share a round trip.
type SharedCounter struct {
	prefix string
	pipe   *pipeline
}

var _ ports.SharedCounter = SharedCounter{}

// NewSharedCounter counts under keys with prefix.
func NewSharedCounter(client *Client, prefix string) SharedCounter {
	return SharedCounter{prefix, client.pipe}
}

// countTTL is how long the count of a month is persisted after its last report: longer than a month.
const countTTL = 40 * 24 * time.Hour

// Results of the scripts: the count does not exist; the call is over the limit.
const (
	countUnknown = -1
	limitReached = 0
)

// The count of a month is a hash: by counter "turn calls at", where at is the Redis time in milliseconds of
// its last report, or 0 when calls is the persisted value; and the sum of the calls.
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

// admitScript decides by the counts of the other counters plus the caller's own, which is newer than the
// stored one. A call overtaken by a newer report is already counted there, so nothing is stored for it.
const admitScript = countLibrary + `if not sum then return -1 end
local counter, reported, newest, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local turn, calls = get(counter)
local used = sum - calls + reported
if used > limit then return 0 end
if newest > turn then set(counter, newest, reported, now(), calls) end
return used`

// Admit implements ports.SharedCounter.
func (c SharedCounter) Admit(
	ctx context.Context, id tenant.ID, month quota.Month, with ports.CounterState, limit int64,
) (used int64, admitted bool, err error) {
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

// reportScript stores what a counter holds, and extends the TTL. When the report only raises the count, the
// turn is persisted: calls not yet admitted are not part of it.
const reportScript = countLibrary + `if not sum then return -1 end
local counter, reported, newest, least = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local turn, calls = get(counter)
local keep = newest <= turn or least and reported <= calls
set(counter, (keep or least) and turn or newest, keep and calls or reported, now(), calls)
redis.call('PEXPIRE', key, ARGV[6])
if sum - (keep and calls or reported) < tonumber(ARGV[5]) then return -1 end
return 0`

// addReport adds the command that reports a counter's state and the sum of the others.
func (c SharedCounter) addReport(
	ctx context.Context, p goredis.Pipeliner, name string, h ports.CounterState, elsewhere int64,
) *goredis.Cmd {
	return p.Eval(ctx, reportScript, []string{name}, h.Counter, h.Calls, h.Version, h.LowerBound, elsewhere, countTTL.Milliseconds())
}

// Report implements ports.SharedCounter.
func (c SharedCounter) Report(id tenant.ID, month quota.Month, h ports.CounterState) {
	name := c.countKey(id, month)
	c.pipe.send(func(ctx context.Context, p goredis.Pipeliner) { c.addReport(ctx, p, name, h, 0) })
}

// Sync implements ports.SharedCounter.
func (c SharedCounter) Sync(
	ctx context.Context, month quota.Month, all map[tenant.ID]ports.CounterState, elsewhere map[tenant.ID]int64,
) (behind []tenant.ID, err error) {
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

// raiseScript raises each counter to at least its persisted value.
const raiseScript = countLibrary + `if not sum then sum = 0; redis.call('HSET', key, 'sum', 0) end
for i = 2, #ARGV, 2 do
  local turn, calls, at = get(ARGV[i])
  if calls < tonumber(ARGV[i + 1]) then set(ARGV[i], turn, tonumber(ARGV[i + 1]), at, calls) end
end
redis.call('PEXPIRE', key, ARGV[1])
return 0`

// RaiseTo implements ports.SharedCounter.
func (c SharedCounter) RaiseTo(ctx context.Context, id tenant.ID, month quota.Month, persisted map[string]int64) error {
	name, args := []string{c.countKey(id, month)}, []any{countTTL.Milliseconds()}
	for counter, calls := range persisted {
		args = append(args, counter, calls)
	}
	return c.runAll(ctx, []addCommands{func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, raiseScript, name, args...) }})
}

// inactiveScript returns the counters without a report for so long, each with the time of its last report.
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
	reported := make(map[string]int64, len(words)/2) //nolint:mnd // pairs
	for i := 1; i < len(words) && err == nil; i += 2 {
		reported[words[i-1]], err = strconv.ParseInt(words[i], 10, 64)
	}
	if err != nil {
		return nil, ports.ErrCountUnavailable
	}
	return reported, nil
}

// reconcileScript sets counters to their persisted values unless they reported since.
const reconcileScript = countLibrary + `if not sum then return 0 end
for i = 1, #ARGV, 3 do
  local turn, calls, at = get(ARGV[i])
  if at == tonumber(ARGV[i + 1]) then set(ARGV[i], turn, tonumber(ARGV[i + 2]), 0, calls) end
end
return 0`

// Reconcile implements ports.SharedCounter.
func (c SharedCounter) Reconcile(ctx context.Context, id tenant.ID, month quota.Month, reported, persisted map[string]int64) error {
	name, args := []string{c.countKey(id, month)}, []any{}
	for counter, at := range reported {
		args = append(args, counter, at, persisted[counter])
	}
	return c.runAll(ctx, []addCommands{func(ctx context.Context, p goredis.Pipeliner) { p.Eval(ctx, reconcileScript, name, args...) }})
}

// addCommands adds commands to a pipeline.
type addCommands = func(context.Context, goredis.Pipeliner)

// runAll sends many commands, one batch per round trip. Errors: ports.ErrCountUnavailable.
func (c SharedCounter) runAll(ctx context.Context, all []addCommands) error {
	for len(all) > 0 {
		some := all[:min(maxPipeline, len(all))]
		all = all[len(some):]
		answers := make([]<-chan bool, len(some))
		for i, add := range some {
			if answers[i] = c.pipe.send(add); answers[i] == nil {
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

// burstTTL is how long a process's report about a caller counts.
const burstTTL = 3 * time.Second

// burstsScript stores what each process counted for a caller, with the time of the report, and returns the
// sum of the recent reports of the others.
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

// countKey is the Redis key of a tenant's monthly count.
func (c SharedCounter) countKey(id tenant.ID, month quota.Month) string {
	return c.prefix + "held:" + month.First.String()[:len("2026-01")] + ":" + string(id)
}

// burstKey is the Redis key of a caller's bursts. It is hashed, so that tokens and addresses do not show up
// in Redis monitors.
func (c SharedCounter) burstKey(name string) string {
	sum := sha256.Sum256([]byte(name))
	return c.prefix + "burst:" + base64.RawURLEncoding.EncodeToString(sum[:])
}
