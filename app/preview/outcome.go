package preview

import (
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// memberName is what answers call the outcome.
const memberName = "outcome"

// The movements of money.
const (
	// Refund gives money of a payment back.
	Refund = "refund"
	// Capture collects money that the provider holds.
	Capture = "capture"
	// Release gives up money that the provider holds.
	Release = "release"
	// Record writes a payment down that was made outside this platform.
	Record = "record"
	// Assign makes money that is here already the payment of an order.
	Assign = "assign"
)

// Outcome is what a change would do.
type Outcome struct {
	Money     []Movement
	Stock     []Units
	UsesFreed bool
	changes   []collection.Change
}

// Movement is a movement of money: its kind is one of those above, its amount positive.
type Movement struct {
	Kind, Provider, Session string
	Amount                  money.Money
}

// Units is how many units of a variant are on hand more than before, or, if negative, less.
type Units struct {
	Variant  string
	Quantity int64
}

// Fields declares an outcome in an answer.
var Fields = []collection.Field{
	{
		Name: "money", Kind: collection.Array, Required: true, Doc: "How money would move.", Fields: []collection.Field{
			{
				Name: "type", Kind: collection.Select, Required: true, Options: []string{Refund, Capture, Release, Record, Assign},
				Doc: "refund: it is given back; capture: what the provider holds is collected; release: what the provider holds is given up; " +
					"record: a payment made elsewhere is written down; assign: what was paid already becomes the payment of an order.",
			},
			{Name: "amount", Kind: collection.Money, Required: true, Currency: "currency", Doc: "How much, never negative."},
			{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
			{Name: "provider", Kind: collection.Text, Required: true, Doc: "Who moves it; custom: it is only recorded."},
			{Name: "paymentSession", Kind: collection.Text, Doc: "Id of the session of the payment; null for one without."},
		},
	},
	{
		Name: "stock", Kind: collection.Array, Required: true, Doc: "Whose units on hand would become more or less.", Fields: []collection.Field{
			{Name: "variantId", Kind: collection.Text, Required: true, Doc: "Id of the variant."},
			{Name: "quantity", Kind: collection.Integer, Required: true, Doc: "Units that come back, or, if negative, are taken."},
		},
	},
	{Name: "discountsFreed", Kind: collection.Boolean, Required: true, Doc: "Whether the uses of its discount codes would be free again."},
	{
		Name: "records", Kind: collection.Array, Required: true,
		Doc: "Which records would be made, changed or deleted: webhooks that listen to their collections are told of each.", Fields: []collection.Field{
			{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of the collection."},
			{
				Name: "operation", Kind: collection.Select, Required: true,
				Options: []string{string(collection.Created), string(collection.Updated), string(collection.Deleted)}, Doc: "What would happen to it.",
			},
			{Name: "record", Kind: collection.Text, Doc: "Id of the record; null for one that would be made."},
			{
				Name: "changes", Kind: collection.Array, Required: true, Doc: "Its statuses, and other choices, that would be others.",
				Fields: []collection.Field{
					{Name: "field", Kind: collection.Text, Required: true, Doc: "Name of the field."},
					{Name: "from", Kind: collection.Text, Doc: "What it says; null for nothing."},
					{Name: "to", Kind: collection.Text, Doc: "What it would say; null for nothing."},
				},
			},
		},
	},
}

// OutputField declares the outcome as a member of an answer.
var OutputField = collection.Field{
	Name: memberName, Kind: collection.Group, TypeName: "PreviewOutcome", TypeDoc: "What an action would do.", Fields: Fields,
	Doc: "What it would do, as a preview; null once it was done.",
}

// outcome is what n comes to.
func (n *notes) outcome() Outcome {
	o := Outcome{UsesFreed: n.freed}
	for _, c := range n.changes {
		if c.Schema == payment.Transactions {
			o.Money = append(o.Money, movements(c)...)
		}
		if !c.Schema.NoEvents && (c.Before != nil || c.After != nil) {
			o.changes = append(o.changes, c)
		}
	}
	for _, v := range slices.Sorted(maps.Keys(n.moved)) {
		if n.moved[v] != 0 {
			o.Stock = append(o.Stock, Units{v, n.moved[v]})
		}
	}
	return o
}

// movements is how a change of a transaction moves money.
func movements(c collection.Change) (list []Movement) {
	of := c.Record()
	add := func(kind string, amount money.Money) {
		if amount.Minor > 0 {
			list = append(list, Movement{kind, of.Text("provider"), of.Text("paymentSession"), amount})
		}
	}
	amount, _ := of.Money("amount")
	switch before, _ := payment.HeldPaymentOf([]collection.Record{c.Before}); {
	case c.After == nil:
	case c.Before == nil && of.Text("type") == Refund:
		add(Refund, amount)
	case c.Before == nil:
		add(Record, amount)
	case before.Record != nil && before.Held():
		after, _ := payment.HeldPaymentOf([]collection.Record{c.After})
		add(Capture, after.Captured)
		if !after.Held() {
			add(Release, money.Of(before.Authorized.Minor-after.Captured.Minor, before.Authorized.Currency))
		}
	case c.Before.Text("order") == "" && of.Text("order") != "":
		add(Assign, amount)
	}
	return list
}

// Member is o as a member of an answer.
func (o Outcome) Member() reply.Member {
	moved, units, records := []collection.Record{}, []collection.Record{}, []collection.Record{}
	for _, m := range o.Money {
		moved = append(moved, collection.Record{
			"type": m.Kind, "amount": m.Amount, "currency": string(m.Amount.Currency), "provider": m.Provider, "paymentSession": orNull(m.Session),
		})
	}
	for _, u := range o.Stock {
		units = append(units, collection.Record{"variantId": u.Variant, "quantity": u.Quantity})
	}
	for _, c := range o.changes {
		one := collection.Record{"collection": c.Schema.Slug, "operation": string(c.Operation), "changes": choices(c)}
		if c.Before != nil {
			one["record"] = c.ID()
		}
		records = append(records, one)
	}
	return reply.Member{Name: memberName, Fields: Fields, Record: collection.Record{
		"money": moved, "stock": units, "discountsFreed": o.UsesFreed, "records": records,
	}}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// choices are the fields with options that c changes, as far as the shop's people may see them.
func choices(c collection.Change) []collection.Record {
	list := []collection.Record{}
	for i := range c.Schema.Fields {
		f := &c.Schema.Fields[i]
		from, to := c.Before[f.Name], c.After[f.Name]
		if f.Kind == collection.Select && f.VisibleTo != collection.ServerOnly && !collection.Equal(from, to) {
			list = append(list, collection.Record{"field": f.Name, "from": from, "to": to})
		}
	}
	return list
}
