package search

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// Version counts the changes of what records are found by. An index that another version made is made anew.
const Version = 1

// Source is a collection whose records contribute to finding records, their own or others.
type Source struct {
	Schema *collection.Schema
	Target *collection.Schema // of the records that are found
	On     string             // relation field with the record that is found; "": the source itself
	// With is a relation field with a record of which terms are taken too, so that the source is read again when that
	// record changes; "": none.
	With string
	// Kinds are those of its own terms, WithKinds those of the record that With names.
	Kinds, WithKinds []Kind
	collect          func(t *terms, r, with collection.Record)
}

// Sources are all of them.
var Sources = []Source{
	{
		Schema: order.Schema, Target: order.Schema, Kinds: []Kind{Number, NumberTail, Email, Name, Phone, SKU},
		collect: func(t *terms, r, _ collection.Record) { t.order(r) },
	},
	{
		Schema: order.Fulfillments, Target: order.Schema, On: "order", Kinds: []Kind{Tracking},
		collect: func(t *terms, r, _ collection.Record) { t.code(Tracking, r.Text("trackingNumber")) },
	},
	{
		Schema: identity.Customers, Target: identity.Customers, Kinds: []Kind{Email, Name, Phone},
		collect: func(t *terms, r, _ collection.Record) {
			t.contact(r)
			for _, address := range r.Rows("addresses") {
				t.recipient(address)
			}
		},
	},
	{
		Schema: catalog.Products, Target: catalog.Products, Kinds: []Kind{Name},
		collect: func(t *terms, r, _ collection.Record) { t.name(Name, r.Text("name")) },
	},
	{
		Schema: catalog.Variants, Target: catalog.Products, On: "product", Kinds: []Kind{SKU, Barcode},
		collect: func(t *terms, r, _ collection.Record) {
			t.code(SKU, r.Text("sku"))
			t.code(Barcode, r.Text("barcode"))
		},
	},
	{
		Schema: draft.Schema, Target: draft.Schema, With: "customer", Kinds: []Kind{Email, Name, Phone},
		WithKinds: []Kind{AccountEmail, AccountName, AccountPhone},
		collect: func(t *terms, r, customer collection.Record) {
			t.contact(r.Group("customerSnapshot"))
			t.recipient(r.Group("shippingAddress"))
			t.email(AccountEmail, customer.Text("email"))
			t.name(AccountName, customer.Text("name"))
			t.phone(AccountPhone, customer.Text("phone"))
		},
	},
	{
		Schema: returns.Schema, Target: returns.Schema, With: "order",
		WithKinds: []Kind{Number, NumberTail, Email, Name, Phone, SKU},
		collect:   func(t *terms, _, of collection.Record) { t.order(of) },
	},
}

// order adds what an order is found by.
func (t *terms) order(r collection.Record) {
	t.number(r.Text("orderNumber"))
	t.email(Email, r.Text("email"))
	t.contact(r.Group("customerSnapshot"))
	t.recipient(r.Group("shippingAddress"))
	for _, line := range r.Rows("lines") {
		t.code(SKU, line.Text("sku"))
	}
}

// contact adds a person with an account or without.
func (t *terms) contact(r collection.Record) {
	t.email(Email, r.Text("email"))
	t.name(Name, r.Text("name"))
	t.phone(Phone, r.Text("phone"))
}

// recipient adds who receives goods.
func (t *terms) recipient(address collection.Record) {
	t.name(Name, address.Text("recipientName"))
	t.phone(Phone, address.Text("phone"))
}

// Entry is what record r of the source contributes; with is the record that the field With names, nil for none.
func (s Source) Entry(r, with collection.Record, fold collection.Fold) Entry {
	e := Entry{Source: r.ID(), Collection: s.Target.Slug, Record: r.ID()}
	if s.Target.PerEnvironment {
		e.Environment = r.Text("environment")
	}
	if s.On != "" {
		e.Record = r.Text(s.On)
	}
	if e.Record == "" {
		return Gone(r.ID())
	}
	t := terms{fold: fold}
	s.collect(&t, r, with)
	e.Terms = t.done()
	return e
}

// Gone is the entry of a source that was deleted.
func Gone(source string) Entry { return Entry{Source: source} }

// Targets are the collections whose records are found, in the order of Sources.
func Targets() (all []*collection.Schema) {
	for _, s := range Sources {
		if !slices.Contains(all, s.Target) {
			all = append(all, s.Target)
		}
	}
	return all
}

// IsTarget reports whether records of a collection are found.
func IsTarget(s *collection.Schema) bool { return slices.Contains(Targets(), s) }

// KindsOf are the kinds of terms by which somebody may find records of target who may read the collections that may
// tells of: a record is not found by what they could not read in it.
func KindsOf(target *collection.Schema, may func(*collection.Schema) bool) (kinds []Kind) {
	for _, s := range Sources {
		if s.Target != target {
			continue
		}
		if may(s.Schema) {
			kinds = append(kinds, s.Kinds...)
		}
		if s.With == "" {
			continue
		}
		if with := s.related(); may(s.Schema) && may(with) {
			kinds = append(kinds, s.WithKinds...)
		}
	}
	return kinds
}

// related is the collection of the records that With names.
func (s Source) related() *collection.Schema {
	f, _ := s.Schema.Field(s.With)
	for _, o := range Sources {
		if o.Schema.Slug == f.RelationTo {
			return o.Schema
		}
	}
	panic("search: what " + s.Schema.Slug + " is found by is in a collection that is no source")
}

// Related is the source of the records that With names; ok is false without such a field.
func (s Source) Related() (schema *collection.Schema, ok bool) {
	if s.With == "" {
		return nil, false
	}
	return s.related(), true
}
