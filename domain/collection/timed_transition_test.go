package collection_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

var tickets = &collection.Schema{Slug: "tickets", Singular: "Ticket", Plural: "Tickets", Fields: []collection.Field{
	{
		Name: "state", Kind: collection.Select, Options: []string{"valid", "used", "void"}, ReadOnly: true,
		Transition: &collection.TimedTransition{From: "valid", To: "void", At: "until"},
	},
	{Name: "until", Kind: collection.Date},
}}

func TestTimedTransitionChangesReadValue(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		state any
		until any
		now   time.Time
		want  any
	}{
		"before its time it is unchanged": {"valid", end, end.Add(-time.Millisecond), "valid"},
		"at its time it has lapsed":       {"valid", end, end, "void"},
		"another value never lapses":      {"used", end, end.Add(time.Hour), "used"},
		"without a time it never lapses":  {"valid", nil, end, "valid"},
		"without a now it is as stored":   {"valid", end, time.Time{}, "valid"},
		"a missing value reads as before": {nil, end, end, nil},
	} {
		r := record{"id": "t", "state": tc.state, "until": tc.until}
		if got := tickets.AsOf(r, tc.now); got["state"] != tc.want {
			t.Errorf("%s: %v", name, got["state"])
		}
		if r["state"] != tc.state {
			t.Errorf("%s: the record itself was changed", name)
		}
	}
}

func TestTransitionedValueMayBeSentBack(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	before := record{"id": "t", "state": "valid", "until": end}
	for name, tc := range map[string]struct {
		now  time.Time
		sent string
		fine bool
	}{
		"as it reads":                   {end, "void", true},
		"as it is stored":               {end, "valid", true},
		"as it will read":               {end.Add(-time.Hour), "void", false},
		"as it could read otherwise":    {end, "used", false},
		"as it is stored, while it is":  {end.Add(-time.Hour), "valid", true},
		"as it reads, without any time": {time.Time{}, "void", false},
	} {
		next, err := collection.InputParser{Schema: tickets, Now: tc.now}.Merge(before, tree{"state": tc.sent})
		if (err == nil) != tc.fine || err == nil && next["state"] != "valid" {
			t.Errorf("%s: %v, %v", name, next, err)
		}
	}
}

func TestTimedTransitionDeclarationIsChecked(t *testing.T) {
	t.Parallel()
	state := func(l collection.TimedTransition) []collection.Field {
		return []collection.Field{{Name: "state", Kind: collection.Select, Options: []string{"a", "b"}, Transition: &l}}
	}
	until := collection.Field{Name: "until", Kind: collection.Date}
	for name, tc := range map[string]struct {
		fields []collection.Field
		fine   bool
	}{
		"declared well":     {append(state(collection.TimedTransition{From: "a", To: "b", At: "until"}), until), true},
		"from an outsider":  {append(state(collection.TimedTransition{From: "x", To: "b", At: "until"}), until), false},
		"to an outsider":    {append(state(collection.TimedTransition{From: "a", To: "x", At: "until"}), until), false},
		"without a date":    {state(collection.TimedTransition{From: "a", To: "b", At: "until"}), false},
		"at something else": {state(collection.TimedTransition{From: "a", To: "b", At: "state"}), false},
		"in a group": {[]collection.Field{
			until, {Name: "g", Kind: collection.Group, Fields: state(collection.TimedTransition{From: "a", To: "b", At: "until"})},
		}, false},
		"of no select": {
			[]collection.Field{until, {Name: "t", Kind: collection.Text, Transition: &collection.TimedTransition{At: "until"}}}, false,
		},
	} {
		_, err := collection.NewRegistry(&collection.Schema{Slug: "x", Singular: "X", Plural: "Xs", Fields: tc.fields})
		if (err == nil) != tc.fine {
			t.Errorf("%s: %v", name, err)
		}
	}
}
