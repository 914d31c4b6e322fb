package checkouts

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Retrieve answers {status, checkout}, with paymentSession while a payment is pending, order once completed,
// and reason when the checkout requires attention. Errors: ports.ErrNotFound, also for checkouts that the
// caller may not see.
func (s *Service) Retrieve(ctx context.Context, c idempotency.Call, id string) (*reply.Body, error) {
	if err := RequireCaller(c, false); err != nil {
		return nil, err
	}
	reader := s.Store.Read(ports.ForPrincipal(c.Principal))
	r, err := reader.Get(ctx, checkout.Schema, id)
	if err != nil {
		return nil, err
	}
	return s.show(ctx, c, reader, r)
}

// RetrieveByToken is Retrieve of the checkout whose token the caller has: a page that a payment returns to may know
// nothing else. Errors: those of Retrieve.
func (s *Service) RetrieveByToken(ctx context.Context, c idempotency.Call) (*reply.Body, error) {
	if err := RequireCaller(c, false); err != nil {
		return nil, err
	}
	if c.CheckoutToken == "" {
		return nil, ports.ErrNotFound
	}
	reader, schema := s.Store.Read(ports.ForPrincipal(c.Principal)), checkout.Schema
	found, err := reader.Find(ctx, collection.Query{
		Schema: schema, Environment: string(c.Principal.Environment), Limit: 1, Page: 1, SkipCount: true,
		Where: schema.Where("tokenHash", collection.Equals, idempotency.HashToken(c.CheckoutToken)),
	})
	if err != nil {
		return nil, err
	}
	if len(found.Docs) == 0 {
		return nil, ports.ErrNotFound
	}
	return s.show(ctx, c, reader, found.Docs[0])
}

// show is the answer about a checkout, if the caller may see it.
func (s *Service) show(ctx context.Context, c idempotency.Call, reader ports.Reader, r collection.Record) (*reply.Body, error) {
	x := checkout.FromRecord(r)
	if err := Authorize(c, x); err != nil {
		return nil, err
	}
	members := []reply.Member{{Name: "checkout", Schema: checkout.Schema, Record: checkout.Schema.AsOf(r, s.Now())}}
	status := x.StatusAt(s.Now())
	switch {
	case status == checkout.PaymentPending && x.Session != "":
		session, err := reader.Get(ctx, payment.Sessions, x.Session)
		if err != nil {
			return nil, err
		}
		members = append(members, reply.Member{Name: "paymentSession", Schema: payment.Sessions, Record: session})
	case status == checkout.Completed:
		o, err := reader.Get(ctx, order.Schema, x.Order)
		if err != nil {
			return nil, err
		}
		members = append(members, reply.Member{Name: "order", Schema: order.Schema, Record: o})
	}
	members = append(members, reply.Member{Name: "status", Value: string(status)})
	if status == checkout.RequiresAttention {
		members = append(members, reply.Member{Name: "reason", Value: x.AttentionCase.Reason})
	}
	return c.Body(members...), nil
}
