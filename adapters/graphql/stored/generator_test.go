package stored_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// maker makes records of every collection.
type maker struct {
	*shop

	n       int
	filters bool
	made    map[string]string // a record of each collection
}

// value is a valid value of a field.
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
		if f.Name == collection.TranslationsName {
			return nil // the shop has one language
		}
		if f.ValueKind == collection.Text {
			return tree{"a": m.text(f), "b": ""}
		}
		return tree{"a": []any{num(1), "b", nil}}
	case collection.Number:
		return collection.JSONNumber("1.25")
	case collection.Money, collection.Integer:
		return num(1 + m.n%50) // quantities are 1 or more
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
	case f.URLKind != collection.AnyText:
		return fmt.Sprintf("https://place%d.example", m.n)
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
		} else if !f.ReadOnly {
			out[f.Name] = m.value(f)
		}
	}
	return out
}

// link is the id of a record to relate to; nil while that record is being made.
func (m *maker) link(f collection.Field) any {
	if id := m.record(f.Target()); id != "" {
		return id
	}
	return nil
}

// record is the id of a record of a collection, which is made at the first call.
func (m *maker) record(slug string) string {
	id, known := m.made[slug]
	if known {
		return id
	}
	m.made[slug] = "" // being made
	switch slug {
	case "tenants":
		id = string(m.facts.ID)
	case "shop-profiles": // a shop has one from its beginning
		found, _ := m.object(`{ it: ShopProfiles { docs { id } } }`, nil)["docs"].([]any)
		id, _ = found[0].(tree)["id"].(string)
	case "users": // accounts are created in transactions of their own
		admin := *m.shop
		admin.by = tenant.Principal{
			Kind: tenant.User, Role: tenant.PlatformAdmin, ID: "somebody", Tenant: m.facts, Environment: tenant.Live,
		}
		m.n++
		id = admin.id(fmt.Sprintf(
			`mutation { createUser(data: {email: "u%d@example.com", password: "correct horse", role: "tenant-viewer"}) { id } }`, m.n))
	default:
		s := m.content.Registry.Get(slug)
		id = m.store(s, m.input(s))
	}
	m.made[slug] = id
	return id
}

// input is the input with which a client can create a record of s.
func (m *maker) input(s *collection.Schema) tree {
	in := m.values(s.Fields, requiredValues[s.Slug])
	for name, v := range in {
		if list, ok := v.([]any); v == nil || ok && len(list) == 1 && list[0] == nil {
			delete(in, name)
		}
	}
	return in
}

// oddNames are the enum names of gadgets' states.
var oddNames = map[string]string{"a-b": "a_b", "3d": "_3d", "null": "_null", "c.d/e": "c_d_e"}

// named is a value of a field in the form of GraphQL: enums by name, relations as records with an id.
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

// namedAll is named for all fields. What answers of REST leave out where it is missing is null in those of GraphQL.
func namedAll(fields []collection.Field, values tree, input bool) tree {
	out := tree{}
	for _, f := range fields {
		if v, ok := values[f.Name]; ok || !input && f.OmitMissing {
			out[f.Name] = named(f, v, input)
		}
	}
	return out
}

// selection selects all fields of records, and the ids of related records.
func selection(fields []collection.Field) string {
	var b strings.Builder
	for _, f := range fields {
		switch {
		case f.VisibleTo == collection.ServerOnly:
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

// decoded is a JSON object with exact numbers.
func decoded(t testing.TB, text []byte) tree {
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
		return collection.JSONNumber(v)
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

func asText(v any) string { return string(collection.AppendJSONValue(nil, v)) }

// wantREST requires that a record is the same over GraphQL and REST.
func (m *maker) wantREST(s *collection.Schema, got any) {
	m.Helper()
	id, _ := got.(tree)["id"].(string)
	body, err := m.content.Get(m.Context(), m.by, s, id, records.Projection{})
	if err != nil {
		m.Fatalf("%s %v: %v", s.Slug, got, err)
	}
	if want := asText(namedAll(s.AllFields(), decoded(m, body.Bytes()), false)); asText(got) != want {
		m.Errorf("%s\ngraphql %s\nrest    %s", s.Slug, asText(got), want)
	}
}
