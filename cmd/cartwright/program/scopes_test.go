package program

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// needsWrite are operations that read, but may settle the payment they read. Rule payments-13.
var needsWrite = []string{"paymentSessions.retrieveAggregator"}

// needsNoScope are operations for keys of any scope: the tokens they issue have the scopes of the key.
var needsNoScope = []string{"auth.token"}

// The scopes of a secret key apply to every collection and every operation, and to the tokens issued for the key.
func TestKeyScopesAreEnforced(t *testing.T) {
	t.Parallel()
	s, _ := startServerWithClock(t, nil)
	admin := "Authorization: Bearer " + logInAs(t, s, "users", s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword)
	for scope, mayRead := range map[string]bool{"read": true, "write": false} {
		_, created := requestJSON(t, "POST", s.BaseURL+"/api/api-keys",
			fmt.Sprintf(`{"name":"K","kind":"secret","environment":"test","scopes":[%q]}`, scope), admin)
		key := "X-API-Key: " + created["key"].(string)
		_, token := requestJSON(t, "POST", s.BaseURL+"/api/auth/token", "", key)
		for _, credential := range []string{key, "Authorization: Bearer " + token["token"].(string)} {
			for _, o := range s.operations() {
				reads := !o.Mutates && !slices.Contains(needsWrite, o.Name)
				at, ok := surfaceForKeys(&o)
				if !ok || reads == mayRead || slices.Contains(needsNoScope, o.Name) {
					continue
				}
				status, a := requestJSON(t, o.Method, s.BaseURL+addressOf(&o, at), bodyOf(t, &o), credential,
					"Idempotency-Key: 0123456789abcdef0123")
				if status != http.StatusForbidden {
					t.Errorf("a key with scope %s: %s is answered with %d %v", scope, o.Name, status, a)
				}
			}
			checkCollectionScopes(t, s, credential, mayRead)
		}
	}
}

// checkCollectionScopes calls every collection with the methods that the scope of the key does not allow.
func checkCollectionScopes(t *testing.T, s *Server, credential string, mayRead bool) {
	t.Helper()
	for _, c := range s.registry.All() {
		calls := [][2]string{{"GET", ""}, {"GET", "/count"}, {"GET", "/x"}}
		if mayRead {
			calls = [][2]string{
				{"POST", ""}, {"PATCH", "/x"}, {"DELETE", "/x"}, {"PATCH", "?where[id][equals]=x"}, {"DELETE", "?where[id][equals]=x"},
			}
		}
		for _, call := range calls {
			if call[0] == http.MethodPost && slices.ContainsFunc(s.operations(), func(o operation.Operation) bool {
				return o.Method == http.MethodPost && o.Path == "/"+c.Slug
			}) {
				continue // an operation, which the caller has checked
			}
			body := ""
			if call[0] == "POST" || call[0] == "PATCH" {
				body = "{}"
			}
			status, a := requestJSON(t, call[0], s.BaseURL+"/api/"+c.Slug+call[1], body, credential)
			if status != http.StatusForbidden && status != http.StatusMethodNotAllowed {
				t.Errorf("%s /%s%s: %d %v", call[0], c.Slug, call[1], status, a)
			}
		}
	}
}

// surfaceForKeys is the surface on which secret keys may call an operation; ok is false if there is none.
func surfaceForKeys(o *operation.Operation) (at operation.Surface, ok bool) {
	if o.Surfaces&operation.Server != 0 {
		return operation.Server, true
	}
	return operation.Root, o.Admits(operation.Root, tenant.SecretKey)
}

// addressOf is the path of an operation, with ids that do not exist.
func addressOf(o *operation.Operation, at operation.Surface) string {
	address := strings.Replace(o.Route(at), ":collection", "orders", 1)
	for _, p := range o.Params {
		address = strings.Replace(address, ":"+p.Name, "01890000-0000-7000-8000-000000000000", 1)
	}
	return address + map[string]string{ // required parameters
		"products.detail": "?slug=x", "carts.mine": "?customerId=x", "paymentSessions.custom.retrieve": "?providerSessionId=x",
		"fulfillments.print":             "?document=label&ids=x",
		"paymentSessions.findAggregator": "?accountKey=x&environment=test&providerPaymentId=x",
	}[o.Name]
}

// bodyOf is a body with every input of an operation.
func bodyOf(t *testing.T, o *operation.Operation) string {
	t.Helper()
	if !o.HasBody() {
		return ""
	}
	raw, err := json.Marshal(sampleOf(o.Input))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func sampleOf(fields []collection.Field) map[string]any {
	out := map[string]any{}
	for _, f := range fields {
		switch f.Kind {
		case collection.Integer, collection.Number, collection.Money:
			out[f.Name] = 1
		case collection.Boolean:
			out[f.Name] = true
		case collection.Array:
			out[f.Name] = []any{sampleOf(f.Fields)}
		case collection.Group:
			out[f.Name] = sampleOf(f.Fields)
		case collection.Texts, collection.Selects, collection.RelationMany, collection.UploadMany:
			out[f.Name] = []any{"x"}
		case collection.JSON, collection.RichText:
			out[f.Name] = map[string]any{}
		case collection.Select:
			out[f.Name] = f.Options[0]
		case collection.Date:
			out[f.Name] = "2026-01-31T09:00:00.000Z"
		case collection.Email:
			out[f.Name] = "kim@shop.example"
		default: // other kinds are text
			text := "KRW" // is valid for a currency, too
			switch f.Name {
			case "account": // of a buyer
				text = "110123456789"
			case "number": // of a telephone
				text = "01012345678"
			}
			if f.MaxLength > 0 {
				text = text[:min(len(text), f.MaxLength)]
			}
			out[f.Name] = text
		}
	}
	return out
}
