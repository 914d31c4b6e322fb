package rest_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// writer writes records of one collection as an admin, in one mode: single, many or graphql.
type writer struct {
	*harness

	t     *testing.T
	s     *collection.Schema
	mode  string
	admin []string // headers
	there seeded
	last  string // number of the last event that is known
}

// Every write of an admin, in every collection and mode, makes one event with the changed fields, the record
// and the previous record. A repetition with the same key makes none. Writes of operations are checked with
// the features: see announced in cmd/cartwright/program.
func TestEveryWriteMakesOneEvent(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		there := b.seed(b.shop.Tenant, "word", nil)
		bearer, _ := b.login()
		for _, s := range b.registry.All() {
			if s.CommandOnly || s.NoEvents {
				continue
			}
			for _, mode := range []string{"single", "many", "graphql"} {
				t.Run(s.Slug+"/"+mode, func(t *testing.T) {
					w := &writer{harness: b, t: t, s: s, mode: mode, admin: []string{"Authorization", bearer}, there: there}
					w.lifecycle()
				})
			}
		}
	})
}

// lifecycle creates a record, changes and deletes it, as far as an admin may.
func (w *writer) lifecycle() {
	w.t.Helper()
	admin := tenant.Principal{Kind: tenant.User, Role: tenant.Admin}
	may := func(v collection.Verb) bool { _, err := access.Allowed(admin, w.s, v); return err == nil }
	id := w.there[w.s.Slug].ID()
	if w.s == media.Schema { // a create needs a file, so the record is stored directly
		id = w.seedAgain()
	} else if may(collection.Create) {
		input := w.input()
		w.begin()
		id = w.create(input)
		w.want(id, "create", nil, w.get(id))
	}
	if may(collection.Update) {
		before := w.get(id)
		w.begin()
		w.update(id)
		w.want(id, "update", before, w.get(id))
	}
	if may(collection.Delete) && !w.s.NoDelete {
		before := w.get(id)
		w.begin()
		w.delete(id)
		w.want(id, "delete", before, nil)
	}
}

// seedAgain stores another record like the seeded one.
func (w *writer) seedAgain() string {
	w.t.Helper()
	r := w.there[w.s.Slug].Clone()
	r["id"] = newID()
	err := w.store.Atomically(w.t.Context(), ports.ForTenant(w.shop.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(w.s, nil, r, newID(), w.content.Now()))
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.ID()
}

// begin records the current end of the event log.
func (w *writer) begin() {
	w.t.Helper()
	w.last = fmt.Sprint(w.events("latest", 0).body["nextAfter"])
}

func (w *writer) events(after string, limit int) answer {
	w.t.Helper()
	if _, err := w.store.Sequence(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return w.done(200, w.request("GET", fmt.Sprintf("/api/events?after=%s&limit=%d", after, limit), "", w.admin...))
}

func (w *writer) done(status int, a answer) answer {
	w.t.Helper()
	if a.status != status || a.body["errors"] != nil && a.status == 200 && len(a.body["errors"].([]any)) > 0 {
		w.t.Fatalf("%d %s", a.status, a.raw)
	}
	return a
}

func (w *writer) get(id string) map[string]any {
	w.t.Helper()
	return w.done(200, w.request("GET", "/api/"+w.s.Slug+"/"+id, "", w.admin...)).body
}

// ruleValues are values that the rules of a collection require in addition to its declaration.
var ruleValues = map[string]map[string]any{
	"users":     {"password": "correct horse battery", "role": "tenant-viewer"},
	"roles":     {"permissions": []any{"gadgets:read"}},
	"markets":   {"currency": "KRW", "locale": "en"},
	"tax-rates": {"country": "KR", "province": "11"},
	"tax-connections": {
		"url": "https://taxes.example/", "secret": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "environment": "live",
	},
	"discounts":            {"type": "percentage", "value": collection.JSONNumber("10")},
	"videos":               {"url": "https://videos.example/a"},
	"provider-connections": {"provider": "custom", "environment": "live"},
	"message-services":     {"url": "https://messages.shop.example", "secret": "whsec_dGhlIHNlY3JldCBvZiBhIG1lc3NhZ2Ugc2VydmVyIQ=="},
}

// input is a new record.
func (w *writer) input() map[string]any {
	w.t.Helper()
	word := w.mode + strings.ReplaceAll(w.s.Slug, "-", "")
	out := map[string]any{}
	for _, f := range w.s.Fields {
		if f.Required && !f.ReadOnly {
			out[f.Name] = sampleValue(f, word, w.there, nil)
		}
	}
	maps.Copy(out, ruleValues[w.s.Slug])
	if w.s == team.Comments {
		out["record"] = w.there["orders"].ID()
	}
	if w.s.Slug == "mail-templates" || w.s.Slug == "message-templates" { // one for each language
		out["locale"] = map[string]string{"single": "ko", "many": "de", "graphql": "ja"}[w.mode]
	}
	if w.s.Slug == "market-prices" { // one for each variant
		out["variant"] = w.make("product-variants", `{"product":"`+w.there["products"].ID()+`","title":"`+word+`"}`)
	}
	return out
}

// change is what an update takes.
func (w *writer) change() map[string]any {
	for _, f := range w.s.Fields {
		_, ruled := ruleValues[w.s.Slug][f.Name]
		free := !ruled && !f.ReadOnly && !f.Immutable && !f.Unique && !f.Uppercase && f.VisibleTo != collection.ServerOnly &&
			f.URLKind == collection.AnyText
		if free && (f.Kind == collection.Text || f.Kind == collection.Textarea) {
			return map[string]any{f.Name: "new " + w.mode}
		}
	}
	for _, f := range w.s.Fields {
		if f.Kind == collection.Money && !f.ReadOnly && !f.Immutable {
			return map[string]any{f.Name: collection.JSONNumber("7")}
		}
	}
	w.t.Fatal("nothing can be changed")
	return nil
}

func (w *writer) create(input map[string]any) (id string) {
	w.t.Helper()
	if w.mode == "graphql" {
		return w.mutate("create", `$data: mutation`+w.s.Singular+`Input!`, "data: $data", input)
	}
	headers := append([]string{"Idempotency-Key", newID()}, w.admin...)
	for range 2 {
		a := w.done(201, w.request("POST", "/api/"+w.s.Slug, string(collection.AppendJSONValue(nil, input)), headers...))
		id, _ = a.doc()["id"].(string)
	}
	return id
}

func (w *writer) update(id string) {
	w.t.Helper()
	body := string(collection.AppendJSONValue(nil, w.change()))
	switch w.mode {
	case "graphql":
		w.mutate("update", `$data: mutation`+w.s.Singular+`UpdateInput!`, `id: "`+id+`", data: $data`, w.change())
	case "many":
		w.done(200, w.request("PATCH", "/api/"+w.s.Slug+"?where[id][equals]="+id, body, w.admin...))
	default:
		w.done(200, w.request("PATCH", "/api/"+w.s.Slug+"/"+id, body, w.admin...))
	}
}

func (w *writer) delete(id string) {
	w.t.Helper()
	switch w.mode {
	case "graphql":
		w.mutate("delete", "", `id: "`+id+`"`, nil)
	case "many":
		w.done(200, w.request("DELETE", "/api/"+w.s.Slug+"?where[id][equals]="+id, "", w.admin...))
	default:
		w.done(200, w.request("DELETE", "/api/"+w.s.Slug+"/"+id, "", w.admin...))
	}
}

// mutate writes over GraphQL and returns the id.
func (w *writer) mutate(verb, variables, args string, data map[string]any) string {
	w.t.Helper()
	for _, f := range w.s.Fields {
		if text, ok := data[f.Name].(string); ok && f.Kind == collection.Select {
			data[f.Name] = strings.ReplaceAll(text, "-", "_")
		}
	}
	if variables != "" {
		variables = "(" + variables + ")"
	}
	query := "mutation" + variables + " { " + verb + w.s.Singular + "(" + args + ") { id } }"
	a := w.done(200, w.request("POST", "/api/graphql",
		string(collection.AppendJSONValue(nil, map[string]any{"query": query, "variables": map[string]any{"data": data}})), w.admin...))
	id, _ := memberAt(a.body, "data", verb+w.s.Singular, "id").(string)
	return id
}

func memberAt(v any, path ...string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// want requires one event of the record since begin, for this operation.
func (w *writer) want(id, operation string, before, after map[string]any) {
	w.t.Helper()
	var found []map[string]any
	all := w.events(w.last, 500).docs()
	for _, e := range all {
		e := e.(map[string]any)
		if memberAt(e, "doc", "id") == id || operation == "delete" && memberAt(e, "data", "id") == id {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%s: %d events of the record among %v", operation, len(found), all)
	}
	e := found[0]
	data, doc, previous := e["data"], e["doc"], e["previousDoc"]
	if e["operation"] != operation || e["collection"] != w.s.Slug || e["tenant"] != string(w.shop.Tenant.ID) {
		w.t.Errorf("%s: %v", operation, e)
	}
	switch operation {
	case "create":
		if !w.sameRecord(data, after) || !w.sameRecord(doc, after) || previous != nil {
			w.t.Errorf("created %v, published %v", after, e)
		}
	case "update":
		changed := map[string]any{}
		for name, v := range after {
			if f, _ := w.s.Field(name); name != "updatedAt" && f.Source == "" && !reflect.DeepEqual(v, before[name]) {
				changed[name] = v
			}
		}
		if len(changed) == 0 || !w.sameRecord(data, changed) || !w.sameRecord(doc, after) || !w.sameRecord(previous, before) {
			w.t.Errorf("changed %v from %v, published %v", changed, before, e)
		}
	default:
		if !w.sameRecord(data, before) || doc != nil || previous != nil {
			w.t.Errorf("deleted %v, published %v", before, e)
		}
	}
}

// sameRecord compares the record of an event with the one that an admin reads, except for computed fields.
func (w *writer) sameRecord(published any, read map[string]any) bool {
	doc, ok := published.(map[string]any)
	own := func(m map[string]any) map[string]any {
		out := maps.Clone(m)
		for name := range m {
			if f, _ := w.s.Field(name); f.Source != "" {
				delete(out, name)
			}
		}
		return out
	}
	return ok && reflect.DeepEqual(own(doc), own(read))
}
