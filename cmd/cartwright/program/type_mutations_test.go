package program

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Whatever record REST creates, changes or deletes by its path, GraphQL does by create, update and delete of its type,
// with the arguments and the answer of every other type. Rule graphql-15.
func TestEveryRESTWriteIsAMutationOfItsType(t *testing.T) {
	t.Parallel()
	s, _ := startServerWithClock(t, nil)
	_, a := requestJSON(t, "POST", s.BaseURL+"/api/graphql",
		`{"query":"{ __schema { mutationType { fields { name args { name } type { name fields { name } } } } } }"}`,
		"X-API-Key: "+s.NewCredentials.SecretKey)
	names := func(list any) string {
		var out []string
		all, _ := list.([]any)
		for _, one := range all {
			out = append(out, one.(map[string]any)["name"].(string))
		}
		return " " + strings.Join(out, " ") + " "
	}
	mutations := map[string]map[string]any{}
	for _, f := range a["data"].(map[string]any)["__schema"].(map[string]any)["mutationType"].(map[string]any)["fields"].([]any) {
		mutations[f.(map[string]any)["name"].(string)] = f.(map[string]any)
	}
	_, send := everyPathOf(t, s)
	found := map[string]bool{}
	for _, schema := range s.registry.All() {
		for _, prefix := range []string{"/api/", "/api/commerce/", "/api/server/commerce/", "/api/fulfillment-orders/nothing/"} {
			all := send("OPTIONS", prefix+schema.Slug).Header.Get("Allow")
			one := send("OPTIONS", prefix+schema.Slug+"/nothing").Header.Get("Allow")
			for name, want := range map[string]struct {
				allowed bool
				args    string
			}{
				"create" + schema.Singular: {strings.Contains(all, "POST"), " data "},
				"update" + schema.Singular: {strings.Contains(one, "PATCH"), " id data "},
				"delete" + schema.Singular: {strings.Contains(one, "DELETE"), " id "},
			} {
				if !want.allowed {
					continue
				}
				found[name] = true
				m := mutations[name]
				if m == nil {
					t.Errorf("%s %s is no mutation %s", prefix, schema.Slug, name)
					continue
				}
				given := names(m["args"])
				for arg := range strings.FieldsSeq(want.args) {
					if !strings.Contains(given, " "+arg+" ") {
						t.Errorf("%s takes %s, not %s", name, given, arg)
					}
				}
				if result := names(m["type"].(map[string]any)["fields"]); !strings.Contains(result, " id ") {
					t.Errorf("%s answers %s", name, result)
				}
			}
		}
	}
	for _, name := range []string{"createCart", "createCheckout", "createReturnRequest", "createFulfillment", "deleteApiKey", "deleteUserInvitation"} {
		if !found[name] {
			t.Errorf("%s was not looked for", name)
		}
	}
}

// A checkout is made, changed and paid for under the names of the types.
func TestCheckoutByTypeMutations(t *testing.T) {
	t.Parallel()
	s, _ := startServerWithClock(t, nil)
	key := "X-API-Key: " + s.NewCredentials.TestSecretKey
	_, variants := requestJSON(t, "GET", s.BaseURL+"/api/product-variants?where[stock][greater_than]=5&where[kind][equals]=physical", "", key)
	variant := valueIn(variants, "docs", 0, "id")
	mutate := func(field, member string) map[string]any {
		t.Helper()
		document, err := json.Marshal(map[string]string{"query": "mutation { " + field + " }"})
		if err != nil {
			t.Fatal(err)
		}
		_, a := requestJSON(t, "POST", s.BaseURL+"/api/graphql", string(document), key, "Idempotency-Key: "+newID())
		got, _ := valueIn(a, "data", member).(map[string]any)
		if got["id"] == nil {
			t.Fatalf("%s: %v", field, a)
		}
		return got
	}
	cart := mutate(fmt.Sprintf(`createCart(data: {items: [{variantId: %q, quantity: 1}]}) { id }`, variant), "createCart")
	made := mutate(fmt.Sprintf(`createCheckout(data: {cartId: %q, email: "min@example.com", shippingAddress: {recipientName: "Min", `+
		`phone: "01012345678", postalCode: "04524", address1: "Sejong-daero 110"}}) { id email status checkoutToken cart { id } }`, cart["id"]), "createCheckout")
	if made["status"] != "open" || made["checkoutToken"] == nil || valueIn(made, "cart", "id") != cart["id"] {
		t.Fatal(made)
	}
	changed := mutate(fmt.Sprintf(`updateCheckout(id: %q, data: {email: "sora@example.com"}) { id ...Buyer } } fragment Buyer on Checkout { email `, made["id"]),
		"updateCheckout")
	if changed["id"] != made["id"] || changed["email"] != "sora@example.com" {
		t.Fatal(changed)
	}
	paying := mutate(fmt.Sprintf(`createPaymentSession(data: {checkoutId: %q, successUrl: "https://shop.example/ok", failUrl: "https://shop.example/no"}) `+
		`{ id status checkout { id } action }`, made["id"]), "createPaymentSession")
	if valueIn(paying, "checkout", "id") != made["id"] || valueIn(paying, "action", "type") != "widget" {
		t.Fatal(paying)
	}
}

// valueIn is the value at a path of names and indexes in a JSON value; nil: there is none.
func valueIn(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			members, _ := v.(map[string]any)
			v = members[step]
		case int:
			items, _ := v.([]any)
			if step >= len(items) {
				return nil
			}
			v = items[step]
		}
	}
	return v
}
