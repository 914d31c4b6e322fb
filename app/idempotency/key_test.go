package idempotency_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestKeyMayBeQuoted(t *testing.T) {
	t.Parallel()
	const key = "ik_0123456789abcdef"
	for header, want := range map[string]string{
		key: key, `"` + key + `"`: key, "  " + key + "\t": key, `ik_"quoted"_inside_it`: `ik_"quoted"_inside_it`,
		`"` + key: "", key + `"`: "", `"`: "", `""`: "", `"` + strings.Repeat("k", 15) + `"`: "",
		strings.Repeat("k", 255): strings.Repeat("k", 255), strings.Repeat("k", 256): "",
		"ik_with a space in it": "", "ik_ümlaut_0123456789": "", "ik_control\x7f_0123456789": "",
	} {
		got, err := idempotency.ParseKey(header)
		if got != want || (want == "") != errors.Is(err, idempotency.ErrInvalidKey) {
			t.Errorf("%q: %q, %v", header, got, err)
		}
	}
}

// Rules idempotency-7, idempotency-21.
func TestKeyCountsWithinItsScope(t *testing.T) {
	t.Parallel()
	principal := tenant.Principal{
		Kind: tenant.User, ID: "u1", Tenant: tenant.Settings{ID: "t1"}, Environment: tenant.Live, ClientKeyID: "pk1",
	}
	base := idempotency.Call{Principal: principal, Operation: "posts.create", Key: "ik_0123456789abcdef"}
	same, seen := base, map[ports.ReceiptKey]string{base.ReceiptKey(): "the call itself"}
	same.RequestID, same.Address, same.Principal.ClientKeyID = "another request", "another address", "another page"
	if same.ReceiptKey() != base.ReceiptKey() {
		t.Error("a retry has another key")
	}
	for name, change := range map[string]func(*idempotency.Call){
		"another environment":      func(c *idempotency.Call) { c.Principal.Environment = tenant.Test },
		"another tenant":           func(c *idempotency.Call) { c.Principal.Tenant.ID = "t2" },
		"another kind of caller":   func(c *idempotency.Call) { c.Principal.Kind = tenant.Customer },
		"another caller":           func(c *idempotency.Call) { c.Principal.ID = "u2" },
		"another operation":        func(c *idempotency.Call) { c.Operation = "posts.update" },
		"another key":              func(c *idempotency.Call) { c.Key = "ik_0123456789abcdeg" },
		"a cart's token":           func(c *idempotency.Call) { c.CartToken = "ct_1" },
		"a cart's token in test":   func(c *idempotency.Call) { c.CartToken, c.Principal.Environment = "ct_1", tenant.Test },
		"a checkout's token":       func(c *idempotency.Call) { c.CheckoutToken = "ct_1" },
		"a key that ends in test":  func(c *idempotency.Call) { c.Key += string(tenant.Test) },
		"an operation called test": func(c *idempotency.Call) { c.Operation = string(tenant.Test) },
	} {
		c := base
		change(&c)
		if earlier, taken := seen[c.ReceiptKey()]; taken {
			t.Errorf("%s and %s share a receipt", name, earlier)
		}
		seen[c.ReceiptKey()] = name
	}
}

// A server is replaced while clients retry: what an older version answered is found by the next one.
func TestKeyOfALiveCallIsThatOfOlderVersions(t *testing.T) {
	t.Parallel()
	c := idempotency.Call{Principal: tenant.Principal{
		Kind: tenant.SecretKey, ID: "k", Tenant: tenant.Settings{ID: "t1"}, Environment: tenant.Live,
	}, Operation: "op", Key: "key"}
	h := sha256.New()
	for _, part := range []string{"t1", "secret-key:k", "op", "key"} {
		_ = binary.Write(h, binary.BigEndian, uint64(len(part))) // a hash does not fail
		_, _ = h.Write([]byte(part))
	}
	if c.ReceiptKey() != ports.ReceiptKey(h.Sum(nil)) {
		t.Error("another key than before")
	}
}

// Rules idempotency-8, idempotency-22.
func TestRequestsAreComparedByValue(t *testing.T) {
	t.Parallel()
	body := func(text string) [32]byte {
		t.Helper()
		var v map[string]any
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		return idempotency.Fingerprint("POST", "/api/x", []string{"1"}, withNumbers(v))
	}
	first := body(`{"quantity":1,"price":{"amount":20.5},"list":[100]}`)
	if first != body(` {"list":[1e2], "price":{"amount":20.50}, "quantity":1.0}`) {
		t.Error("the notation of a number makes another request")
	}
	for _, other := range []string{
		`{"quantity":1.01,"price":{"amount":20.5},"list":[100]}`, `{"quantity":"1","price":{"amount":20.5},"list":[100]}`,
		`{"quantity":1,"price":{"amount":20.5},"list":[100.000001]}`, `{"quantity":1,"price":{"amount":-20.5},"list":[100]}`,
	} {
		if body(other) == first {
			t.Errorf("%s is taken for the first request", other)
		}
	}
}

// withNumbers gives numbers the type that the adapters read them as.
func withNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return collection.JSONNumber(v)
	case []any:
		for i := range v {
			v[i] = withNumbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = withNumbers(v[name])
		}
	}
	return v
}
