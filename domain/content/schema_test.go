package content_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/content"
)

func TestCompleteDerivesVisibility(t *testing.T) {
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		given      collection.Record
		visibility string
		published  any
		later      string // a day on
	}{
		"a draft":   {collection.Record{"status": "draft"}, "hidden", nil, "hidden"},
		"no status": {collection.Record{}, "hidden", nil, "hidden"},
		"published": {collection.Record{"status": "published"}, "visible", now, "visible"},
		"published before": {
			collection.Record{"status": "published", "publishedAt": now.Add(-time.Hour)}, "visible", now.Add(-time.Hour), "visible",
		},
		"published now": {collection.Record{"status": "published", "publishedAt": now}, "visible", now, "visible"},
		"published from tomorrow on": {
			collection.Record{"status": "published", "publishedAt": now.Add(24 * time.Hour)}, "scheduled", now.Add(24 * time.Hour),
			"visible",
		},
		"a draft that was published": {
			collection.Record{"status": "draft", "publishedAt": now.Add(-time.Hour), "visibility": "visible"}, "hidden",
			now.Add(-time.Hour), "hidden",
		},
		"a draft with a future date": {
			collection.Record{"status": "draft", "publishedAt": now.Add(time.Hour)}, "hidden", now.Add(time.Hour), "hidden",
		},
		"moved from the future to now": {
			collection.Record{"status": "published", "publishedAt": now, "visibility": "scheduled"}, "visible", now, "visible",
		},
	} {
		before := c.given.Clone()
		got := content.Complete(c.given, now)
		if got.Text("visibility") != c.visibility || !collection.Equal(got["publishedAt"], c.published) {
			t.Errorf("%s: %v", name, got)
		}
		if later := content.Posts.AsOf(got, now.Add(24*time.Hour)); later.Text("visibility") != c.later {
			t.Errorf("%s, later: %v", name, later)
		}
		if !collection.Equal(before, c.given) {
			t.Errorf("%s: the record given was changed", name)
		}
	}
}
