package payments_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// hang is the URL of a provider that never answers; calls counts its requests.
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
