package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// BackgroundFailure is an item of background work that failed too often in a row and was set aside: it is tried
// again from time to time, and the other items go on without it.
type BackgroundFailure struct {
	Task          string    // such as "abandoned carts"
	Tenant        tenant.ID // "" for work across tenants
	Item          string    // id of the record, or another name of it; "" is all of the tenant's
	Failures      int       // in a row
	Error         string    // of the last failure; at most 500 bytes, for operators
	FirstFailedAt time.Time // UTC
	LastFailedAt  time.Time // UTC
	RetryAt       time.Time // UTC
}

// BackgroundFailures stores what is set aside, so that every process and command can show it.
type BackgroundFailures interface {
	// Save stores f in the place of what is stored of its task, tenant and item.
	Save(ctx context.Context, f BackgroundFailure) error
	// Remove deletes what is stored of an item, if anything is.
	Remove(ctx context.Context, task string, id tenant.ID, item string) error
	// List lists the items of all tenants, those that failed last first; total counts those beyond limit, too.
	List(ctx context.Context, limit int) (found []BackgroundFailure, total int, err error)
}
