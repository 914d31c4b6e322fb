package metering

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// defaultInactiveAfter is longer than a live process can be silent about calls it has not stored: it reports
// with every Flush, which takes at most flushTimeout.
const defaultInactiveAfter = 10 * time.Second

// admitShared counts the call with all processes, as in flight if it is admitted. Every attempt sends the
// same state, including calls that arrived in the meantime. Errors: ports.ErrCountUnavailable, those of
// reading.
func (m *Meter) admitShared(ctx context.Context, k *AdmittedCall, now time.Time) (used int64, admitted bool, err error) {
	h, ok := k.usage.beginShared(k.Month, m.CounterID)
	if !ok { // the next month has begun
		return 0, false, ports.ErrCountUnavailable
	}
	defer func() { k.usage.endShared(k.Month, err == nil && admitted) }()
	used, admitted, err = m.requestShared(ctx, k, h)
	if err == nil && !admitted && k.usage.mayRecheck(now) && m.reconcileInactive(ctx, k) {
		return m.requestShared(ctx, k, h)
	}
	return used, admitted, err
}

// requestShared asks the shared counter to admit the call, and restores the stored counts there if it has
// none.
func (m *Meter) requestShared(ctx context.Context, k *AdmittedCall, h ports.CounterState) (used int64, admitted bool, err error) {
	used, admitted, err = m.Shared.Admit(ctx, k.tenant, k.Month, h, k.Limit)
	if !errors.Is(err, ports.ErrCountUnknown) {
		return used, admitted, err
	}
	k.usage.readingRemote.Lock() // of several concurrent calls one restores the counts
	defer k.usage.readingRemote.Unlock()
	used, admitted, err = m.Shared.Admit(ctx, k.tenant, k.Month, h, k.Limit)
	if !errors.Is(err, ports.ErrCountUnknown) {
		return used, admitted, err
	}
	if err := m.restoreShared(ctx, k.tenant, k.Month); err != nil {
		return 0, false, err
	}
	return m.Shared.Admit(ctx, k.tenant, k.Month, h, k.Limit)
}

// restoreShared sends the stored counts to the shared counter.
func (m *Meter) restoreShared(ctx context.Context, id tenant.ID, month quota.Month) error {
	kept, err := m.UsageStore.ByCounter(ctx, id, month)
	if err != nil {
		return err
	}
	return m.Shared.RaiseTo(ctx, id, month, kept)
}

// reconcileInactive resets inactive processes in the shared counter to what they stored, and reports whether
// there were any. On failure it is left for the next time.
func (m *Meter) reconcileInactive(ctx context.Context, k *AdmittedCall) bool {
	found, err := m.Shared.Inactive(ctx, k.tenant, k.Month, m.InactiveAfter)
	delete(found, m.CounterID)
	if err != nil || len(found) == 0 {
		return false
	}
	kept, err := m.UsageStore.ByCounter(ctx, k.tenant, k.Month) // read after they were found inactive
	return err == nil && m.Shared.Reconcile(ctx, k.tenant, k.Month, found, kept) == nil
}

// syncShared reports this process's state to the shared counter, and restores there what other processes
// stored if it is missing.
func (m *Meter) syncShared(ctx context.Context) error {
	now := m.Now()
	holdings, elsewhere := map[quota.Month]map[tenant.ID]ports.CounterState{}, map[tenant.ID]int64{}
	all := m.allTenants()
	for id, t := range all {
		month, yes := t.needsRemote(now)
		if !yes {
			continue
		}
		if h, ok := t.counterState(month, m.CounterID); ok {
			if holdings[month] == nil {
				holdings[month] = map[tenant.ID]ports.CounterState{}
			}
			holdings[month][id], elsewhere[id] = h, t.remoteCalls(month)
		}
	}
	for month, some := range holdings {
		behind, err := m.Shared.Sync(ctx, month, some, elsewhere)
		for _, id := range behind {
			if err == nil {
				err = m.restoreAndReport(ctx, id, month, all[id])
			}
		}
		if err != nil && !errors.Is(err, ports.ErrCountUnavailable) { // it is synchronized when it is back
			return err
		}
	}
	return nil
}

// restoreAndReport restores the stored counts in the shared counter, and reports what this process has
// counted beyond them.
func (m *Meter) restoreAndReport(ctx context.Context, id tenant.ID, month quota.Month, t *tenantUsage) error {
	if err := m.restoreShared(ctx, id, month); err != nil {
		return err
	}
	if h, ok := t.counterState(month, m.CounterID); ok {
		m.Shared.Report(id, month, h)
	}
	return nil
}
