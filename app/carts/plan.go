package carts

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// plan is what a batch results in if the state it was decided on is still current. It has no effects.
type plan struct {
	batch         *batch
	now           time.Time
	next          cartState // after the changes planned so far
	step          ports.CommitRequest
	outcomes      []planOutcome
	absent        []int                  // requests whose caller may not see the cart
	left          []int                  // requests for the next plan, because this one is full
	bytes         int                    // of the JSON that the step stores
	factsByMarket map[string]factsResult // by market
	variants      []string               // of the cart and all requests
	codes         []string
}

// maxPlanBytes is how much JSON the changes of one step have before no further one is added. Each stores the whole cart.
const maxPlanBytes = 1 << 20

// planOutcome is the result of one request once the plan is committed.
type planOutcome struct {
	request   int
	response  idempotency.Response
	err       error
	receipt   int  // index of its receipt in the step
	duplicate bool // the key was used earlier in this batch
}

type factsResult struct {
	facts cart.Facts
	err   error
}

func (r *batch) plan(ctx context.Context, base cartState) *plan {
	p := &plan{
		batch: r, now: r.s.Now(), next: base, step: ports.CommitRequest{Tenant: r.key.tenant},
		factsByMarket: map[string]factsResult{}, variants: base.cart.Variants(), codes: base.cart.CodeList(),
	}
	for _, i := range r.pending {
		p.variants = append(p.variants, r.requests[i].variants...)
		p.codes = append(p.codes, r.requests[i].codes...)
	}
	for n, i := range r.pending {
		if p.bytes >= maxPlanBytes {
			p.left = r.pending[n:]
			break
		}
		p.decide(ctx, i)
	}
	return p
}

func (p *plan) decide(ctx context.Context, i int) {
	a := p.batch.requests[i]
	c := p.next.cart
	if !(cartAccess{string(c.Environment), c.TokenHash, c.Customer}).allows(a.call) {
		p.absent = append(p.absent, i)
		return
	}
	if at := p.receiptOf(a.receipt); at >= 0 {
		p.outcomes = append(p.outcomes, planOutcome{request: i, receipt: at, duplicate: true})
		return
	}
	next, err := p.change(ctx, a)
	if err != nil {
		p.refuse(i, err)
		return
	}
	record := next.Record()
	change := collection.NewChange(cart.Schema, p.next.record, record, p.batch.s.NewID(), p.now)
	body, doc := changedBody(a.form, record, next)
	change.Doc, change.PreviousDoc, change.Actor = doc, p.next.doc, a.call.Principal.Actor()
	p.step.Changes = append(p.step.Changes, change)
	p.bytes += len(doc) + len(body.Receipt())
	p.next = cartState{known: true, cart: next, record: record, doc: doc}
	p.keep(i, a.call.ReceiptWithKey(a.receipt, ports.ReceiptOK, body, nil, p.now, p.now.Add(idempotency.Retention)),
		idempotency.Response{Result: ports.ReceiptOK, Body: body, Sequence: next.Sequence})
}

// change decides one request on the state after the ones before it.
func (p *plan) change(ctx context.Context, a *changeRequest) (cart.Cart, error) {
	market, facts, err := p.facts(ctx, a)
	if err != nil {
		return cart.Cart{}, err
	}
	return cart.Decide(p.next.cart, a.expectedRevision, a.command(facts, market), p.now)
}

// refuse stores a deterministic refusal as a receipt; other errors are only returned.
func (p *plan) refuse(i int, err error) {
	f := fault.From(err)
	if !idempotency.IsStorable(f) {
		p.outcomes = append(p.outcomes, planOutcome{request: i, err: err})
		return
	}
	a := p.batch.requests[i]
	receipt := a.call.ReceiptWithKey(a.receipt, ports.ReceiptRefused, nil, f, p.now, p.now.Add(idempotency.Retention))
	p.keep(i, receipt, idempotency.Response{Result: ports.ReceiptRefused, Fault: f})
}

func (p *plan) keep(i int, receipt idempotency.Receipt, answer idempotency.Response) {
	receipt.Record, receipt.Sequence = p.next.cart.ID, p.next.cart.Sequence
	answer.RequestID, answer.Revision = receipt.RequestID, p.next.cart.Revision
	p.outcomes = append(p.outcomes, planOutcome{request: i, response: answer, receipt: len(p.step.Receipts)})
	if p.batch.requests[i].call.Key == "" {
		return // without a key there is nothing to replay
	}
	p.step.Receipts = append(p.step.Receipts, receipt.Receipt)
}

// receiptOf is the index of the receipt with this key in the step, -1 without one. A batch is short, so that
// a map would cost more than it saves.
func (p *plan) receiptOf(key ports.ReceiptKey) int {
	for i := range p.step.Receipts {
		if p.step.Receipts[i].Key == key {
			return i
		}
	}
	return -1
}

// facts are those of the market the cart will be in: its own, else the requested one, whose id is returned.
func (p *plan) facts(ctx context.Context, a *changeRequest) (asked string, f cart.Facts, err error) {
	own := p.next.cart.Market
	if a.market == "" || a.market == own {
		if f, err = p.marketFacts(ctx, a, own); a.onlyRemoves && errors.Is(err, catalog.ErrMarketNotFound) {
			f, err = p.closedMarketFacts(ctx, a)
		}
		return own, f, err
	}
	if f, err = p.marketFacts(ctx, a, a.market); err != nil || own == "" || f.Market == own {
		return f.Market, f, err
	}
	asked = f.Market
	f, err = p.marketFacts(ctx, a, own)
	return asked, f, err
}

// marketFacts looks up the facts of a market once per plan, for all its requests together.
func (p *plan) marketFacts(ctx context.Context, a *changeRequest, market string) (cart.Facts, error) {
	q, ok := p.factsByMarket[market]
	if !ok {
		q.facts, q.err = p.batch.s.offerFacts(ctx, offers.Request{
			Tenant: a.call.Principal.Tenant, Environment: p.next.cart.Environment, Market: market,
			Variants: p.variants, Codes: p.codes, Customer: p.next.cart.Customer, Locale: p.next.cart.Locale,
		})
		p.factsByMarket[market] = q
	}
	return q.facts, q.err
}

// closedMarketFacts are the facts of a cart in a closed market: nothing is for sale, so the lines keep their
// last price and cannot be bought.
func (p *plan) closedMarketFacts(ctx context.Context, a *changeRequest) (cart.Facts, error) {
	f, err := p.marketFacts(ctx, a, "")
	f.Market, f.Currency, f.Offers = p.next.cart.Market, p.next.cart.Currency, nil
	return f, err
}

func (s *Service) offerFacts(ctx context.Context, q offers.Request) (cart.Facts, error) {
	f, err := s.Offers.Lookup(ctx, q)
	if err != nil {
		return cart.Facts{}, err
	}
	return s.factsFor(ctx, q, f)
}

// factsFor is what was found for q, for the cart of its customer.
func (s *Service) factsFor(ctx context.Context, q offers.Request, f offers.Facts) (cart.Facts, error) {
	return factsOf(ctx, s.Store.Read(ports.Scope{Tenants: []tenant.ID{q.Tenant.ID}, Environment: q.Environment}), f, q.Customer)
}

// factsOf is f for the cart of a customer, "" for a guest.
func factsOf(ctx context.Context, r ports.Reader, f offers.Facts, customer string) (cart.Facts, error) {
	exempt, err := f.TaxExempt(ctx, r, customer)
	return cart.Facts{
		Market: f.MarketID(), Currency: f.Currency, Rounding: f.Rounding, Home: f.Home, Offers: f.Offers, Codes: f.Codes,
		Taxes:     f.Taxes().Estimated(),
		TaxExempt: exempt,
	}, err
}
