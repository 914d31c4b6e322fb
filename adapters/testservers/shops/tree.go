package shops

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Tree reads a JSON object the way the edge does: numbers keep their text.
func Tree(t testing.TB, text string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	numerals(v)
	return v
}

func numerals(v any) any {
	switch v := v.(type) {
	case json.Number:
		return collection.Numeral(v)
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
