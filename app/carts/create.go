package carts

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// NewCart is the initial contents of a cart; every field is optional.
type NewCart struct {
	Market     string // id or code
	Lines      []cart.LineInput
	Codes      []string
	Attributes map[string]string
	Customer   string // only the tenant's server may set it; a customer's own cart is always theirs
	Form       Form
}

// Create makes a cart and its token. The idempotency key is optional. Errors: idempotency.ErrInvalidKey,
// ErrKeyReused, fault.ErrValidation, ErrUnauthenticated, ErrForbidden, ErrUnavailable; refusals under a key
// are part of the response.
func (s *Service) Create(ctx context.Context, call idempotency.Call, in NewCart) (idempotency.Response, error) {
	call.CartToken = "" // a new cart has no token yet
	if err := s.admitCreate(ctx, call, &in); err != nil {
		return idempotency.Response{}, err
	}
	for i := range in.Lines {
		in.Lines[i].LineID = s.NewID()
	}
	cmd := cart.Create{
		ID: s.NewID(), Tenant: call.Principal.Tenant.ID, Environment: call.Principal.Environment, Customer: in.Customer,
		Lines: in.Lines, Codes: in.Codes, Attributes: in.Attributes, Locale: call.Principal.Content.Locale,
	}
	if err := cmd.Check(); err != nil {
		return idempotency.Response{}, err
	}
	if call.Key != "" {
		if r, ok := s.Cache.Find(ctx, call.ReceiptKey()); ok {
			return s.replayCreate(ctx, call, r)
		}
	}
	response, err := s.create(ctx, call, cmd, in)
	if !errors.Is(err, ports.ErrReceiptExists) {
		return response, err
	}
	receipt, err := s.loadReceipt(ctx, call.Principal.Tenant.ID, call.ReceiptKey())
	if err != nil {
		return idempotency.Response{}, err
	}
	return s.replayCreate(ctx, call, receipt)
}

func (s *Service) admitCreate(ctx context.Context, call idempotency.Call, in *NewCart) error {
	if err := admitWrite(call); err != nil {
		return err
	}
	switch p := call.Principal; {
	case p.Kind == tenant.ClientKey && call.Key != "" && !isGeneratedKey(call.Key):
		return idempotency.ErrInvalidKey.WithMessage(
			"With a client key alone, the idempotency key must come from createCommerceIdempotencyKey: ik_ and 32 letters or digits.")
	case !call.Server && in.Customer != "":
		return fault.Invalidf("customerId", "Only the shop's server may name a customer.")
	case p.Kind == tenant.Customer:
		in.Customer = p.ID
		return nil
	}
	return s.checkCustomer(ctx, call.Principal.Tenant.ID, in.Customer)
}

func (s *Service) checkCustomer(ctx context.Context, t tenant.ID, customer string) error {
	if customer == "" {
		return nil
	}
	r, err := s.Store.Read(ports.ForTenant(t)).Get(ctx, identity.Customers, customer)
	switch {
	case errors.Is(err, ports.ErrNotFound):
		return fault.Invalidf("customerId", "There is no such customer.")
	case err == nil && identity.IsErased(r):
		return identity.ErrErased
	}
	return err
}

// isGeneratedKey reports whether a key has the format of generated keys, which are long enough that two
// visitors never share one. Rule idempotency-16.
func isGeneratedKey(key string) bool {
	rest, ok := strings.CutPrefix(key, "ik_")
	return ok && len(rest) == 32 && !strings.ContainsFunc(rest, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// create decides and commits. Errors: ports.ErrReceiptExists when the key has a response already.
func (s *Service) create(ctx context.Context, call idempotency.Call, cmd cart.Create, in NewCart) (idempotency.Response, error) {
	now := s.Now()
	token, version, err := call.MintToken(s.Vault, idempotency.CartTokenPrefix, cmd.ID)
	if err != nil {
		return idempotency.Response{}, fmt.Errorf("mint a cart token: %w", err)
	}
	cmd.TokenHash = idempotency.HashToken(token)
	c, err := s.decideCreate(ctx, call, cmd, in.Market)
	if err != nil {
		return s.refuseCreate(ctx, call, err)
	}
	record := c.Record()
	change := collection.NewChange(cart.Schema, nil, record, s.NewID(), now)
	body, doc := changedBody(in.Form, record, c)
	change.Doc = doc
	step := ports.CommitRequest{Tenant: cmd.Tenant, Changes: []collection.Change{change}}
	if call.Key != "" {
		r := call.Receipt(ports.ReceiptCreated, body, nil, now, now.Add(idempotency.Retention))
		r.Record, r.Sequence, r.TokenVersion = c.ID, c.Sequence, version
		step.Receipts = append(step.Receipts, r.Receipt)
	}
	if err := s.commit(ctx, step); err != nil {
		return idempotency.Response{}, err
	}
	return idempotency.Response{
		Result: ports.ReceiptCreated, Body: withCartToken(body, token), RequestID: call.RequestID, Revision: c.Revision,
		Sequence: c.Sequence,
	}, nil
}

func (s *Service) decideCreate(ctx context.Context, call idempotency.Call, cmd cart.Create, market string) (cart.Cart, error) {
	q := offers.Request{
		Tenant: call.Principal.Tenant, Environment: cmd.Environment, Market: market, Codes: cmd.Codes, Customer: cmd.Customer,
	}
	for _, it := range cmd.Lines {
		q.Variants = append(q.Variants, it.Variant)
	}
	q.Locale = cmd.Locale
	found, err := s.Offers.Lookup(ctx, q)
	if err != nil {
		return cart.Cart{}, err
	}
	if in := localeOf(q.Tenant, found.Market); !call.Principal.Content.Chosen && in != "" { // a buyer may have chosen the default language
		q.Locale, cmd.Locale = in, in
		if found, err = s.Offers.Lookup(ctx, q); err != nil {
			return cart.Cart{}, err
		}
	}
	if cmd.Facts, err = s.factsFor(ctx, q, found); err != nil {
		return cart.Cart{}, err
	}
	cmd.Market = cmd.Facts.Market
	return cart.Decide(cart.Cart{}, 0, cmd, s.Now())
}

// localeOf is the language of a market, nil for none; "" for the shop's default one, and for one that it no longer has.
func localeOf(t tenant.Settings, market *catalog.Market) string {
	if market == nil {
		return ""
	}
	in, err := t.ContentIn(market.Locale, "")
	if err != nil {
		return ""
	}
	return in.Locale
}

// refuseCreate stores a refusal under its key, if there is one.
func (s *Service) refuseCreate(ctx context.Context, call idempotency.Call, err error) (idempotency.Response, error) {
	f := fault.From(err)
	if call.Key == "" || !idempotency.IsStorable(f) {
		return idempotency.Response{}, err
	}
	now := s.Now()
	r := call.Receipt(ports.ReceiptRefused, nil, f, now, now.Add(idempotency.Retention))
	if err := s.commit(ctx, ports.CommitRequest{Tenant: r.Tenant, Receipts: []ports.Receipt{r.Receipt}}); err != nil {
		return idempotency.Response{}, err
	}
	return idempotency.Response{Result: ports.ReceiptRefused, Fault: f, RequestID: call.RequestID}, nil
}

func (s *Service) commit(ctx context.Context, step ports.CommitRequest) error {
	epoch := s.Cache.Epoch()
	if err := s.Committer.Commit(ctx, step); err != nil {
		return fmt.Errorf("commit a new cart: %w", err)
	}
	for _, r := range step.Receipts {
		s.Cache.Put(ctx, epoch, r)
	}
	return nil
}

// replayCreate is replay that includes the cart token again.
func (s *Service) replayCreate(ctx context.Context, call idempotency.Call, r ports.Receipt) (idempotency.Response, error) {
	a, err := s.replay(ctx, call, r)
	if err != nil || a.Fault != nil {
		return a, err
	}
	token, err := call.RemintToken(s.Vault, idempotency.CartTokenPrefix, r)
	if err != nil {
		return idempotency.Response{}, fmt.Errorf("mint a cart token again: %w", err)
	}
	a.Body = withCartToken(a.Body, token)
	return a, nil
}

func withCartToken(b *reply.Body, token string) *reply.Body {
	return b.WithSecret(reply.Secret{Name: "cartToken", Text: token})
}
