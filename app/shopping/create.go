package shopping

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// NewCart is what a cart starts with; everything may be missing.
type NewCart struct {
	Market     string // id or code
	Items      []cart.Item
	Codes      []string
	Attributes map[string]string
	Customer   string // the server may name one; a customer's own cart is theirs anyway
	Form       Form
}

// Create makes a cart and its token. Its key is optional. Errors: once.ErrKeyInvalid, ErrKeyReused, fault.ErrValidation,
// ErrUnauthenticated, ErrForbidden, ErrUnavailable; refusals under a key stand in the answer.
func (s *Carts) Create(ctx context.Context, call once.Call, in NewCart) (once.Answer, error) {
	call.CartToken = "" // a new cart has no holder yet
	if err := s.admitCreate(ctx, call, &in); err != nil {
		return once.Answer{}, err
	}
	for i := range in.Items {
		in.Items[i].LineID = s.NewID()
	}
	cmd := cart.Create{
		ID: s.NewID(), Tenant: call.Principal.Tenant.ID, Environment: call.Principal.Environment, Customer: in.Customer,
		Items: in.Items, Codes: in.Codes, Attributes: in.Attributes,
	}
	if err := cmd.Check(); err != nil {
		return once.Answer{}, err
	}
	if call.Key != "" {
		if r, ok := s.Cache.Find(ctx, call.ReceiptKey()); ok {
			return s.replayCreate(ctx, call, r)
		}
	}
	answer, err := s.create(ctx, call, cmd, in)
	if !errors.Is(err, ports.ErrReceiptExists) {
		return answer, err
	}
	receipt, err := s.knownReceipt(ctx, call.Principal.Tenant.ID, call.ReceiptKey())
	if err != nil {
		return once.Answer{}, err
	}
	return s.replayCreate(ctx, call, receipt)
}

func (s *Carts) admitCreate(ctx context.Context, call once.Call, in *NewCart) error {
	if err := admitWrite(call); err != nil {
		return err
	}
	switch p := call.Principal; {
	case p.Kind == tenant.ClientKey && call.Key != "" && !generated(call.Key):
		return once.ErrKeyInvalid.Saying("Under a client key alone, use a key made by createCommerceIdempotencyKey: ik_ and 32 letters or digits.")
	case !call.Server && in.Customer != "":
		return fault.Invalidf("customerId", "Only the server names a customer.")
	case p.Kind == tenant.Customer:
		in.Customer = p.ID
		return nil
	}
	return s.checkCustomer(ctx, call.Principal.Tenant.ID, in.Customer)
}

func (s *Carts) checkCustomer(ctx context.Context, t tenant.ID, customer string) error {
	if customer == "" {
		return nil
	}
	_, err := s.Store.Read(ports.Of(t)).Get(ctx, identity.Customers, customer)
	if errors.Is(err, ports.ErrAbsent) {
		return fault.Invalidf("customerId", "There is no such customer.")
	}
	return err
}

// generated reports whether a key has the form of the generator's: two visitors never share one. Contract 13.
func generated(key string) bool {
	rest, ok := strings.CutPrefix(key, "ik_")
	return ok && len(rest) == 32 && !strings.ContainsFunc(rest, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// create decides and commits. Errors: ports.ErrReceiptExists when the key has an answer already.
func (s *Carts) create(ctx context.Context, call once.Call, cmd cart.Create, in NewCart) (once.Answer, error) {
	now := s.Now()
	token, version, err := call.Mint(s.Vault, once.CartTokenPrefix, cmd.ID)
	if err != nil {
		return once.Answer{}, fmt.Errorf("mint a cart token: %w", err)
	}
	cmd.TokenHash = once.HashText(token)
	c, err := s.decideCreate(ctx, call, cmd, in.Market)
	if err != nil {
		return s.refuseCreate(ctx, call, err)
	}
	record := c.Record()
	change := collection.NewChange(cart.Schema, nil, record, s.NewID(), now)
	body, doc := answerBody(record)
	change.Doc = doc
	if in.Form == Flat {
		body = flatBody(doc, c)
	}
	step := ports.Step{Tenant: cmd.Tenant, Changes: []collection.Change{change}}
	if call.Key != "" {
		r := call.Receipt(ports.Created, body, nil, now, now.Add(receiptLife))
		r.Record, r.Revision, r.TokenVersion = c.ID, c.Revision, version
		step.Receipts = append(step.Receipts, r)
	}
	if err := s.commit(ctx, step); err != nil {
		return once.Answer{}, err
	}
	return once.Answer{Result: ports.Created, Body: once.WithToken(body, "cartToken", token), RequestID: call.RequestID, Revision: c.Revision}, nil
}

func (s *Carts) decideCreate(ctx context.Context, call once.Call, cmd cart.Create, market string) (cart.Cart, error) {
	q := quoting.Request{Tenant: call.Principal.Tenant, Environment: cmd.Environment, Market: market, Codes: cmd.Codes, Customer: cmd.Customer}
	for _, it := range cmd.Items {
		q.Variants = append(q.Variants, it.Variant)
	}
	facts, err := s.facts(ctx, q)
	if err != nil {
		return cart.Cart{}, err
	}
	cmd.Facts, cmd.Market = facts, facts.Market
	return cart.Decide(cart.Cart{}, 0, cmd, s.Now())
}

// refuseCreate keeps a refusal under its key, if there is one.
func (s *Carts) refuseCreate(ctx context.Context, call once.Call, err error) (once.Answer, error) {
	f := fault.From(err)
	if call.Key == "" || !once.Keepable(f) {
		return once.Answer{}, err
	}
	now := s.Now()
	r := call.Receipt(ports.Refused, nil, f, now, now.Add(receiptLife))
	if err := s.commit(ctx, ports.Step{Tenant: r.Tenant, Receipts: []ports.Receipt{r}}); err != nil {
		return once.Answer{}, err
	}
	return once.Answer{Result: ports.Refused, Fault: f, RequestID: call.RequestID}, nil
}

func (s *Carts) commit(ctx context.Context, step ports.Step) error {
	if err := s.Committer.Commit(ctx, step); err != nil {
		return fmt.Errorf("commit a new cart: %w", err)
	}
	for _, r := range step.Receipts {
		s.Cache.Keep(ctx, r)
	}
	return nil
}

// replayCreate is replay with the token said again.
func (s *Carts) replayCreate(ctx context.Context, call once.Call, r ports.Receipt) (once.Answer, error) {
	a, err := s.replay(ctx, call, r)
	if err != nil || a.Fault != nil {
		return a, err
	}
	token, err := call.Remint(s.Vault, once.CartTokenPrefix, r)
	if err != nil {
		return once.Answer{}, fmt.Errorf("mint a cart token again: %w", err)
	}
	a.Body = once.WithToken(a.Body, "cartToken", token)
	return a, nil
}
