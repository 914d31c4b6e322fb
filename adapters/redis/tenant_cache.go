package redis

import (
	"context"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// TenantCache is a ports.TenantCache: receipts, and the counts of the months for which counts are kept. What limits bursts and
// failed logins is under hashes of callers and addresses, names no tenant, and is gone within minutes.
type TenantCache struct {
	receipts *Receipts
	counter  SharedCounter
}

var _ ports.TenantCache = TenantCache{}

// NewTenantCache is what a Redis keeps in receipts and counter.
func NewTenantCache(receipts *Receipts, counter SharedCounter) TenantCache {
	return TenantCache{receipts, counter}
}

// ForgetReceipts implements ports.TenantCache. Errors: fault.ErrUnavailable.
func (c TenantCache) ForgetReceipts(ctx context.Context, keys []ports.ReceiptKey) error {
	var names []string
	for _, key := range keys {
		names = append(names, c.receipts.receiptKey("receipt:", key), c.receipts.receiptKey("lease:", key))
	}
	return c.forget(ctx, names)
}

// monthsCounted are the months of which a count may be left: this one, and those before that countTTL reaches into.
const monthsCounted = 3

// ForgetTenant implements ports.TenantCache. Errors: fault.ErrUnavailable.
func (c TenantCache) ForgetTenant(ctx context.Context, id tenant.ID, now time.Time) error {
	var names []string
	for ago := range monthsCounted {
		first := time.Date(now.UTC().Year(), now.UTC().Month()-time.Month(ago), 1, 0, 0, 0, 0, time.UTC)
		names = append(names, c.counter.countKey(id, quota.MonthOf(quota.DayOf(first))))
	}
	return c.forget(ctx, names)
}

func (c TenantCache) forget(ctx context.Context, names []string) error {
	worked := c.receipts.pipe.do(ctx, func(ctx context.Context, p goredis.Pipeliner) {
		for _, name := range names {
			p.Del(ctx, name)
		}
	})
	if !worked {
		return fault.ErrUnavailable.WithCause(ErrUnavailable)
	}
	return nil
}
