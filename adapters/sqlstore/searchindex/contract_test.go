package searchindex_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestSearchIndex(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		portstest.SearchIndex(t, func(t *testing.T) portstest.SearchIndexFixture {
			s, _ := open(t, portstest.EventSchemas()...)
			return portstest.SearchIndexFixture{Store: s, Index: s.SearchIndex(), Number: stores.Number(s)}
		})
	})
}
