package carts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Retrieve shows a cart as stored, with what of it is available now. Errors: fault.ErrUnauthenticated, ErrForbidden, ErrNotFound.
func (s *Service) Retrieve(ctx context.Context, call idempotency.Call, id string, form Form) (idempotency.Response, error) {
	r, err := s.readCart(ctx, call, id)
	if err != nil {
		return idempotency.Response{}, err
	}
	return s.respond(ctx, call, r, form)
}

// readCart reads a cart that the caller may see. Errors: those of Retrieve.
func (s *Service) readCart(ctx context.Context, call idempotency.Call, id string) (collection.Record, error) {
	if err := admitRead(call); err != nil {
		return nil, err
	}
	r, err := s.Store.Read(ports.ForPrincipal(call.Principal)).Get(ctx, cart.Schema, id)
	if err != nil {
		return nil, err
	}
	if !(cartAccess{r.Text("environment"), r.Text("tokenHash"), r.Text("customer")}).allows(call) {
		return nil, fault.ErrNotFound
	}
	return r, nil
}

// Mine shows the customer's most recently changed active cart, or null. The server names the customer.
// Errors: fault.ErrUnauthenticated, ErrForbidden, ErrValidation.
func (s *Service) Mine(ctx context.Context, call idempotency.Call, customer string) (idempotency.Response, error) {
	if err := admit(call); err != nil {
		return idempotency.Response{}, err
	}
	p := call.Principal
	switch {
	case !call.Server && p.Kind != tenant.Customer:
		return idempotency.Response{}, fault.ErrUnauthenticated.WithMessage("Log in as a customer to see your cart.")
	case p.Kind == tenant.SecretKey && !p.CanRead:
		return idempotency.Response{}, fault.ErrForbidden.WithMessage("This secret key lacks the read scope.")
	case !call.Server:
		customer = p.ID
	case customer == "":
		return idempotency.Response{}, fault.Invalidf("customerId", "Name the customer.")
	}
	page, err := s.Store.Read(ports.ForPrincipal(p)).Find(ctx, activeCarts(p.Environment, customer, s.Now()))
	if err != nil {
		return idempotency.Response{}, err
	}
	if len(page.Docs) == 0 {
		return idempotency.Response{Result: ports.ReceiptOK, Body: cartBody(nil)}, nil
	}
	return s.respond(ctx, call, page.Docs[0], Wrapped)
}

// activeCarts finds the customer's most recently changed active cart.
func activeCarts(env tenant.Environment, customer string, now time.Time) collection.Query {
	return collection.Query{
		Schema: cart.Schema, Environment: string(env), Limit: 1, Page: 1, Now: now,
		Where: collection.And{
			cart.Schema.Where("customer", collection.Equals, customer),
			cart.Schema.Where("status", collection.Equals, string(cart.Active)),
		},
		Sort: cart.Schema.SortByLast("updatedAt"),
	}
}

// respond responds with a stored cart.
func (s *Service) respond(ctx context.Context, call idempotency.Call, r collection.Record, form Form) (idempotency.Response, error) {
	c, err := cart.FromRecord(r)
	if err != nil {
		return idempotency.Response{}, err
	}
	shown, err := s.shownCart(ctx, call, r, c)
	if err != nil {
		return idempotency.Response{}, err
	}
	body := reply.Of(collection.Staff, shown)
	if form == Flat {
		body = flatBody(shown, c)
	}
	return idempotency.Response{Result: ports.ReceiptOK, Body: body.WithRoom(cartRoom / 2), Revision: c.Revision}, nil
}

// shownCart is c as stored in r, its status and what of it is available as of now, and relations to deleted records as
// null.
func (s *Service) shownCart(ctx context.Context, call idempotency.Call, r collection.Record, c cart.Cart) (reply.Member, error) {
	current, err := Availability{Offers: s.Offers, Now: s.Now}.show(ctx, call.Principal, []collection.Record{r}, []cart.Cart{c})
	if err != nil {
		return reply.Member{}, err
	}
	shown := cartMember(cart.Schema.AsOf(current[0], s.Now()))
	var ids []string
	for _, link := range cart.Schema.Links(shown.Record) {
		ids = append(ids, link.ID)
	}
	if len(ids) == 0 {
		return shown, nil
	}
	gone, err := s.Store.Read(ports.ForPrincipal(call.Principal)).Deleted(ctx, ids)
	if len(gone) > 0 {
		shown.View = &collection.View{Audience: collection.Staff, IsDeleted: func(id string) bool { _, is := gone[id]; return is }}
	}
	return shown, err
}
