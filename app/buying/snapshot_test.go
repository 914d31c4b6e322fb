package buying_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
)

// alone runs a rule on databases of its own, whose every row can be looked at.
func alone(t *testing.T, rule func(t *testing.T, b *bed, all testservers.Whole)) {
	shops.Alone(t, func(t *testing.T, store *sqlstore.Store, all testservers.Whole) { rule(t, newBed(t, store), all) })
}

// hang is a provider's address where nobody ever answers; calls counts who asked.
func hang(t *testing.T) (url string, calls *atomic.Int64) {
	t.Helper()
	calls = &atomic.Int64{}
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() {
		close(ended)
		server.Close()
	})
	return server.URL, calls
}
