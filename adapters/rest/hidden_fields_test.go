package rest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// TestHiddenFieldsAreUnreachable tries to read every field that an actor may not see in every way: responses
// at any depth, where, sort and select, directly and through relations. Rule access-22.
func TestHiddenFieldsAreUnreachable(t *testing.T) {
	b := newSQLiteHarness(t)
	there := b.seed(b.shop.Tenant, "treasure", nil)
	b.secret(200, "PATCH", "/api/products/"+there["products"].ID(), `{"status":"published"}`) // so that shoppers see a record
	actors := b.actors()
	for actor, audience := range map[string]collection.Audience{
		"client-key": collection.Everyone, "customer": collection.Everyone, "secret-key": collection.Staff,
		"tenant-viewer": collection.Staff, "platform-admin": collection.Staff,
	} {
		t.Run(actor, func(t *testing.T) {
			s := visibilityProbe{b, t, audience, actors[actor]}
			for _, schema := range b.registry.All() {
				s.responses(schema, there[schema.Slug].ID())
				s.queries(schema)
				s.overGraphQL(schema)
			}
		})
	}
}

// visibilityProbe is an actor who tries to read fields without permission.
type visibilityProbe struct {
	*harness

	t        *testing.T
	audience collection.Audience
	headers  []string
}

func (s visibilityProbe) get(path string) answer {
	s.t.Helper()
	a := s.request("GET", "/api/"+path, "", s.headers...)
	if a.status >= 500 {
		s.t.Errorf("%s: %d %s", path, a.status, a.raw)
	}
	return a
}

// responses checks every field of responses.
func (s visibilityProbe) responses(schema *collection.Schema, id string) {
	for _, path := range []string{"?limit=500", "?limit=500&depth=10", "/" + id + "?depth=10"} {
		a := s.get(schema.Slug + path)
		for _, doc := range a.docs() {
			s.record(path, schema, doc)
		}
		if a.docs() == nil && a.status == 200 {
			s.record(path, schema, a.body)
		}
	}
}

// record checks one record and those embedded in it.
func (s visibilityProbe) record(path string, schema *collection.Schema, doc any) {
	record, _ := doc.(map[string]any)
	s.group(path+" "+schema.Slug, schema.AllFields(), record)
}

func (s visibilityProbe) group(path string, fields []collection.Field, in map[string]any) {
	for _, f := range fields {
		v, shown := in[f.Name]
		if shown && f.VisibleTo > s.audience {
			text, _ := json.Marshal(v)
			s.t.Errorf("%s shows %s: %s", path, f.Name, text)
		}
		list, isList := v.([]any)
		if !isList {
			list = []any{v}
		}
		for _, it := range list {
			object, isObject := it.(map[string]any)
			switch {
			case !isObject:
			case f.Kind.Related():
				s.record(path+"."+f.Name, s.registry.Get(f.Target()), object)
			case len(f.Fields) > 0:
				s.group(path+"."+f.Name, f.Fields, object)
			}
		}
	}
}

// queries filters and sorts by every hidden field, and by those of related records.
func (s visibilityProbe) queries(schema *collection.Schema) {
	s.queryFields(schema.Slug, "", schema.AllFields(), true)
	for _, f := range schema.AllFields() {
		if f.Kind.Related() {
			s.queryFields(schema.Slug, f.Name+".", s.registry.Get(f.Target()).AllFields(), false)
		}
	}
}

func (s visibilityProbe) queryFields(slug, prefix string, fields []collection.Field, direct bool) {
	for _, f := range fields {
		if f.VisibleTo <= s.audience {
			if len(f.Fields) > 0 {
				s.queryFields(slug, prefix+f.Name+".", f.Fields, false)
			}
			continue
		}
		at := prefix + f.Name
		queries := []string{
			"sort=-" + at, "where[" + at + "][equals]=1", "where[" + at + "][exists]=true", "where[or][0][" + at + "][like]=1",
		}
		if direct {
			queries = append(queries, "select["+f.Name+"]=true")
		}
		for _, q := range queries {
			a := s.get(slug + "?" + q)
			if a.status == 200 || strings.Contains(a.raw, "treasure") {
				s.t.Errorf("%s?%s: %d %s", slug, q, a.status, a.raw)
			}
			if !strings.HasPrefix(q, "where") {
				continue
			}
			if n := s.get(slug + "/count?" + q); n.status == 200 {
				s.t.Errorf("%s/count?%s: %s", slug, q, n.raw)
			}
		}
	}
}
