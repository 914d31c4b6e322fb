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
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// writer writes records of one collection as an admin does, by one road.
type writer struct {
	*harness

	t     *testing.T
	s     *collection.Schema
	road  string
	admin []string // headers
	there planted
	last  string // number of the last event that is known
}

// Whatever an admin writes, in every collection and by every road, one event tells of it: what changed, what is now, what
// was before. Written again under its key, it is told no more. Other roads are checked behind the features: see announced
// in cmd/cartwright.
func TestEveryWriteMakesOneEvent(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		there := b.plant(b.shop.Tenant, "word", nil)
		bearer, _ := b.login()
		for _, s := range b.registry.All() {
			if s.CommandOnly || s.NoEvents {
				continue
			}
			for _, road := range []string{"single", "many", "graphql"} {
				t.Run(s.Slug+"/"+road, func(t *testing.T) {
					w := &writer{harness: b, t: t, s: s, road: road, admin: []string{"Authorization", bearer}, there: there}
					w.live()
				})
			}
		}
	})
}

// live makes a record, changes and deletes it, as far as an admin may.
func (w *writer) live() {
	w.t.Helper()
	admin := tenant.Principal{Kind: tenant.User, Role: tenant.Admin}
	may := func(v collection.Verb) bool { _, err := access.Allowed(admin, w.s, v); return err == nil }
	id := w.there[w.s.Slug].ID()
	if w.s == media.Schema { // a file is no generic input; its record is
		id = w.plantAgain()
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

// plantAgain stores another record like the planted one.
func (w *writer) plantAgain() string {
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

// begin notes where the log ends.
func (w *writer) begin() {
	w.t.Helper()
	w.last = fmt.Sprint(w.events("latest", 0).body["nextAfter"])
}

func (w *writer) events(after string, limit int) answer {
	w.t.Helper()
	if _, err := w.store.Sequence(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return w.done(200, w.ask("GET", fmt.Sprintf("/api/events?after=%s&limit=%d", after, limit), "", w.admin...))
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
	return w.done(200, w.ask("GET", "/api/"+w.s.Slug+"/"+id, "", w.admin...)).body
}

// givens are values that rules want, besides those that declarations do.
var givens = map[string]map[string]any{
	"users":                {"password": "correct horse battery", "role": "tenant-viewer"},
	"markets":              {"currency": "KRW"},
	"discounts":            {"type": "percentage", "value": collection.JSONNumber("10")},
	"videos":               {"url": "https://videos.example/a"},
	"provider-connections": {"provider": "custom", "environment": "live"},
}

// input is a new record.
func (w *writer) input() map[string]any {
	w.t.Helper()
	word := w.road + strings.ReplaceAll(w.s.Slug, "-", "")
	out := map[string]any{}
	for _, f := range w.s.Fields {
		if f.Required && !f.ReadOnly {
			out[f.Name] = sampleValue(f, word, w.there, nil)
		}
	}
	maps.Copy(out, givens[w.s.Slug])
	if w.s.Slug == "market-prices" { // one for each variant
		out["variant"] = w.make("product-variants", `{"product":"`+w.there["products"].ID()+`","title":"`+word+`"}`)
	}
	return out
}

// change is what an update takes.
func (w *writer) change() map[string]any {
	for _, f := range w.s.Fields {
		free := !f.ReadOnly && !f.Immutable && !f.Unique && !f.Uppercase && f.VisibleTo != collection.ServerOnly && f.URLKind == collection.AnyText
		if free && (f.Kind == collection.Text || f.Kind == collection.Textarea) {
			return map[string]any{f.Name: "new " + w.road}
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
	if w.road == "graphql" {
		return w.mutate("create", `$data: mutation`+w.s.Singular+`Input!`, "data: $data", input)
	}
	headers := append([]string{"Idempotency-Key", newID()}, w.admin...)
	for range 2 {
		a := w.done(201, w.ask("POST", "/api/"+w.s.Slug, string(collection.AppendJSONValue(nil, input)), headers...))
		id, _ = a.doc()["id"].(string)
	}
	return id
}

func (w *writer) update(id string) {
	w.t.Helper()
	body := string(collection.AppendJSONValue(nil, w.change()))
	switch w.road {
	case "graphql":
		w.mutate("update", `$data: mutation`+w.s.Singular+`UpdateInput!`, `id: "`+id+`", data: $data`, w.change())
	case "many":
		w.done(200, w.ask("PATCH", "/api/"+w.s.Slug+"?where[id][equals]="+id, body, w.admin...))
	default:
		w.done(200, w.ask("PATCH", "/api/"+w.s.Slug+"/"+id, body, w.admin...))
	}
}

func (w *writer) delete(id string) {
	w.t.Helper()
	switch w.road {
	case "graphql":
		w.mutate("delete", "", `id: "`+id+`"`, nil)
	case "many":
		w.done(200, w.ask("DELETE", "/api/"+w.s.Slug+"?where[id][equals]="+id, "", w.admin...))
	default:
		w.done(200, w.ask("DELETE", "/api/"+w.s.Slug+"/"+id, "", w.admin...))
	}
}

// mutate writes over GraphQL and answers the id.
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
	a := w.done(200, w.ask("POST", "/api/graphql", string(collection.AppendJSONValue(nil, map[string]any{"query": query, "variables": map[string]any{"data": data}})), w.admin...))
	id, _ := dig(a.body, "data", verb+w.s.Singular, "id").(string)
	return id
}

func dig(v any, path ...string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// want expects one event of the record since begin, about this step.
func (w *writer) want(id, operation string, before, after map[string]any) {
	w.t.Helper()
	var told []map[string]any
	all := w.events(w.last, 500).docs()
	for _, e := range all {
		e := e.(map[string]any)
		if dig(e, "doc", "id") == id || operation == "delete" && dig(e, "data", "id") == id {
			told = append(told, e)
		}
	}
	if len(told) != 1 {
		w.t.Fatalf("%s: %d events of the record among %v", operation, len(told), all)
	}
	e := told[0]
	data, doc, previous := e["data"], e["doc"], e["previousDoc"]
	if e["operation"] != operation || e["collection"] != w.s.Slug || e["tenant"] != string(w.shop.Tenant.ID) {
		w.t.Errorf("%s: %v", operation, e)
	}
	switch operation {
	case "create":
		if !w.alike(data, after) || !w.alike(doc, after) || previous != nil {
			w.t.Errorf("created %v, told %v", after, e)
		}
	case "update":
		changed := map[string]any{}
		for name, v := range after {
			if f, _ := w.s.Field(name); name != "updatedAt" && f.Source == "" && !reflect.DeepEqual(v, before[name]) {
				changed[name] = v
			}
		}
		if len(changed) == 0 || !w.alike(data, changed) || !w.alike(doc, after) || !w.alike(previous, before) {
			w.t.Errorf("changed %v from %v, told %v", changed, before, e)
		}
	default:
		if !w.alike(data, before) || doc != nil || previous != nil {
			w.t.Errorf("deleted %v, told %v", before, e)
		}
	}
}

// alike compares what is told with what an admin is shown, but for what is computed when it is read.
func (w *writer) alike(told any, shown map[string]any) bool {
	doc, ok := told.(map[string]any)
	own := func(m map[string]any) map[string]any {
		out := maps.Clone(m)
		for name := range m {
			if f, _ := w.s.Field(name); f.Source != "" {
				delete(out, name)
			}
		}
		return out
	}
	return ok && reflect.DeepEqual(own(doc), own(shown))
}
