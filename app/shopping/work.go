package shopping

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxTries bounds how often a run is decided again because others changed the cart in between. Without mailboxes every
// caller competes with all the others, and each round one of them gets through.
const maxTries = 1000

// ask is one change waiting for its turn.
type ask struct {
	call     once.Call
	receipt  ports.ReceiptKey // of call
	expected int64
	market   string // id or code as sent, or ""
	form     Form
	variants []string // that the cart does not name yet
	codes    []string // likewise
	frees    bool     // it only takes things out, which a closed market does not hinder
	command  func(f cart.Facts, market string) cart.Command
}

type reply struct {
	answer once.Answer
	err    error
}

// state is a cart as it was committed last, as far as this process knows.
type state struct {
	known  bool
	cart   cart.Cart
	record collection.Record
	doc    []byte // record on the wire; nil: not made yet
}

// begin makes a run of changes of one cart. It is mailbox.Begin.
func (s *Carts) begin(k key, kept state) mailbox.Work[*ask, reply, state] {
	return &run{s: s, key: k, kept: kept}
}

// run is the asks of one turn; pending are those without a reply yet.
type run struct {
	s       *Carts
	key     key
	kept    state // what the plan begins with, then what came out
	fresh   bool  // kept was read by this run: what is not there, is not
	plan    *plan // nil: nothing is decided
	asks    []*ask
	replies []reply
	pending []int
}

// Decide implements mailbox.Work.
func (r *run) Decide(ctx context.Context, asks []*ask) {
	first := len(r.asks)
	r.asks = append(r.asks, asks...)
	r.replies = append(r.replies, make([]reply, len(asks))...)
	for i := range asks {
		r.pending = append(r.pending, first+i)
	}
	r.decide(ctx, r.pending[len(r.pending)-len(asks):])
}

// decide plans asks, all of which are pending.
func (r *run) decide(ctx context.Context, asks []int) {
	if !r.kept.known {
		if err := r.load(ctx); err != nil {
			r.unread(ctx, err)
			return
		}
	}
	if r.plan == nil {
		r.plan = newPlan(r)
	}
	r.plan.add(ctx, asks)
}

// unread replies when there is no cart to decide on.
func (r *run) unread(ctx context.Context, err error) {
	if !errors.Is(err, ports.ErrAbsent) {
		r.fail(err)
		return
	}
	r.absent(ctx, r.pending)
	r.pending = nil
}

// Submit implements mailbox.Work.
func (r *run) Submit(ctx context.Context) <-chan error {
	if r.guesses() || r.plan == nil || len(r.plan.step.Receipts)+len(r.plan.step.Changes) == 0 {
		return nil
	}
	return r.s.Committer.Submit(ctx, r.plan.step)
}

// guesses reports whether nothing will prove the state that the plan was made on.
func (r *run) guesses() bool { return r.plan != nil && !r.fresh && len(r.plan.step.Changes) == 0 }

// State implements mailbox.Work.
func (r *run) State() state {
	if r.plan != nil {
		return r.plan.next
	}
	return r.kept
}

// Settle implements mailbox.Work.
func (r *run) Settle(ctx context.Context, ended error) []reply {
	r.conclude(ctx, ended)
	for range maxTries {
		if len(r.pending) == 0 || ctx.Err() != nil {
			break
		}
		r.decide(ctx, r.pending)
		r.conclude(ctx, r.commit(ctx))
	}
	if err := context.Cause(ctx); err != nil {
		r.fail(fault.ErrUnavailable.Because(err))
	}
	r.fail(mailbox.ErrBusy)
	return r.replies
}

// conclude replies when the plan became true. Otherwise it is dropped, and what could not be replied to otherwise stays
// pending.
func (r *run) conclude(ctx context.Context, ended error) {
	p := r.plan
	switch {
	case p == nil:
	case ended == nil && !r.guesses():
		r.publish(ctx, p)
	default:
		r.plan, r.kept, r.fresh = nil, state{}, false
		if ended != nil {
			r.retry(ctx, ended)
		}
	}
}

func (r *run) settle(i int, answer once.Answer, err error) { r.replies[i] = reply{answer, err} }

func (r *run) fail(err error) {
	for _, i := range r.pending {
		r.settle(i, once.Answer{}, err)
	}
	r.pending = nil
}

func (r *run) load(ctx context.Context) error {
	record, err := r.reader().Get(ctx, cart.Schema, r.key.cart)
	if err != nil {
		return err
	}
	c, err := cart.FromRecord(record)
	if err != nil {
		return err
	}
	r.kept, r.fresh = state{known: true, cart: c, record: record}, true
	return nil
}

func (r *run) reader() ports.Reader { return r.s.Store.Read(ports.Of(r.key.tenant)) }

func (r *run) commit(ctx context.Context) error {
	done := r.Submit(ctx)
	if done == nil {
		return nil
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retry sorts out a commit that had no effect. Receipts that exist already are answered; everything else is decided anew.
func (r *run) retry(ctx context.Context, err error) {
	switch {
	case errors.Is(err, ports.ErrReceiptExists):
		err = r.replayKnown(ctx)
	case errors.Is(err, ports.ErrStale):
		err = nil
	case ctx.Err() != nil:
		err = fault.ErrUnavailable.Because(err)
	default:
		err = fmt.Errorf("commit cart %s: %w", r.key.cart, err)
	}
	if err != nil {
		r.fail(err)
	}
}

func (r *run) replayKnown(ctx context.Context) error {
	var left []int
	for _, i := range r.pending {
		receipt, err := r.s.knownReceipt(ctx, r.key.tenant, r.asks[i].receipt)
		switch {
		case errors.Is(err, ports.ErrAbsent):
			left = append(left, i)
		case err != nil:
			return err
		default:
			answer, err := r.s.replay(ctx, r.asks[i].call, receipt)
			r.settle(i, answer, err)
		}
	}
	r.pending = left
	return nil
}

// absent answers asks about a cart their callers may not see. A receipt goes before: what was done once is answered
// again, whatever became of the cart.
func (r *run) absent(ctx context.Context, asks []int) {
	for _, i := range asks {
		receipt, err := r.reader().Receipt(ctx, r.asks[i].receipt)
		if err != nil {
			r.settle(i, once.Answer{}, err) // ports.ErrAbsent is the answer we mean
			continue
		}
		answer, err := r.s.replay(ctx, r.asks[i].call, receipt)
		r.settle(i, answer, err)
	}
}

// publish tells the callers what was committed, and remembers it for those who ask again.
func (r *run) publish(ctx context.Context, p *plan) {
	for _, receipt := range p.step.Receipts {
		r.s.Cache.Keep(ctx, receipt)
	}
	for _, o := range p.outcomes {
		if o.again {
			a, err := r.asks[o.ask].call.Replay(p.step.Receipts[o.receipt])
			a.Revision = p.next.cart.Revision
			r.settle(o.ask, a, err)
			continue
		}
		r.settle(o.ask, o.answer, o.err)
	}
	r.absent(ctx, p.absent)
	r.pending = nil
}
