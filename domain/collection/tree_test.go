package collection_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Whoever reads single fields of a record finds what its JSON shows, neither more nor less.
func TestTreeIsWhatIsWritten(t *testing.T) {
	t.Parallel()
	known := map[string]record{
		"a1": {"id": "a1", "name": "Jo", "secret": "s", "favourite": "b9"}, "b9": {"id": "b9", "title": "Deep", "author": "a1"},
	}
	find := func(slug, id string) (*collection.Schema, record, bool) {
		return registry().Get(slug), known[id], id != "m1"
	}
	for name, v := range map[string]collection.View{
		"everyone": {}, "staff": {Audience: collection.Staff},
		"a deleted record": {IsDeleted: func(id string) bool { return id == "a1" }},
		"embedded records": {Depth: 2, Resolve: find},
		"some fields":      {Select: selection(false, tree{"title": true, "shelf": tree{"row": true}, "chapters": tree{"title": true}})},
		"all but some fields": {
			Select: selection(true, tree{"extra": true}), Depth: 1, Resolve: find,
			Populate: map[string]*collection.Selection{"authors": selection(false, tree{"name": true})},
		},
	} {
		for which, r := range map[string]record{"full": sampleRecord(), "empty": {}, "missing": nil} {
			dec := json.NewDecoder(strings.NewReader(string(collection.AppendJSON(nil, books, r, v))))
			dec.UseNumber()
			var written any
			if err := dec.Decode(&written); err != nil {
				t.Fatal(err)
			}
			got, want := string(collection.AppendJSONValue(nil, books.Tree(r, v))),
				string(collection.AppendJSONValue(nil, numerals(written)))
			if got != want {
				t.Errorf("%s, %s:\ntree    %s\nwritten %s", name, which, got, want)
			}
		}
	}
}

func numerals(v any) any {
	switch v := v.(type) {
	case json.Number:
		return collection.JSONNumber(v)
	case []any:
		for i := range v {
			v[i] = numerals(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numerals(v[k])
		}
	}
	return v
}
