package buying_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// tree reads JSON the way the edge does.
func tree(t testing.TB, text string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	m, _ := numerals(v).(map[string]any)
	return m
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

// said is an answer read back.
type said map[string]any

func (s said) at(path string) any {
	var v any = map[string]any(s)
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (s said) text(path string) string {
	switch v := s.at(path).(type) {
	case string:
		return v
	case collection.Numeral:
		return string(v)
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

func (b *bed) read(body []byte) said { return said(tree(b.t, string(body))) }

// must is the body of a success.
func (b *bed) must(a once.Answer, err error) said {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	if a.Fault != nil {
		b.t.Fatalf("refused: %v %v", a.Fault, a.Fault.Data)
	}
	return b.read(a.Body)
}
