package buying_test

import (
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/once"
)

// said is an answer read back.
type said map[string]any

func (s said) at(path string) any { return shops.Said(s).At(path) }

func (s said) text(path string) string { return shops.Said(s).Text(path) }

func (s said) reason() string { return shops.Said(s).Reason() }

func (b *bed) read(body []byte) said { return said(shops.Tree(b.t, string(body))) }

// must is the body of a success.
func (b *bed) must(a once.Answer, err error) said {
	b.t.Helper()
	return b.read(shops.Body(b.t, a, err))
}
