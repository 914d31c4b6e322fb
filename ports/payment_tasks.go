package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// PaymentTaskKind is what a payment task does.
type PaymentTaskKind string

// The kinds of payment tasks.
const (
	TaskLookup      PaymentTaskKind = "lookup"      // look the payment of a session up and settle it
	TaskReservation PaymentTaskKind = "reservation" // end the expired reservation of a session
	TaskRefund      PaymentTaskKind = "refund"      // look a pending refund up and settle it
	TaskWatch       PaymentTaskKind = "watch"       // look a booked deposit up: the bank may take it back
	// TaskAuthorization: capture or void an authorized payment if that is due, and look what became of it.
	TaskAuthorization PaymentTaskKind = "authorization"
)

// PaymentTask is background work on a payment session or a refund, with the time at which it is next due. There
// is at most one per tenant, kind and item.
type PaymentTask struct {
	Kind   PaymentTaskKind
	Tenant tenant.ID
	Item   string // the id of the session, or of the refund's transaction
	// Lane groups the tasks that wait for each other: those of one provider connection, by its id. Not "".
	Lane    string
	Urgency int       // 0…payment.LeastUrgent; of the due tasks of a lane lower ones are claimed first
	Since   time.Time // when the item was opened or last renewed
	DueAt   time.Time
	Fence   int64 // set by Claim: identifies this claim
}

// PaymentTasks plans tasks inside a transaction.
type PaymentTasks interface {
	// Schedule stores tasks, each in place of the one of the same kind and item. Claims of those end.
	Schedule(ctx context.Context, tasks ...PaymentTask) error
	// Cancel removes the tasks of these kinds of an item. Claims of those end.
	Cancel(ctx context.Context, t tenant.ID, item string, kinds ...PaymentTaskKind) error
}

// PaymentTaskQueue hands out the tasks that are due. Any number of instances may use it: a claimed task is not
// due for anybody before its claim has run out.
type PaymentTaskQueue interface {
	// Adopt stores the tasks of which there is none of the same kind and item.
	Adopt(ctx context.Context, tasks ...PaymentTask) error
	// DueLanes lists up to limit lanes that have a due task of the scope and are greater than after, in order.
	// What it costs depends on the number of lanes, not of tasks.
	DueLanes(ctx context.Context, s Scope, after string, now time.Time, limit int) ([]string, error)
	// Claim claims up to limit due tasks of a lane until a time: the most urgent first, and of those the
	// longest due. What it costs depends on limit.
	Claim(ctx context.Context, s Scope, lane string, now, until time.Time, limit int) ([]PaymentTask, error)
	// Reschedule gives a claimed task its next time and urgency. Without effect once the claim is lost.
	Reschedule(ctx context.Context, t PaymentTask) error
	// Finish removes a claimed task. Without effect once the claim is lost.
	Finish(ctx context.Context, t PaymentTask) error
}
