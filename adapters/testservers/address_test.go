package testservers_test

import (
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// Concurrent callers get different addresses, before anything listens on them.
func TestNoAddressIsGivenTwice(t *testing.T) {
	t.Parallel()
	var given sync.Map
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			address, err := testservers.FreeAddr()
			if err != nil {
				t.Error(err)
			}
			if _, again := given.LoadOrStore(address, true); again {
				t.Errorf("%s was given twice", address)
			}
		})
	}
	all.Wait()
}
