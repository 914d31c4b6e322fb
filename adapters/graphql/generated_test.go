package graphql_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// gadgets is a collection that exists only here: everything about it must follow from this declaration. Engineering 25.
var gadgets = &collection.Schema{
	Slug: "gadgets", Singular: "Gadget", Plural: "Gadgets", Doc: "A thing of this test.", Environmented: true,
	Access: collection.Access{
		Viewer: []collection.Verb{collection.Read}, Admin: []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
		SecretKey: []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
		Public:    true, PublicWhere: tree{"shown": tree{"equals": true}},
	},
	Joins: []collection.Join{{Name: "children", From: "gadgets", On: "parent", Sort: "name", Doc: "Its parts."}},
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, Doc: "Name."},
		{Name: "price", Kind: collection.Money, Currency: "currency", Doc: "Price."},
		{Name: "currency", Kind: collection.Text, Upper: true, MaxLength: 3, Doc: "Of the price."},
		{Name: "cost", Kind: collection.Money, Currency: "currency", Read: collection.Staff, Doc: "Cost."},
		{Name: "notes", Kind: collection.Texts, Read: collection.Staff, Doc: "Notes."},
		{Name: "secret", Kind: collection.Text, Read: collection.Nobody, Doc: "Never shown."},
		{Name: "shown", Kind: collection.Boolean, Default: true, Doc: "For shoppers."},
		{Name: "weight", Kind: collection.Number, Doc: "Weight."},
		{Name: "bytes", Kind: collection.Integer, Max: collection.At(80_000_000_000), Doc: "More than 32 bits."},
		{Name: "made", Kind: collection.Date, Doc: "When."},
		{Name: "state", Kind: collection.Select, Options: []string{"a-b", "3d", "null", "c.d/e"}, Doc: "State."},
		{Name: "colours", Kind: collection.Selects, Options: []string{"red", "deep-blue"}, Doc: "Colours."},
		{Name: "parent", Kind: collection.Relation, To: "gadgets", Indexed: true, Doc: "The gadget it is part of."},
		{Name: "friends", Kind: collection.RelationMany, To: "gadgets", Doc: "Others."},
		{Name: "owner", Kind: collection.Relation, To: "customers", Doc: "Who has it."},
		{Name: "size", Kind: collection.Group, Doc: "Size.", Fields: []collection.Field{
			{Name: "width", Kind: collection.Integer, Doc: "Width."},
			{Name: "unit", Kind: collection.Select, Options: []string{"cm", "square-inch"}, Doc: "Unit."},
			{Name: "maker", Kind: collection.Relation, To: "brands", Doc: "Who measured."},
		}},
		{Name: "parts", Kind: collection.Array, Doc: "Parts.", Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, Owned: true, Doc: "Id."},
			{Name: "label", Kind: collection.Text, Required: true, Doc: "Label."},
			{Name: "from", Kind: collection.Relation, To: "brands", Doc: "Where from."},
		}},
		{Name: "extra", Kind: collection.JSON, Doc: "Anything."},
	},
}

// given are values that the declaration alone does not tell: what rules of a collection ask for besides.
var given = map[string]tree{
	"discounts": {"type": "percentage", "value": collection.Numeral("12.5"), "currency": "KRW", "tiers": []any{}, "startsAt": nil, "endsAt": nil},
	"markets":   {"currency": "USD"}, "market-prices": {"currency": "USD", "amount": collection.Numeral("12.34"), "compareAtAmount": collection.Numeral("20")},
	"shipping-policies": {"currency": "KRW", "zones": []any{}, "isDefault": false},
	"gadgets":           {"currency": "USD", "price": collection.Numeral("90071992547.41"), "weight": collection.Numeral("12345678901.12345678"), "extra": tree{"n": collection.Numeral("12345678901234567890.123"), "k": []any{nil, true}}},
	"users":             {"role": "tenant-viewer", "password": "correct horse battery"},
	"customers":         {"password": "correct horse battery"},
	"product-variants":  {"optionValues": []any{}, "kind": "physical", "stock": nil},
	"product-options":   {"values": []any{tree{"label": "Red"}}},
	"categories":        {"parent": nil},
	"posts":             {"author": nil},
	"videos":            {},
	"products":          {"options": []any{}, "stock": nil},
}

// maker makes records of every collection.
type maker struct {
	*shop

	n       int
	filters bool
	made    map[string]string // a record of each collection
}

// value is something a field may hold.
func (m *maker) value(f collection.Field) any {
	m.n++
	switch f.Kind {
	case collection.Select:
		return f.Options[m.n%len(f.Options)]
	case collection.Selects:
		return []any{f.Options[m.n%len(f.Options)]}
	case collection.Relation, collection.Upload:
		return m.link(f)
	case collection.RelationMany, collection.UploadMany:
		return []any{m.link(f)}
	case collection.Group:
		return m.values(f.Fields, nil)
	case collection.Array:
		return []any{m.values(f.Fields, nil), m.values(f.Fields, nil)}
	case collection.Texts:
		return []any{m.text(f), m.text(f)}
	case collection.JSON, collection.RichText:
		return tree{"a": []any{num(1), "b", nil}}
	case collection.Number:
		return collection.Numeral("1.25")
	case collection.Money, collection.Integer:
		return num(m.n % 50)
	case collection.Boolean:
		return m.n%2 == 0
	case collection.Date:
		return fmt.Sprintf("2026-02-03T04:05:%02d.123Z", m.n%60)
	case collection.Email:
		return fmt.Sprintf("somebody%d@example.com", m.n)
	default:
		return m.text(f)
	}
}

func (m *maker) text(f collection.Field) string {
	switch {
	case f.Name == "currency":
		return "KRW"
	case f.MaxLength == 2:
		return "KR"
	case f.Name == "slug" || f.Name == "code":
		return fmt.Sprint("text-", m.n)
	}
	return fmt.Sprint("Text ", m.n)
}

func (m *maker) values(fields []collection.Field, but tree) tree {
	out := tree{}
	for _, f := range fields {
		if v, ok := but[f.Name]; ok {
			out[f.Name] = v
		} else if !f.Owned {
			out[f.Name] = m.value(f)
		}
	}
	return out
}

// link is the id of a record to relate to; none where one would have to be made of itself.
func (m *maker) link(f collection.Field) any {
	if id := m.record(f.Target()); id != "" {
		return id
	}
	return nil
}

// record is a record of a collection, stored as its own use case would.
func (m *maker) record(slug string) string {
	id, known := m.made[slug]
	if known {
		return id
	}
	m.made[slug] = "" // on the way
	switch slug {
	case "tenants":
		id = string(m.facts.ID)
	case "users": // their accounts are made outside of transactions of others
		admin := *m.shop
		admin.by = tenant.Principal{Kind: tenant.User, Role: tenant.PlatformAdmin, ID: "somebody", Tenant: m.facts, Environment: tenant.Live}
		m.n++
		id = admin.id(fmt.Sprintf(`mutation { createUser(data: {email: "u%d@example.com", password: "correct horse", role: tenant_viewer}) { id } }`, m.n))
	default:
		s := m.content.Registry.Get(slug)
		id = m.store(s, m.input(s))
	}
	m.made[slug] = id
	return id
}

// input is what a client may send to make a record of s.
func (m *maker) input(s *collection.Schema) tree {
	in := m.values(s.Fields, given[s.Slug])
	for name, v := range in {
		if list, ok := v.([]any); v == nil || ok && len(list) == 1 && list[0] == nil {
			delete(in, name)
		}
	}
	return in
}

// oddNames are the enum names of gadgets' states.
var oddNames = map[string]string{"a-b": "a_b", "3d": "_3d", "null": "_null", "c.d/e": "c_d_e"}

// named is a value of a field as GraphQL writes it: enums by name, relations as records with id.
func named(f collection.Field, v any, input bool) any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = named(f, x, input)
		}
		return out
	case map[string]any:
		if len(f.Fields) > 0 {
			return namedAll(f.Fields, v, input)
		}
	case string:
		switch {
		case f.Kind.Related() && !input:
			return tree{"id": v}
		case f.Kind == collection.Select || f.Kind == collection.Selects:
			if odd := oddNames[v]; odd != "" {
				return odd
			}
			return strings.ReplaceAll(v, "-", "_")
		}
	}
	return v
}

func namedAll(fields []collection.Field, values tree, input bool) tree {
	out := tree{}
	for _, f := range fields {
		if v, ok := values[f.Name]; ok {
			out[f.Name] = named(f, v, input)
		}
	}
	return out
}

// selection asks for everything there is of records, and the id of what they relate to.
func selection(fields []collection.Field) string {
	var b strings.Builder
	for _, f := range fields {
		switch {
		case f.Read == collection.Nobody:
			continue
		case f.Kind.Related():
			b.WriteString(f.Name + " { id } ")
		case len(f.Fields) > 0:
			b.WriteString(f.Name + " { " + selection(f.Fields) + "} ")
		default:
			b.WriteString(f.Name + " ")
		}
	}
	return b.String()
}

// told is JSON in one form.
func told(t testing.TB, text []byte) tree {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return exact(v).(tree)
}

func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		return collection.Numeral(v)
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = exact(v[k])
		}
	}
	return v
}

func asText(v any) string { return string(collection.AppendTree(nil, v)) }

// same wants what GraphQL answered for a record to be what REST answers.
func (m *maker) same(s *collection.Schema, got any) {
	m.Helper()
	id, _ := got.(tree)["id"].(string)
	body, err := m.content.Get(m.Context(), m.by, s, id, content.Show{})
	if err != nil {
		m.Fatalf("%s %v: %v", s.Slug, got, err)
	}
	if want := asText(namedAll(s.All(), told(m, body), false)); asText(got) != want {
		m.Errorf("%s\ngraphql %s\nrest    %s", s.Slug, asText(got), want)
	}
}

// Every collection can be created, read, listed, filtered, changed and deleted over GraphQL, and nothing reads differently
// than over REST. What a condition means to each database is tested below both; here the trees they become are compared.
func TestEveryCollectionIsTheSameOverGraphQL(t *testing.T) {
	bothDatabases(t, func(t *testing.T, s *shop) {
		s.by = tenant.Principal{Kind: tenant.User, Role: tenant.PlatformAdmin, ID: "somebody", Tenant: s.facts, Environment: tenant.Live}
		n := 0
		for _, c := range s.content.Registry.All() {
			m := &maker{shop: s, n: n, filters: strings.HasSuffix(t.Name(), "/sqlite"), made: map[string]string{}}
			t.Run(c.Slug, func(t *testing.T) {
				one := *s
				one.TB = t
				m.shop = &one
				m.round(c)
			})
			n = m.n
		}
	}, gadgets)
}

// round goes through the life of a record.
func (m *maker) round(c *collection.Schema) {
	plural := c.Plural
	all := "{ " + selection(c.All()) + "}"
	id := ""
	if c.Operated || c.Slug == "media" || c.Slug == "tenants" {
		id = m.record(c.Slug)
	} else {
		data := namedAll(c.Fields, m.input(c), true)
		made := m.tree(`mutation($data: mutation`+c.Singular+`Input!) { it: create`+c.Singular+`(data: $data) `+all+` }`, tree{"data": data})
		id, _ = made["id"].(string)
		m.same(c, made)
	}
	m.same(c, m.tree(`query($id: String!) { it: `+c.Singular+`(id: $id) `+all+` }`, tree{"id": id}))
	page := m.tree(`{ it: `+plural+`(where: {id: {equals: "`+id+`"}}, sort: "-createdAt") { docs `+all+` totalDocs } }`, nil)
	docs, _ := page["docs"].([]any)
	if len(docs) != 1 || page["totalDocs"] != collection.Numeral("1") {
		m.Fatalf("%v", page)
	}
	m.same(c, docs[0])
	if m.filters {
		m.filter(c, plural, told(m, m.rest(c, id)))
	}
	m.change(c, id, all)
}

// rest is what REST answers.
func (m *maker) rest(c *collection.Schema, id string) []byte {
	m.Helper()
	body, err := m.content.Get(m.Context(), m.by, c, id, content.Show{})
	if err != nil {
		m.Fatal(err)
	}
	return body
}

// tree is the member "it" of an answer.
func (m *maker) tree(document string, variables tree) tree {
	m.Helper()
	out, ok := told(m, []byte(m.data(document, variables)))["it"].(tree)
	if !ok {
		m.Fatalf("%s answers nothing", document)
	}
	return out
}

// filter asks every operator of every field by GraphQL and by REST.
func (m *maker) filter(c *collection.Schema, plural string, record tree) {
	for _, f := range c.All() {
		if f.Read == collection.Nobody {
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
		out := m.ask(`query($where: `+c.Singular+`_where) { it: `+plural+`(where: $where, limit: 100, sort: "id") { docs { id } totalDocs } }`, tree{"where": tree{path: tree{op: shown}}})
		page, err := m.content.Find(m.Context(), m.by, c, content.Query{Where: tree{strings.ReplaceAll(path, "__", "."): tree{op: operand}}, Limit: 100, Page: 1, Sort: "id"})
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
		if got := asText(told(m, out.Data)["it"]); got != asText(tree{"docs": want, "totalDocs": num(int(page.Total))}) {
			m.Errorf("%s %s %v: %s, rest %v", path, op, operand, got, want)
		}
	}
}

// change updates and deletes the record where that can be done.
func (m *maker) change(c *collection.Schema, id, all string) {
	for _, f := range c.Fields {
		if c.Operated && !f.Free || f.Owned || f.Immutable || f.Kind != collection.Textarea && f.Kind != collection.JSON || f.Read == collection.Nobody || c.Slug == "tenants" {
			continue
		}
		var value any = "Changed"
		if f.Kind == collection.JSON {
			value = tree{"changed": num(2)}
		}
		for _, v := range []any{value, nil} {
			got := m.tree(`mutation($data: mutation`+c.Singular+`UpdateInput!) { it: update`+c.Singular+`(id: "`+id+`", data: $data) `+all+` }`, tree{"data": tree{f.Name: v}})
			if asText(got[f.Name]) != asText(v) {
				m.Errorf("%s is %v, want %v", f.Name, got[f.Name], v)
			}
			m.same(c, got)
		}
	}
	if c.Operated || c.NoDelete {
		if out := m.ask(`mutation { delete`+c.Singular+`(id: "`+id+`") { id } }`, nil); len(out.Errors) != 1 || out.Errors[0].Extensions["reason"] != "graphql_validation" {
			m.Errorf("delete: %s", out.raw)
		}
		return
	}
	was := m.rest(c, id)
	gone := m.tree(`mutation { it: delete`+c.Singular+`(id: "`+id+`") `+all+` }`, nil)
	if want := asText(namedAll(c.All(), told(m, was), false)); asText(gone) != want {
		m.Errorf("deleted\ngraphql %s\nrest    %s", asText(gone), want)
	}
	m.refused(`{ `+c.Singular+`(id: "`+id+`") { id } }`, "NOT_FOUND not_found")
}
