package shopping

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Merging says which cart goes into which.
type Merging struct {
	Source      string
	SourceToken string // the capability of the source, for those who do not own it
	Target      string // "": the customer's active cart; where there is no other, the source becomes theirs
	Customer    string // whom the server names; other callers are their own customer, or a guest
}

// errMoved says that the cart that was found for a merge is no longer the one to take.
var errMoved = errors.New("the customer's active cart is another one by now")

// Merge puts one cart into another in one transaction that holds both, so that a change of either comes before it, and
// counts, or after it. Its key is needed, a revision is not. Errors: those of change; refusals stand in the answer.
func (s *Carts) Merge(ctx context.Context, call once.Call, in Merging) (once.Answer, error) {
	if err := s.admitMerge(ctx, call, &in); err != nil {
		return once.Answer{}, err
	}
	if r, ok := s.Cache.Find(ctx, call.ReceiptKey()); ok {
		return s.replay(ctx, call, r)
	}
	for range maxTries {
		answer, err := s.merge(ctx, call, in)
		switch {
		case errors.Is(err, ports.ErrReceiptExists):
			receipt, err := s.knownReceipt(ctx, call.Principal.Tenant.ID, call.ReceiptKey())
			if err != nil {
				return once.Answer{}, err
			}
			return s.replay(ctx, call, receipt)
		case !errors.Is(err, errMoved):
			return answer, err
		}
	}
	return once.Answer{}, mailbox.ErrBusy
}

// admitMerge says who may merge, and fills in whose cart is meant.
func (s *Carts) admitMerge(ctx context.Context, call once.Call, in *Merging) error {
	if err := admitChange(call); err != nil {
		return err
	}
	if err := call.Check(in.Source, in.Target); err != nil {
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
		return fault.Invalidf("targetCartId", "Say which cart takes the other one. Its token goes in X-Cart-Token.")
	}
	return s.checkCustomer(ctx, call.Principal.Tenant.ID, in.Customer)
}

// merge decides on both carts, locked, and makes the answer durable. Errors: ports.ErrReceiptExists when the key has an
// answer already, errMoved.
func (s *Carts) merge(ctx context.Context, call once.Call, in Merging) (once.Answer, error) {
	var m *merger
	err := s.Store.Atomically(ctx, ports.Of(call.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		m = &merger{s: s, tx: tx, call: call, in: in, now: s.Now()}
		return m.run(ctx)
	})
	if err != nil {
		return once.Answer{}, err
	}
	s.Cache.Keep(ctx, m.receipt)
	return m.answer, nil
}

// merger is one attempt to merge, inside its transaction.
type merger struct {
	s       *Carts
	tx      ports.Tx
	call    once.Call
	in      Merging
	now     time.Time
	records map[string]collection.Record // of the locked carts, by id
	found   bool                         // the target was looked for, not named
	answer  once.Answer
	receipt ports.Receipt
}

func (m *merger) run(ctx context.Context) error {
	switch _, err := m.tx.Records.Receipt(ctx, m.call.ReceiptKey()); {
	case err == nil:
		return ports.ErrReceiptExists
	case !errors.Is(err, ports.ErrAbsent):
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
	if f := fault.From(err); err != nil && once.Keepable(f) {
		return m.refuse(ctx, target, f)
	}
	if err != nil {
		return err
	}
	return m.write(ctx, union)
}

// find looks for the target where none was named: the customer's active cart, or the source itself.
func (m *merger) find(ctx context.Context) error {
	if m.in.Target != "" {
		return nil
	}
	if m.in.Customer == "" { // the server named nobody: whose the source is
		r, err := m.tx.Records.Get(ctx, cart.Schema, m.in.Source)
		if err != nil {
			return err
		}
		if m.in.Customer = r.Text("customer"); m.in.Customer == "" {
			return fault.Invalidf("targetCartId", "Say which cart takes the other one, or whose it is.")
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

// lock locks both carts in the order of their ids. A cart that does not exist and one that is not for the caller are one
// answer. Errors: ports.ErrAbsent, errMoved.
func (m *merger) lock(ctx context.Context) (source, target cart.Cart, err error) {
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
	case !holderOf(source).opens(bySource) && !holderOf(source).opens(m.call):
		return source, target, ports.ErrAbsent
	case m.found && target.ID != source.ID && (target.StatusAt(m.now) != cart.Active || target.Customer != m.in.Customer):
		return source, target, errMoved
	case m.found:
		return source, target, nil
	case !holderOf(target).opens(m.call):
		return source, target, ports.ErrAbsent
	}
	return source, target, nil
}

func holderOf(c cart.Cart) holder { return holder{string(c.Environment), c.TokenHash, c.Customer} }

// decide is what becomes of both carts, by prices and stock as this transaction sees them.
func (m *merger) decide(ctx context.Context, source, target cart.Cart) (cart.Union, error) {
	market, err := cart.MergedMarket(source, target)
	if err != nil {
		return cart.Union{}, err
	}
	f, err := quoting.Lookup(ctx, m.tx.Records, quoting.Request{
		Tenant: m.call.Principal.Tenant, Environment: target.Environment, Market: market,
		Customer: cmp.Or(target.Customer, source.Customer, m.in.Customer),
		Variants: append(target.Variants(), source.Variants()...), Codes: append(target.CodeTexts(), source.CodeTexts()...),
	})
	if err != nil {
		return cart.Union{}, err
	}
	facts := factsOf(f)
	if source.ID == target.ID {
		adopted, err := cart.Decide(source, 0, cart.Adopt{Customer: m.in.Customer, Facts: facts}, m.now)
		return cart.Union{Target: adopted}, err
	}
	return cart.Merge(source, target, m.in.Customer, facts, m.now)
}

// refuse keeps a refusal that would be the same again.
func (m *merger) refuse(ctx context.Context, target cart.Cart, f *fault.Error) error {
	m.keep(target, m.call.Receipt(ports.Refused, nil, f, m.now, m.now.Add(receiptLife)))
	m.answer.Fault = f
	return m.tx.Receipts.Keep(ctx, m.receipt, 0)
}

// write stores both carts with the receipt of the answer.
func (m *merger) write(ctx context.Context, u cart.Union) error {
	var changes []collection.Change
	var body []byte
	for _, c := range []cart.Cart{u.Source, u.Target} {
		if c.ID == "" {
			continue // adopted: there is only one
		}
		record := c.Record()
		change := collection.NewChange(cart.Schema, m.records[c.ID], record, m.s.NewID(), m.now)
		body, change.Doc = answerBody(record)
		changes = append(changes, change)
	}
	slices.SortFunc(changes, func(a, b collection.Change) int { return strings.Compare(a.ID(), b.ID()) })
	if err := m.tx.Records.Write(ctx, changes...); err != nil {
		return err
	}
	m.keep(u.Target, m.call.Receipt(ports.OK, withWarnings(body, u.Warnings), nil, m.now, m.now.Add(receiptLife)))
	m.answer.Body = m.receipt.Body
	return m.tx.Receipts.Keep(ctx, m.receipt, 0)
}

func (m *merger) keep(target cart.Cart, r ports.Receipt) {
	r.Record, r.Revision = target.ID, target.Revision
	m.receipt = r
	m.answer = once.Answer{Result: r.Result, RequestID: r.RequestID, Revision: r.Revision}
}

// withWarnings is the answer that shows a cart, with what did not fit into it.
func withWarnings(body []byte, warnings []cart.Warning) []byte {
	body = append(slices.Clone(body[:len(body)-1]), `,"warnings":[`...)
	for i, w := range warnings {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(collection.AppendString(append(body, `{"variantId":`...), w.Variant), `,"requested":`...)
		body = append(strconv.AppendInt(body, w.Requested, 10), `,"kept":`...)
		body = append(strconv.AppendInt(body, w.Kept, 10), '}')
	}
	return append(body, `]}`...)
}
