package carts

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxAttempts bounds how often a batch is decided again because the cart was changed concurrently. Without
// mailboxes every caller competes with all the others, and one of them succeeds each round.
const maxAttempts = 1000

// changeRequest is one change waiting in the mailbox of its cart.
type changeRequest struct {
	call             idempotency.Call
	receipt          ports.ReceiptKey // of call
	expectedRevision int64
	market           string // id or code as sent, or ""
	form             Form
	variants         []string // that are not in the cart yet
	codes            []string // likewise
	onlyRemoves      bool     // it only removes things, which a closed market permits
	command          func(f cart.Facts, market string) cart.Command
}

type changeResult struct {
	response idempotency.Response
	err      error
}

// cartState is the last committed state of a cart, as far as this process knows. It may be stale. That of another
// epoch is none: the database may have lost its commit and given its number to another state since, which a
// compare-and-set does not see.
type cartState struct {
	known  bool
	epoch  ports.Epoch // of the database that had it
	cart   cart.Cart
	record collection.Record
	doc    []byte // the record's JSON; nil: not made yet
}

// StateBytes implements mailbox.Sized: cart and record share their texts, which the JSON has once more.
func (s *cartState) StateBytes() int {
	const mapsOfLine = 2 << 10
	return 2*s.cart.StoredSize() + len(s.doc) + mapsOfLine*len(s.cart.Lines)
}

// handleBatch applies a batch of changes to one cart. It is the mailbox handler.
func (s *Service) handleBatch(ctx context.Context, k cartKey, cached *cartState, requests []*changeRequest) []changeResult {
	r := &batch{s: s, key: k, requests: requests, results: make([]changeResult, len(requests))}
	for i := range requests {
		r.pending = append(r.pending, i)
	}
	for range maxAttempts {
		if len(r.pending) == 0 || ctx.Err() != nil {
			break
		}
		r.attempt(ctx, cached)
	}
	if err := context.Cause(ctx); err != nil {
		r.failPending(fault.ErrUnavailable.WithCause(err))
	}
	r.failPending(mailbox.ErrBusy)
	return r.results
}

// batch is the changes of one cart that are handled together; pending are the indexes of those without a
// result.
type batch struct {
	s        *Service
	key      cartKey
	requests []*changeRequest
	results  []changeResult
	pending  []int
}

func (r *batch) resolve(i int, response idempotency.Response, err error) {
	r.results[i] = changeResult{response, err}
}

func (r *batch) failPending(err error) {
	for _, i := range r.pending {
		r.resolve(i, idempotency.Response{}, err)
	}
	r.pending = nil
}

// attempt decides the pending requests on the cached or freshly loaded state and commits them. Requests that
// could not be resolved stay pending, and then cached becomes unknown.
func (r *batch) attempt(ctx context.Context, cached *cartState) {
	epoch := r.s.Cache.Epoch()
	fresh := !cached.known || cached.epoch != epoch
	if fresh {
		if err := r.load(ctx, cached); err != nil {
			if errors.Is(err, ports.ErrNotFound) {
				r.resolveAbsent(ctx, r.pending)
				r.pending = nil
				return
			}
			r.failPending(err)
			return
		}
	}
	p := r.plan(ctx, *cached)
	if !fresh && len(p.step.Changes) == 0 {
		cached.known = false // refusals alone do not prove that the cached state is current: load it
		return
	}
	if err := r.commit(ctx, p); err != nil {
		cached.known = false
		r.handleCommitError(ctx, err)
		return
	}
	*cached = p.next
	cached.epoch = epoch
	r.publish(ctx, epoch, p)
}

func (r *batch) load(ctx context.Context, cached *cartState) error {
	record, err := r.reader().Get(ctx, cart.Schema, r.key.cart)
	if err != nil {
		return err
	}
	c, err := cart.FromRecord(record)
	if err != nil {
		return err
	}
	*cached = cartState{known: true, cart: c, record: record}
	return nil
}

func (r *batch) reader() ports.Reader { return r.s.Store.Read(ports.ForTenant(r.key.tenant)) }

func (r *batch) commit(ctx context.Context, p *plan) error {
	if len(p.step.Receipts)+len(p.step.Changes) == 0 {
		return nil
	}
	return r.s.Committer.Commit(ctx, p.step)
}

// handleCommitError handles a commit that failed without any effect. Requests whose receipts exist are
// answered from them; all others stay pending.
func (r *batch) handleCommitError(ctx context.Context, err error) {
	switch {
	case errors.Is(err, ports.ErrReceiptExists):
		err = r.replayStored(ctx)
	case errors.Is(err, ports.ErrStale):
		err = nil
	default:
		err = fmt.Errorf("commit cart %s: %w", r.key.cart, err)
	}
	if err != nil {
		r.failPending(err)
	}
}

func (r *batch) replayStored(ctx context.Context) error {
	var unresolved []int
	for _, i := range r.pending {
		receipt, err := r.s.loadReceipt(ctx, r.key.tenant, r.requests[i].receipt)
		switch {
		case errors.Is(err, ports.ErrNotFound):
			unresolved = append(unresolved, i)
		case err != nil:
			return err
		default:
			response, err := r.s.replay(ctx, r.requests[i].call, receipt)
			r.resolve(i, response, err)
		}
	}
	r.pending = unresolved
	return nil
}

// resolveAbsent answers requests for a cart that does not exist or that their callers may not see. A receipt
// takes precedence: a repeated request gets its stored response, even if the cart is gone.
func (r *batch) resolveAbsent(ctx context.Context, requests []int) {
	for _, i := range requests {
		receipt, err := r.reader().Receipt(ctx, r.requests[i].receipt)
		if err != nil {
			r.resolve(i, idempotency.Response{}, err) // ports.ErrNotFound is the intended response
			continue
		}
		response, err := r.s.replay(ctx, r.requests[i].call, receipt)
		r.resolve(i, response, err)
	}
}

// publish resolves the requests of a committed plan and caches their receipts.
func (r *batch) publish(ctx context.Context, epoch ports.Epoch, p *plan) {
	for _, receipt := range p.step.Receipts {
		r.s.Cache.Put(ctx, epoch, receipt)
	}
	for _, o := range p.outcomes {
		if o.duplicate {
			a, err := r.requests[o.request].call.Replay(p.step.Receipts[o.receipt])
			a.Revision = p.next.cart.Revision
			r.resolve(o.request, a, err)
			continue
		}
		r.resolve(o.request, o.response, o.err)
	}
	r.resolveAbsent(ctx, p.absent)
	r.pending = p.left
}
