package buying_test

import (
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

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

func (b *bed) read(body []byte) said { return said(shops.Tree(b.t, string(body))) }

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
