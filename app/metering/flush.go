package metering

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Every is how often counts are written down: so often that with the time it takes less than a second is ever open.
const Every = 750 * time.Millisecond

// lastFlush bounds a Flush, also the one with which Run ends.
const lastFlush = 5 * time.Second

// lastShare bounds how long a Flush tells the shared count.
const lastShare = 2 * time.Second

// portion is how many rows are written in one transaction.
const portion = 1000

// Run writes counts down until ctx ends, and then what is left. What fails is told to trouble and tried again.
func (m *Meter) Run(ctx context.Context, trouble func(error)) error {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastFlush)
			defer cancel()
			return m.Flush(last)
		case <-tick.C:
			if err := m.flushInTime(ctx); err != nil && ctx.Err() == nil {
				trouble(err)
			}
		}
	}
}

func (m *Meter) flushInTime(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lastFlush)
	defer cancel()
	return m.Flush(ctx)
}

// Flush writes down what was counted and learns what others counted.
func (m *Meter) Flush(ctx context.Context) error {
	m.writing.Lock()
	defer m.writing.Unlock()
	err := m.write(ctx)
	if err == nil {
		err = m.read(ctx)
	}
	if m.Shared != nil { // other processes wait for it, whatever the database does
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastShare)
		defer cancel()
		err = errors.Join(err, m.share(ctx))
	}
	return errors.Join(err, m.shareBursts(ctx))
}

// all is the tallies there are.
func (m *Meter) all() map[tenant.ID]*tally {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return maps.Clone(m.tallies)
}

func (m *Meter) write(ctx context.Context) error {
	var rows []ports.Calls
	all := m.all()
	for id, t := range all {
		for _, d := range t.unkept() {
			rows = append(rows, ports.Calls{Tenant: id, Day: d.day, Count: d.count})
		}
	}
	for len(rows) > 0 {
		some := rows[:min(portion, len(rows))]
		rows = rows[len(some):]
		if err := m.Counts.Keep(ctx, m.Counter, some); err != nil {
			return fmt.Errorf("write down how many calls were made: %w", err)
		}
		for _, c := range some {
			all[c.Tenant].keep(daily{day: c.Day, count: c.Count})
		}
	}
	return nil
}

// read learns what others counted of tenants with a limit.
func (m *Meter) read(ctx context.Context) error {
	now := m.Now()
	asked := map[quota.Month][]tenant.ID{} // one month, but for the moment in which it ends
	all := m.all()
	for id, t := range all {
		if month, yes := t.limited(now); yes {
			asked[month] = append(asked[month], id)
		}
	}
	for month, ids := range asked {
		elsewhere, err := m.Counts.Elsewhere(ctx, m.Counter, ids, month)
		if err != nil {
			return fmt.Errorf("read how many calls others counted: %w", err)
		}
		for _, id := range ids {
			all[id].learn(month, elsewhere[id], true, now)
		}
	}
	return nil
}

// shareBursts forgets callers that rest, and tells other processes of those that do not.
func (m *Meter) shareBursts(ctx context.Context) error {
	if m.Burst == 0 {
		return nil
	}
	now := m.Now()
	busy := m.bursts.tidy(m.Burst, now)
	if m.Shared == nil {
		return nil
	}
	var elsewhere map[string]int
	if len(busy) > 0 {
		var err error
		if elsewhere, err = m.Shared.Bursts(ctx, m.Counter, busy, now); err != nil && !errors.Is(err, ports.ErrCountAway) {
			return err
		}
	}
	m.bursts.learn(elsewhere)
	return nil
}
