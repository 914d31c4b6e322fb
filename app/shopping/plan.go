package shopping

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// plan is what a run comes to if the state it was decided on still stands: nothing of it has happened yet.
type plan struct {
	run      *run
	now      time.Time
	next     state // after the changes so far
	step     ports.Step
	outcomes []outcome
	absent   []int // asks whose caller may not see the cart
	kept     map[ports.ReceiptKey]int
	quotes   map[string]quote // by market
	variants []string         // of the cart and all asks
	codes    []string
}

// outcome is the reply to one ask, once the step is durable.
type outcome struct {
	ask     int
	answer  once.Answer
	err     error
	receipt int  // which receipt of the step answers it
	again   bool // the key was used earlier in this run
}

type quote struct {
	facts cart.Facts
	err   error
}

func (r *run) plan(ctx context.Context, base state) *plan {
	p := &plan{
		run: r, now: r.s.Now(), next: base, step: ports.Step{Tenant: r.key.tenant},
		kept: map[ports.ReceiptKey]int{}, quotes: map[string]quote{}, variants: base.cart.Variants(), codes: base.cart.CodeTexts(),
	}
	for _, i := range r.pending {
		p.variants = append(p.variants, r.asks[i].variants...)
		p.codes = append(p.codes, r.asks[i].codes...)
	}
	for _, i := range r.pending {
		p.decide(ctx, i)
	}
	return p
}

func (p *plan) decide(ctx context.Context, i int) {
	a := p.run.asks[i]
	c := p.next.cart
	if !(holder{string(c.Environment), c.TokenHash, c.Customer}).opens(a.call) {
		p.absent = append(p.absent, i)
		return
	}
	if at, ok := p.kept[a.receipt]; ok {
		p.outcomes = append(p.outcomes, outcome{ask: i, receipt: at, again: true})
		return
	}
	next, err := p.change(ctx, a)
	if err != nil {
		p.refuse(i, err)
		return
	}
	record := next.Record()
	change := collection.NewChange(cart.Schema, p.next.record, record, p.run.s.NewID(), p.now)
	body, doc := answerBody(record)
	change.Doc, change.PreviousDoc = doc, p.next.doc
	if a.form == Flat {
		body = flatBody(doc, next)
	}
	p.step.Changes = append(p.step.Changes, change)
	p.next = state{known: true, cart: next, record: record, doc: doc}
	p.keep(i, a.call.ReceiptAt(a.receipt, ports.OK, body, nil, p.now, p.now.Add(receiptLife)), once.Answer{Result: ports.OK, Body: body})
}

// change decides one ask on the state after the ones before it.
func (p *plan) change(ctx context.Context, a *ask) (cart.Cart, error) {
	market, facts, err := p.facts(ctx, a)
	if err != nil {
		return cart.Cart{}, err
	}
	return cart.Decide(p.next.cart, a.expected, a.command(facts, market), p.now)
}

// refuse keeps a refusal that would be the same again, and reports everything else.
func (p *plan) refuse(i int, err error) {
	f := fault.From(err)
	if !once.Keepable(f) {
		p.outcomes = append(p.outcomes, outcome{ask: i, err: err})
		return
	}
	a := p.run.asks[i]
	receipt := a.call.ReceiptAt(a.receipt, ports.Refused, nil, f, p.now, p.now.Add(receiptLife))
	p.keep(i, receipt, once.Answer{Result: ports.Refused, Fault: f})
}

func (p *plan) keep(i int, receipt ports.Receipt, answer once.Answer) {
	receipt.Record, receipt.Revision = p.next.cart.ID, p.next.cart.Revision
	answer.RequestID, answer.Revision = receipt.RequestID, receipt.Revision
	p.outcomes = append(p.outcomes, outcome{ask: i, answer: answer, receipt: len(p.step.Receipts)})
	if p.run.asks[i].call.Key == "" {
		return // nobody can ask again
	}
	p.kept[receipt.Key] = len(p.step.Receipts)
	p.step.Receipts = append(p.step.Receipts, receipt)
}

// facts are those of the market the cart will be in: its own, else the one asked for. It returns the id of the latter.
func (p *plan) facts(ctx context.Context, a *ask) (asked string, f cart.Facts, err error) {
	own := p.next.cart.Market
	if a.market == "" || a.market == own {
		if f, err = p.quote(ctx, a, own); a.frees && errors.Is(err, catalog.ErrMarketNotFound) {
			f, err = p.closed(ctx, a)
		}
		return own, f, err
	}
	if f, err = p.quote(ctx, a, a.market); err != nil || own == "" || f.Market == own {
		return f.Market, f, err
	}
	asked = f.Market
	f, err = p.quote(ctx, a, own)
	return asked, f, err
}

// quote looks the facts of a market up once per plan, for all its asks together.
func (p *plan) quote(ctx context.Context, a *ask, market string) (cart.Facts, error) {
	q, ok := p.quotes[market]
	if !ok {
		q.facts, q.err = p.run.s.facts(ctx, quoting.Request{
			Tenant: a.call.Principal.Tenant, Environment: p.next.cart.Environment, Market: market,
			Variants: p.variants, Codes: p.codes, Customer: p.next.cart.Customer,
		})
		p.quotes[market] = q
	}
	return q.facts, q.err
}

// closed are the facts of a cart whose market was closed: nothing is on offer, so what stays keeps its last price and
// cannot be bought.
func (p *plan) closed(ctx context.Context, a *ask) (cart.Facts, error) {
	f, err := p.quote(ctx, a, "")
	f.Market, f.Currency, f.Offers = p.next.cart.Market, p.next.cart.Currency, nil
	return f, err
}

func (s *Carts) facts(ctx context.Context, q quoting.Request) (cart.Facts, error) {
	f, err := s.Quotes.Lookup(ctx, q)
	if err != nil {
		return cart.Facts{}, err
	}
	return factsOf(f), nil
}

func factsOf(f quoting.Facts) cart.Facts {
	return cart.Facts{Market: f.MarketID(), Currency: f.Currency, Rounding: f.Rounding, Offers: f.Offers, Codes: f.Codes}
}

// answerBody is the answer that shows a cart. Its part doc is the cart alone, as everyone who may see it sees it: answer,
// receipt and event share the bytes.
func answerBody(record collection.Record) (body, doc []byte) {
	body = append(make([]byte, 0, 4096), `{"cart":`...)
	start := len(body)
	body = append(collection.AppendJSON(body, cart.Schema, record, collection.View{}), '}')
	return body, body[start : len(body)-1 : len(body)-1]
}
