package rest

import (
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// While the store's circuit is open, requests are refused before their bodies arrive; probes and the API's own
// description are answered.
func TestOpenStoreCircuitRefusesBeforeTheBody(t *testing.T) {
	var open atomic.Bool
	address := listenApp(t, New(Options{
		Log: slog.New(slog.DiscardHandler), Access: secretKey, Areas: []Area{echo}, NewID: func() string { return "made-id" }, Now: time.Now,
		StoreRefusal: func() error {
			if open.Load() {
				return fault.ErrUnavailable.WithRetry(1500 * time.Millisecond)
			}
			return nil
		},
	}))
	ask := func(raw string) (status int, body string) {
		l := dial(t, address)
		l.write(raw)
		status, body, _ = l.answer()
		return status, body
	}
	if status, body := ask(post("/api/things", `{"a":1}`)); status != 200 {
		t.Fatalf("with a closed circuit: %d %s", status, body)
	}
	open.Store(true)
	// The transport reads the first 8 KiB before anybody is asked; the rest never comes.
	unfinished := "POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n" +
		strings.Repeat(" ", 9000)
	if status, body := ask(unfinished); status != 503 || !strings.Contains(body, `"reason":"unavailable"`) ||
		!strings.Contains(body, `"retryAfter":2`) {
		t.Errorf("without its body: %d %s", status, body)
	}
	for path, want := range map[string]int{
		"/api/things": 503, "/healthz": 200, "/api/openapi.json": 200, "/api/docs": 200, "/nowhere": 404,
	} {
		if status, body := ask("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"); status != want {
			t.Errorf("%s: %d %.200s", path, status, body)
		}
	}
}
