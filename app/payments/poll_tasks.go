package payments

import (
	"cmp"
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// runTask runs a claimed task and plans its next time, or removes it when nothing is left to do. With ask
// false no provider is called. Errors are logged; one is returned so that the lane learns whether its provider
// can be reached.
func (p *Poller) runTask(ctx context.Context, t ports.PaymentTask, ask bool) (err error) {
	at, urgency, more := payment.NextLookup(t.Since, p.now(), p.interval)
	t.DueAt, t.Urgency = at, urgency
	over := false
	err = p.task.Call(func() (err error) { // after a panic, too, the task is planned again
		switch {
		case t.Kind == ports.TaskReservation:
			over, err = p.expireSession(ctx, &t)
			more = more || err == nil
		case t.Kind == ports.TaskLookup && ask:
			over, err = p.lookUpSession(ctx, t)
		case t.Kind == ports.TaskRefund && ask:
			over, err = p.settleRefund(ctx, t)
		case t.Kind == ports.TaskWatch && ask:
			t.DueAt, more = payment.NextWatch(t.Since, p.now())
			t.Urgency = payment.LeastUrgent
			over, err = p.refunds.Watch(ctx, t.Tenant, t.Item)
			over = err == nil && (over || !more)
		case t.Kind == ports.TaskAuthorization && ask:
			var next time.Time
			next, err = p.refunds.SettleAuthorization(ctx, t.Tenant, t.Item)
			over, more = err == nil && next.IsZero(), true
			t.DueAt = cmp.Or(next, t.DueAt)
		}
		return err
	})
	if err != nil {
		p.warn(ctx, "payment task failed; will retry", "kind", t.Kind, "tenant", t.Tenant, "item", t.Item, "error", err)
	}
	if !over && !more {
		p.log.WarnContext(ctx, "payment is no longer polled; webhooks, reads and reconcile still settle it", "kind", t.Kind, "tenant", t.Tenant,
			"item", t.Item, "since", t.Since)
	}
	next := p.tasks.Reschedule
	if over || !more {
		next = p.tasks.Finish
	}
	if err := next(ctx, t); err != nil {
		p.warn(ctx, "payment task could not be planned again; it is due when its claim has run out", "item", t.Item, "error", err)
	}
	return err
}

// lookUpSession settles a session, and closes it when its cart was ordered; over says that its provider knows the end,
// or that nobody can pay any more.
func (p *Poller) lookUpSession(ctx context.Context, t ports.PaymentTask) (over bool, err error) {
	o, err := p.settler.Settle(ctx, t.Tenant, t.Item)
	if err != nil {
		return false, err
	}
	s, err := p.closeLeftover(ctx, o)
	if err != nil {
		return false, err
	}
	return !s.MayBePaid() || o.seen == payment.FactExpired || o.seen == payment.FactCanceled, nil
}

// closeLeftover closes a session that may still be paid although its checkout cannot become an order any more, or whose page
// could be paid although its goods are no longer reserved, and returns it as it is then.
func (p *Poller) closeLeftover(ctx context.Context, o Outcome) (payment.Session, error) {
	if o.seen == payment.FactOpen && o.Session.SlotHeld && o.Session.PageOutlivesReservation(p.now()) {
		o, err := p.settler.closeAndSettle(ctx, o.Session)
		return o.Session, err
	}
	x := checkout.FromRecord(o.Checkout)
	if x.Status != checkout.Completed && x.Status != checkout.Canceled {
		return o.Session, nil
	}
	return p.settler.closeReleased(ctx, o.Session)
}

// settleRefund settles a refund; over says that it is done or failed for good.
func (p *Poller) settleRefund(ctx context.Context, t ports.PaymentTask) (over bool, err error) {
	r, err := p.refunds.SettleRefund(ctx, t.Tenant, t.Item)
	return err == nil && r.State != payment.RefundRequested && r.State != payment.RefundPending, err
}

// expireSession ends the expired reservation of a session; over says that it is ended. The slot stays held: its
// payment may still arrive. t gets its next time when the reservation was renewed.
func (p *Poller) expireSession(ctx context.Context, t *ports.PaymentTask) (over bool, err error) {
	r, err := p.store.Read(ports.ForTenant(t.Tenant)).Get(ctx, payment.Sessions, t.Item)
	if err != nil {
		return false, err
	}
	err = p.atomically(ctx, t.Tenant, func(ctx context.Context, tx ports.Tx) error {
		l, err := LockSession(ctx, tx, r.Text("checkout"), t.Item)
		if err != nil {
			return err
		}
		w, next := p.newChangeSet(), l.Session
		if over = !next.SlotHeld; over {
			return nil // ended meanwhile
		}
		if w.Now.Before(next.ExpiresAt) {
			t.DueAt = next.ExpiresAt // renewed meanwhile
			return nil
		}
		over = true
		next.State = payment.Join(next.State, payment.FactExpired)
		w.Put(payment.Sessions, l.SessionRecord, next.Record())
		if err := checkouts.ReleaseReservation(ctx, tx, l.Checkout); err != nil {
			return err
		}
		return tx.Records.Write(ctx, w.List()...)
	})
	return over && err == nil, err
}
