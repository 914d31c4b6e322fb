package metering

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// FlushInterval is how often counts are stored, such that including the write less than a second is ever
// unsaved.
const FlushInterval = 750 * time.Millisecond

// flushTimeout bounds a Flush, including the final one of Run.
const flushTimeout = 5 * time.Second

// shareTimeout bounds the time that a Flush spends on the shared counter.
const shareTimeout = 2 * time.Second

// writeBatchSize is how many rows are written in one transaction.
const writeBatchSize = 1000

// Run stores counts until ctx ends, and then those that remain. Errors are passed to trouble and the write is
// retried.
func (m *Meter) Run(ctx context.Context, trouble func(error)) error {
	tick := time.NewTicker(FlushInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
			defer cancel()
			return m.Flush(last)
		case <-tick.C:
			if err := m.flushWithTimeout(ctx); err != nil && ctx.Err() == nil {
				trouble(err)
			}
		}
	}
}

func (m *Meter) flushWithTimeout(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	return m.Flush(ctx)
}

// Flush stores what was counted and reads what other processes counted.
func (m *Meter) Flush(ctx context.Context) error {
	m.flushing.Lock()
	defer m.flushing.Unlock()
	err := m.writeCounts(ctx)
	if err == nil {
		err = m.readRemote(ctx)
	}
	if m.Shared != nil { // other processes need it, even if the database fails
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shareTimeout)
		defer cancel()
		err = errors.Join(err, m.syncShared(ctx))
	}
	return errors.Join(err, m.exchangeBursts(ctx))
}

// allTenants is the usage of all known tenants.
func (m *Meter) allTenants() map[tenant.ID]*tenantUsage {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return maps.Clone(m.tenants)
}

func (m *Meter) writeCounts(ctx context.Context) error {
	var rows []ports.CallCount
	var errs []error
	all := m.allTenants()
	for id, t := range all {
		for _, d := range t.unflushedDays() {
			rows = append(rows, ports.CallCount{Tenant: id, Day: d.day, Count: d.count})
		}
	}
	for len(rows) > 0 {
		some := rows[:min(writeBatchSize, len(rows))]
		rows = rows[len(some):]
		err := m.UsageStore.Save(ctx, m.CounterID, some)
		if err != nil && ctx.Err() == nil && !errors.Is(err, fault.ErrUnavailable) {
			errs = append(errs, m.saveEach(ctx, some, all)) // some count is refused: the others are stored without it
			continue
		}
		if err != nil {
			return fmt.Errorf("store usage counts: %w", err)
		}
		for _, c := range some {
			all[c.Tenant].markFlushed(dayCount{day: c.Day, count: c.Count})
			m.Task.Forget(ctx, background.Item{Tenant: c.Tenant, ID: c.Day.String()})
		}
	}
	return errors.Join(errs...)
}

// saveEach stores counts one by one.
func (m *Meter) saveEach(ctx context.Context, rows []ports.CallCount, all map[tenant.ID]*tenantUsage) error {
	var errs []error
	for _, c := range rows {
		err := m.Task.Do(ctx, background.Item{Tenant: c.Tenant, ID: c.Day.String()}, func(ctx context.Context) error {
			err := m.UsageStore.Save(ctx, m.CounterID, []ports.CallCount{c})
			if err == nil {
				all[c.Tenant].markFlushed(dayCount{day: c.Day, count: c.Count})
			}
			return err
		})
		if err != nil {
			errs = append(errs, fmt.Errorf("store a usage count: %w", err))
		}
	}
	return errors.Join(errs...)
}

// readRemote reads what other processes counted for tenants with a limit.
func (m *Meter) readRemote(ctx context.Context) error {
	now := m.Now()
	asked := map[quota.Month][]tenant.ID{} // a single month, except at the turn of the month
	all := m.allTenants()
	for id, t := range all {
		if month, yes := t.needsRemote(now); yes {
			asked[month] = append(asked[month], id)
		}
	}
	for month, ids := range asked {
		elsewhere, err := m.UsageStore.SumOthers(ctx, m.CounterID, ids, month)
		if err != nil {
			return fmt.Errorf("read usage counts: %w", err)
		}
		for _, id := range ids {
			all[id].setRemote(month, elsewhere[id], true, now)
		}
	}
	return nil
}

// exchangeBursts drops idle callers, and exchanges the counts of busy ones, and of busy visitors, with other
// processes.
func (m *Meter) exchangeBursts(ctx context.Context) error {
	now, busy := m.Now(), map[string]int{}
	if m.Burst > 0 {
		busy = m.bursts.collectBusy(m.Burst, now)
	}
	if m.Shared == nil {
		return nil
	}
	m.visitors.collectBusy(busy, now)
	var elsewhere map[string]int
	if len(busy) > 0 {
		var err error
		if elsewhere, err = m.Shared.ExchangeBursts(ctx, m.CounterID, busy, now); err != nil && !errors.Is(err, ports.ErrCountUnavailable) {
			return err
		}
	}
	m.bursts.setRemote(elsewhere)
	m.visitors.setRemote(elsewhere, now)
	return nil
}
