package checkouts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/recent"
	"github.com/cartwright-dev/cartwright/app/taxing"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service is the use cases of checkouts.
type Service struct {
	Store       ports.Store
	Idempotency *idempotency.Runner
	Vault       ports.Vault       // derives checkout tokens
	Sessions    SessionCloser     // nil: released payment sessions are not closed
	Recent      *recent.Memory    // of what Store wrote; nil remembers nothing
	Offers      *offers.Cache     // looks the goods up before the transaction; nil: it does so itself
	Numbers     placement.Numbers // of orders
	Taxes       *taxing.Asker     // asks tax services; nil: nothing is sold in markets that have one
	Now         func() time.Time
	NewID       func() string
	Failpoint   func(point string) // called at the Fail points, where tests crash the process; nil in production
}

// The points around the commit of an order at which tests crash the process. Package payments has the same.
const (
	FailBeforeCommit = "settle.before-commit" // the order is written, not committed
	FailCommitted    = "settle.committed"     // the order is committed, the caller has no answer
)

func (s *Service) failpoint(point string) {
	if s.Failpoint != nil {
		s.Failpoint(point)
	}
}

// atomically runs fn in one transaction of a tenant.
func (s *Service) atomically(ctx context.Context, id tenant.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.Store.Atomically(ctx, ports.ForTenant(id), fn)
}

func (s *Service) newChangeSet() *collection.ChangeSet {
	return collection.NewChangeSet(s.Now(), s.NewID)
}

// Expire stores that an open checkout whose time is over has expired, for filters and events.
func (s *Service) Expire(ctx context.Context, id tenant.ID, checkoutID string) error {
	return s.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, checkout.Schema, checkoutID)
		if err != nil {
			return err
		}
		w, x := s.newChangeSet(), checkout.FromRecord(r)
		if x.Status == checkout.Open && x.StatusAt(w.Now) == checkout.Expired {
			w.Put(checkout.Schema, r, x.Expire().Record())
		}
		return tx.Records.Write(ctx, w.List()...)
	})
}
