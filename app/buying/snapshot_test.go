package buying_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// alone runs a rule on a SQLite file and on a Postgres database of its own, whose every row can be looked at.
func alone(t *testing.T, rule func(t *testing.T, b *bed, all testservers.Whole)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(suite.dir, "alone-"+newID()+".db")
		b := newBed(t, openStore(suite, sqlstore.Options{Path: file}))
		rule(t, b, testservers.SeeSQLite(t, file))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := testservers.Postgres(suite)
		b := newBed(t, openStore(suite, sqlstore.Options{URL: url, Connections: 8}))
		rule(t, b, testservers.SeePostgres(t, url))
	})
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
