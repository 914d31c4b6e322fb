package program

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// refusalFixture is a shop with the records of one customer (the owner) in the test environment, and the credentials of
// callers who must not reach them.
type refusalFixture struct {
	*testing.T

	server         *Server
	ids            map[string]string   // the owner's records, and public ones, by slug
	otherCustomers map[string]string   // records of another customer, by slug
	lines          map[string]string   // path parameters that are not records
	headers        map[string][]string // credentials, by unauthorized caller
	keys           int
}

func (p *refusalFixture) key() string {
	p.keys++
	return fmt.Sprintf("ik_%032d", p.keys)
}

// id is the id of the owner's record for a path parameter.
func (p *refusalFixture) id(f collection.Field) string {
	p.Helper()
	if id := p.ids[f.RelationTo]; id != "" {
		return id
	}
	if p.lines[f.Name] == "" {
		p.Fatalf("the fixture has no record of %q for the parameter %s: add one", f.RelationTo, f.Name)
	}
	return p.lines[f.Name]
}

// must sends a request, and fails the test unless it succeeds.
func (p *refusalFixture) must(method, path string, body any, headers ...string) map[string]any {
	p.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		p.Fatal(err)
	}
	text := string(raw)
	if body == nil {
		text = ""
	}
	status, a := requestJSON(p.T, method, p.server.BaseURL+"/api"+path, text, append(headers, "Idempotency-Key: "+p.key())...)
	if status >= 300 {
		p.Fatalf("%s %s: %d %v", method, path, status, a)
	}
	return a
}

type object = map[string]any

func newRefusalFixture(t *testing.T) *refusalFixture {
	t.Helper()
	s, ahead := startServerWithClock(t, map[string]string{"CARTWRIGHT_TOKEN_EXPIRATION": "60"})
	p := &refusalFixture{T: t, server: s, ids: map[string]string{}, lines: map[string]string{}, headers: map[string][]string{}}
	client := "X-Client-Key: " + s.NewCredentials.TestClientKey
	login := func(email string) string {
		t.Helper()
		return "Authorization: Bearer " +
			p.must("POST", "/customers/login", object{"email": email, "password": "correct horse"}, client)["token"].(string)
	}
	for _, email := range []string{"kim@shop.example", "lee@shop.example"} {
		p.must("POST", "/customers/register", object{"email": email, "password": "correct horse"}, client)
	}
	expired := login("kim@shop.example")
	ahead.Add(int64(2 * time.Minute))
	kim, lee := login("kim@shop.example"), login("lee@shop.example")
	operator := "Authorization: Bearer " + logInAs(t, s, "users", s.NewCredentials.AdminEmail, s.NewCredentials.AdminPassword)

	product := p.must("POST", "/products", object{"name": "Tea", "status": "published", "price": 1500, "stock": 100},
		"X-API-Key: "+s.NewCredentials.TestSecretKey)["doc"].(object)["id"].(string)
	found := p.must("GET", "/product-variants?where[product][equals]="+product, nil, "X-API-Key: "+s.NewCredentials.TestSecretKey)
	p.ids["products"], p.ids["product-variants"] = product, found["docs"].([]any)[0].(object)["id"].(string)

	mine, theirs := p.buy(client, kim), p.buy(client, lee)
	p.ids["carts"], p.ids["checkouts"], p.ids["payment-sessions"] = mine.cart, mine.checkout, mine.session
	p.otherCustomers = map[string]string{"carts": theirs.cart, "checkouts": theirs.checkout, "payment-sessions": theirs.session}
	p.lines["line"] = mine.line

	other, err := s.onboarding.Prepare(onboarding.TenantInput{Name: "Theirs", Plan: tenant.Enterprise, Currency: "KRW"})
	if err == nil {
		err = s.onboarding.Create(t.Context(), other)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.headers = map[string][]string{
		"nobody": nil,
		// also when it knows the tokens
		"secret-key":       slices.Concat([]string{"X-API-Key: " + s.NewCredentials.TestSecretKey}, mine.tokens),
		"operator":         {operator, "X-Environment: test"},
		"client-key":       {client},
		"another's-token":  slices.Concat([]string{client}, theirs.tokens),
		"another-customer": {client, lee},
		"expired-token":    {client, expired},
		"another-shop":     slices.Concat([]string{"X-Client-Key: " + other.TestClientKey}, mine.tokens),
		"live-key":         slices.Concat([]string{"X-Client-Key: " + s.NewCredentials.ClientKey}, mine.tokens),
	}
	return p
}

// purchase is a cart with its checkout and payment session, and the capability tokens for them.
type purchase struct {
	cart, line, checkout, session string
	tokens                        []string
}

func (p *refusalFixture) buy(client, customer string) (b purchase) {
	p.Helper()
	created := p.must("POST", "/commerce/carts", object{"items": []any{object{"variantId": p.ids["product-variants"], "quantity": 1}}},
		client, customer)
	cart := created["cart"].(object)
	b.cart, b.line = cart["id"].(string), cart["lines"].([]any)[0].(object)["id"].(string)
	address := object{"recipientName": "Kim", "phone": "010", "postalCode": "04524", "address1": "Road 1", "country": "KR"}
	checked := p.must("POST", "/commerce/checkouts", object{"cartId": b.cart, "email": "kim@shop.example", "shippingAddress": address},
		client, customer)
	b.checkout = checked["checkout"].(object)["id"].(string)
	pay := object{"checkoutId": b.checkout, "successUrl": "https://shop.example/done", "failUrl": "https://shop.example/failed"}
	b.session = p.must("POST", "/commerce/payment-sessions", pay, client, customer)["paymentSession"].(object)["id"].(string)
	b.tokens = []string{"X-Cart-Token: " + created["cartToken"].(string), "X-Checkout-Token: " + checked["checkoutToken"].(string)}
	return b
}

// state is the owner's records as the shop's server reads them.
func (p *refusalFixture) state() string {
	p.Helper()
	var all []string
	for slug, id := range p.ids {
		_, a := requestJSON(p.T, "GET", p.server.BaseURL+"/api/"+slug+"/"+id, "", "X-API-Key: "+p.server.NewCredentials.TestSecretKey)
		raw, err := json.Marshal(a)
		if err != nil {
			p.Fatal(err)
		}
		all = append(all, slug+" "+string(raw))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}
