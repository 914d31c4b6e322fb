package refunds

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ReturnFollower moves a return request along with the refund that pays it out.
type ReturnFollower interface {
	// FollowRefund is called in the transaction that records a step of a refund with a return request: before
	// the provider is asked, when it may refuse the refund, and at every later step. o is locked. It returns
	// the order as it is then, and the further changes to write.
	FollowRefund(ctx context.Context, tx ports.Tx, o order.Order, r payment.Refund) (order.Order, []collection.Change, error)
}

// Options is what the use cases are made of.
type Options struct {
	Store       ports.Store
	Idempotency *idempotency.Runner
	Connections connections.Opener
	Returns     ReturnFollower // nil: no refund names a return request
	Now         func() time.Time
	NewID       func() string
	Log         *slog.Logger       // nil: slog.Default()
	Failpoint   func(point string) // called at the Fail points, where tests crash the process; nil in production
}

// Service refunds payments, and implements payments.RefundSettler.
type Service struct {
	recorder

	Canceler  *OrderCanceler
	Attention *Attention

	connections connections.Opener
	calls       connections.CallLog
	log         *slog.Logger
	failpoint   func(point string)
}

// New makes the use cases.
func New(o Options) *Service {
	if o.Failpoint == nil {
		o.Failpoint = func(string) {}
	}
	log := cmp.Or(o.Log, slog.Default())
	s := &Service{
		recorder:    recorder{store: o.Store, returns: o.Returns, now: o.Now, newID: o.NewID},
		connections: o.Connections, calls: connections.CallLog{Store: o.Store, Now: o.Now, NewID: o.NewID, Log: log},
		log: log, failpoint: o.Failpoint,
	}
	s.Canceler = &OrderCanceler{refunds: s, idempotency: o.Idempotency}
	s.Attention = &Attention{refunds: s, idempotency: o.Idempotency}
	return s
}

// recorder writes refunds down.
type recorder struct {
	store   ports.Store
	returns ReturnFollower
	now     func() time.Time
	newID   func() string
}

// The points of a refund at which tests crash the process.
const (
	FailRefundBegun = "refund.begun" // the refund is recorded, the provider was not asked
	FailRefundSent  = "refund.sent"  // the provider answered, nothing is stored
)

// atomically runs fn in one transaction of a tenant.
func (w *recorder) atomically(ctx context.Context, id tenant.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return w.store.Atomically(ctx, ports.ForTenant(id), fn)
}

func (w *recorder) newChangeSet() *collection.ChangeSet {
	return collection.NewChangeSet(w.now(), w.newID)
}
