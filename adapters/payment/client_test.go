package payment_test

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func get(url string) payment.Request {
	return payment.Request{Connection: "c1", Method: http.MethodGet, URL: url, Lookup: true}
}

func TestResponseClassification(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]struct {
		answer      http.HandlerFunc
		status      int // 0: unavailable
		countsAgain bool
	}{
		"a success is an answer": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }, 200, false},
		"a refusal is an answer": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }, 400, false},
		"a redirect is not followed": {
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, 302, false,
		},
		"an internal error counts as failure": {
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, 0, true,
		},
		"any other success is one, too": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }, 202, false},
		"a request timeout counts as failure": {
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestTimeout) }, 0, true,
		},
		"too many requests counts as failure": {
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, 0, true,
		},
		"an oversized answer counts as failure": {
			func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat("x", 101))) }, 0, true,
		},
		"a broken connection counts as failure":  {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, true},
		"an answer after the limit is a failure": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, rule.answer)
			c := payment.NewClient(payment.Limits{
				MaxResponseBytes: 100, MaxFailures: 1, OpenFor: time.Hour, LookupTimeout: time.Second,
			}, nil)
			answer, err := c.Do(t.Context(), get(url))
			if answer.Status != rule.status || (rule.status == 0) != errors.Is(err, ports.ErrProviderUnavailable) {
				t.Errorf("got %d %v", answer.Status, err)
			}
			if c.CircuitOpen("c1") != rule.countsAgain {
				t.Errorf("circuit open: %v", c.CircuitOpen("c1"))
			}
		})
	}
}

// Credentials are sent only to the configured URL, and only with a valid certificate.
func TestCredentialsAreNotForwarded(t *testing.T) {
	t.Parallel()
	var outsiders atomic.Int64
	outsider := func(http.ResponseWriter, *http.Request) { outsiders.Add(1) }
	elsewhere := serve(t, outsider)
	impostor := httptest.NewUnstartedServer(http.HandlerFunc(outsider)) // its certificate is not trusted
	impostor.Config.ErrorLog = log.New(io.Discard, "", 0)
	impostor.StartTLS()
	t.Cleanup(impostor.Close)
	c := payment.NewClient(payment.Limits{}, nil)
	with := func(url string) payment.Request {
		r := get(url)
		r.Header = http.Header{"Authorization": {"Bearer secret"}}
		return r
	}
	moved := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
	})
	if answer, err := c.Do(t.Context(), with(moved)); err != nil || answer.Status != http.StatusTemporaryRedirect {
		t.Errorf("a redirect: %d %v", answer.Status, err)
	}
	if _, err := c.Do(t.Context(), with(impostor.URL)); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("an impostor: %v", err)
	}
	if outsiders.Load() != 0 {
		t.Error("credentials were sent to another host")
	}
}

func TestOversizedHeadersAreRefused(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Endless", strings.Repeat("x", 100<<10)) })
	if _, err := payment.NewClient(payment.Limits{}, nil).Do(t.Context(), get(url)); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("%v", err)
	}
}

// Every attempt of a call that changes something is in the provider call log, so net/http must not resend it,
// as it does with idempotency keys when a kept connection breaks.
func TestActingCallIsNotRetried(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"without a body": "", "with one": "{}"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var posts atomic.Int64
			var keyed atomic.Bool
			url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodPost {
					return
				}
				posts.Add(1)
				keyed.Store(r.Header.Get("Idempotency-Key") == "key-1")
				panic(http.ErrAbortHandler)
			})
			c := payment.NewClient(payment.Limits{}, nil)
			if _, err := c.Do(t.Context(), get(url)); err != nil { // keeps the connection open
				t.Fatal(err)
			}
			_, err := c.Do(t.Context(), payment.Request{
				Connection: "c1", Method: http.MethodPost, URL: url, Header: http.Header{"Idempotency-Key": {"key-1"}}, Body: []byte(body),
			})
			if !errors.Is(err, ports.ErrProviderUnavailable) || posts.Load() != 1 || !keyed.Load() {
				t.Errorf("%d calls, with the key: %v, %v", posts.Load(), keyed.Load(), err)
			}
		})
	}
}
