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

// work does a run of changes of one cart. It is the mailbox handler.
func (s *Carts) work(ctx context.Context, k key, kept *state, asks []*ask) []reply {
	r := &run{s: s, key: k, asks: asks, replies: make([]reply, len(asks))}
	for i := range asks {
		r.pending = append(r.pending, i)
	}
	for range maxTries {
		if len(r.pending) == 0 || ctx.Err() != nil {
			break
		}
		r.round(ctx, kept)
	}
	if err := context.Cause(ctx); err != nil {
		r.fail(fault.ErrUnavailable.Because(err))
	}
	r.fail(mailbox.ErrBusy)
	return r.replies
}

// run is the asks of one turn; pending are those without a reply yet.
type run struct {
	s       *Carts
	key     key
	asks    []*ask
	replies []reply
	pending []int
}

func (r *run) settle(i int, answer once.Answer, err error) { r.replies[i] = reply{answer, err} }

func (r *run) fail(err error) {
	for _, i := range r.pending {
		r.settle(i, once.Answer{}, err)
	}
	r.pending = nil
}

// round decides the pending asks on the state at hand and commits them. What could not be settled stays pending, and then
// kept is unknown.
func (r *run) round(ctx context.Context, kept *state) {
	fresh := !kept.known
	if fresh {
		if err := r.load(ctx, kept); err != nil {
			if errors.Is(err, ports.ErrAbsent) {
				r.absent(ctx, r.pending)
				r.pending = nil
				return
			}
			r.fail(err)
			return
		}
	}
	p := r.plan(ctx, *kept)
	if !fresh && len(p.step.Changes) == 0 {
		kept.known = false // nothing proves the guess: look
		return
	}
	if err := r.commit(ctx, p); err != nil {
		kept.known = false
		r.retry(ctx, err)
		return
	}
	*kept = p.next
	r.publish(ctx, p)
}

func (r *run) load(ctx context.Context, kept *state) error {
	record, err := r.reader().Get(ctx, cart.Schema, r.key.cart)
	if err != nil {
		return err
	}
	c, err := cart.FromRecord(record)
	if err != nil {
		return err
	}
	*kept = state{known: true, cart: c, record: record}
	return nil
}

func (r *run) reader() ports.Reader { return r.s.Store.Read(ports.Of(r.key.tenant)) }

func (r *run) commit(ctx context.Context, p *plan) error {
	if len(p.step.Receipts)+len(p.step.Changes) == 0 {
		return nil
	}
	return r.s.Committer.Commit(ctx, p.step)
}

// retry sorts out a commit that had no effect. Receipts that exist already are answered; everything else is decided anew.
func (r *run) retry(ctx context.Context, err error) {
	switch {
	case errors.Is(err, ports.ErrReceiptExists):
		err = r.replayKnown(ctx)
	case errors.Is(err, ports.ErrStale):
		err = nil
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
