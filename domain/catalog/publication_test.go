package catalog_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Rule catalog-33.
func TestADraftWaitsForItsTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	soon, past := now.Add(time.Minute), now.Add(-time.Minute)
	is := func(status string, at time.Time) collection.Record {
		return collection.Record{"status": status, "publishAt": at}
	}
	waits := func(at time.Time, status string) collection.Record {
		return collection.Record{"status": status, "publishAt": at, "publication": "waiting"}
	}
	for name, c := range map[string]struct {
		before, next collection.Record
		waits        bool
	}{
		"a time to come":              {nil, collection.Record{"status": "draft", "publishAt": soon}, true},
		"no time":                     {nil, collection.Record{"status": "draft"}, false},
		"published by hand":           {waits(soon, "draft"), waits(soon, "published"), false},
		"edited as its time came":     {waits(past, "draft"), waits(past, "draft"), true},
		"taken back after its time":   {is("published", past), is("draft", past), false},
		"taken back with a new time":  {is("published", past), is("draft", soon), true},
		"its time is taken away":      {waits(soon, "draft"), collection.Record{"status": "draft", "publication": "waiting"}, false},
		"published, with a past time": {nil, collection.Record{"status": "published", "publishAt": past}, false},
	} {
		got, err := catalog.CompletePublication(c.before, c.next, now)
		if err != nil || (got.Text("publication") == "waiting") != c.waits {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	for _, at := range []time.Time{past, {}} { // the zero time is one, too, in the year 1
		if _, err := catalog.CompletePublication(nil, collection.Record{"status": "draft", "publishAt": at}, now); err == nil {
			t.Errorf("a draft gets %v, which has passed", at)
		}
	}
	for name, c := range map[string]struct {
		r  collection.Record
		ok bool
	}{
		"due": {waits(now, "draft"), true}, "not yet": {waits(soon, "draft"), false}, "published": {waits(past, "published"), false},
		"not waiting": {collection.Record{"status": "draft", "publishAt": past}, false},
	} {
		next, ok := catalog.Publish(c.r, now)
		if ok != c.ok || ok && (next.Text("status") != "published" || next["publication"] != nil) {
			t.Errorf("%s: %v", name, next)
		}
	}
}
