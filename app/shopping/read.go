package shopping

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Retrieve shows a cart as the database has it. Errors: fault.ErrUnauthenticated, ErrForbidden, ErrNotFound.
func (s *Carts) Retrieve(ctx context.Context, call once.Call, id string, form Form) (once.Answer, error) {
	r, err := s.look(ctx, call, id)
	if err != nil {
		return once.Answer{}, err
	}
	return s.show(ctx, call, r, form)
}

// look reads a cart that the caller may see. Errors: those of Retrieve.
func (s *Carts) look(ctx context.Context, call once.Call, id string) (collection.Record, error) {
	if err := admitRead(call); err != nil {
		return nil, err
	}
	r, err := s.Store.Read(ports.For(call.Principal)).Get(ctx, cart.Schema, id)
	if err != nil {
		return nil, err
	}
	if !(holder{r.Text("environment"), r.Text("tokenHash"), r.Text("customer")}).opens(call) {
		return nil, fault.ErrNotFound
	}
	return r, nil
}

// Mine shows the customer's active cart that changed last, or null. The server names the customer.
// Errors: fault.ErrUnauthenticated, ErrForbidden, ErrValidation.
func (s *Carts) Mine(ctx context.Context, call once.Call, customer string) (once.Answer, error) {
	if err := admit(call); err != nil {
		return once.Answer{}, err
	}
	p := call.Principal
	switch {
	case !call.Server && p.Kind != tenant.Customer:
		return once.Answer{}, fault.ErrUnauthenticated.Saying("Log in as a customer to see your cart.")
	case p.Kind == tenant.SecretKey && !p.CanRead:
		return once.Answer{}, fault.ErrForbidden.Saying("This secret key may not read.")
	case !call.Server:
		customer = p.ID
	case customer == "":
		return once.Answer{}, fault.Invalidf("customerId", "Say whose cart you mean.")
	}
	page, err := s.Store.Read(ports.For(p)).Find(ctx, activeCarts(p.Environment, customer, s.Now()))
	if err != nil {
		return once.Answer{}, err
	}
	if len(page.Docs) == 0 {
		return once.Answer{Result: ports.OK, Body: []byte(`{"cart":null}`)}, nil
	}
	return s.show(ctx, call, page.Docs[0], Wrapped)
}

// activeCarts finds the customer's active cart that changed last.
func activeCarts(env tenant.Environment, customer string, now time.Time) collection.Query {
	updated, _ := cart.Schema.Field("updatedAt")
	return collection.Query{
		Schema: cart.Schema, Environment: string(env), Limit: 1, Page: 1, Now: now,
		Where: collection.And{
			cart.Schema.Where("customer", collection.Equals, customer),
			cart.Schema.Where("status", collection.Equals, string(cart.Active)),
		},
		Sort: []collection.Order{{Path: []collection.Field{updated}, Desc: true}},
	}
}

// show answers with a stored cart, its status as of now, relations to deleted records as null.
func (s *Carts) show(ctx context.Context, call once.Call, r collection.Record, form Form) (once.Answer, error) {
	c, err := cart.FromRecord(r)
	if err != nil {
		return once.Answer{}, err
	}
	r = cart.Schema.AsOf(r, s.Now())
	var ids []string
	for _, link := range cart.Schema.Links(r) {
		ids = append(ids, link.ID)
	}
	var gone map[string]int64
	if len(ids) > 0 {
		if gone, err = s.Store.Read(ports.For(call.Principal)).Gone(ctx, ids); err != nil {
			return once.Answer{}, err
		}
	}
	view := collection.View{Gone: func(id string) bool { _, is := gone[id]; return is }}
	if form == Flat {
		return once.Answer{Result: ports.OK, Body: flatBody(collection.AppendJSON(nil, cart.Schema, r, view), c), Revision: c.Revision}, nil
	}
	body := append(make([]byte, 0, 2048), `{"cart":`...)
	body = collection.AppendJSON(body, cart.Schema, r, view)
	return once.Answer{Result: ports.OK, Body: append(body, '}'), Revision: c.Revision}, nil
}
