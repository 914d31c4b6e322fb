package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// isPaymentOperation reports whether o is about checkouts and payments.
func isPaymentOperation(o operation.Operation) bool {
	group, _, _ := strings.Cut(o.Name, ".")
	return group == "checkouts" || group == "paymentSessions" || o.Name == "orders.checkout"
}

// externalIDs are the inputs that identify the owner's payments by ids of providers.
func (p *refusalFixture) externalIDs() map[string]any {
	p.Helper()
	secret := "X-API-Key: " + p.server.NewCredentials.TestSecretKey
	client := "X-Client-Key: " + p.server.NewCredentials.TestClientKey
	cart := p.must("POST", "/commerce/carts", object{"items": []any{object{"variantId": p.ids["product-variants"], "quantity": 1}}},
		client)["cart"].(object)["id"]
	address := object{"recipientName": "Kim", "phone": "010", "postalCode": "04524", "address1": "Road 1", "country": "KR"}
	checked := p.must("POST", "/server/commerce/checkouts", object{
		"cartId": cart, "email": "kim@shop.example", "shippingAddress": address,
	}, secret)
	id := checked["checkout"].(object)["id"]
	p.must("POST", "/server/commerce/payment-sessions/custom", object{
		"checkoutId": id, "providerSessionId": "session-of-the-victim", "providerName": "Bank",
	}, secret)
	session := p.must("GET", "/payment-sessions/"+p.ids["payment-sessions"], nil, secret)
	connection := p.must("GET", "/provider-connections?where[environment][equals]=test", nil, secret)["docs"].([]any)[0].(object)
	return map[string]any{
		"providerSessionId": "session-of-the-victim", "environment": "test", "providerPaymentId": session["paymentId"],
		"accountKey": connection["accountKey"],
	}
}

// tenantClaim is an attempt to name a tenant in a request.
type tenantClaim struct {
	headers []string
	query   url.Values
}

// callAs calls o about the owner's records with the secret key of another shop.
func (p *refusalFixture) callAs(o operation.Operation, input map[string]any, key string, c tenantClaim) (status int, raw string) {
	p.Helper()
	address := o.Route(operation.Server)
	for _, param := range o.Params {
		address = strings.Replace(address, ":"+param.Name, p.id(param), 1)
	}
	query := url.Values{}
	maps.Copy(query, c.query)
	body := ""
	if o.HasBody() {
		text, err := json.Marshal(input)
		if err != nil {
			p.Fatal(err)
		}
		body = string(text)
	} else {
		for name, v := range input {
			query.Set(name, fmt.Sprint(v))
		}
	}
	headers := append([]string{"X-API-Key: " + key, "Idempotency-Key: " + p.key(), "X-Request-Id: same"}, c.headers...)
	status, a := requestJSON(p.T, o.Method, p.server.BaseURL+address+"?"+query.Encode(), body, headers...)
	return status, parseRefusal(p.T, a).raw
}

// TestTenantComesFromCredentials calls operations on the owner's checkouts and payments with another shop's
// key, and names the owner's tenant in headers, query and body. None of this has an effect. Rule access-29.
func TestTenantComesFromCredentials(t *testing.T) {
	t.Parallel()
	p := newRefusalFixture(t)
	names := p.externalIDs()
	other, err := p.server.onboarding.Prepare(onboarding.TenantInput{Name: "Third", Plan: tenant.Enterprise, Currency: "KRW"})
	if err == nil {
		err = p.server.onboarding.Create(t.Context(), other)
	}
	if err != nil {
		t.Fatal(err)
	}
	victim := p.server.NewCredentials.TenantID
	claims := map[string]tenantClaim{
		"X-Tenant-Id": {headers: []string{"X-Tenant-Id: " + victim}},
		"X-Tenant":    {headers: []string{"X-Tenant: " + victim, "Tenant: " + victim, "X-Environment: test"}},
		"the query":   {query: url.Values{"tenant": {victim}, "tenantId": {victim}, "tenant_id": {victim}}},
		"a condition": {query: url.Values{"where[tenant][equals]": {victim}}},
	}
	before, called := p.state(), 0
	for _, o := range p.server.operations() {
		if !isPaymentOperation(o) || o.Surfaces&operation.Server == 0 {
			continue
		}
		called++
		input := p.input(o.Input)
		for _, f := range o.Input {
			if v := names[f.Name]; v != nil {
				input[f.Name] = v
			}
		}
		if o.Name == "paymentSessions.custom.retrieve" {
			delete(input, "providerPaymentId")
		}
		delete(input, "sort") // the sample text is not a field to sort by
		status, plain := p.callAs(o, input, other.TestSecretKey, tenantClaim{})
		if blind := strings.Contains(plain, `"found":false`) || strings.Contains(plain, `"totalDocs":0,`); !blind && status != 404 {
			t.Errorf("%s finds records of another shop: %d %s", o.Name, status, plain)
		}
		for name, c := range claims {
			_, got := p.callAs(o, input, other.TestSecretKey, c)
			refused := strings.Contains(got, "This parameter does not exist here.") // lists reject unknown parameters
			if got != plain && !refused {
				t.Errorf("%s answers differently with %s:\n%s\n%s", o.Name, name, plain, got)
			}
		}
		if !o.HasBody() {
			continue
		}
		for _, name := range []string{"tenant", "tenantId"} {
			named := maps.Clone(input)
			named[name] = victim
			if status, got := p.callAs(o, named, other.TestSecretKey, tenantClaim{}); status != 400 ||
				!strings.Contains(got, `"field":"`+name+`"`) {
				t.Errorf("%s accepts %s: %d %s", o.Name, name, status, got)
			}
		}
	}
	if after := p.state(); after != before || called < 12 {
		t.Errorf("%d operations were called; the owner's records before and after:\n%s\n%s", called, before, after)
	}
}

// TestLegacyCheckoutNeedsCustomerOrServer checks who may call the previous generation's checkout of a cart.
// Rule checkouts-13.
func TestLegacyCheckoutNeedsCustomerOrServer(t *testing.T) {
	t.Parallel()
	p := newRefusalFixture(t)
	client, secret := "X-Client-Key: "+p.server.NewCredentials.TestClientKey, "X-API-Key: "+p.server.NewCredentials.TestSecretKey
	items := object{"items": []any{object{"variantId": p.ids["product-variants"], "quantity": 1}}}
	created := p.must("POST", "/commerce/carts", items, client)
	cart, token := created["cart"].(object)["id"].(string), "X-Cart-Token: "+created["cartToken"].(string)
	checkoutToken := p.headers["another-shop"][2]
	checkout := object{
		"cartId": cart, "customerSnapshot": object{"name": "Kim", "email": "kim@shop.example"},
		"shippingAddress": object{"recipientName": "Kim", "phone": "010", "postalCode": "04524", "address1": "Road 1", "country": "KR"},
	}
	body, err := json.Marshal(checkout)
	if err != nil {
		t.Fatal(err)
	}
	statusOf := func(path string, headers ...string) int {
		t.Helper()
		status, _ := requestJSON(t, "POST", p.server.BaseURL+"/api"+path, string(body), headers...)
		return status
	}
	const public, server = "/commerce/orders/checkout", "/server/commerce/orders/checkout"
	for name, headers := range map[string][]string{
		"nobody":                           nil,
		"a cart's token alone":             {token},
		"a client key":                     {client},
		"a client key and the cart":        {client, token},
		"a client key and a checkout":      {client, token, checkoutToken},
		"a client key and a tenant":        {client, token, "X-Tenant-Id: " + p.server.NewCredentials.TenantID},
		"a client key and a made-up login": {client, token, "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.AAAA"},
	} {
		if status := statusOf(public, headers...); status != 401 {
			t.Errorf("%s: %d", name, status)
		}
	}
	for name, headers := range map[string][]string{
		"nobody": nil, "a cart's token": {token}, "an unknown key": {"X-API-Key: sk_test_" + strings.Repeat("0", 32)},
	} {
		if status := statusOf(server, headers...); status != 401 {
			t.Errorf("%s at the server path: %d", name, status)
		}
	}
	for name, c := range map[string]struct {
		path    string
		headers []string
	}{
		"an operator":               {public, slices.Concat(p.headers["operator"], []string{token})},
		"an operator, server path":  {server, slices.Concat(p.headers["operator"], []string{token})},
		"a client key, server path": {server, []string{client, token}},
		"a secret key, public path": {public, []string{secret, token}},
		"a secret key in a browser": {server, []string{secret, "Origin: https://shop.example"}},
	} {
		if status := statusOf(c.path, c.headers...); status != 403 {
			t.Errorf("%s: %d", name, status)
		}
	}
	if n := p.must("GET", "/checkouts/count?where[cart][equals]="+cart, nil, secret)["totalDocs"].(float64); n != 0 {
		t.Errorf("refused calls created %v checkouts", n)
	}
	if status := statusOf(server, secret); status != 201 {
		t.Errorf("the shop's server: %d", status)
	}
	checkout["cartId"] = p.must("POST", "/commerce/carts", items, client)["cart"].(object)["id"]
	query, err := json.Marshal(object{
		"query":     "mutation($input: OrderCheckoutInput!) { orderCheckout(input: $input) { checkout { id } } }",
		"variables": object{"input": checkout},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, a := requestJSON(t, "POST", p.server.BaseURL+"/api/graphql", string(query), secret); a["errors"] != nil {
		t.Errorf("the shop's server over GraphQL: %v", a["errors"])
	}
}
