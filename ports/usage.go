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
	// Counters tells what each counter counted of a tenant in a month; those without calls are absent.
	Counters(ctx context.Context, id tenant.ID, month quota.Month) (map[string]int64, error)
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

// Holding is what one counter holds of a tenant's calls in a month: those it counted and those under way. It is an
// absolute number, so that telling it twice, or never, leaves nothing wrong once it is told again.
type Holding struct {
	Counter string
	Calls   int64
	// Turn grows with whatever a counter tells of a tenant: what was overtaken by something newer changes nothing.
	Turn int64
	// AtLeast says that calls whose Take was not answered yet are not among Calls: it only raises.
	AtLeast bool
}

// SharedCount is what all processes hold of the calls of a tenant in a month, each under the name of its counter. It may be
// lost at any time: what Usage keeps stands behind it.
type SharedCount interface {
	// Take tells what a counter holds with one more call, unless that makes more than limit with what the others hold. It
	// returns how many that makes, or the limit and false. Errors: ErrCountUnknown, ErrCountAway.
	Take(ctx context.Context, id tenant.ID, month quota.Month, with Holding, limit int64) (used int64, admitted bool, err error)
	// Tell tells what a counter holds, some time later, if nothing is in the way.
	Tell(id tenant.ID, month quota.Month, h Holding)
	// Share tells what a counter holds of many tenants. It returns those of which the others hold less than told by
	// elsewhere, or nothing is known: they are to be raised. Errors: ErrCountAway.
	Share(ctx context.Context, month quota.Month, all map[tenant.ID]Holding, elsewhere map[tenant.ID]int64) (behind []tenant.ID, err error)
	// Raise makes what each counter holds at least kept, by counter, and makes the count known. Errors: ErrCountAway.
	Raise(ctx context.Context, id tenant.ID, month quota.Month, kept map[string]int64) error
	// Silent returns the counters that told nothing of the tenant for so long, with when they last did by a clock of its own,
	// but those that were settled. Errors: ErrCountAway.
	Silent(ctx context.Context, id tenant.ID, month quota.Month, since time.Duration) (heard map[string]int64, err error)
	// Settle replaces what silent counters hold by what they kept, but not if they told something since. Errors: ErrCountAway.
	Settle(ctx context.Context, id tenant.ID, month quota.Month, heard, kept map[string]int64) error
	// Bursts tells the others what this process counts of callers at the moment, by name, and returns what the others do.
	// Who does not repeat it within a few seconds is forgotten. Errors: ErrCountAway.
	Bursts(ctx context.Context, counter string, counts map[string]int, now time.Time) (elsewhere map[string]int, err error)
}
