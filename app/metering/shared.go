package metering

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// silence is how long a process that lives is never silent about what it has not written down: it speaks with every Flush,
// which Run ends after lastFlush at the latest.
const silence = 10 * time.Second

// takeShared counts the call with all processes, as under way if it is admitted. However often it asks for the call it
// tells the same: calls that came meanwhile were counted with it. Errors: ports.ErrCountAway, those of reading.
func (m *Meter) takeShared(ctx context.Context, k *Ticket, now time.Time) (used int64, admitted bool, err error) {
	h, ok := k.tally.hold(k.Month, m.Counter)
	if !ok { // the next month has begun meanwhile
		return 0, false, ports.ErrCountAway
	}
	defer func() { k.tally.held(k.Month, err == nil && admitted) }()
	used, admitted, err = m.ask(ctx, k, h)
	if err == nil && !admitted && k.tally.look(now) && m.settle(ctx, k) {
		return m.ask(ctx, k, h)
	}
	return used, admitted, err
}

// ask asks for the call, having told what was written down where nothing is known.
func (m *Meter) ask(ctx context.Context, k *Ticket, h ports.Holding) (used int64, admitted bool, err error) {
	used, admitted, err = m.Shared.Take(ctx, k.id, k.Month, h, k.Limit)
	if !errors.Is(err, ports.ErrCountUnknown) {
		return used, admitted, err
	}
	k.tally.reading.Lock() // one of those that find nothing tells it
	defer k.tally.reading.Unlock()
	used, admitted, err = m.Shared.Take(ctx, k.id, k.Month, h, k.Limit)
	if !errors.Is(err, ports.ErrCountUnknown) {
		return used, admitted, err
	}
	if err := m.restore(ctx, k.id, k.Month); err != nil {
		return 0, false, err
	}
	return m.Shared.Take(ctx, k.id, k.Month, h, k.Limit)
}

// restore tells the shared count what was written down.
func (m *Meter) restore(ctx context.Context, id tenant.ID, month quota.Month) error {
	kept, err := m.Counts.Counters(ctx, id, month)
	if err != nil {
		return err
	}
	return m.Shared.Raise(ctx, id, month, kept)
}

// settle has processes that are silent count as what they wrote down, and reports whether there were any. What cannot be
// done now is left for the next time.
func (m *Meter) settle(ctx context.Context, k *Ticket) bool {
	heard, err := m.Shared.Silent(ctx, k.id, k.Month, m.Silence)
	delete(heard, m.Counter)
	if err != nil || len(heard) == 0 {
		return false
	}
	kept, err := m.Counts.Counters(ctx, k.id, k.Month) // read when they were silent already
	return err == nil && m.Shared.Settle(ctx, k.id, k.Month, heard, kept) == nil
}

// share tells the shared count what this process holds, and what is missing there of what others wrote down.
func (m *Meter) share(ctx context.Context) error {
	now := m.Now()
	holdings, elsewhere := map[quota.Month]map[tenant.ID]ports.Holding{}, map[tenant.ID]int64{}
	all := m.all()
	for id, t := range all {
		month, yes := t.limited(now)
		if !yes {
			continue
		}
		if h, ok := t.holding(month, m.Counter); ok {
			if holdings[month] == nil {
				holdings[month] = map[tenant.ID]ports.Holding{}
			}
			holdings[month][id], elsewhere[id] = h, t.others(month)
		}
	}
	for month, some := range holdings {
		behind, err := m.Shared.Share(ctx, month, some, elsewhere)
		for _, id := range behind {
			if err == nil {
				err = m.restoreAll(ctx, id, month, all[id])
			}
		}
		if err != nil && !errors.Is(err, ports.ErrCountAway) { // when it is back it is told
			return err
		}
	}
	return nil
}

// restoreAll tells the shared count what was written down, and what this process holds beyond that.
func (m *Meter) restoreAll(ctx context.Context, id tenant.ID, month quota.Month, t *tally) error {
	if err := m.restore(ctx, id, month); err != nil {
		return err
	}
	if h, ok := t.holding(month, m.Counter); ok {
		m.Shared.Tell(id, month, h)
	}
	return nil
}
