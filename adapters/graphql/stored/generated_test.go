package stored_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// gadgets is a collection of these tests only: everything about it must follow from this declaration.
// Rule collections-19.
var gadgets = &collection.Schema{
	Slug: "gadgets", Singular: "Gadget", Plural: "Gadgets", Doc: "A thing of this test.", PerEnvironment: true,
	Access: collection.Access{
		Viewer: []collection.Verb{collection.Read}, Admin: []collection.Verb{
			collection.Read, collection.Create, collection.Update, collection.Delete,
		},
		SecretKey: []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
		Public:    true, PublicWhere: tree{"shown": tree{"equals": true}},
	},
	Joins: []collection.Join{{Name: "children", From: "gadgets", On: "parent", Sort: "name", Doc: "Its parts."}},
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, Doc: "Name."},
		{Name: "price", Kind: collection.Money, Currency: "currency", Doc: "Price."},
		{Name: "currency", Kind: collection.Text, Uppercase: true, MaxLength: 3, Doc: "Of the price."},
		{Name: "cost", Kind: collection.Money, Currency: "currency", VisibleTo: collection.Staff, Doc: "Cost."},
		{Name: "notes", Kind: collection.Texts, VisibleTo: collection.Staff, Doc: "Notes."},
		{Name: "secret", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Never shown."},
		{Name: "shown", Kind: collection.Boolean, Default: true, Doc: "For shoppers."},
		{Name: "weight", Kind: collection.Number, Doc: "Weight."},
		{Name: "bytes", Kind: collection.Integer, Max: collection.Bound(80_000_000_000), Doc: "More than 32 bits."},
		{Name: "made", Kind: collection.Date, Doc: "When."},
		{Name: "state", Kind: collection.Select, Options: []string{"a-b", "3d", "null", "c.d/e"}, Doc: "State."},
		{Name: "colours", Kind: collection.Selects, Options: []string{"red", "deep-blue"}, Doc: "Colours."},
		{Name: "parent", Kind: collection.Relation, RelationTo: "gadgets", Indexed: true, Doc: "The gadget it is part of."},
		{Name: "friends", Kind: collection.RelationMany, RelationTo: "gadgets", Doc: "Others."},
		{Name: "owner", Kind: collection.Relation, RelationTo: "customers", Doc: "Who has it."},
		{Name: "size", Kind: collection.Group, Doc: "Size.", Fields: []collection.Field{
			{Name: "width", Kind: collection.Integer, Doc: "Width."},
			{Name: "unit", Kind: collection.Select, Options: []string{"cm", "square-inch"}, Doc: "Unit."},
			{Name: "maker", Kind: collection.Relation, RelationTo: "brands", Doc: "Who measured."},
		}},
		{Name: "warranty", Kind: collection.Group, OmitMissing: true, ReadOnly: true, Doc: "Left out where it has none.", Fields: []collection.Field{
			{Name: "months", Kind: collection.Integer, NonNull: true, Doc: "How long."},
			{Name: "by", Kind: collection.Relation, RelationTo: "brands", Doc: "Who gives it."},
		}},
		{Name: "parts", Kind: collection.Array, Doc: "Parts.", Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, ReadOnly: true, Doc: "Id."},
			{Name: "label", Kind: collection.Text, Required: true, Doc: "Label."},
			{Name: "from", Kind: collection.Relation, RelationTo: "brands", Doc: "Where from."},
		}},
		{Name: "extra", Kind: collection.JSON, Doc: "Anything."},
	},
}

// requiredValues are the values that rules of a collection require in addition to its declaration.
var requiredValues = map[string]tree{
	"discounts": {
		"type": "percentage", "value": collection.JSONNumber("12.5"), "currency": "KRW", "tiers": []any{}, "startsAt": nil, "endsAt": nil,
	},
	"markets": {"currency": "USD", "locale": "en"}, "market-prices": {
		"currency": "USD", "amount": collection.JSONNumber("12.34"), "compareAtAmount": collection.JSONNumber("20"),
	},
	"shipping-policies": {"currency": "KRW", "zones": []any{}, "isDefault": false},
	"tax-rates": {
		"country": "KR", "province": "11", "postalFrom": "10", "postalTo": "20", "validFrom": "2026-01-01T00:00:00.000Z", "validTo": "2027-01-01T00:00:00.000Z",
	},
	"tax-connections": {"url": "https://taxes.example/", "secret": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="},
	"gadgets": {
		"currency": "USD", "price": collection.JSONNumber("90071992547.41"), "weight": collection.JSONNumber("12345678901.12345678"),
		"extra": tree{"n": collection.JSONNumber("12345678901234567890.123"), "k": []any{nil, true}},
	},
	"users":          {"role": "tenant-viewer", "password": "correct horse battery"},
	"customers":      {"password": "correct horse battery"},
	"mail-templates": {"kind": "order_placed", "subject": "Thanks, {{name}}", "body": "{{lines}}"},
	"message-templates": {
		"kind": "order_placed", "text": "#{name}", "fallbackText": "#{name}", "variables": []any{}, "buttons": []any{},
	},
	"roles":            {"permissions": []any{"orders:read"}},
	"product-variants": {"optionValues": []any{}, "kind": "physical", "stock": nil},
	"product-options":  {"values": []any{tree{"label": "Red"}}},
	"categories":       {"parent": nil},
	"posts":            {"author": nil},
	"videos":           {},
	"saved-views":      {"shared": true}, // its owner comes from hooks
	"products":         {"options": []any{}, "stock": nil},
}

// Every collection can be created, read, listed, filtered, changed and deleted over GraphQL, with the same
// results as over REST. Filters are compared on SQLite only, because tests of the store compare the
// databases.
func TestEveryCollectionMatchesREST(t *testing.T) {
	bothDatabases(t, func(t *testing.T, s *shop) {
		s.by = tenant.Principal{Kind: tenant.User, Role: tenant.PlatformAdmin, ID: "somebody", Tenant: s.facts, Environment: tenant.Live}
		n := 0
		for _, c := range s.content.Registry.All() {
			m := &maker{shop: s, n: n, filters: strings.HasSuffix(t.Name(), "/sqlite"), made: map[string]string{}}
			t.Run(c.Slug, func(t *testing.T) {
				one := *s
				one.TB = t
				m.shop = &one
				m.lifecycle(c)
			})
			n = m.n
		}
	}, gadgets)
}

// lifecycle creates, reads, filters, updates and deletes a record.
func (m *maker) lifecycle(c *collection.Schema) {
	plural := c.Plural
	all := "{ " + selection(c.AllFields()) + "}"
	var id string
	if c.Access.PersonField != "" { // a record of one user, who is the one to read it
		m.by.ID = m.record("users")
	}
	if c.CommandOnly || c.Slug == "media" || c.Slug == "tenants" || c.Slug == "shop-profiles" {
		id = m.record(c.Slug)
	} else {
		data := namedAll(c.Fields, m.input(c), true)
		made := m.object(`mutation($data: mutation`+c.Singular+`Input!) { it: create`+c.Singular+`(data: $data) `+all+` }`,
			tree{"data": data})
		id, _ = made["id"].(string)
		m.wantREST(c, made)
	}
	m.wantREST(c, m.object(`query($id: String!) { it: `+c.Singular+`(id: $id) `+all+` }`, tree{"id": id}))
	page := m.object(`{ it: `+plural+`(where: {id: {equals: "`+id+`"}}, sort: "-createdAt") { docs `+all+` totalDocs } }`, nil)
	docs, _ := page["docs"].([]any)
	if len(docs) != 1 || page["totalDocs"] != collection.JSONNumber("1") {
		m.Fatalf("%v", page)
	}
	m.wantREST(c, docs[0])
	if m.filters {
		m.filter(c, plural, decoded(m, m.rest(c, id)))
	}
	m.change(c, id, all)
}

// rest is the record over REST.
func (m *maker) rest(c *collection.Schema, id string) []byte {
	m.Helper()
	body, err := m.content.Get(m.Context(), m.by, c, id, records.Projection{})
	if err != nil {
		m.Fatal(err)
	}
	return body.Bytes()
}

// object is the object "it" in the data of a document.
func (m *maker) object(document string, variables tree) tree {
	m.Helper()
	out, ok := decoded(m, []byte(m.data(document, variables)))["it"].(tree)
	if !ok {
		m.Fatalf("%s: there is no object", document)
	}
	return out
}

// filter compares every operator of every field over GraphQL and REST.
func (m *maker) filter(c *collection.Schema, plural string, record tree) {
	for _, f := range c.AllFields() {
		if f.VisibleTo == collection.ServerOnly || f.ShownOnce {
			continue
		}
		m.operators(c, plural, f, f.Name, record[f.Name])
		row, _ := record[f.Name].(tree)
		if rows, ok := record[f.Name].([]any); ok && len(rows) > 0 {
			row, _ = rows[0].(tree)
		}
		for _, inner := range f.Fields {
			m.operators(c, plural, inner, f.Name+"__"+inner.Name, row[inner.Name])
		}
	}
}

func (m *maker) operators(c *collection.Schema, plural string, f collection.Field, path string, v any) {
	m.Helper()
	if list, ok := v.([]any); ok && f.Kind.Many() && len(list) > 0 {
		v = list[0]
	}
	for _, op := range []string{"equals", "not_equals", "greater_than", "less_than_equal", "in", "not_in", "like", "contains", "exists"} {
		operand := v
		text, isText := v.(string)
		switch {
		case op == "exists":
			operand = true
		case op == "in" || op == "not_in":
			operand = []any{v}
		case (op == "like" || op == "contains") && isText && len(text) > 2 && !f.Kind.Many():
			operand = text[:2]
		}
		shown := operand
		if f.Kind != collection.Select || op != "like" && op != "contains" {
			shown = named(f, operand, true)
		}
		out := m.execute(
			`query($where: `+c.Singular+`_where) { it: `+plural+`(where: $where, limit: 100, sort: "id") { docs { id } totalDocs } }`,
			tree{"where": tree{path: tree{op: shown}}})
		page, err := m.content.Find(m.Context(), m.by, c, records.Query{
			Where: tree{strings.ReplaceAll(path, "__", "."): tree{op: operand}}, Limit: 100, Page: 1, Sort: "id",
		})
		var refusal *fault.Error
		if errors.As(err, &refusal) || len(out.Errors) > 0 {
			if (refusal == nil) != (len(out.Errors) == 0) && !strings.Contains(out.raw, "graphql_variables") {
				m.Errorf("%s %s: %v, graphql %s", path, op, err, out.raw)
			}
			continue
		}
		want := []any{}
		for _, r := range page.Docs {
			want = append(want, tree{"id": r.ID()})
		}
		if got := asText(decoded(m, out.Data)["it"]); got != asText(tree{"docs": want, "totalDocs": num(int(page.Total))}) {
			m.Errorf("%s %s %v: %s, rest %v", path, op, operand, got, want)
		}
	}
}

// change updates and deletes the record if the collection allows it.
func (m *maker) change(c *collection.Schema, id, all string) {
	for _, f := range c.Fields {
		if c.CommandOnly && !f.Patchable || f.ReadOnly || f.Immutable || f.Kind != collection.Textarea && f.Kind != collection.JSON ||
			f.VisibleTo == collection.ServerOnly || f.Name == collection.TranslationsName || c.Slug == "tenants" {
			continue
		}
		var value any = "Changed"
		if f.Kind == collection.JSON {
			value = tree{"changed": num(2)}
		}
		for _, v := range []any{value, nil} {
			if f.Required && v == nil {
				continue
			}
			got := m.object(
				`mutation($data: mutation`+c.Singular+`UpdateInput!) { it: update`+c.Singular+`(id: "`+id+`", data: $data) `+all+` }`,
				tree{"data": tree{f.Name: v}})
			if asText(got[f.Name]) != asText(v) {
				m.Errorf("%s is %v, want %v", f.Name, got[f.Name], v)
			}
			m.wantREST(c, got)
		}
	}
	if c.CommandOnly || c.NoDelete {
		if out := m.execute(`mutation { delete`+c.Singular+`(id: "`+id+`") { id } }`, nil); len(out.Errors) != 1 ||
			out.Errors[0].Extensions["reason"] != "graphql_validation" {
			m.Errorf("delete: %s", out.raw)
		}
		return
	}
	before := m.rest(c, id)
	deleted := m.object(`mutation { it: delete`+c.Singular+`(id: "`+id+`") `+all+` }`, nil)
	if want := asText(namedAll(c.AllFields(), decoded(m, before), false)); asText(deleted) != want {
		m.Errorf("deleted\ngraphql %s\nrest    %s", asText(deleted), want)
	}
	m.refused(`{ `+c.Singular+`(id: "`+id+`") { id } }`, "NOT_FOUND not_found")
}
