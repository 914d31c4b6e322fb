package payments

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// reservationLane is the lane of the tasks that need no provider: no provider that hangs delays them.
const reservationLane = "reservations"

// scheduleSession plans the background work on a session that holds its slot, or just lost it to an operator's
// release: looking its payment up, and ending its reservation. It begins anew with every call.
func (c *core) scheduleSession(ctx context.Context, tx ports.Tx, s payment.Session) error {
	now := c.now()
	return tx.PaymentTasks.Schedule(ctx, sessionTasks(s, now, now)...)
}

// sessionTasks are the tasks of a session that was opened or last renewed at since. Its payment is to be looked up now.
func sessionTasks(s payment.Session, since, now time.Time) (tasks []ports.PaymentTask) {
	if s.SlotHeld {
		tasks = append(tasks, ports.PaymentTask{
			Kind: ports.TaskReservation, Tenant: s.Tenant, Item: s.ID, Lane: reservationLane, Since: since, DueAt: s.ExpiresAt,
		})
	}
	if s.Kind != payment.Custom { // those have no provider to ask
		tasks = append(tasks, checkouts.LookupTask(s, since, now))
	}
	return tasks
}

// RefundTask is the task of a refund that was requested or found at a time, of a payment through connection.
func RefundTask(r payment.Refund, connection string, now time.Time) ports.PaymentTask {
	due := now
	if r.State == payment.RefundRequested {
		due = now.Add(payment.AnswerGrace)
	}
	return ports.PaymentTask{Kind: ports.TaskRefund, Tenant: r.Tenant, Item: r.ID, Lane: connection, Since: now, DueAt: due}
}

// AuthorizationTask is the task of capturing or voiding the authorized payment of a session, and of looking what became of
// it, at a time.
func AuthorizationTask(s payment.Session, now, at time.Time) ports.PaymentTask {
	return ports.PaymentTask{Kind: ports.TaskAuthorization, Tenant: s.Tenant, Item: s.ID, Lane: s.Connection, Since: now, DueAt: at}
}

// WatchTask is the task of looking at the deposit of a session, which was booked or taken back just now.
func WatchTask(s payment.Session, now time.Time) ports.PaymentTask {
	at, _ := payment.NextWatch(now, now)
	return ports.PaymentTask{
		Kind: ports.TaskWatch, Tenant: s.Tenant, Item: s.ID, Lane: s.Connection, Urgency: payment.LeastUrgent, Since: now, DueAt: at,
	}
}
