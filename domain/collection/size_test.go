package collection_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestRecordsAreBoundedInBytes(t *testing.T) {
	t.Parallel()
	small := &collection.Schema{Slug: "notes", MaxBytes: 1000, Fields: []collection.Field{
		{Name: "text", Kind: collection.Textarea}, {Name: "body", Kind: collection.RichText}, {Name: "tags", Kind: collection.Texts},
		{Name: "rows", Kind: collection.Array, Fields: []collection.Field{{Name: "name", Kind: collection.Text}}},
	}}
	plain := &collection.Schema{Slug: "plain", Fields: small.Fields}
	x := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct {
		schema        *collection.Schema
		before, after collection.Record
		limit         any
	}{
		"a small record":             {small, nil, collection.Record{"text": x(10)}, nil},
		"just small enough":          {small, nil, collection.Record{"text": x(850)}, nil},
		"a long text":                {small, nil, collection.Record{"text": x(1000)}, int64(1000)},
		"text that is escaped":       {small, nil, collection.Record{"text": strings.Repeat("\x01", 200)}, int64(1000)},
		"rich text":                  {small, nil, collection.Record{"body": map[string]any{"a": []any{x(500), map[string]any{x(500): nil}}}}, int64(1000)},
		"a list of texts":            {small, nil, collection.Record{"tags": []string{x(500), x(500)}}, int64(1000)},
		"rows":                       {small, nil, collection.Record{"rows": []collection.Record{{"name": x(500)}, {"name": x(500)}}}, int64(1000)},
		"a large one that shrinks":   {small, collection.Record{"text": x(3000)}, collection.Record{"text": x(2000)}, nil},
		"a large one that grows":     {small, collection.Record{"text": x(2000)}, collection.Record{"text": x(2001)}, int64(1000)},
		"a limit that none declared": {plain, nil, collection.Record{"text": x(1 << 20)}, int64(1 << 20)},
		"much below it":              {plain, nil, collection.Record{"text": x(1000)}, nil},
		"closely below it":           {plain, nil, collection.Record{"text": x(1<<20 - 200)}, nil},
	} {
		err := c.schema.CheckSize(c.before, c.after)
		if c.limit == nil && err != nil || c.limit != nil && (!errors.Is(err, collection.ErrRecordTooLarge) || fault.From(err).Data["limit"] != c.limit) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
