package shops

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/reply"
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
	return reply.Numerals(v).(map[string]any)
}
