package buying

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// refundGrace is how long the one who asks for a refund is left alone with it: longer than any call of a provider takes.
const refundGrace = 20 * time.Second

// refundWidth is how many refunds are settled at the same time.
const refundWidth = 4

// askedRefunds is when refunds were last asked about, by id. One round of them works at a time.
type askedRefunds struct {
	mu   sync.Mutex
	busy bool
	at   map[string]time.Time
}

// start claims the work and returns what is known from the rounds before; ok is false while one still works.
func (a *askedRefunds) start() (at map[string]time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return nil, false
	}
	a.busy = true
	return a.at, true
}

func (a *askedRefunds) done(at map[string]time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.busy, a.at = false, at
}

// refunds brings those up to date that are not done: asked for without an answer, or accepted and done later. It does not
// wait for them: a provider that hangs keeps nothing else waiting.
func (w *watch) refunds(ctx context.Context) {
	before, ok := w.asked.start()
	if !ok {
		return
	}
	s, now := payment.Transactions, w.b.Now()
	open := collection.And{s.Where("type", collection.Equals, opRefund), s.Where("status", collection.Equals, "pending")}
	asked, due := map[string]time.Time{}, []collection.Record{}
	w.each(ctx, s, open, func(r collection.Record) {
		id, age := r.ID(), now.Sub(r.Time("createdAt"))
		asked[id] = before[id]
		calling := payment.RefundFrom(r).State == payment.RefundRequested && age < refundGrace && w.every > 0
		if !calling && now.Sub(asked[id]) >= w.pace(age) {
			asked[id] = now
			due = append(due, r)
		}
	})
	w.patrols.work.Go(func() {
		defer w.asked.done(asked)
		var all sync.WaitGroup
		for i := range refundWidth {
			all.Go(func() {
				for at := i; at < len(due); at += refundWidth {
					w.refund(ctx, due[at])
				}
			})
		}
		all.Wait()
	})
}

func (w *watch) refund(ctx context.Context, r collection.Record) {
	if _, err := w.b.SettleRefund(ctx, tenant.ID(r.Text("tenant")), r.ID()); err != nil && ctx.Err() == nil {
		w.b.log().WarnContext(ctx, "refund not settled", "tenant", r.Text("tenant"), "refund", r.ID(), "error", err)
	}
}

// SettleRefunds brings every refund of a payment session up to date: for a webhook about its payment. Errors: those of
// SettleRefund.
func (b *Buying) SettleRefunds(ctx context.Context, id tenant.ID, session string) error {
	moved, err := transactionsOf(ctx, b.Store.Read(ports.Of(id)), "paymentSession", session)
	if err != nil {
		return err
	}
	var errs []error
	for _, r := range moved {
		if r.Text("type") != opRefund {
			continue
		}
		_, err := b.SettleRefund(ctx, id, r.ID())
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
