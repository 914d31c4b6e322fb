package program

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

// checkEventLog compares every record of a server, also deleted ones, with its events: every change must have exactly
// one, with the changed fields and the document before and after. It runs after the features, which make changes in
// every way: single records and bulk writes, GraphQL, carts, placements, imports, sweeps.
func checkEventLog(t *testing.T, k *core) {
	t.Helper()
	a := &eventLogChecker{
		t: t, ctx: context.WithoutCancel(t.Context()), core: k, histories: map[string]*recordHistory{}, at: map[tenant.ID]int64{},
	}
	records := a.records() // first, so that changes made meanwhile have their events when these are read
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
		t.Errorf("there are %d records, but events of %d", len(records), len(a.histories))
	}
	t.Logf("%d events of %d records, %d of which exist", a.events, len(a.histories), len(records))
}

// eventLogChecker is what the event log contains, as far as it was read.
type eventLogChecker struct {
	*core

	t         *testing.T
	ctx       context.Context           //nolint:containedctx // the check runs in a cleanup, when the context of the test has ended
	histories map[string]*recordHistory // by tenant, collection and id
	at        map[tenant.ID]int64       // sequence of the last event that was read
	events    int
	failed    int
}

// recordHistory is what the events of one record contain.
type recordHistory struct {
	sequence int64
	docs     map[int64]map[string]any // by recordSequence, the last few
	latest   map[string]any           // nil: deleted
}

// storedRecord is a record in the database.
type storedRecord struct {
	collection.Record

	schema *collection.Schema
}

func (r storedRecord) key() string { return r.Text("tenant") + " " + r.schema.Slug + " " + r.ID() }

func (a *eventLogChecker) records() (all []storedRecord) {
	a.t.Helper()
	for _, s := range a.registry.All() {
		if s.NoEvents {
			continue
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

// failf reports a difference, up to twenty of them.
func (a *eventLogChecker) failf(format string, args ...any) {
	a.t.Helper()
	if a.failed++; a.failed <= 20 {
		a.t.Errorf(format, args...)
	}
}

// read reads the new events of a tenant.
func (a *eventLogChecker) read(id tenant.ID) {
	a.t.Helper()
	for {
		page, err := a.store.EventLog().Events(a.ctx, ports.EventQuery{Tenant: id, After: a.at[id], Limit: 500})
		if err != nil {
			a.t.Fatal(err)
		}
		for i := range page.Events {
			e := &page.Events[i]
			if a.at[id]++; e.Sequence != a.at[id] {
				a.t.Fatalf("event %d follows event %d", e.Sequence, a.at[id]-1)
			}
			a.apply(e)
		}
		if a.at[id] = page.Next; !page.More() {
			return
		}
	}
}

// apply compares an event with the previous one of its record.
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
		eachServerOnlyField(part, s.Fields, func(name string) { a.failf("an event of %s contains the server-only field %s", key, name) })
	}
	switch {
	case e.Operation == collection.Created && l.latest == nil && body.PreviousDoc == nil && reflect.DeepEqual(body.Data, body.Doc):
	case e.Operation == collection.Updated && l.latest != nil && sameJSON(s, body.PreviousDoc, l.latest) &&
		reflect.DeepEqual(body.Data, changed(s, body.PreviousDoc, body.Doc, body.Data)):
	case e.Operation == collection.Updated && l.latest != nil && isErased(s, e.Record, body.PreviousDoc) &&
		sameJSON(s, erased(s.Fields, e.Record, body.PreviousDoc), erased(s.Fields, e.Record, l.latest)): // since it was read, or written
	case e.Operation == collection.Deleted && l.latest != nil && body.Doc == nil && body.PreviousDoc == nil &&
		sameJSON(s, body.Data, l.latest):
	default:
		a.failf("%s: %s %d after %v: %s", key, e.Operation, e.RecordSequence, l.latest, e.Body)
	}
	if env := body.Doc["environment"]; env != nil && env != string(e.Environment) {
		a.failf("%s of environment %v has an event of environment %q", key, env, e.Environment)
	}
	l.latest, l.docs[e.RecordSequence] = body.Doc, body.Doc
	delete(l.docs, e.RecordSequence-8) // compare needs only the last ones
}

// isErased reports whether nothing personal is in the document of a record.
func isErased(s *collection.Schema, id string, doc map[string]any) bool {
	return doc != nil && reflect.DeepEqual(erased(s.Fields, id, doc), doc)
}

// erased is the document of a record as the erasure of its person leaves it.
func erased(fields []collection.Field, id string, doc map[string]any) map[string]any {
	out := maps.Clone(doc)
	for i := range fields {
		f := &fields[i]
		switch v := doc[f.Name].(type) {
		case nil:
		case map[string]any:
			if f.Kind == collection.Group {
				out[f.Name] = erased(f.Fields, id, v)
			} else if f.Personal {
				out[f.Name] = f.ErasedValue(id)
			}
		case []any:
			rows := slices.Clone(v)
			for at, row := range rows {
				if below, ok := row.(map[string]any); ok && f.Kind == collection.Array {
					rows[at] = erased(f.Fields, id, below)
				}
			}
			if out[f.Name] = rows; f.Personal {
				out[f.Name] = []any{}
			}
		default:
			if f.Personal {
				out[f.Name] = f.ErasedValue(id)
			}
		}
	}
	return out
}

// eachServerOnlyField calls fn for each field of doc that no API may show.
func eachServerOnlyField(doc map[string]any, fields []collection.Field, fn func(name string)) {
	for _, f := range fields {
		v, ok := doc[f.Name]
		if ok && f.VisibleTo == collection.ServerOnly {
			fn(f.Name)
		}
		switch v := v.(type) {
		case map[string]any:
			eachServerOnlyField(v, f.Fields, fn)
		case []any:
			for _, row := range v {
				if below, ok := row.(map[string]any); ok {
					eachServerOnlyField(below, f.Fields, fn)
				}
			}
		}
	}
}

// withoutComputed is doc without empty values and computed fields, whose values depend on when they are read.
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

// changed are the members of after that differ from before, and the computed ones that are in data.
func changed(s *collection.Schema, before, after, data map[string]any) map[string]any {
	out := map[string]any{}
	storedBefore, storedAfter := withoutComputed(s, before), withoutComputed(s, after)
	for name, v := range after {
		f, _ := s.Field(name)
		_, inData := data[name]
		if name != "updatedAt" && !reflect.DeepEqual(storedBefore[name], storedAfter[name]) || f.Source != "" && inData {
			out[name] = v
		}
	}
	return out
}

// wait reads events until the one of r's last change. Events are numbered a moment after their commit.
func (a *eventLogChecker) wait(r storedRecord) {
	a.t.Helper()
	for began := time.Now(); a.histories[r.key()] == nil ||
		a.histories[r.key()].sequence < r.Sequence(); a.read(tenant.ID(r.Text("tenant"))) {
		if time.Since(began) > patience {
			a.t.Fatalf("%s: change %d has no event", r.key(), r.Sequence())
		}
	}
}

// compare compares r with the event of its last change.
func (a *eventLogChecker) compare(r storedRecord) {
	a.t.Helper()
	var now map[string]any
	d := json.NewDecoder(bytes.NewReader(collection.AppendJSON(nil, r.schema, r.Record, collection.View{Audience: collection.Staff})))
	d.UseNumber()
	if err := d.Decode(&now); err != nil {
		a.t.Fatal(err)
	}
	l := a.histories[r.key()]
	doc, ok := l.docs[r.Sequence()]
	if ok && !sameJSON(r.schema, doc, now) {
		a.failf("%s differs in %v from its last event %v", r.key(), slices.Sorted(maps.Keys(changed(r.schema, doc, now, nil))), doc)
	}
	if !ok && l.sequence-r.Sequence() < 8 {
		a.failf("%s: change %d of %d has no event", r.key(), r.Sequence(), l.sequence)
	}
}

// The records that a new tenant begins with, and those of the demo shop, have events, too.
func TestNewShopEmitsEventForEveryRecord(t *testing.T) {
	t.Parallel()
	c := testDefaults()
	c.Address, c.Data = "127.0.0.1:0", t.TempDir()
	log, _ := captureLog(t)
	s := startServer(t, c, time.Now, log)
	if s.NewCredentials == nil {
		t.Fatal("the server has no demo shop")
	}
	checkEventLog(t, s.core)
}
