// Package shopping is what a shopper, or the shop's server for one, does with carts. Contract 5.
//
// A change is decided in memory by the worker of its cart and becomes durable as data: one step of consecutive changes
// with the receipts they answer for. The database decides twice: the revision a change was made on, and the primary key
// of its receipt. A worker's memory is therefore a guess that may be wrong: a refusal is only final when it was decided
// on freshly read state, or beside a change whose compare-and-set held.
//
// Nearly every key is new, and only the database can tell. So the cache of receipts is asked first about keys that this
// process has heard before, which is what a retry looks like; a key used elsewhere is found out at the commit.
//
// A cart that does not exist and one that the caller may not see are one answer, and no receipt is kept for it.
package shopping

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// receiptLife is how long a cart receipt answers. Contract 1.2.
const receiptLife = 7 * 24 * time.Hour

// Quotes looks up what a cart depends on besides itself; it may be a little behind (Engineering 10).
// Errors: catalog.ErrMarketNotFound.
type Quotes interface {
	Lookup(ctx context.Context, q quoting.Request) (quoting.Facts, error)
}

// Carts runs the operations of carts. Make it with New.
type Carts struct {
	Store     ports.Store
	Committer ports.Committer
	Cache     ports.ReceiptCache
	Vault     ports.Vault
	Quotes    Quotes
	Now       func() time.Time
	NewID     func() string // UUIDv7

	boxes *mailbox.Boxes[key, *ask, reply, state]
	heard *heard
}

// key names one cart.
type key struct {
	tenant tenant.ID
	cart   string
}

// New completes c, whose exported fields are filled, with a worker per live cart.
func New(c Carts, o mailbox.Options) *Carts {
	c.boxes, c.heard = mailbox.New(o, c.Now, c.work), &heard{}
	return &c
}

// Tidy forgets what was remembered of carts at rest. Call it now and then.
func (s *Carts) Tidy() { s.boxes.Tidy() }

// Depth is how many changes wait for the worker of their cart or are being done.
func (s *Carts) Depth() int { return s.boxes.Depth() }

// Wait blocks until all changes accepted so far are done; call it after the last one was sent.
func (s *Carts) Wait() { s.boxes.Wait() }

// Target says which cart a call changes, and the revision its caller last saw; 0: not stated.
type Target struct {
	Call     once.Call
	Cart     string
	Expected int64
	Form     Form
}

// AddItem puts more of a variant into a cart. market is an id or code, or "".
// Errors: those of change; refusals stand in the answer.
func (s *Carts) AddItem(ctx context.Context, t Target, item cart.Item, market string) (once.Answer, error) {
	item.LineID = s.NewID()
	return s.change(ctx, t, &ask{market: market, variants: []string{item.Variant}, command: func(f cart.Facts, market string) cart.Command {
		return cart.AddItem{Item: item, Market: market, Facts: f}
	}})
}

// UpdateItem changes a line; Facts of in are filled here. Errors: those of change.
func (s *Carts) UpdateItem(ctx context.Context, t Target, in cart.UpdateItem) (once.Answer, error) {
	frees := in.Quantity != nil && *in.Quantity == 0
	return s.change(ctx, t, &ask{frees: frees, command: func(f cart.Facts, _ string) cart.Command {
		in.Facts = f
		return in
	}})
}

// RemoveItem takes a line out. Errors: those of change.
func (s *Carts) RemoveItem(ctx context.Context, t Target, line string) (once.Answer, error) {
	return s.change(ctx, t, &ask{frees: true, command: func(f cart.Facts, _ string) cart.Command { return cart.RemoveItem{Line: line, Facts: f} }})
}

// SetCodes replaces the list of discount codes. Errors: those of change.
func (s *Carts) SetCodes(ctx context.Context, t Target, codes []string) (once.Answer, error) {
	return s.change(ctx, t, &ask{codes: codes, frees: len(codes) == 0, command: func(f cart.Facts, _ string) cart.Command {
		return cart.SetCodes{Codes: codes, Facts: f}
	}})
}

// ApplyCode adds a discount code that can be used. Errors: those of change.
func (s *Carts) ApplyCode(ctx context.Context, t Target, code string) (once.Answer, error) {
	return s.change(ctx, t, &ask{codes: []string{code}, command: func(f cart.Facts, _ string) cart.Command {
		return cart.ApplyCode{Code: code, Facts: f}
	}})
}

// RemoveCode takes a discount code off the list. Errors: those of change.
func (s *Carts) RemoveCode(ctx context.Context, t Target, code string) (once.Answer, error) {
	return s.change(ctx, t, &ask{frees: true, command: func(f cart.Facts, _ string) cart.Command { return cart.RemoveCode{Code: code, Facts: f} }})
}

// SetAttributes replaces the public attributes. Errors: those of change.
func (s *Carts) SetAttributes(ctx context.Context, t Target, attributes map[string]string) (once.Answer, error) {
	return s.change(ctx, t, &ask{frees: len(attributes) == 0, command: func(f cart.Facts, _ string) cart.Command {
		return cart.SetAttributes{Attributes: attributes, Facts: f}
	}})
}

// Clear takes all lines and codes out. Errors: those of change.
func (s *Carts) Clear(ctx context.Context, t Target) (once.Answer, error) {
	return s.change(ctx, t, &ask{frees: true, command: func(f cart.Facts, _ string) cart.Command { return cart.Clear{Facts: f} }})
}

// change is the one way every mutation of a cart takes. Errors: once.ErrKeyRequired, ErrKeyDerived, ErrKeyReused,
// ErrRevisionRequired, fault.ErrValidation, ErrUnauthenticated, ErrForbidden, ErrNotFound, ErrUnavailable, mailbox.ErrBusy.
func (s *Carts) change(ctx context.Context, t Target, a *ask) (once.Answer, error) {
	if err := admitChange(t.Call); err != nil {
		return once.Answer{}, err
	}
	if err := t.check(); err != nil {
		return once.Answer{}, err
	}
	if err := a.command(cart.Facts{}, "").Check(); err != nil {
		return once.Answer{}, err
	}
	a.call, a.expected, a.form = t.Call, t.Expected, t.Form
	if t.Call.Key != "" {
		a.receipt = t.Call.ReceiptKey()
		if s.heard.before(a.receipt) {
			if r, ok := s.Cache.Find(ctx, a.receipt); ok {
				return s.replay(ctx, t.Call, r)
			}
		}
	}
	done, err := s.boxes.Do(ctx, key{t.Call.Principal.Tenant.ID, t.Cart}, a)
	if err != nil {
		return once.Answer{}, err
	}
	return done.answer, done.err
}

// knownReceipt is the receipt under k, from the cache or the database. Errors: ports.ErrAbsent.
func (s *Carts) knownReceipt(ctx context.Context, of tenant.ID, k ports.ReceiptKey) (ports.Receipt, error) {
	if r, ok := s.Cache.Find(ctx, k); ok {
		return r, nil
	}
	r, err := s.Store.Read(ports.Of(of)).Receipt(ctx, k)
	if err != nil {
		return r, fmt.Errorf("read the receipt of a cart: %w", err)
	}
	s.Cache.Keep(ctx, r)
	return r, nil
}

// replay answers from receipt r, with the revision the cart has by now, or none where that cannot be told.
func (s *Carts) replay(ctx context.Context, call once.Call, r ports.Receipt) (once.Answer, error) {
	a, err := call.Replay(r)
	if err != nil || r.Record == "" {
		return a, err
	}
	a.Revision = 0
	now, err := s.Store.Read(ports.For(call.Principal)).Get(ctx, cart.Schema, r.Record)
	if err == nil {
		a.Revision = now.Int("revision")
	}
	return a, nil // the answer stands, whatever became of the cart
}
