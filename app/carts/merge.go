package carts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MergeInput names the two carts of a merge.
type MergeInput struct {
	Source      string
	SourceToken string // the source's cart token, for callers who do not own it
	Target      string // "": the customer's active cart; if there is none, the source becomes theirs
	Customer    string // set by the tenant's server only; other callers are customers themselves, or guests
}

// errTargetChanged says that the cart found for a merge is no longer the right target.
var errTargetChanged = errors.New("the customer's active cart is another one by now")

// Merge moves one cart into another in a transaction that locks both, so that every concurrent change of
// either cart is committed before the merge, and included, or comes after it. It requires a key but no
// revision. Errors: those of change; refusals are part of the response.
func (s *Service) Merge(ctx context.Context, call idempotency.Call, in MergeInput) (idempotency.Response, error) {
	if err := s.admitMerge(ctx, call, &in); err != nil {
		return idempotency.Response{}, err
	}
	if r, ok := s.Cache.Find(ctx, call.ReceiptKey()); ok {
		return s.replay(ctx, call, r)
	}
	for range maxAttempts {
		response, err := s.mergeFreed(ctx, call, in)
		switch {
		case errors.Is(err, ports.ErrReceiptExists):
			receipt, err := s.loadReceipt(ctx, call.Principal.Tenant.ID, call.ReceiptKey())
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.replay(ctx, call, receipt)
		case !errors.Is(err, errTargetChanged):
			return response, err
		}
	}
	return idempotency.Response{}, mailbox.ErrBusy
}

// admitMerge checks who may merge, and fills in the customer.
func (s *Service) admitMerge(ctx context.Context, call idempotency.Call, in *MergeInput) error {
	if err := admitChange(call); err != nil {
		return err
	}
	if err := call.CheckKey(in.Source, in.Target); err != nil {
		return err
	}
	if err := cart.CheckMerge(in.Source, in.Target); err != nil {
		return err
	}
	switch p := call.Principal; {
	case p.Kind == tenant.Customer:
		in.Customer = p.ID
		return nil
	case !call.Server && in.Target == "":
		return fault.Invalidf("targetCartId", "Name the target cart. Its token goes in X-Cart-Token.")
	}
	return s.checkCustomer(ctx, call.Principal.Tenant.ID, in.Customer)
}

// mergeFreed is merge, after the released payment sessions of the source are closed if these alone are in its way. A
// refusal because of a payment session is no response of the key: the session ends one day.
func (s *Service) mergeFreed(ctx context.Context, call idempotency.Call, in MergeInput) (response idempotency.Response, err error) {
	err = checkouts.WithFreeSlot(ctx, s.Sessions, call.Principal.Tenant.ID, in.Source, func() error {
		response, err = s.merge(ctx, call, in)
		return err
	})
	return response, err
}

// merge decides on both locked carts and commits the response. Errors: ports.ErrReceiptExists when the key
// has a response already, errTargetChanged, payment.ErrSlotHeld.
func (s *Service) merge(ctx context.Context, call idempotency.Call, in MergeInput) (idempotency.Response, error) {
	var m *mergeAttempt
	epoch := s.Cache.Epoch()
	err := s.Store.Atomically(ctx, ports.ForTenant(call.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		m = &mergeAttempt{s: s, tx: tx, call: call, in: in, now: s.Now()}
		return m.run(ctx)
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	s.Cache.Put(ctx, epoch, m.receipt.Receipt)
	return m.response, nil
}

// mergeAttempt is one attempt to merge, inside its transaction.
type mergeAttempt struct {
	s        *Service
	tx       ports.Tx
	call     idempotency.Call
	in       MergeInput
	now      time.Time
	records  map[string]collection.Record // of the locked carts, by id
	found    bool                         // the target was found, not named
	response idempotency.Response
	receipt  idempotency.Receipt
}

func (m *mergeAttempt) run(ctx context.Context) error {
	switch _, err := m.tx.Records.Receipt(ctx, m.call.ReceiptKey()); {
	case err == nil:
		return ports.ErrReceiptExists
	case !errors.Is(err, ports.ErrNotFound):
		return err
	}
	if err := m.find(ctx); err != nil {
		return err
	}
	source, target, err := m.lock(ctx)
	if err != nil {
		return err
	}
	union, err := m.decide(ctx, source, target)
	if f := fault.From(err); err != nil && idempotency.IsStorable(f) {
		return m.refuse(ctx, target, f)
	}
	if err != nil {
		return err
	}
	w := collection.NewChangeSet(m.now, m.s.NewID)
	if source.ID != target.ID {
		if err := checkouts.EndForMerge(ctx, m.tx, w, source.ID); err != nil {
			return err
		}
	}
	return m.write(ctx, union, w.List())
}

// find finds the target if none was named: the customer's active cart, or the source itself.
func (m *mergeAttempt) find(ctx context.Context) error {
	if m.in.Target != "" {
		return nil
	}
	if m.in.Customer == "" { // the server named no customer: use the source's
		r, err := m.tx.Records.Get(ctx, cart.Schema, m.in.Source)
		if err != nil {
			return err
		}
		if m.in.Customer = r.Text("customer"); m.in.Customer == "" {
			return fault.Invalidf("targetCartId", "Name the target cart or the customer.")
		}
	}
	q := activeCarts(m.call.Principal.Environment, m.in.Customer, m.now)
	q.Where = collection.And{q.Where, cart.Schema.Where("id", collection.NotEquals, m.in.Source)}
	page, err := m.tx.Records.Find(ctx, q)
	if err != nil {
		return err
	}
	m.found, m.in.Target = true, m.in.Source
	if len(page.Docs) > 0 {
		m.in.Target = page.Docs[0].ID()
	}
	return nil
}

// lock locks both carts in the order of their ids. A cart that does not exist and one the caller may not use
// give the same error. Errors: ports.ErrNotFound, errTargetChanged.
func (m *mergeAttempt) lock(ctx context.Context) (source, target cart.Cart, err error) {
	carts := map[string]cart.Cart{}
	m.records = map[string]collection.Record{}
	ids := []string{m.in.Source, m.in.Target}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if m.records[id], err = m.tx.Records.Lock(ctx, cart.Schema, id); err != nil {
			return source, target, err
		}
		if carts[id], err = cart.FromRecord(m.records[id]); err != nil {
			return source, target, err
		}
	}
	source, target = carts[m.in.Source], carts[m.in.Target]
	bySource := m.call
	bySource.CartToken = m.in.SourceToken
	switch {
	case !accessOf(source).allows(bySource) && !accessOf(source).allows(m.call):
		return source, target, ports.ErrNotFound
	case m.found && target.ID != source.ID && (target.StatusAt(m.now) != cart.Active || target.Customer != m.in.Customer):
		return source, target, errTargetChanged
	case m.found:
		return source, target, nil
	case !accessOf(target).allows(m.call):
		return source, target, ports.ErrNotFound
	}
	return source, target, nil
}

func accessOf(c cart.Cart) cartAccess {
	return cartAccess{string(c.Environment), c.TokenHash, c.Customer}
}

// decide computes both resulting carts with the prices and stock that this transaction sees.
func (m *mergeAttempt) decide(ctx context.Context, source, target cart.Cart) (cart.MergeResult, error) {
	market, err := cart.MergedMarket(source, target)
	if err != nil {
		return cart.MergeResult{}, err
	}
	buyer := cmp.Or(target.Customer, source.Customer, m.in.Customer)
	f, err := offers.Lookup(ctx, m.tx.Records, offers.Request{
		Tenant: m.call.Principal.Tenant, Environment: target.Environment, Market: market, Customer: buyer, Locale: target.Locale,
		Variants: append(target.Variants(), source.Variants()...), Codes: append(target.CodeList(), source.CodeList()...),
	})
	if err != nil {
		return cart.MergeResult{}, err
	}
	facts, err := factsOf(ctx, m.tx.Records, f, buyer)
	if err != nil {
		return cart.MergeResult{}, err
	}
	if source.ID == target.ID {
		adopted, err := cart.Decide(source, 0, cart.AssignCustomer{Customer: m.in.Customer, Facts: facts}, m.now)
		return cart.MergeResult{Target: adopted}, err
	}
	return cart.Merge(source, target, m.in.Customer, facts, m.now)
}

// refuse stores a deterministic refusal.
func (m *mergeAttempt) refuse(ctx context.Context, target cart.Cart, f *fault.Error) error {
	m.keep(target, m.call.Receipt(ports.ReceiptRefused, nil, f, m.now, m.now.Add(idempotency.Retention)))
	m.response.Fault = f
	return m.tx.Receipts.Save(ctx, m.receipt.Receipt, 0)
}

// write stores both carts with the receipt of the response; changes are of the source's checkout.
func (m *mergeAttempt) write(ctx context.Context, u cart.MergeResult, changes []collection.Change) error {
	var body *reply.Body // of the target, the last one
	for _, c := range []cart.Cart{u.Source, u.Target} {
		if c.ID == "" {
			continue // the source became the customer's cart: there is only one
		}
		record := c.Record()
		change := collection.NewChange(cart.Schema, m.records[c.ID], record, m.s.NewID(), m.now)
		body = mergedBody(record, u.Warnings)
		change.Doc = body.First()
		changes = append(changes, change)
	}
	slices.SortFunc(changes, func(a, b collection.Change) int { return strings.Compare(a.ID(), b.ID()) })
	if err := m.tx.Records.Write(ctx, changes...); err != nil {
		return err
	}
	m.keep(u.Target, m.call.Receipt(ports.ReceiptOK, body, nil, m.now, m.now.Add(idempotency.Retention)))
	m.response.Body = body
	return m.tx.Receipts.Save(ctx, m.receipt.Receipt, 0)
}

func (m *mergeAttempt) keep(target cart.Cart, r idempotency.Receipt) {
	r.Record, r.Sequence = target.ID, target.Sequence
	m.receipt = r
	m.response = idempotency.Response{Result: r.Result, RequestID: r.RequestID, Revision: target.Revision, Sequence: r.Sequence}
}

// mergedBody shows a cart, and what did not fit into it.
func mergedBody(record collection.Record, warnings []cart.MergeWarning) *reply.Body {
	list := make(reply.List, len(warnings))
	for i, w := range warnings {
		list[i] = reply.Object{
			{Name: "variantId", Value: w.Variant}, {Name: "requested", Value: w.Requested}, {Name: "kept", Value: w.Kept},
		}
	}
	return reply.Of(collection.Staff, cartMember(record), reply.Member{Name: "warnings", Value: list}).WithRoom(cartRoom)
}
