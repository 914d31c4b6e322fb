package cartwright

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What is printed, logged or said in an error holds no key and nothing of what was sent.
func TestNothingTellsSecrets(t *testing.T) {
	t.Parallel()
	const secret, buyer = "sk_test_AbCdEf0123456789", "kim@example.com"
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, r.Header.Get("X-Api-Key"), buyer) // whatever a bad proxy may repeat
	}))
	config := Config{BaseURL: broken.URL, SecretKey: secret, ClientKey: "pk_test_1", Pending: NewMemoryStore()}
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	_, refused := c.Checkouts.Create(t.Context(), CheckoutCreateInput{CartID: "c1", Email: buyer})
	broken.Close()
	_, silent := c.Collections.Customers.Find(t.Context(), Query{Where: Where{"email": Where{"equals": buyer}}}, WithTimeout(1))
	pending, err := c.Pending.List(t.Context())
	if err != nil || len(pending) != 1 {
		t.Fatal(pending, err)
	}
	var log bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
		slog.New(handler).Info("started", "config", config, "client", c, "error", refused, "pending", pending[0].String())
	}
	bare := config
	bare.Pending = nil
	asJSON, err := json.Marshal(bare) //nolint:staticcheck // it has no HTTP client
	if err != nil {
		t.Fatal(err)
	}
	log.Write(asJSON)
	for _, v := range []any{
		config, &config, c, pending[0], &pending[0], Resumed{PendingOperation: pending[0]}, refused, silent, errors.Unwrap(silent), c.Carts,
		c.Collections, &Event{Collection: "orders", Doc: json.RawMessage(buyer)},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			fmt.Fprintf(&log, verb+"\n", v)
		}
	}
	for _, word := range []string{secret, "AbCdEf", buyer, pending[0].ID, "kim"} {
		if strings.Contains(log.String(), word) {
			t.Errorf("%q is told:\n%s", word, log.String())
		}
	}
	if !strings.Contains(log.String(), "test") {
		t.Error("nothing was printed")
	}
}

func TestKeysThatDoNotBelongTogetherAreRefused(t *testing.T) {
	t.Parallel()
	good := Config{BaseURL: "https://shop.example/api/", SecretKey: "sk_test_1", ClientKey: "pk_test_1"}
	c, err := New(good)
	if err != nil || c.core.base != "https://shop.example" {
		t.Fatal(c, err)
	}
	for name, change := range map[string]func(*Config){
		"a client key as the secret":  func(c *Config) { c.SecretKey = "pk_test_1" },
		"no secret":                   func(c *Config) { c.SecretKey = "" },
		"a line break in the secret":  func(c *Config) { c.SecretKey = "sk_test_1\r\nX: y" },
		"a secret as the client key":  func(c *Config) { c.ClientKey = "sk_test_1" },
		"test and live":               func(c *Config) { c.ClientKey = "pk_live_1" },
		"no address":                  func(c *Config) { c.BaseURL = "" },
		"an address without a scheme": func(c *Config) { c.BaseURL = "shop.example" },
		"an address with a password":  func(c *Config) { c.BaseURL = "https://u:p@shop.example" },
		"an address with a query":     func(c *Config) { c.BaseURL = "https://shop.example?x=1" },
	} {
		bad := good
		change(&bad)
		if _, err := New(bad); err == nil || strings.Contains(err.Error(), "_1") || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A redirect would carry the secret key to wherever it points.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was followed") }))
	defer elsewhere.Close()
	shop := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer shop.Close()
	c, err := New(Config{BaseURL: shop.URL, SecretKey: "sk_test_1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Carts.Mine(t.Context(), CartMineInput{CustomerID: "x"}); !errors.Is(err, ReasonInvalidResponse) {
		t.Error(err)
	}
}
