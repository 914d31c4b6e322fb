package ports

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Calls is how many calls of a tenant one process counted on a day.
type Calls struct {
	Tenant tenant.ID
	Day    quota.Day
	Count  int64
}

// Usage keeps how many calls were made. Each process has a row of its own per tenant and day, under the name of its
// counter: keeping the same count twice changes nothing, and no two processes write one row.
type Usage interface {
	// Keep replaces what counter counted.
	Keep(ctx context.Context, counter string, counts []Calls) error
	// Elsewhere sums up what all counters but this one counted of each tenant in a month; those without calls are absent.
	Elsewhere(ctx context.Context, counter string, tenants []tenant.ID, month quota.Month) (map[tenant.ID]int64, error)
	// Daily sums up what all counters but this one counted of a tenant on each day of a month; days without calls are absent.
	Daily(ctx context.Context, counter string, id tenant.ID, month quota.Month) (map[quota.Day]int64, error)
}

// The answers of a SharedCount that are no counts.
var (
	// ErrCountUnknown says that nobody told it yet how many calls were made: it is to be raised first.
	ErrCountUnknown = errors.New("the shared count is not known")
	// ErrCountAway says that it cannot be asked.
	ErrCountAway = errors.New("the shared count does not answer")
)

// SharedCount is one count of a tenant's calls in a month for all processes. It may be lost at any time: what Usage keeps
// stands behind it.
type SharedCount interface {
	// Take counts a call unless limit of them were made. It returns how many were made with it, or the limit and false.
	// Errors: ErrCountUnknown, ErrCountAway.
	Take(ctx context.Context, id tenant.ID, month quota.Month, limit int64) (used int64, admitted bool, err error)
	// GiveBack uncounts a call, some time later.
	GiveBack(id tenant.ID, month quota.Month)
	// Raise makes the counts at least used. Errors: ErrCountAway.
	Raise(ctx context.Context, month quota.Month, used map[tenant.ID]int64) error
	// Bursts tells the others what this process counts of callers at the moment, by name, and returns what the others do.
	// Who does not repeat it within a few seconds is forgotten. Errors: ErrCountAway.
	Bursts(ctx context.Context, counter string, counts map[string]int, now time.Time) (elsewhere map[string]int, err error)
}
