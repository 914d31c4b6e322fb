// Package carts implements the operations on carts, for shoppers and for the tenant's server on their behalf.
// Rules: features/carts/RULES.md.
//
// The worker of a cart decides changes in memory and commits a batch of consecutive changes with their
// receipts in one step. The database has the last word twice: by compare-and-set on the revision the changes
// were made on, and by the primary key of the receipts. A worker's cached state may therefore be stale: a
// refusal is final only if it was decided on freshly read state, or beside a change whose compare-and-set
// succeeded.
//
// Nearly every key is new, and only the database can tell for sure. So the receipt cache is consulted first
// only for keys that this process has received before, which is what a retry looks like; a key that was used
// on another process is detected at the commit.
//
// A cart that does not exist and one that the caller may not see give the same response, for which no receipt
// is stored.
package carts

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// OfferLookup looks up what a cart depends on besides itself. The result may be slightly stale (Decision 12).
// Errors: catalog.ErrMarketNotFound.
type OfferLookup interface {
	Lookup(ctx context.Context, q offers.Request) (offers.Facts, error)
}

// Service implements the operations on carts. Create it with New.
type Service struct {
	Store     ports.Store
	Committer ports.Committer
	Cache     ports.ReceiptCache
	Vault     ports.Vault
	Offers    OfferLookup
	Sessions  checkouts.SessionCloser // closes payment sessions before a merge; nil: none are closed
	Now       func() time.Time
	NewID     func() string    // UUIDv7
	Sweeps    *background.Task // of Sweep; may be nil

	mailboxes  *mailbox.Dispatcher[cartKey, *changeRequest, changeResult, cartState]
	recentKeys *idempotency.RecentKeys
}

// cartKey identifies a cart.
type cartKey struct {
	tenant tenant.ID
	cart   string
}

// New returns c, whose exported fields are set, with a worker per active cart.
func New(c Service, o mailbox.Options) *Service {
	c.mailboxes, c.recentKeys = mailbox.New(o, c.Now, c.handleBatch), &idempotency.RecentKeys{}
	return &c
}

// EvictIdle drops the cached state of idle carts. Call it regularly.
func (s *Service) EvictIdle() { s.mailboxes.EvictIdle() }

// Depth is how many changes are queued or being handled.
func (s *Service) Depth() int { return s.mailboxes.Depth() }

// Wait blocks until all accepted changes are done. Call it after the last change was sent.
func (s *Service) Wait() { s.mailboxes.Wait() }

// Target is the cart a call changes, and the revision its caller last read; 0: not stated.
type Target struct {
	Call             idempotency.Call
	Cart             string
	ExpectedRevision int64
	Form             Form
}

// AddLine adds units of a variant to a cart. market is an id or code, or "". Errors: those of change;
// refusals are part of the response.
func (s *Service) AddLine(ctx context.Context, t Target, item cart.LineInput, market string) (idempotency.Response, error) {
	item.LineID = s.NewID()
	return s.change(ctx, t, &changeRequest{
		market: market, variants: []string{item.Variant}, command: func(f cart.Facts, market string) cart.Command {
			return cart.AddLine{Line: item, Market: market, Facts: f}
		},
	})
}

// UpdateLine changes a line; in.Facts is filled in here. Errors: those of change.
func (s *Service) UpdateLine(ctx context.Context, t Target, in cart.UpdateLine) (idempotency.Response, error) {
	frees := in.Quantity != nil && *in.Quantity == 0
	return s.change(ctx, t, &changeRequest{onlyRemoves: frees, command: func(f cart.Facts, _ string) cart.Command {
		in.Facts = f
		return in
	}})
}

// RemoveLine removes a line. Errors: those of change.
func (s *Service) RemoveLine(ctx context.Context, t Target, line string) (idempotency.Response, error) {
	return s.change(ctx, t, &changeRequest{
		onlyRemoves: true, command: func(f cart.Facts, _ string) cart.Command { return cart.RemoveLine{Line: line, Facts: f} },
	})
}

// SetCodes replaces the list of discount codes. Errors: those of change.
func (s *Service) SetCodes(ctx context.Context, t Target, codes []string) (idempotency.Response, error) {
	return s.change(ctx, t, &changeRequest{codes: codes, onlyRemoves: len(codes) == 0, command: func(f cart.Facts, _ string) cart.Command {
		return cart.SetCodes{Codes: codes, Facts: f}
	}})
}

// ApplyCode adds a discount code that must be usable. Errors: those of change.
func (s *Service) ApplyCode(ctx context.Context, t Target, code string) (idempotency.Response, error) {
	return s.change(ctx, t, &changeRequest{codes: []string{code}, command: func(f cart.Facts, _ string) cart.Command {
		return cart.ApplyCode{Code: code, Facts: f}
	}})
}

// RemoveCode removes a discount code. Errors: those of change.
func (s *Service) RemoveCode(ctx context.Context, t Target, code string) (idempotency.Response, error) {
	return s.change(ctx, t, &changeRequest{
		onlyRemoves: true, command: func(f cart.Facts, _ string) cart.Command { return cart.RemoveCode{Code: code, Facts: f} },
	})
}

// SetAttributes replaces the public attributes. Errors: those of change.
func (s *Service) SetAttributes(ctx context.Context, t Target, attributes map[string]string) (idempotency.Response, error) {
	return s.change(ctx, t, &changeRequest{onlyRemoves: len(attributes) == 0, command: func(f cart.Facts, _ string) cart.Command {
		return cart.SetAttributes{Attributes: attributes, Facts: f}
	}})
}

// Clear removes all lines and codes. Errors: those of change.
func (s *Service) Clear(ctx context.Context, t Target) (idempotency.Response, error) {
	return s.change(ctx, t, &changeRequest{
		onlyRemoves: true, command: func(f cart.Facts, _ string) cart.Command { return cart.Clear{Facts: f} },
	})
}

// change is the common path of all changes. Errors: idempotency.ErrKeyRequired, ErrKeyDerived, ErrKeyReused,
// ErrRevisionRequired, fault.ErrValidation, ErrUnauthenticated, ErrForbidden, ErrNotFound, ErrUnavailable,
// mailbox.ErrBusy.
func (s *Service) change(ctx context.Context, t Target, a *changeRequest) (idempotency.Response, error) {
	if err := admitChange(t.Call); err != nil {
		return idempotency.Response{}, err
	}
	if err := t.check(); err != nil {
		return idempotency.Response{}, err
	}
	if err := a.command(cart.Facts{}, "").Check(); err != nil {
		return idempotency.Response{}, err
	}
	a.call, a.expectedRevision, a.form = t.Call, t.ExpectedRevision, t.Form
	if t.Call.Key != "" {
		a.receipt = t.Call.ReceiptKey()
		if s.recentKeys.MarkSeen(a.receipt) {
			if r, ok := s.Cache.Find(ctx, a.receipt); ok {
				return s.replay(ctx, t.Call, r)
			}
		}
	}
	done, err := s.mailboxes.Do(ctx, cartKey{t.Call.Principal.Tenant.ID, t.Cart}, a)
	if err != nil {
		return idempotency.Response{}, err
	}
	return done.response, done.err
}

// loadReceipt returns the receipt under k from the cache or the database. Errors: ports.ErrNotFound.
func (s *Service) loadReceipt(ctx context.Context, of tenant.ID, k ports.ReceiptKey) (ports.Receipt, error) {
	if r, ok := s.Cache.Find(ctx, k); ok {
		return r, nil
	}
	epoch := s.Cache.Epoch()
	r, err := s.Store.Read(ports.ForTenant(of)).Receipt(ctx, k)
	if err != nil {
		return r, fmt.Errorf("read the receipt of a cart: %w", err)
	}
	s.Cache.Put(ctx, epoch, r)
	return r, nil
}

// replay responds from receipt r, with the cart's current revision, or without one where it cannot be read.
func (s *Service) replay(ctx context.Context, call idempotency.Call, r ports.Receipt) (idempotency.Response, error) {
	a, err := call.Replay(r)
	if err != nil || r.Record == "" {
		return a, err
	}
	a.Revision = 0
	now, err := s.Store.Read(ports.ForPrincipal(call.Principal)).Get(ctx, cart.Schema, r.Record)
	if err == nil {
		a.Revision = now.Int("revision")
	}
	return a, nil // the stored response is valid even if the cart cannot be read
}
