package payments

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/recent"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// core is what all use cases of payments work with.
type core struct {
	store          ports.Store
	recent         *recent.Memory
	idempotency    *idempotency.Runner
	connections    connections.Opener
	calls          connections.CallLog
	now            func() time.Time
	newID          func() string
	reservationTTL time.Duration
	log            *slog.Logger
	failpoint      func(point string)
	tasks          ports.PaymentTaskQueue
	numbers        placement.Numbers
}

// The points at which tests crash the process.
const (
	FailPrepared       = "prepare.sent"         // the provider answered prepare, nothing is stored
	FailConfirmed      = "confirm.sent"         // the provider answered confirm, nothing is stored
	FailLookedUp       = "settle.looked-up"     // settle has the provider's answer, nothing is stored
	FailBeforeCommit   = "settle.before-commit" // the order is written, not committed
	FailCommitted      = "settle.committed"     // the order is committed, the caller has no answer
	FailWebhookSettled = "webhook.settled"      // the payments that a webhook named are settled, its event is not marked as processed
)

// atomically runs fn in one transaction of a tenant.
func (c *core) atomically(ctx context.Context, id tenant.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return c.store.Atomically(ctx, ports.ForTenant(id), fn)
}

func (c *core) newChangeSet() *collection.ChangeSet { return collection.NewChangeSet(c.now(), c.newID) }

// renewReservation is s with its reservation renewed. A checkout is renewed until it expires, so that nobody
// holds stock for longer than it lives and one reservation. Errors: those of checkout.ExpiredError.
func (c *core) renewReservation(x checkout.Checkout, s payment.Session) (payment.Session, error) {
	s, err := s.Renew(c.reservationExpiry(), x.ExpiresAt.Add(c.reservationTTL), c.now())
	if errors.Is(err, checkout.ErrExpired) {
		err = x.ExpiredError()
	}
	return s, err
}

// reservationExpiry is when a reservation that is made now ends.
func (c *core) reservationExpiry() time.Time {
	return collection.TruncateTime(c.now().Add(c.reservationTTL))
}
