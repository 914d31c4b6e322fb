package personaldata

import (
	"context"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// Erased are the collections that an erasure goes through: what a file consists of, and what is no part of one: what the team
// says about orders, drafts and returns, notes on stock, payments without an order, what endpoints answered and where mails went.
// Each comes after the one that it leads through.
var Erased = erasedHoldings()

func erasedHoldings() []Holding {
	all := slices.Concat(Holdings, []Holding{
		{payment.Transactions, "checkout", checkout.Schema}, {payment.Disputes, "paymentSession", payment.Sessions},
		{inventory.Movements, "order", order.Schema},
		{team.Comments, "record", order.Schema}, {team.Comments, "record", draft.Schema}, {team.Comments, "record", returns.Schema},
		{webhook.Deliveries, "record", nil}, {mail.Deliveries, "record", nil},
	})
	named := []*collection.Schema{webhook.Deliveries, mail.Deliveries}
	for _, h := range all {
		if !slices.Contains(named, h.Schema) {
			named = append(named, h.Schema)
			all = append(all, Holding{webhook.Deliveries, "record", h.Schema}, Holding{mail.Deliveries, "record", h.Schema})
		}
	}
	return all
}

// heldPage is a page of records of a collection that lead to a customer.
type heldPage struct {
	schema  *collection.Schema
	records []collection.Record
}

// eachHeld calls fn with every record of Erased that is about a person, each once, and returns them all with the record of the person:
// about a customer in both environments, about a guest in theirs.
func eachHeld(ctx context.Context, w whose, p person, fn func(heldPage) error) (held map[*collection.Schema][]string, err error) {
	w.environment = p.in
	g := gathering{
		whose: w, person: p, fn: fn, held: map[*collection.Schema][]string{}, seen: map[string]bool{}, ahead: map[*collection.Schema][]string{},
	}
	if p.id != "" {
		g.held[p.schema] = []string{p.id}
	}
	holdings := Erased
	if p.isGuest() {
		holdings = guestHoldings
		if err := g.purchases(ctx); err != nil {
			return nil, err
		}
	}
	for _, h := range holdings {
		of := g.held[p.schema]
		if h.Via != nil {
			of = g.held[h.Via]
		}
		for part := range slices.Chunk(of, collection.MaxLimit) {
			if err := w.each(ctx, h, part, func(page []collection.Record) error { return g.take(h.Schema, page) }); err != nil {
				return nil, err
			}
		}
	}
	return g.held, nil
}

// underWay reports whether something still happens to a record for which its person has to be known: an order that is to be
// delivered, a payment, refund, return or dispute that is not over. waits says that time ends it soon, if nobody does.
func underWay(s *collection.Schema, r collection.Record, now time.Time) (yes, waits bool) {
	r = s.AsOf(r, now)
	switch status := r.Text("status"); s {
	case order.Schema:
		yes = order.Status(status).UnderWay()
	case checkout.Schema:
		// A payment link is open for weeks, and the shop can revoke it.
		open := checkout.Status(status) == checkout.Open
		waits = open && r.Text("draftOrder") == ""
		yes = open || checkout.Status(status) == checkout.PaymentPending || checkout.Status(status) == checkout.RequiresAttention
	case payment.Sessions:
		yes = r.Text("unsettledCart") != ""
	case payment.Transactions:
		yes = payment.TransactionUnderWay(r)
	case payment.Disputes:
		yes = payment.DisputeStatus(status).Open()
	case returns.Schema:
		yes = returns.UnderWay(r)
	}
	return yes, waits
}
