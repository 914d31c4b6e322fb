package cartwright

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// fakeServer sends the scripted replies in order, and then successes.
type fakeServer struct {
	*httptest.Server

	mu       sync.Mutex
	replies  []reply
	requests []sentRequest
}

type reply struct {
	status int
	reason Reason
	extra  string // members of extensions
	header string // Retry-After
	cut    bool   // close the connection without a response
	text   string // the body, instead of an error
}

type sentRequest struct{ method, path, key, body string }

func newFakeServer(t *testing.T) *fakeServer {
	t.Helper()
	s := &fakeServer{}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.SetKeepAlivesEnabled(false) // on a kept connection net/http repeats requests with keys by itself
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP implements http.Handler.
func (s *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, sentRequest{r.Method, r.URL.RequestURI(), r.Header.Get("Idempotency-Key"), string(body)})
	var next reply
	if len(s.replies) > 0 {
		next, s.replies = s.replies[0], s.replies[1:]
	}
	s.mu.Unlock()
	switch {
	case next.cut:
		panic(http.ErrAbortHandler)
	case next.text != "":
		w.WriteHeader(next.status)
		fmt.Fprint(w, next.text)
	case next.status == 0:
		w.WriteHeader(http.StatusOK)
		fmt.Fprint(w, `{"cart": {"id": "c1", "revision": 2, "totals": {}}, "checkout": {"id": "o1"}}`)
	default:
		w.Header().Set("Retry-After", next.header)
		w.WriteHeader(next.status)
		fmt.Fprintf(w, `{"errors": [{"message": "No.", "extensions": {"code": "X", "reason": %q, "requestId": "r1"%s}}]}`,
			next.reason, next.extra)
	}
}

// script sets the next replies, and returns the requests since the last call.
func (s *fakeServer) script(next ...reply) []sentRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.replies, s.requests = next, nil
	return requests
}

// client is a client of the server that records its pauses between attempts instead of waiting.
func (s *fakeServer) client(t *testing.T, store PendingStore) (c *Client, pauses *[]time.Duration) {
	t.Helper()
	c, err := New(Config{BaseURL: s.URL, SecretKey: "sk_test_1", Pending: store})
	if err != nil {
		t.Fatal(err)
	}
	pauses = &[]time.Duration{}
	c.core.pause = func(_ context.Context, d time.Duration) error {
		*pauses = append(*pauses, d)
		return nil
	}
	return c, pauses
}

func mustList(t *testing.T, c *Client) []PendingOperation {
	t.Helper()
	all, err := c.Pending.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}
