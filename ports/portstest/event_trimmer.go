package portstest

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// EventTrimmerFixture is a log with what trims it.
type EventTrimmerFixture struct {
	EventLogFixture

	Trimmer ports.EventTrimmer
}

// EventTrimmer checks ports.EventTrimmer of the stores that open makes.
func EventTrimmer(t *testing.T, open func(t *testing.T) EventTrimmerFixture) {
	f := open(t)
	t.Run("a log without old events stays as it is", func(t *testing.T) {
		w := newEventWriter(t, f.Store)
		f.trim(t, w, 100, 0)
		w.write(w.change(notes, "n0", "one", 5), w.change(notes, "n1", "one", 6))
		f.settle(t, w)
		f.trim(t, w, 5, 0) // an event of that very time is not older
	})
	t.Run("old events leave in their order, and what is left reads as before", f.testOrder)
	t.Run("an old event behind a younger one stays", func(t *testing.T) {
		w := newEventWriter(t, f.Store)
		for i, second := range []int{1, 50, 2} {
			w.write(w.change(notes, "n"+strconv.Itoa(i), "one", second))
			f.settle(t, w)
		}
		f.trim(t, w, 10, 1)
		f.trim(t, w, 51, 3)
	})
	t.Run("a log that was trimmed to its end goes on with the next number", func(t *testing.T) {
		w := newEventWriter(t, f.Store)
		w.write(w.change(notes, "n0", "one", 1))
		f.settle(t, w)
		f.trim(t, w, 2, 1)
		f.trim(t, w, 2, 1)
		w.write(w.change(notes, "n0", "two", 3), w.change(notes, "n1", "one", 3))
		f.settle(t, w)
		f.trim(t, w, 2, 1)
	})
	t.Run("the history of orders and money stays", func(t *testing.T) {
		w := newEventWriter(t, f.Store)
		for second, name := range []string{"one", "two", "", "back", "on"} {
			w.write(w.change(trials, "t0", name, second), w.change(notes, "n0", name, second))
			f.settle(t, w)
		}
		f.trim(t, w, 4, 8)
		f.testHistoryQuery(t, w, ports.HistoryQuery{Records: []string{"t0"}})
		f.testHistoryQuery(t, w, ports.HistoryQuery{Records: []string{"n0"}, After: 4})
	})
	t.Run("many events leave in several calls", func(t *testing.T) {
		w := newEventWriter(t, f.Store)
		for i := range 30 {
			for n := range 8 {
				w.write(w.change(notes, "n"+strconv.Itoa(n), strconv.Itoa(i), i))
			}
			f.settle(t, w)
		}
		f.trim(t, w, 29, 29*8)
	})
}

// trim removes what happened before a second past noon, and checks that the log has lost its first events up
// to a number, and nothing else.
func (f EventTrimmerFixture) trim(t *testing.T, w *eventWriter, second int, through int64) {
	t.Helper()
	for calls := 0; ; calls++ {
		more, err := f.Trimmer.Trim(t.Context(), w.id, noon.Add(time.Duration(second)*time.Second))
		if err != nil || calls > len(w.log) {
			t.Fatalf("call %d: %v", calls+1, err)
		}
		if !more {
			break
		}
	}
	for _, log := range f.Logs {
		if n, err := log.TrimmedThrough(t.Context(), w.id); n != through || err != nil {
			t.Errorf("trimmed through %d, want %d, %v", n, through, err)
		}
		newest, err := log.Newest(t.Context(), []tenant.ID{w.id})
		if err != nil || newest[w.id] != int64(len(w.log)) {
			t.Errorf("newest %v, want %d, %v", newest, len(w.log), err)
		}
		for _, after := range []int64{0, through} {
			if got, want := readLog(t, log, ports.EventQuery{Tenant: w.id, After: after, Limit: 7}),
				w.log[through:]; !slices.EqualFunc(got, want, sameEvent) {
				t.Errorf("left after %d:\n%s\nwant\n%s", after, showEvents(got...), showEvents(want...))
			}
		}
	}
}

// testOrder: what later events show of the time before stays, of every kind of collection, and other tenants keep all.
func (f EventTrimmerFixture) testOrder(t *testing.T) {
	w, other := newEventWriter(t, f.Store), newEventWriter(t, f.Store)
	for second, name := range []string{"one", "two", "three", "", "back", "on"} {
		for _, schema := range EventSchemas() {
			w.write(w.change(schema, schema.Slug+"0", name, second))
			other.write(other.change(schema, schema.Slug+"0", name, second))
		}
		f.settle(t, w)
	}
	for second := range 7 {
		f.trim(t, w, second, int64(3*second))
		f.wantLog(t, other)
	}
}
