package refunds

import (
	"context"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/placement"
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

// refunder asks providers for refunds and writes down what became of them.
type refunder struct {
	recorder

	connections connections.Opener
	calls       connections.CallLog
	log         *slog.Logger
	failpoint   func(point string)
}

// recorder writes refunds down.
type recorder struct {
	store   ports.Store
	returns ReturnFollower
	now     func() time.Time
	newID   func() string
	numbers placement.Numbers
	trial   bool // within a preview, which moves nothing
}

// The points of a refund at which tests crash the process.
const (
	FailRefundBegun = "refund.begun" // the refund is recorded, the provider was not asked
	FailRefundSent  = "refund.sent"  // the provider answered, nothing is stored

	FailAuthorizationBegun = "authorization.begun" // a capture or void is logged, the provider was not asked
	FailAuthorizationSent  = "authorization.sent"  // the provider answered, nothing is stored
)

// atomically runs fn in one transaction of a tenant.
func (w *recorder) atomically(ctx context.Context, id tenant.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return w.store.Atomically(ctx, ports.ForTenant(id), fn)
}

func (w *recorder) newChangeSet() *collection.ChangeSet {
	return collection.NewChangeSet(w.now(), w.newID)
}
