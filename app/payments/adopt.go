package payments

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// adopt plans the work on open sessions, pending refunds and authorized payments from after a time that nobody planned: those of an
// older version that runs beside this one, or ran before it.
func (p *Poller) adopt(ctx context.Context, scope ports.Scope, after time.Time) {
	reader := p.store.Read(scope)
	s, t := payment.Sessions, payment.Transactions
	p.adoptEach(ctx, reader, s, collection.And{
		s.Where("slotHeld", collection.Equals, true), s.Where("createdAt", collection.GreaterThan, collection.TruncateTime(after)),
	}, func(r collection.Record) ([]ports.PaymentTask, error) {
		return sessionTasks(payment.SessionFrom(r), r.Time("createdAt"), p.now()), nil
	})
	p.adoptEach(ctx, reader, t, collection.And{
		t.Where("type", collection.Equals, ports.OpRefund), t.Where("status", collection.Equals, "pending"),
		t.Where("createdAt", collection.GreaterThan, collection.TruncateTime(after)),
	}, func(r collection.Record) ([]ports.PaymentTask, error) {
		refund := payment.RefundFrom(r)
		if refund.Session == "" {
			return nil, nil // of money that moved through no provider of ours
		}
		of, err := reader.Get(ctx, s, refund.Session)
		return []ports.PaymentTask{RefundTask(refund, of.Text("connection"), r.Time("createdAt"))}, err
	})
	p.adoptEach(ctx, reader, t, collection.And{
		t.Where("status", collection.Equals, "authorized"), t.Where("createdAt", collection.GreaterThan, collection.TruncateTime(after)),
	}, func(r collection.Record) ([]ports.PaymentTask, error) {
		of, err := reader.Get(ctx, s, r.Text("paymentSession"))
		return []ports.PaymentTask{AuthorizationTask(payment.SessionFrom(of), r.Time("createdAt"), p.now())}, err
	})
}

// adoptEach stores the tasks of the records that match, page by page, where there are none.
func (p *Poller) adoptEach(
	ctx context.Context, reader ports.Reader, s *collection.Schema, where collection.Cond,
	tasks func(collection.Record) ([]ports.PaymentTask, error),
) {
	err := ports.FindEach(ctx, reader, collection.Query{Schema: s, Where: where}, func(page []collection.Record) error {
		var all []ports.PaymentTask
		for _, r := range page {
			more, err := tasks(r)
			if err != nil {
				return err
			}
			all = append(all, more...)
		}
		return p.tasks.Adopt(ctx, all...)
	})
	if err != nil {
		p.warn(ctx, "unplanned payments could not be adopted; will retry", "collection", s.Slug, "error", err)
	}
}

// How many checkouts are read at a time, and how often, before the next round.
const (
	expireSize  = 100
	expirePages = 50
)

// expireCheckouts stores which open checkouts have expired, so that filters and events say so too. Those that
// fail stay at the front of the list and are passed over.
func (p *Poller) expireCheckouts(ctx context.Context, scope ports.Scope) {
	s := checkout.Schema
	q := collection.Query{
		Schema: s, Limit: expireSize, Page: 1, SkipCount: true, LeaveOutDamaged: true,
		Sort: s.SortBy("expiresAt"),
		Where: collection.And{
			s.Where("status", collection.Equals, string(checkout.Open)),
			s.Where("expiresAt", collection.LessThanEqual, collection.TruncateTime(p.now())),
		},
	}
	failed := map[string]bool{} // ids
	fail := func(tenantID, id string, err error) {
		if !failed[id] {
			failed[id] = true
			p.warn(ctx, "checkout could not be expired; will retry", "tenant", tenantID, "checkout", id, "error", err)
		}
	}
	for range expirePages {
		q.Page = 1 + len(failed)/expireSize
		page, err := p.store.Read(scope).Find(ctx, q)
		if err != nil {
			p.warn(ctx, "expired checkouts could not be listed; will retry", "error", err)
			return
		}
		for _, d := range page.Damaged {
			fail(d.Tenant, d.ID, d)
		}
		for _, r := range page.Docs {
			if failed[r.ID()] {
				continue
			}
			if err := p.checkouts.Expire(ctx, tenant.ID(r.Text("tenant")), r.ID()); err != nil {
				fail(r.Text("tenant"), r.ID(), err)
			}
		}
		if page.Found() < expireSize || ctx.Err() != nil {
			return
		}
	}
}
