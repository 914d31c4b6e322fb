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
const Version = 4

// Source is a collection whose records contribute to finding records, their own or others.
type Source struct {
	Schema *collection.Schema
	Target *collection.Schema // of the records that are found
	On     string             // relation field with the record that is found; "": the source itself
	Kinds  []Kind             // of its own terms
	With   []Related          // other records of which terms are taken too
	// collect adds the terms of r; with are the records that r names in the relations of With, by id.
	collect func(t *terms, r collection.Record, with map[string]collection.Record)
}

// Related are records of which the sources that name them take terms. Such a source is read again when one of them changes.
type Related struct {
	Schema *collection.Schema
	List   string // field of the source whose rows have Field; "": the source itself has it
	Field  string // relation field
	Status string // of the sources that take terms, in an indexed field status; "": all do
	Kinds  []Kind // of these terms
}

// IDs are the records of l that source r takes terms of.
func (l Related) IDs(r collection.Record) (ids []string) {
	if l.Status != "" && r.Text("status") != l.Status {
		return nil
	}
	rows := []collection.Record{r}
	if l.List != "" {
		rows = r.Rows(l.List)
	}
	for _, row := range rows {
		if id := row.Text(l.Field); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Naming is the condition on records of s, the source of l, that they take terms of one of ids.
func (l Related) Naming(s *collection.Schema, ids []string) collection.Cond {
	named := collection.Comparison{Op: collection.In}
	for _, id := range ids {
		named.Values = append(named.Values, id)
	}
	fields := s.Fields
	if l.List != "" {
		list, _ := s.Field(l.List)
		named.Path, fields = append(named.Path, list), list.Fields
	}
	at := slices.IndexFunc(fields, func(f collection.Field) bool { return f.Name == l.Field })
	named.Path = append(named.Path, fields[at])
	if l.Status == "" {
		return named
	}
	return collection.And{s.Where("status", collection.Equals, l.Status), named}
}

// Sources are all of them.
var Sources = []Source{
	{
		Schema: order.Schema, Target: order.Schema, Kinds: []Kind{Number, NumberTail, Email, Name, Phone, SKU},
		collect: func(t *terms, r collection.Record, _ map[string]collection.Record) { t.order(r) },
	},
	{
		Schema: order.Fulfillments, Target: order.Schema, On: "order", Kinds: []Kind{Tracking},
		collect: func(t *terms, r collection.Record, _ map[string]collection.Record) {
			t.code(Tracking, r.Text("trackingNumber"))
		},
	},
	{
		Schema: identity.Customers, Target: identity.Customers, Kinds: []Kind{Email, Name, Phone},
		collect: func(t *terms, r collection.Record, _ map[string]collection.Record) {
			t.contact(r)
			for _, address := range r.Rows("addresses") {
				t.recipient(address)
			}
		},
	},
	{
		Schema: catalog.Products, Target: catalog.Products, Kinds: []Kind{Name},
		collect: func(t *terms, r collection.Record, _ map[string]collection.Record) {
			t.name(Name, r.Text("name"))
			for _, name := range catalog.Products.Translations(r, "name") {
				t.name(Name, name)
			}
		},
	},
	{
		Schema: catalog.Variants, Target: catalog.Products, On: "product", Kinds: []Kind{SKU, Barcode},
		collect: func(t *terms, r collection.Record, _ map[string]collection.Record) {
			t.code(SKU, r.Text("sku"))
			t.code(Barcode, r.Text("barcode"))
		},
	},
	{
		Schema: draft.Schema, Target: draft.Schema, Kinds: []Kind{Email, Name, Phone},
		With: []Related{
			{Schema: identity.Customers, Field: "customer", Kinds: []Kind{AccountEmail, AccountName, AccountPhone}},
			{Schema: catalog.Variants, List: "lines", Field: "variant", Status: string(draft.Open), Kinds: []Kind{SKU}},
		},
		collect: func(t *terms, r collection.Record, with map[string]collection.Record) {
			t.contact(r.Group("customerSnapshot"))
			t.recipient(r.Group("shippingAddress"))
			for _, line := range r.Rows("lines") {
				t.code(SKU, with[line.Text("variant")].Text("sku"))
			}
			customer := with[r.Text("customer")]
			t.email(AccountEmail, customer.Text("email"))
			t.name(AccountName, customer.Text("name"))
			t.phones(AccountPhone, customer.Text("phone"), customer.Text("phoneE164"))
		},
	},
	{
		Schema: returns.Schema, Target: returns.Schema,
		With: []Related{{Schema: order.Schema, Field: "order", Kinds: []Kind{Number, NumberTail, Email, Name, Phone, SKU}}},
		collect: func(t *terms, r collection.Record, with map[string]collection.Record) {
			t.order(with[r.Text("order")])
		},
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
	t.phones(Phone, r.Text("phone"), r.Text("phoneE164"))
}

// recipient adds who receives goods.
func (t *terms) recipient(address collection.Record) {
	t.name(Name, address.Text("recipientName"))
	t.phones(Phone, address.Text("phone"), address.Text("phoneE164"))
}

// Entry is what record r of the source contributes. with has the records that it names in the relations of With, by id, and may
// have others.
func (s Source) Entry(r collection.Record, with map[string]collection.Record, fold collection.Fold) Entry {
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
	own := map[string]collection.Record{}
	for _, l := range s.With {
		for _, id := range l.IDs(r) {
			own[id] = with[id]
		}
	}
	t := terms{fold: fold}
	s.collect(&t, r, own)
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
		for _, l := range s.With {
			if may(s.Schema) && may(l.Schema) {
				kinds = append(kinds, l.Kinds...)
			}
		}
	}
	return kinds
}
