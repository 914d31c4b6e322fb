package portstest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The collections of the suites of events: one of both environments, one of each environment whose events are kept, and one of
// frequent updates.
var (
	notes = &collection.Schema{Slug: "notes", Singular: "Note", Plural: "Notes", Fields: []collection.Field{
		{Name: "name", Kind: collection.Text}, {Name: "secret", Kind: collection.Text, VisibleTo: collection.ServerOnly}}}
	trials  = &collection.Schema{Slug: "trials", Singular: "Trial", Plural: "Trials", PerEnvironment: true, KeepsHistory: true, Fields: notes.Fields}
	baskets = &collection.Schema{
		Slug: "baskets", Singular: "Basket", Plural: "Baskets", PerEnvironment: true, FrequentlyUpdated: true, Fields: notes.Fields,
	}
)

// EventSchemas are the collections that the suites of events write.
func EventSchemas() []*collection.Schema { return []*collection.Schema{notes, trials, baskets} }

// EventLogFixture is a store of EventSchemas with its log.
type EventLogFixture struct {
	Store ports.Store
	// Logs read the events of Store. One is enough; several, with different bounds of a page, are all checked.
	Logs []ports.EventLog
	// Number returns once every committed event has its number; nil where an event has it with its commit.
	Number func(t *testing.T)
}

// settle has all events numbered and gives those of w the numbers that they got: events of several records that were
// committed since the last time may stand in any order, as long as those of each record keep theirs.
func (f EventLogFixture) settle(t *testing.T, w *eventWriter) {
	t.Helper()
	if f.Number != nil {
		f.Number(t)
	}
	pending := map[string]ports.Event{}
	for _, e := range w.log[w.settled:] {
		pending[e.ID] = e
	}
	last := map[string]int64{}
	for i, got := range readLog(t, f.Logs[0], ports.EventQuery{Tenant: w.id, After: int64(w.settled), Limit: 100}) {
		want := pending[got.ID]
		delete(pending, got.ID)
		if want.Sequence = int64(w.settled + i + 1); !sameEvent(got, want) || got.RecordSequence <= last[got.Record] {
			t.Fatalf("the log has\n%swant\n%s", showEvents(got), showEvents(want))
		}
		last[got.Record], w.log[w.settled+i] = got.RecordSequence, want
	}
	if w.settled = len(w.log); len(pending) > 0 {
		t.Fatalf("%d events are not in the log", len(pending))
	}
}

// EventLog checks ports.EventLog of the stores that open makes.
func EventLog(t *testing.T, open func(t *testing.T) EventLogFixture) {
	f := open(t)
	t.Run("a tenant without events has an empty log", f.testEmpty)
	t.Run("each change is one event that shows what staff may see", f.testBodies)
	t.Run("a change that was rolled back has no event and no number", f.testRollback)
	t.Run("a record's history tells its changes and no other's", f.testHistory)
	t.Run("the pages of every query add up to its part of the log", f.testPages)
	t.Run("whoever follows the log meets every event once, in order", f.testFollow)
}

// readLog reads the log to its end, page by page.
func readLog(t *testing.T, log ports.EventLog, q ports.EventQuery) (all []ports.Event) {
	t.Helper()
	for {
		p, err := log.Events(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		stuck := p.Next <= q.After || p.Next > p.Last
		if q.Descending {
			stuck = q.Before > 0 && p.Next >= q.Before
		}
		if len(p.Events) > q.Limit || stuck && p.More() {
			t.Fatalf("after %d: %d events, next %d of %d", q.After, len(p.Events), p.Next, p.Last)
		}
		for _, e := range p.Events {
			examined := e.Sequence > q.After && e.Sequence <= p.Next
			if q.Descending {
				examined = e.Sequence >= p.Next && (q.Before == 0 || e.Sequence < q.Before)
			}
			if !examined {
				t.Fatalf("number %d on the page from %d, %d to %d", e.Sequence, q.After, q.Before, p.Next)
			}
		}
		if all = append(all, p.Events...); !p.More() {
			return all
		}
		if q.Descending {
			q.Before = p.Next
		} else {
			q.After = p.Next
		}
	}
}

// wantLog compares the whole log of the tenant with what was written.
func (f EventLogFixture) wantLog(t *testing.T, w *eventWriter) {
	t.Helper()
	f.settle(t, w)
	for _, log := range f.Logs {
		if got := readLog(t, log, ports.EventQuery{Tenant: w.id, Limit: 100}); !slices.EqualFunc(got, w.log, sameEvent) {
			t.Errorf("the log is\n%s\nwant\n%s", showEvents(got...), showEvents(w.log...))
		}
	}
}

func showEvents(all ...ports.Event) (text string) {
	for _, e := range all {
		text += fmt.Sprintf("%d %s %s %s %d %s %q %s %s\n", e.Sequence, e.ID, e.Operation, e.Record, e.RecordSequence, e.At, e.Environment,
			e.Tenant, e.Body)
	}
	return text
}

func (f EventLogFixture) testEmpty(t *testing.T) {
	id := freshTenant()
	for _, log := range f.Logs {
		for _, q := range []ports.EventQuery{
			{Tenant: id, Limit: 9}, {Tenant: id, Limit: 9, Environment: tenant.Live, Collections: []string{"notes"}},
		} {
			if p, err := log.Events(t.Context(), q); err != nil || len(p.Events) != 0 || p.Last != 0 || p.Next != 0 || p.More() {
				t.Errorf("%+v, %v", p, err)
			}
		}
		if n, err := log.TrimmedThrough(t.Context(), id); n != 0 || err != nil {
			t.Errorf("trimmed through %d, %v", n, err)
		}
		for _, ids := range [][]tenant.ID{nil, {id}} {
			if all, err := log.Newest(t.Context(), ids); len(all) != 0 || err != nil {
				t.Errorf("newest %v, %v", all, err)
			}
		}
	}
}

func (f EventLogFixture) testBodies(t *testing.T) {
	w := newEventWriter(t, f.Store)
	for i, schema := range EventSchemas() {
		id := schema.Slug + "0"
		for step, name := range []string{"},{\"name\":\"\\\n제주", "two", "two", "", "again", "and on"} {
			w.write(w.change(schema, id, name, 10*i+step))
		}
	}
	w.write(w.change(notes, "n1", "one", 100), w.change(trials, "t1", "one", 100), w.change(notes, "n1", "two", 100),
		w.change(notes, "n1", "", 100))
	f.wantLog(t, w)
}

func (f EventLogFixture) testRollback(t *testing.T) {
	w, failed := newEventWriter(t, f.Store), errors.New("failed")
	w.write(w.change(notes, "n0", "one", 0))
	change := collection.NewChange(notes, w.now["n0"], collection.Record{"id": "n0", "tenant": string(w.id), "name": "never"},
		"never", noon)
	err := inTx(t, f.Store, w.id, func(ctx context.Context, tx ports.Tx) error {
		return errors.Join(tx.Records.Write(ctx, change), failed)
	})
	expect(t, err, failed)
	f.settle(t, w)
	w.write(w.change(notes, "n0", "two", 1))
	f.wantLog(t, w)
}

// testPages: two tenants write records of the same ids in turns, and events are numbered in rounds of different sizes.
func (f EventLogFixture) testPages(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	writers := []*eventWriter{newEventWriter(t, f.Store), newEventWriter(t, f.Store)}
	for i := range 120 {
		w, schema := writers[dice.IntN(2)], EventSchemas()[dice.IntN(3)]
		id, name := schema.Slug+strconv.Itoa(dice.IntN(4)), strconv.Itoa(i)
		if w.now[id] != nil && dice.IntN(6) == 0 {
			name = ""
		}
		w.write(w.change(schema, id, name, i))
		if dice.IntN(9) == 0 {
			f.settle(t, w)
		}
	}
	want := map[tenant.ID]int64{}
	for _, w := range writers {
		f.wantLog(t, w)
		f.testQueries(t, w)
		want[w.id] = int64(len(w.log))
	}
	got, err := f.Logs[0].Newest(t.Context(), []tenant.ID{writers[0].id, freshTenant(), writers[1].id})
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("newest %v, %v, want %v", got, err, want)
	}
}

func (f EventLogFixture) testQueries(t *testing.T, w *eventWriter) {
	newest := int64(len(w.log))
	for _, q := range []ports.EventQuery{
		{}, {Environment: tenant.Live}, {Environment: tenant.Test}, {Collections: []string{"notes"}},
		{Collections: []string{"baskets"}, Environment: tenant.Test}, {Collections: []string{"trials", "notes"}, After: 7},
		{Collections: []string{"none"}}, {Collections: []string{}}, {After: newest}, {After: newest - 1},
		{Actor: "u1"}, {Actor: "u_2"}, {Actor: "user", Environment: tenant.Live}, {Actor: "system"}, {Actor: "anonymous"}, {Actor: "u"},
		{Actor: "toss", Collections: []string{"notes"}}, {Before: 9}, {Before: 9, After: 3}, {Before: 1}, {Before: newest + 9},
		{Actor: "u1", WithoutBodies: true}, {Collections: []string{"trials", "notes"}, WithoutBodies: true},
	} {
		for _, q.Descending = range []bool{false, true} {
			f.testQuery(t, w, q)
		}
	}
}

func (f EventLogFixture) testQuery(t *testing.T, w *eventWriter, q ports.EventQuery) {
	want := slices.DeleteFunc(slices.Clone(w.log), func(e ports.Event) bool {
		return e.Sequence <= q.After || q.Before > 0 && e.Sequence >= q.Before || !isOf(e, q.Environment, q.Actor) ||
			q.Collections != nil && !slices.Contains(q.Collections, e.Collection)
	})
	for i := range want {
		if q.WithoutBodies {
			want[i].Body = nil
		}
	}
	if q.Descending {
		slices.Reverse(want)
	}
	for i, log := range f.Logs {
		for _, limit := range []int{1, 2, 7, 100} {
			q.Tenant, q.Limit = w.id, limit
			if got := readLog(t, log, q); !slices.EqualFunc(got, want, sameEvent) {
				t.Errorf("log %d: %+v: %d events, want %d", i, q, len(got), len(want))
			}
		}
	}
}

// isOf reports whether an event belongs to an environment and an actor; "" is any.
func isOf(e ports.Event, env tenant.Environment, actor string) bool {
	return (env == "" || e.Environment == "" || e.Environment == env) && (actor == "" || actor == e.Actor.ID || actor == string(e.Actor.Kind))
}

// testHistory: each second has one change, but for those of one transaction, and events need no numbers.
func (f EventLogFixture) testHistory(t *testing.T) {
	w, other := newEventWriter(t, f.Store), newEventWriter(t, f.Store)
	for second, name := range []string{"one", "two", "", "back", "on", "again"} {
		w.write(w.change(notes, "n0", name, second), w.change(trials, "t0", "t"+name, second))
		w.write(w.change(trials, "t1", "t"+name, second))
		other.write(other.change(notes, "n0", name, second))
	}
	for _, q := range []ports.HistoryQuery{
		{Records: []string{"n0"}}, {Records: []string{"n0"}, After: 2}, {Records: []string{"n0"}, After: 1, Before: 4}, {Records: []string{"none"}},
		{Records: []string{"t1"}, Environment: tenant.Live}, {Records: []string{"t1"}, Environment: tenant.Test}, {Records: []string{"t0"}, Actor: "user"},
		{Records: []string{"n0", "t0", "t1"}}, {Records: []string{"n0", "t1"}, BeforeTime: noon.Add(3 * time.Second), BeforeID: ""},
		{Records: []string{"n0", "t0"}, BeforeTime: noon.Add(3 * time.Second), BeforeID: string(w.id) + "-e11"},
	} {
		for _, q.Descending = range []bool{false, true} {
			f.testHistoryQuery(t, w, q)
		}
	}
	f.settle(t, w)
	f.settle(t, other)
}

func (f EventLogFixture) testHistoryQuery(t *testing.T, w *eventWriter, q ports.HistoryQuery) {
	want := slices.DeleteFunc(slices.Clone(w.log), func(e ports.Event) bool {
		late := !q.BeforeTime.IsZero() && (e.At.After(q.BeforeTime) || e.At.Equal(q.BeforeTime) && e.ID >= q.BeforeID)
		return late || e.RecordSequence <= q.After || q.Before > 0 && e.RecordSequence >= q.Before || !isOf(e, q.Environment, q.Actor) ||
			!slices.Contains(q.Records, e.Record)
	})
	slices.SortStableFunc(want, func(a, b ports.Event) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	if q.Descending {
		slices.Reverse(want)
	}
	for i := range want {
		want[i].Sequence = 0
	}
	for i, log := range f.Logs {
		for _, limit := range []int{1, 100} {
			q.Tenant, q.Limit = w.id, limit
			got, err := log.History(t.Context(), q)
			if few := want[:min(limit, len(want))]; err != nil || !slices.EqualFunc(got, few, sameEvent) {
				t.Errorf("log %d: %+v:\n%s%v, want\n%s", i, q, showEvents(got...), err, showEvents(few...))
			}
		}
	}
}

// testFollow reads the log while eight writers write it: a number that was passed never comes later.
func (f EventLogFixture) testFollow(t *testing.T) {
	const writers, changes = 8, 12
	id := freshTenant()
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() { // each is a writer of its own records, all of one tenant
			var before collection.Record
			for n := range changes {
				after := collection.Record{"id": fmt.Sprint("n", i), "tenant": string(id), "name": strconv.Itoa(n)}
				c := collection.NewChange(notes, before, after, fmt.Sprint(id, "-", i, "-", n), noon)
				if err := inTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, c) }); err != nil {
					t.Error(err)
					return
				}
				before = c.After
			}
		})
	}
	last, records := int64(0), map[string]int64{}
	for last < writers*changes && !t.Failed() {
		if f.Number != nil {
			f.Number(t)
		}
		for _, e := range readLog(t, f.Logs[0], ports.EventQuery{Tenant: id, After: last, Limit: 7}) {
			if e.Sequence != last+1 || e.RecordSequence != records[e.Record]+1 {
				t.Errorf("number %d follows %d, change %d of %s follows change %d",
					e.Sequence, last, e.RecordSequence, e.Record, records[e.Record])
			}
			last, records[e.Record] = e.Sequence, e.RecordSequence
		}
	}
	all.Wait()
}
