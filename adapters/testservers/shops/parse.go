package shops

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// ParseObject reads a JSON object the way the edge does: numbers keep their text.
func ParseObject(t testing.TB, text string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	toNumerals(v)
	return v
}

func toNumerals(v any) any {
	switch v := v.(type) {
	case json.Number:
		return collection.JSONNumber(v)
	case []any:
		for i := range v {
			v[i] = toNumerals(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = toNumerals(v[k])
		}
	}
	return v
}
