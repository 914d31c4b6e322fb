package ports

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// CallCount is the number of calls of a tenant that one process counted on a day.
type CallCount struct {
	Tenant tenant.ID
	Day    quota.Day
	Count  int64
}

// Usage stores how many calls were made. Each process has its own row per tenant and day, under the name of
// its counter, so saving a count twice changes nothing and no two processes write the same row.
type Usage interface {
	// Save replaces the counts of counter.
	Save(ctx context.Context, counter string, counts []CallCount) error
	// SumOthers sums the counts of all other counters per tenant in a month; tenants without calls are
	// absent.
	SumOthers(ctx context.Context, counter string, tenants []tenant.ID, month quota.Month) (map[tenant.ID]int64, error)
	// ByCounter returns the count of each counter for a tenant in a month; counters without calls are absent.
	ByCounter(ctx context.Context, id tenant.ID, month quota.Month) (map[string]int64, error)
	// SumOthersByDay sums the counts of all other counters for a tenant on each day of a month; days without
	// calls are absent.
	SumOthersByDay(ctx context.Context, counter string, id tenant.ID, month quota.Month) (map[quota.Day]int64, error)
}

// The errors of a SharedCounter.
var (
	// ErrCountUnknown: the shared counter has no value for this tenant and month yet; call RaiseTo first.
	ErrCountUnknown = errors.New("shared usage count unknown")
	// ErrCountUnavailable: the shared counter is unreachable.
	ErrCountUnavailable = errors.New("shared usage count unavailable")
)

// CounterState is one process's absolute call count for a tenant and month, including calls in progress.
// Absolute values make reports idempotent.
type CounterState struct {
	Counter string
	Calls   int64
	// Version grows with every report of a counter about a tenant; an older report than the last is ignored.
	Version int64
	// LowerBound means that Calls lacks calls whose Admit was not answered yet, so the report may only raise
	// the count.
	LowerBound bool
}

// SharedCounter has the call counts of all processes for a tenant and month, each under the name of its
// counter. It may be lost at any time; Usage is authoritative.
type SharedCounter interface {
	// Admit reports the state of a counter with one more call, unless all counters together would then exceed
	// limit. It returns their sum, or the limit and false. Errors: ErrCountUnknown, ErrCountUnavailable.
	Admit(ctx context.Context, id tenant.ID, month quota.Month, with CounterState, limit int64) (used int64, admitted bool, err error)
	// Report reports the state of a counter in the background, best effort.
	Report(id tenant.ID, month quota.Month, h CounterState)
	// Sync reports the states of a counter for many tenants. It returns the tenants for which the other
	// counters have less than elsewhere says, or that are unknown; the caller then calls RaiseTo. Errors:
	// ErrCountUnavailable.
	Sync(
		ctx context.Context, month quota.Month, all map[tenant.ID]CounterState, elsewhere map[tenant.ID]int64,
	) (behind []tenant.ID, err error)
	// RaiseTo raises each counter to at least its value in stored, and makes the count known. Errors:
	// ErrCountUnavailable.
	RaiseTo(ctx context.Context, id tenant.ID, month quota.Month, stored map[string]int64) error
	// Inactive returns counters that have not reported within since, with the time of their last report by
	// the shared counter's own clock; reconciled counters are left out. Errors: ErrCountUnavailable.
	Inactive(ctx context.Context, id tenant.ID, month quota.Month, since time.Duration) (lastReports map[string]int64, err error)
	// Reconcile replaces the values of inactive counters by those in stored, unless they have reported since.
	// Errors: ErrCountUnavailable.
	Reconcile(ctx context.Context, id tenant.ID, month quota.Month, lastReports, stored map[string]int64) error
	// ExchangeBursts reports this process's current counts of callers, by name, and returns those of the
	// other processes. Counts that are not repeated within a few seconds are dropped. Errors:
	// ErrCountUnavailable.
	ExchangeBursts(ctx context.Context, counter string, counts map[string]int, now time.Time) (elsewhere map[string]int, err error)
}
