package productindex_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestProductSearch(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		portstest.ProductSearch(t, func(t *testing.T) portstest.ProductSearchFixture {
			s, _ := open(t, portstest.EventSchemas()...)
			return portstest.ProductSearchFixture{Store: s, Products: s.ProductSearch(), Second: s.ProductSearch(), Number: stores.Number(s)}
		})
	})
}
