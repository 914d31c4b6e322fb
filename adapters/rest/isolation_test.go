package rest_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// seeded is one record of each collection of one tenant.
type seeded map[string]collection.Record

// seed stores a record of every collection for t, bypassing all rules; every text contains word. Relations refer to the
// tenant's own seeded records, or to those in wrong if it has an entry.
func (b *harness) seed(t tenant.Settings, word string, wrong seeded) seeded {
	b.t.Helper()
	done := seeded{"tenants": {"id": string(t.ID)}}
	for range b.registry.All() { // as often as the longest chain of required relations can need
		for _, s := range b.registry.All() {
			if done[s.Slug] != nil || !seedable(s.Fields, done) {
				continue
			}
			input := sample(s.Fields, word, done, wrong)
			w := collection.InputParser{Schema: s, Currency: t.Currency, NewID: newID, Trusted: true}
			r, err := w.Merge(nil, input)
			if err != nil {
				b.t.Fatalf("%s: %v", s.Slug, err)
			}
			r["id"], r["tenant"] = newID(), string(t.ID)
			if s.PerEnvironment {
				r["environment"] = "live"
			}
			err = b.store.Atomically(b.t.Context(), ports.ForTenant(t.ID), func(ctx context.Context, tx ports.Tx) error {
				return tx.Records.Write(ctx, collection.NewChange(s, nil, r, newID(), b.content.Now()))
			})
			if err != nil {
				b.t.Fatalf("%s: %v", s.Slug, err)
			}
			done[s.Slug] = r
		}
	}
	if len(done) != len(b.registry.All()) {
		b.t.Fatalf("only %v can be seeded", slices.Sorted(maps.Keys(done)))
	}
	return done
}

// seedable reports whether every required relation has its target.
func seedable(fields []collection.Field, done seeded) bool {
	for _, f := range fields {
		if f.Required && f.Kind.Related() && done[f.Target()] == nil || f.Required && !seedable(f.Fields, done) {
			return false
		}
	}
	return true
}

// sample is an input with a value for every field.
func sample(fields []collection.Field, word string, done, wrong seeded) map[string]any {
	out := map[string]any{}
	for _, f := range fields {
		if f.Source == "" && f.Name != "id" && f.Name != "erasingSince" && f.Name != "erasedAt" { // nobody was erased
			if v := sampleValue(f, word, done, wrong); v != nil {
				out[f.Name] = v
			}
		}
	}
	return out
}

func sampleValue(f collection.Field, word string, done, wrong seeded) any {
	switch f.Kind {
	case collection.Relation, collection.Upload, collection.RelationMany, collection.UploadMany:
		target := done[f.Target()]
		if wrong[f.Target()] != nil {
			target = wrong[f.Target()]
		}
		if target == nil {
			return nil
		}
		if f.Kind.Many() {
			return []any{target.ID()}
		}
		return target.ID()
	case collection.Number, collection.Integer, collection.Money:
		return collection.JSONNumber("1")
	case collection.Boolean:
		return true
	case collection.Date:
		return "2026-01-01"
	case collection.Email:
		return word + "@people.example"
	case collection.Select:
		return f.Options[0]
	case collection.Selects:
		return []any{f.Options[0]}
	case collection.Group:
		return sample(f.Fields, word, done, wrong)
	case collection.Array:
		return []any{sample(f.Fields, word, done, wrong)}
	case collection.JSON, collection.RichText:
		if f.Name == collection.TranslationsName {
			return nil // the shop has one language
		}
		return map[string]any{"note": word}
	default: // the rest is text
	}
	text := word
	if f.MaxLength > 0 && f.MaxLength < len(word) {
		text = "KRW"[:min(3, f.MaxLength)]
	}
	if f.URLKind != collection.AnyText {
		text = "https://" + word + ".example"
	}
	if f.Kind == collection.Texts {
		return []any{text}
	}
	return text
}

// isolationProbe tries to reach another tenant's records of a collection by their ids and texts.
type isolationProbe struct {
	*harness

	t       *testing.T
	s       *collection.Schema
	theirs  seeded
	mine    seeded
	headers []string
}

// TestIsolationMatrix tries every collection and every kind of access with a second tenant's records. Decision 26.
func TestIsolationMatrix(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		theirs := b.seed(b.other.Tenant, "theirscanary", nil)
		mine, mutations := b.seed(b.shop.Tenant, "minepearl", nil), b.mutations()
		bearer, _ := b.login()
		for actor, headers := range map[string][]string{
			"secret key": {"X-API-Key", b.shop.SecretKey}, "admin": {"Authorization", bearer},
			"client key": {"X-Client-Key", b.shop.ClientKey},
		} {
			for _, s := range b.registry.All() {
				t.Run(actor+"/"+s.Slug, func(t *testing.T) {
					r := isolationProbe{b, t, s, theirs, mine, append([]string{"X-Request-Id", "same"}, headers...)}
					r.byID()
					r.byQuery()
					r.byPath()
					r.byLink()
					r.overGraphQL(mutations)
				})
			}
		}
		for slug, r := range theirs {
			s := b.registry.Get(slug)
			now, err := b.store.Read(ports.ForTenant(b.other.Tenant.ID)).Get(t.Context(), s, r.ID())
			if err != nil || slug != "tenants" && now.Sequence() != 1 {
				t.Errorf("%s of the other tenant was touched: %v, %v", slug, now, err)
			}
		}
	})
}

func (r isolationProbe) do(method, path, body string) answer {
	r.t.Helper()
	a := r.request(method, "/api/"+r.s.Slug+path, body, r.headers...)
	low := strings.ToLower(a.raw)
	if a.status >= 500 || a.status != 400 && strings.Contains(low, "canary") { // a 400 repeats the input
		r.t.Errorf("%s %s %s: %d %s", method, path, body, a.status, a.raw)
	}
	for slug, t := range r.theirs {
		if strings.Contains(a.raw, t.ID()) {
			r.t.Errorf("%s %s %s reveals the id of their %s: %s", method, path, body, slug, a.raw)
		}
	}
	return a
}

// same requests their id and an unknown one: the answers must be indistinguishable.
func (r isolationProbe) same(method, path, body string) {
	r.t.Helper()
	id := r.theirs[r.s.Slug].ID()
	a := r.do(method, strings.ReplaceAll(path, "{id}", id), strings.ReplaceAll(body, "{id}", id))
	z := r.do(method, strings.ReplaceAll(path, "{id}", missingID), strings.ReplaceAll(body, "{id}", missingID))
	if a.status != z.status || a.raw != z.raw {
		r.t.Errorf("%s %s %s: theirs %d %s, missing %d %s", method, path, body, a.status, a.raw, z.status, z.raw)
	}
	if method != "GET" && a.status < 400 {
		r.t.Errorf("%s %s %s: %d %s", method, path, body, a.status, a.raw)
	}
}

func (r isolationProbe) byID() {
	own := r.do("GET", "/"+r.mine[r.s.Slug].ID(), "")
	if own.status != 200 && r.headers[2] == "Authorization" && r.s != team.UserPreferences { // which are their user's alone
		r.t.Errorf("an admin does not see a record of the own tenant: %d %s", own.status, own.raw)
	}
	r.same("GET", "/{id}", "")
	r.same("GET", "/{id}?depth=3", "")
	r.same("PATCH", "/{id}", `{}`)
	r.same("DELETE", "/{id}", "")
	r.same("GET", "?where[id][equals]={id}", "")
	r.same("GET", "?where[id][in]={id}", "")
	r.same("GET", "/count?where[id][equals]={id}", "")
	r.same("GET", "?where[tenant][equals]={id}", "")
	for _, method := range []string{"PATCH", "DELETE"} {
		if a := r.do(method, "?where[id][equals]="+r.theirs[r.s.Slug].ID(), `{}`); len(a.docs()) > 0 {
			r.t.Errorf("%s of many: %s", method, a.raw)
		}
	}
}

// byQuery filters every field by their texts, and sorts by every field.
func (r isolationProbe) byQuery() {
	r.do("GET", "?limit=500", "")
	r.do("GET", "?limit=500&depth=10", "")
	for _, f := range r.s.Fields {
		r.do("GET", "?depth=1&sort="+f.Name, "")
		r.do("GET", "?where["+f.Name+"][exists]=true&depth=1", "")
		r.do("GET", "?where["+f.Name+"][not_equals]=x&depth=1", "")
		for _, op := range []string{"equals", "contains", "like", "in"} {
			path := "where[" + f.Name + "][" + op + "]=theirscanary"
			a := r.do("GET", "?"+path, "")
			n := r.do("GET", "/count?"+path, "")
			if len(a.docs()) > 0 || n.status == 200 && n.body["totalDocs"] != 0.0 {
				r.t.Errorf("%s: %s %s", path, a.raw, n.raw)
			}
		}
	}
}

// byPath filters by their records through every relation.
func (r isolationProbe) byPath() {
	for _, f := range r.s.AllFields() {
		if !f.Kind.Related() {
			continue
		}
		target := r.registry.Get(f.Target())
		there := r.theirs[target.Slug].ID()
		for _, path := range []string{"where[" + f.Name + "][equals]=" + there, "where[" + f.Name + ".id][equals]=" + there} {
			if a := r.do("GET", "?"+path, ""); len(a.docs()) > 0 {
				r.t.Errorf("%s: %s", path, a.raw)
			}
		}
		for _, g := range target.Fields {
			path := "where=" + url.QueryEscape(`{"`+f.Name+`.`+g.Name+`":{"equals":"theirscanary"}}`)
			if a := r.do("GET", "?"+path+"&sort="+f.Name+"."+g.Name, ""); len(a.docs()) > 0 {
				r.t.Errorf("%s.%s: %s", f.Name, g.Name, a.raw)
			}
		}
	}
}

// byLink writes a relation to their record into mine, and into a new one.
func (r isolationProbe) byLink() {
	for _, f := range r.s.Fields {
		if !f.Kind.Related() {
			continue
		}
		id := r.theirs[f.Target()].ID()
		write := func(id string) (update, create answer) {
			v := any(id)
			if f.Kind.Many() {
				v = []any{id}
			}
			body, _ := json.Marshal(map[string]any{f.Name: v})
			return r.do("PATCH", "/"+r.mine[r.s.Slug].ID(), string(body)), r.do("POST", "", string(body))
		}
		u, c := write(id)
		zu, zc := write(missingID)
		if u.status < 400 || c.status < 400 || u.raw != zu.raw || c.raw != zc.raw {
			r.t.Errorf("%s: theirs %d %s %d %s, missing %s %s", f.Name, u.status, u.raw, c.status, c.raw, zu.raw, zc.raw)
		}
	}
}

// overGraphQL reads, writes and refers to their record and to a missing one, in every way.
func (r isolationProbe) overGraphQL(mutations map[string]bool) {
	one, list := r.s.Singular, r.s.Plural
	if list == one {
		list = "all" + list
	}
	documents := []string{
		`{ ` + one + `(id: "{id}") { id } }`,
		`{ ` + list + `(where: {id: {equals: "{id}"}}) { docs { id } totalDocs } }`,
		`{ ` + list + `(where: {OR: [{id: {in: ["{id}"]}}]}) { docs { id } totalDocs } }`,
		`{ count` + list + `(where: {id: {equals: "{id}"}}) { totalDocs } }`,
	}
	if name := "update" + one; mutations[name] {
		documents = append(documents, `mutation { `+name+`(id: "{id}", data: {}) { id } }`)
	}
	if name := "delete" + one; mutations[name] {
		documents = append(documents, `mutation { `+name+`(id: "{id}") { id } }`)
	}
	for _, d := range documents {
		r.sameDocument(d, r.theirs[r.s.Slug].ID(), `"id":"`)
	}
	for _, f := range r.s.Fields {
		if !f.Kind.Related() {
			continue
		}
		there, op := r.theirs[f.Target()].ID(), "equals"
		if f.Kind.Many() {
			op = "contains"
		}
		r.sameDocument(`{ `+list+`(where: {`+f.Name+`: {`+op+`: "{id}"}}) { docs { id `+f.Name+` { id } } } }`, there, `"id":"`)
		if name := "update" + one; mutations[name] && !f.ReadOnly && !r.s.CommandOnly {
			v := `"{id}"`
			if f.Kind.Many() {
				v = "[" + v + "]"
			}
			r.sameDocument(`mutation { `+name+`(id: "`+r.mine[r.s.Slug].ID()+`", data: {`+f.Name+`: `+v+`}) { `+f.Name+` { id } } }`, there,
				`"`+f.Name+`":{`)
		}
	}
}

// sameDocument is same for a document; success is a text that only a successful response contains.
func (r isolationProbe) sameDocument(text, id, success string) {
	r.t.Helper()
	request := func(id string) answer {
		return r.graphql(200, document(strings.ReplaceAll(text, "{id}", id)), r.headers...)
	}
	a, z := request(id), request(missingID)
	if a.raw != z.raw || strings.Contains(a.raw, success) || strings.Contains(strings.ToLower(a.raw), "canary") {
		r.t.Errorf("%s: theirs %s, missing %s", text, a.raw, z.raw)
	}
}

// A record that refers to another tenant's records because of a defect still reveals nothing of them.
func TestCrossTenantRelationReadsNull(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		theirs := b.seed(b.other.Tenant, "theirscanary", nil)
		wrong := maps.Clone(theirs)
		delete(wrong, "tenants")
		mine := b.seed(b.shop.Tenant, "minepearl", wrong)
		bearer, _ := b.login()
		for _, s := range b.registry.All() {
			paths := []string{"?depth=10", "/" + mine[s.Slug].ID() + "?depth=10"}
			for _, f := range s.Fields {
				if !f.Kind.Related() || f.Target() == "tenants" {
					continue
				}
				for _, g := range b.registry.Get(f.Target()).Fields {
					paths = append(paths, "?depth=1&sort="+f.Name+"."+g.Name)
					if found := b.request("GET", "/api/"+s.Slug+"?where["+f.Name+"."+g.Name+"][equals]=theirscanary",
						"", "Authorization", bearer); len(found.docs()) > 0 {
						t.Errorf("%s.%s.%s is found: %s", s.Slug, f.Name, g.Name, found.raw)
					}
				}
			}
			for _, path := range paths {
				a := b.request("GET", "/api/"+s.Slug+path, "", "Authorization", bearer)
				if a.status >= 500 || strings.Contains(strings.ToLower(a.raw), "canary") {
					t.Errorf("%s%s: %d %s", s.Slug, path, a.status, a.raw)
				}
			}
		}
	})
}
