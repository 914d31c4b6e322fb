package rest_test

import (
	"strings"
	"testing"
	"time"
)

func TestAPIKeysAreCreatedRotatedAndRevoked(t *testing.T) {
	b := newSQLiteHarness(t)
	bearer, _ := b.login()
	admin := func(method, path, body string) answer { return b.request(method, path, body, "Authorization", bearer) }
	made := admin("POST", "/api/api-keys", `{"name":"Reader","kind":"secret","environment":"test","scopes":["read"]}`)
	key, _ := made.body["key"].(string)
	if made.status != 201 || !strings.HasPrefix(key, "sk_test_") || made.doc()["last4"] != key[len(key)-4:] ||
		strings.Contains(made.raw, "hash") {
		t.Fatal(made.status, made.raw)
	}
	uses := func(key, method string) int {
		body := ""
		if method == "POST" {
			body = `{"name":"A"}`
		}
		return b.request(method, "/api/gadgets", body, "X-API-Key", key).status
	}
	if uses(key, "GET") != 200 || uses(key, "POST") != 403 {
		t.Error("a key with the scope read only reads")
	}
	token := b.request("POST", "/api/auth/token", "", "X-API-Key", key)
	server := "Bearer " + token.body["token"].(string)
	if a := b.request("GET", "/api/gadgets", "", "Authorization", server); a.status != 200 {
		t.Error(a.raw)
	}
	if a := b.request("POST", "/api/gadgets", `{"name":"A"}`, "Authorization", server); a.status != 403 {
		t.Error("a server token acts as its key", a.raw)
	}
	if a := b.request("POST", "/api/auth/token", "", "Authorization", server); a.status != 403 {
		t.Error("a server token cannot get another one", a.raw)
	}
	id := made.doc()["id"].(string)
	rotated := admin("POST", "/api/api-keys/"+id+"/rotate", "")
	b.advance(2 * time.Second)
	newer, _ := rotated.body["key"].(string)
	if rotated.status != 200 || uses(key, "GET") != 401 || uses(newer, "GET") != 200 {
		t.Error(rotated.raw)
	}
	if a := b.request("GET", "/api/gadgets", "", "Authorization", server); a.status != 401 || a.reason() != "key_unknown" {
		t.Error("tokens of the old key stop working with it", a.status, a.raw)
	}
	server = "Bearer " + b.request("POST", "/api/auth/token", "", "X-API-Key", newer).body["token"].(string)
	if a := b.request("GET", "/api/gadgets", "", "Authorization", server); a.status != 200 {
		t.Error(a.raw)
	}
	if a := admin("DELETE", "/api/api-keys/"+id, ""); a.status != 200 || a.doc()["revokedAt"] == nil {
		t.Error(a.status, a.raw)
	}
	b.advance(2 * time.Second)
	if uses(newer, "GET") != 401 || b.request("GET", "/api/gadgets", "", "Authorization", server).status != 401 {
		t.Error("a revoked key and its tokens are unknown")
	}
	if a := admin("POST", "/api/api-keys/"+id+"/rotate", ""); a.status != 409 {
		t.Error(a.status, a.raw)
	}
	if a := admin("GET", "/api/api-keys", ""); a.status != 200 || strings.Contains(a.raw, `"hash"`) || len(a.docs()) != 5 {
		t.Error(a.raw)
	}
	if a := b.request("POST", "/api/api-keys", `{"name":"X","kind":"client","environment":"live"}`, "X-API-Key", b.shop.SecretKey); a.status != 403 {
		t.Error("a secret key cannot create keys", a.status, a.raw)
	}
	if a := admin("POST", "/api/api-keys", `{"name":"X","kind":"client","environment":"live","scopes":["read"]}`); a.status != 400 ||
		!strings.Contains(a.raw, `"field":"scopes"`) {
		t.Error("a client key has no scopes", a.status, a.raw)
	}
}

// An API key is created once per idempotency key; a repeated request returns it again, although its text is not stored.
func TestAPIKeyCreateIsIdempotent(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		bearer, _ := b.login()
		admin := func(path, body, key string) answer {
			return b.request("POST", path, body, "Authorization", bearer, "Idempotency-Key", key)
		}
		const wanted = `{"name":"Shop","kind":"secret","environment":"live"}`
		first := admin("/api/api-keys", wanted, "0123456789abcdef")
		again := admin("/api/api-keys", wanted, `"0123456789abcdef"`)
		if first.status != 201 || again.status != 201 || first.raw != again.raw || again.header.Get("Idempotency-Replayed") != "true" ||
			first.header.Get("Idempotency-Replayed") != "" {
			t.Fatal(first.raw, again.raw)
		}
		text := first.body["key"].(string)
		if a := b.request("GET", "/api/gadgets", "", "X-API-Key", text); a.status != 200 {
			t.Error(a.raw)
		}
		if a := admin("/api/api-keys", `{"name":"Other","kind":"secret","environment":"live"}`, "0123456789abcdef"); a.status != 422 ||
			a.reason() != "idempotency_key_reused" {
			t.Error(a.status, a.raw)
		}
		if a := admin("/api/api-keys", wanted, "fedcba9876543210"); a.status != 201 || a.body["key"] == text {
			t.Error("another request creates another key", a.raw)
		}
		db, err := b.database()
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var body []byte
		if err := db.QueryRowContext(t.Context(), "SELECT body FROM receipts WHERE record = '"+first.doc()["id"].(string)+"'").
			Scan(&body); err != nil || strings.Contains(string(body), text) {
			t.Error("the receipt holds the key", err, string(body))
		}
		rotate := "/api/api-keys/" + first.doc()["id"].(string) + "/rotate"
		once, twice := admin(rotate, "", "0123456789abcdef"), admin(rotate, "", "0123456789abcdef")
		if once.status != 200 || once.raw != twice.raw || once.body["key"] == text || twice.header.Get("Idempotency-Replayed") != "true" {
			t.Error(once.raw, twice.raw)
		}
		if b.advance(2 * time.Second); b.request("GET", "/api/gadgets", "", "X-API-Key", once.body["key"].(string)).status != 200 {
			t.Error("the rotated key does not work")
		}
	})
}

// A secret key reads who runs its shop and which keys there are, never a value or a hash, and changes neither.
func TestSecretKeysReadUsersAndKeys(t *testing.T) {
	b := newSQLiteHarness(t)
	for _, path := range []string{"/api/users", "/api/api-keys"} {
		a := b.secret(200, "GET", path, "")
		if len(a.docs()) == 0 {
			t.Errorf("%s: %s", path, a.raw)
		}
		for _, hidden := range []string{`"hash"`, `"password"`, `"signals"`, `"tokenVersion"`, b.shop.SecretKey} {
			if strings.Contains(a.raw, hidden) {
				t.Errorf("%s shows %s: %s", path, hidden, a.raw)
			}
		}
		id, _ := a.docs()[0].(map[string]any)["id"].(string)
		b.secret(200, "GET", path+"/"+id, "")
		b.secret(403, "PATCH", path+"/"+id, `{"name":"x"}`)
		b.secret(403, "DELETE", path+"/"+id, "")
		if a := b.secret(200, "GET", path+"?where[tenant][equals]="+string(b.other.Tenant.ID), ""); len(a.docs()) != 0 {
			t.Errorf("%s of another shop: %s", path, a.raw)
		}
		if a := b.secret(400, "GET", path+"?where[hash][exists]=true", ""); a.reason() != "query_invalid" {
			t.Error(a.raw)
		}
	}
	b.secret(403, "POST", "/api/users", `{"email":"x@shop.example","password":"long enough 1","role":"tenant-admin"}`)
	b.secret(403, "POST", "/api/api-keys", `{"name":"x","kind":"secret","environment":"live"}`)
	for document, shows := range map[string]string{
		`{Users{docs{email role tenants{id}}}}`: `"email"`, `{ApiKeys{docs{name kind last4 scopes}}}`: `"last4"`,
	} {
		a := b.secret(200, "POST", "/api/graphql", `{"query":"`+document+`"}`)
		if !strings.Contains(a.raw, shows) || strings.Contains(a.raw, `"errors"`) {
			t.Errorf("%s: %s", document, a.raw)
		}
	}
	for _, document := range []string{`{ApiKeys{docs{hash}}}`, `{Users{docs{password}}}`} {
		if a := b.request("POST", "/api/graphql", `{"query":"`+document+`"}`, "X-API-Key", b.shop.SecretKey); !strings.Contains(a.raw, `"errors"`) {
			t.Errorf("%s: %s", document, a.raw)
		}
	}
}
