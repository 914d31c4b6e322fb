package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// checkEventLog holds every record that a server has, or had, against the events that tell of it: whatever road a change came
// by, it left exactly one, with what it changed, what was before and what was after. It is asked once the features were
// played, which take every road there is: single records and many at once, GraphQL, carts, placements, imports, sweepers.
func checkEventLog(t *testing.T, k *core) {
	t.Helper()
	a := &eventLogChecker{t: t, ctx: context.WithoutCancel(t.Context()), core: k, histories: map[string]*recordHistory{}, at: map[tenant.ID]int64{}}
	records := a.records() // first: what changes meanwhile has its events, too
	shops, err := ports.FindAll(a.ctx, k.store.Read(ports.Scope{System: true}), collection.Query{Schema: k.registry.Get("tenants")})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range shops {
		a.read(tenant.ID(r.ID()))
	}
	for _, r := range records {
		a.wait(r)
		a.compare(r)
	}
	if len(a.histories) < len(records) || len(records) == 0 {
		t.Errorf("%d records, events of %d", len(records), len(a.histories))
	}
	t.Logf("%d events of %d records, %d of which are there", a.events, len(a.histories), len(records))
}

// eventLogChecker is what the log told so far.
type eventLogChecker struct {
	*core

	t         *testing.T
	ctx       context.Context           //nolint:containedctx // it is asked after the test, when that one's own has ended
	histories map[string]*recordHistory // by tenant, collection and id
	at        map[tenant.ID]int64
	events    int
	failed    int
}

// recordHistory is what was told of one record.
type recordHistory struct {
	sequence int64
	docs     map[int64]map[string]any // by recordSequence, those that somebody may ask for
	latest   map[string]any           // nil: it is gone
}

// storedRecord is a record as the database has it.
type storedRecord struct {
	collection.Record

	schema *collection.Schema
}

func (r storedRecord) key() string { return r.Text("tenant") + " " + r.schema.Slug + " " + r.ID() }

func (a *eventLogChecker) records() (all []storedRecord) {
	a.t.Helper()
	for _, s := range a.registry.All() {
		if s.NoEvents {
			continue // what it tells is no event
		}
		found, err := ports.FindAll(a.ctx, a.store.Read(ports.Scope{System: true}), collection.Query{Schema: s})
		if err != nil {
			a.t.Fatal(err)
		}
		for _, r := range found {
			all = append(all, storedRecord{r, s})
		}
	}
	return all
}

// failf says what is wrong, some times.
func (a *eventLogChecker) failf(format string, args ...any) {
	a.t.Helper()
	if a.failed++; a.failed <= 20 {
		a.t.Errorf(format, args...)
	}
}

// read reads on in a shop's log.
func (a *eventLogChecker) read(of tenant.ID) {
	a.t.Helper()
	for {
		page, err := a.store.EventLog().Events(a.ctx, ports.EventQuery{Tenant: of, After: a.at[of], Limit: 500})
		if err != nil {
			a.t.Fatal(err)
		}
		for i := range page.Events {
			e := &page.Events[i]
			if a.at[of]++; e.Sequence != a.at[of] {
				a.t.Fatalf("number %d follows %d", e.Sequence, a.at[of]-1)
			}
			a.apply(e)
		}
		if a.at[of] = page.Next; !page.More() {
			return
		}
	}
}

// apply holds an event against the one before it.
func (a *eventLogChecker) apply(e *ports.Event) {
	a.events++
	key := string(e.Tenant) + " " + e.Collection + " " + e.Record
	l := a.histories[key]
	if l == nil {
		l = &recordHistory{docs: map[int64]map[string]any{}}
		a.histories[key] = l
	}
	if l.sequence++; e.RecordSequence != l.sequence {
		a.failf("%s: change %d follows %d", key, e.RecordSequence, l.sequence-1)
		l.sequence = e.RecordSequence
	}
	var body struct{ Data, Doc, PreviousDoc map[string]any }
	d := json.NewDecoder(bytes.NewReader(e.Body))
	d.UseNumber()
	if err := d.Decode(&body); err != nil {
		a.failf("%s: %v: %s", key, err, e.Body)
		return
	}
	s := a.registry.Get(e.Collection)
	for _, part := range []map[string]any{body.Data, body.Doc, body.PreviousDoc} {
		hidden(part, s.Fields, func(name string) { a.failf("%s shows %s", key, name) })
	}
	switch {
	case e.Operation == collection.Created && l.latest == nil && body.PreviousDoc == nil && reflect.DeepEqual(body.Data, body.Doc):
	case e.Operation == collection.Updated && l.latest != nil && sameJSON(s, body.PreviousDoc, l.latest) && reflect.DeepEqual(body.Data, changed(s, body.PreviousDoc, body.Doc, body.Data)):
	case e.Operation == collection.Deleted && l.latest != nil && body.Doc == nil && body.PreviousDoc == nil && sameJSON(s, body.Data, l.latest):
	default:
		a.failf("%s: %s %d after %v: %s", key, e.Operation, e.RecordSequence, l.latest, e.Body)
	}
	if env := body.Doc["environment"]; env != nil && env != string(e.Environment) {
		a.failf("%s of %v is told in %q", key, env, e.Environment)
	}
	l.latest, l.docs[e.RecordSequence] = body.Doc, body.Doc
	delete(l.docs, e.RecordSequence-8) // what is asked for is among the last ones
}

// hidden calls bad for each field that nobody may see and is shown.
func hidden(doc map[string]any, fields []collection.Field, bad func(name string)) {
	for _, f := range fields {
		v, there := doc[f.Name]
		if there && f.VisibleTo == collection.ServerOnly {
			bad(f.Name)
		}
		switch v := v.(type) {
		case map[string]any:
			hidden(v, f.Fields, bad)
		case []any:
			for _, row := range v {
				if below, ok := row.(map[string]any); ok {
					hidden(below, f.Fields, bad)
				}
			}
		}
	}
}

// withoutComputed is doc without computed fields, which say what somebody saw at that moment, and without what is empty.
func withoutComputed(s *collection.Schema, doc map[string]any) map[string]any {
	out := maps.Clone(doc)
	for name, v := range doc {
		f, _ := s.Field(name)
		if list, ok := v.([]any); v == nil || f.Source != "" || ok && len(list) == 0 {
			delete(out, name)
		}
	}
	return out
}

func sameJSON(s *collection.Schema, a, b map[string]any) bool {
	return a != nil && b != nil && reflect.DeepEqual(withoutComputed(s, a), withoutComputed(s, b))
}

// changed are the members of after that before has not; of computed ones those that are told.
func changed(s *collection.Schema, before, after, told map[string]any) map[string]any {
	out := map[string]any{}
	was, is := withoutComputed(s, before), withoutComputed(s, after)
	for name, v := range after {
		f, _ := s.Field(name)
		_, tells := told[name]
		if name != "updatedAt" && !reflect.DeepEqual(was[name], is[name]) || f.Source != "" && tells {
			out[name] = v
		}
	}
	return out
}

// wait reads on until the last change of r is told. Events get their numbers a moment after their commit.
func (a *eventLogChecker) wait(r storedRecord) {
	a.t.Helper()
	for began := time.Now(); a.histories[r.key()] == nil || a.histories[r.key()].sequence < r.Sequence(); a.read(tenant.ID(r.Text("tenant"))) {
		if time.Since(began) > patience {
			a.t.Fatalf("%s: change %d is not told", r.key(), r.Sequence())
		}
	}
}

// compare holds r against what was told of its last change.
func (a *eventLogChecker) compare(r storedRecord) {
	a.t.Helper()
	var now map[string]any
	d := json.NewDecoder(bytes.NewReader(collection.AppendJSON(nil, r.schema, r.Record, collection.View{Audience: collection.Staff})))
	d.UseNumber()
	if err := d.Decode(&now); err != nil {
		a.t.Fatal(err)
	}
	l := a.histories[r.key()]
	doc, there := l.docs[r.Sequence()]
	if there && !sameJSON(r.schema, doc, now) {
		a.failf("%s is %v, its last event tells %v", r.key(), slices.Sorted(maps.Keys(changed(r.schema, doc, now, nil))), doc)
	}
	if !there && l.sequence-r.Sequence() < 8 {
		a.failf("%s: change %d of %d was not told", r.key(), r.Sequence(), l.sequence)
	}
}

// Everything there is in a new shop was announced, too: what it is founded with, and the goods of the demo.
func TestNewShopEmitsEventForEveryRecord(t *testing.T) {
	t.Parallel()
	c := testDefaults()
	c.Address, c.Data = "127.0.0.1:0", t.TempDir()
	log, _ := captureLog(t)
	s := running(t, c, time.Now, log)
	if s.NewCredentials == nil {
		t.Fatal("there is no demo")
	}
	checkEventLog(t, s.core)
}
