package program

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
)

// providerShop is a shop on a complete server that takes payments at fakes of real providers.
type providerShop struct {
	*refusalFixture

	portOne  *portonefake.PortOne
	stripe   *stripefake.Stripe
	accounts map[string]string // connection by provider
	secret   string            // header of the shop's server
	token    string            // header of the shopper, of the last checkout
	id       string            // of the last checkout
	variant  string
}

// Shops take payments at every provider, on SQLite and on Postgres.
func TestPaymentsWithProviderFakesEndToEnd(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, newProviderShop, map[string]func(*providerShop){
		"PortOne's hosted page":        (*providerShop).payOnPortOnePage,
		"PortOne's standard action":    (*providerShop).payWithPortOneAction,
		"PortOne's canceled page":      (*providerShop).cancelPortOnePage,
		"PortOne's webhook":            (*providerShop).receivePortOneWebhook,
		"refund in PortOne's console":  (*providerShop).refundInPortOneConsole,
		"Stripe's hosted page":         (*providerShop).payOnStripePage,
		"Stripe's rejections":          (*providerShop).stripeRejections,
		"a second sandbox account":     (*providerShop).payAtSecondSandboxAccount,
		"Stripe captured other money":  (*providerShop).refundOtherMoneyOfStripe,
		"refund in Stripe's dashboard": (*providerShop).refundInStripeDashboard,
		"GraphQL":                      (*providerShop).payOverGraphQL,
		"PortOne's virtual account":    (*providerShop).payToPortOneAccount,
		"captures at Stripe":           (*providerShop).captureLaterAtStripe,
		"disputes":                     (*providerShop).disputeAtBothProviders,
	})
}

// onBothDatabases runs tests on a server with the demo shop in SQLite, and on one with it in Postgres.
func onBothDatabases[T interface{ withT(t *testing.T) }](
	t *testing.T, open func(t *testing.T, c Config) T, tests map[string]func(T),
) {
	t.Helper()
	for name, choose := range map[string]func(*testing.T, *Config){
		"sqlite":   func(t *testing.T, c *Config) { c.Data = demoFolder(t) },
		"postgres": func(t *testing.T, c *Config) { c.Database, c.Data = demoDatabase(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := testDefaults()
			c.Address = "127.0.0.1:0"
			choose(t, &c)
			x := open(t, c)
			for name, test := range tests {
				t.Run(name, func(t *testing.T) {
					x.withT(t)
					test(x)
				})
			}
		})
	}
}

// withT makes x report to t.
func (x *providerShop) withT(t *testing.T) { x.T = t }

func newProviderShop(t *testing.T, c Config) *providerShop {
	t.Helper()
	x := &providerShop{portOne: portonefake.New(), stripe: stripefake.New(), accounts: map[string]string{}}
	x.portOne.Now, x.stripe.Now = time.Now(), time.Now() // the server's clock: pages end by both
	x.stripe.Now = time.Now()
	c.BurstPerMinute = 0
	for url, provider := range map[*string]http.Handler{&c.PortOneURL: x.portOne, &c.StripeURL: x.stripe} {
		server := httptest.NewServer(provider)
		t.Cleanup(server.Close)
		*url = server.URL
	}
	x.refusalFixture = &refusalFixture{T: t, server: startServer(t, c, time.Now, slog.New(slog.DiscardHandler))}
	x.secret = "X-API-Key: " + x.server.NewCredentials.TestSecretKey
	for provider, account := range map[string]object{
		"portone": {
			"accountKey": portonefake.Store, "webhookSecrets": []string{"whsec_" + base64.StdEncoding.EncodeToString([]byte(hookSecret))},
			"enabledMethods": []string{"PAY_PAL", "CARD_KR"}, "credentials": object{
				"apiSecret": portonefake.Secret, "channelKey": "channel-key-1", "profileKey": "profile-key-1",
			},
		},
		"stripe": {
			"accountKey": stripefake.Account, "enabledMethods": []string{"CARD_INTERNATIONAL", "MERPAY"},
			"credentials": object{"secretKey": stripefake.Key},
		},
	} {
		account["name"], account["provider"], account["environment"] = provider, provider, "test"
		x.accounts[provider] = x.must("POST", "/provider-connections", account, x.secret)["doc"].(object)["id"].(string)
	}
	product := x.must("POST", "/products", object{
		"name": "Tea", "status": "published", "price": 15000, "variants": []any{object{"title": "One", "stock": 100, "kind": "digital"}},
	}, x.secret)["doc"].(object)["id"].(string)
	x.variant = x.must("GET", "/product-variants?where[product][equals]="+product, nil, x.secret)["docs"].([]any)[0].(object)["id"].(string)
	return x
}

const hookSecret = "a secret of twenty-four b"

// open checks a new cart out and opens a payment session for it.
func (x *providerShop) open(provider string, more object) object {
	x.Helper()
	x.checkOut()
	status, answer := x.request("/commerce/payment-sessions/aggregator", x.opening(provider, more), x.token)
	if status != http.StatusCreated {
		x.Fatalf("%d %v", status, answer)
	}
	raw, _ := json.Marshal(answer)
	for _, secret := range []string{
		portonefake.Secret, stripefake.Key, "profile-key-1", strings.TrimPrefix(x.token, "X-Checkout-Token: "),
	} {
		if strings.Contains(string(raw), secret) {
			x.Errorf("the response contains %q: %s", secret, raw)
		}
	}
	return answer
}

func (x *providerShop) checkOut() {
	x.Helper()
	client := "X-Client-Key: " + x.server.NewCredentials.TestClientKey
	created := x.must("POST", "/commerce/carts", object{"items": []any{object{"variantId": x.variant, "quantity": 1}}}, client)
	checked := x.must("POST", "/commerce/checkouts", object{
		"cartId": created["cart"].(object)["id"], "email": "kim@shop.example",
	}, client, "X-Cart-Token: "+created["cartToken"].(string))
	x.id, x.token = checked["checkout"].(object)["id"].(string), "X-Checkout-Token: "+checked["checkoutToken"].(string)
}

func (x *providerShop) opening(provider string, more object) object {
	body := object{"checkoutId": x.id, "connectionId": x.accounts[provider], "redirectUrl": "https://shop.example/back"}
	maps.Copy(body, more)
	return body
}

// request sends a request of a shopper, with an idempotency key of its own.
func (x *providerShop) request(path string, body object, headers ...string) (int, object) {
	x.Helper()
	text := ""
	if body != nil {
		raw, _ := json.Marshal(body)
		text = string(raw)
	}
	return requestJSON(x.T, http.MethodPost, x.server.BaseURL+"/api"+path, text,
		append(headers, "X-Client-Key: "+x.server.NewCredentials.TestClientKey, "Idempotency-Key: "+x.key())...)
}

// retrieve retrieves a session with the key of the shop's server.
func (x *providerShop) retrieve(opened object) (session, order object) {
	x.Helper()
	answer := x.must("GET", "/server/commerce/payment-sessions/aggregator/"+opened["paymentSession"].(object)["id"].(string), nil, x.secret)
	order, _ = answer["order"].(object)
	return answer["paymentSession"].(object), order
}

func (x *providerShop) wantOrder(opened object) {
	x.Helper()
	session, order := x.retrieve(opened)
	if session["status"] != "succeeded" || order["status"] != "paid" || order["paymentStatus"] != "paid" {
		x.Errorf("the session is %v, the order %v", session, order)
	}
	found := x.must("GET", "/orders?where[checkout][equals]="+x.id, nil, x.secret)
	if found["totalDocs"] != 1.0 {
		x.Errorf("there are %v orders", found["totalDocs"])
	}
	if again, same := x.retrieve(opened); again["status"] != "succeeded" || same["id"] != order["id"] {
		x.Errorf("the session is then %v", again)
	}
}

func (x *providerShop) wantRefusal(reason string, status int, answer object) {
	x.Helper()
	errs, _ := answer["errors"].([]any)
	if status < 400 || len(errs) == 0 || errs[0].(object)["extensions"].(object)["reason"] != reason {
		x.Errorf("%d %v, want %s", status, answer, reason)
	}
}

func (x *providerShop) payOnPortOnePage() {
	opened := x.open("portone", object{"mode": "hosted_v2", "method": "PAY_PAL", "country": "KR"})
	session := opened["paymentSession"].(object)
	if len(opened) != 2 || !strings.HasPrefix(textAt(opened, "checkoutUrl"), "https://checkout.portone.example/") {
		x.Errorf("%v", opened)
	}
	page := textAt(session, "providerSessionId")
	if status, again := x.request("/commerce/payment-sessions/aggregator",
		x.opening("portone", object{"mode": "hosted_v2", "method": "PAY_PAL", "country": "KR"}),
		x.token); status != http.StatusOK || again["checkoutUrl"] != opened["checkoutUrl"] {
		x.Errorf("opening the same session again: %d %v", status, again)
	}
	if !x.portOne.Buy(x.paymentID(session), page, nil, "FAILED") {
		x.Fatal("the fake refused the attempt")
	}
	if got, order := x.retrieve(opened); got["observation"] != "failed" || got["slotHeld"] != true || order != nil {
		x.Errorf("declined: %v", got)
	}
	if !x.portOne.Buy(x.paymentID(session), page, nil, "PAID") {
		x.Fatal("the buyer could not pay")
	}
	x.wantOrder(opened)
}

// paymentID is the id that the server gave the payment of a session, as the shop's server reads it.
func (x *providerShop) paymentID(session object) string {
	x.Helper()
	return textAt(
		x.must("GET", "/server/commerce/payment-sessions/"+textAt(session, "id"), nil, x.secret)["paymentSession"].(object), "paymentId")
}

func (x *providerShop) payWithPortOneAction() {
	opened := x.open("portone", object{"mode": "standard_v2", "channel": "card"})
	act := opened["action"].(object)
	for name, want := range map[string]any{
		"type": "requestPayment", "version": "standard_v2", "storeId": portonefake.Store, "channelKey": "channel-key-1",
		"totalAmount": 15000.0, "currency": "CURRENCY_KRW", "payMethod": "CARD", "redirectUrl": "https://shop.example/back",
		"orderName": "Tea",
	} {
		if act[name] != want {
			x.Errorf("%s is %v", name, act[name])
		}
	}
	id := textAt(act, "paymentId")
	cheap := object{"totalAmount": 1.0, "currency": "CURRENCY_KRW"}
	if x.portOne.Buy(id, "", cheap, "PAID") {
		x.Error("another amount than the registered one was paid")
	}
	cancel := "/commerce/payment-sessions/aggregator/" + textAt(opened["paymentSession"].(object), "id") + "/cancel"
	status, answer := x.request(cancel, object{}, x.token)
	x.wantRefusal("payment_slot_held", status, answer)
	if !x.portOne.Buy(id, "", act, "FAILED") || !x.portOne.Buy(id, "", act, "PAID") {
		x.Fatal("the buyer could not pay")
	}
	x.wantOrder(opened)
	status, answer = x.request(cancel, object{}, x.token)
	x.wantRefusal("payment_session_terminal", status, answer)
}

func (x *providerShop) cancelPortOnePage() {
	opened := x.open("portone", object{"mode": "hosted_v2", "method": "CARD_KR"})
	session := opened["paymentSession"].(object)
	status, done := x.request("/commerce/payment-sessions/aggregator/"+textAt(session, "id")+"/cancel", object{}, x.token)
	if got, _ := done["paymentSession"].(object); status != http.StatusOK || got["status"] != "canceled" || got["slotHeld"] != false {
		x.Fatalf("%d %v", status, done)
	}
	if x.portOne.Buy(x.paymentID(session), textAt(session, "providerSessionId"), nil, "PAID") {
		x.Error("the canceled page still accepts a payment")
	}
	status, again := x.request("/commerce/payment-sessions/aggregator",
		x.opening("portone", object{"mode": "hosted_v2", "method": "PAY_PAL"}), x.token)
	if status != http.StatusCreated || again["checkoutUrl"] == opened["checkoutUrl"] {
		x.Errorf("another payment of the checkout: %d %v", status, again)
	}
}

func (x *providerShop) payOnStripePage() {
	before := len(x.stripe.PostedRequests())
	opened := x.open("stripe", object{"mode": "hosted_v2", "method": "CARD_INTERNATIONAL"})
	page := textAt(opened["paymentSession"].(object), "providerSessionId")
	if !strings.HasPrefix(textAt(opened, "checkoutUrl"), "https://checkout.stripe.com/") {
		x.Errorf("%v", opened)
	}
	x.stripe.Buy(page, "declined")
	if got, order := x.retrieve(opened); got["status"] != "pending" || order != nil {
		x.Errorf("declined: %v", got)
	}
	x.stripe.Buy(page, "paid")
	x.wantOrder(opened)
	if posted := x.stripe.PostedRequests()[before:]; len(posted) != 1 {
		x.Errorf("Stripe got the requests %v", posted)
	}
}

func (x *providerShop) stripeRejections() {
	before := len(x.stripe.PostedRequests())
	x.checkOut()
	for reason, more := range map[string]object{
		"payment_method_not_enabled": {"mode": "hosted_v2", "method": "PAY_PAL"}, // the shop has not enabled it
		"provider_not_configured":    {"mode": "standard_v2", "channel": "card"},
	} {
		status, answer := x.request("/commerce/payment-sessions/aggregator", x.opening("stripe", more), x.token)
		x.wantRefusal(reason, status, answer)
	}
	status, answer := x.request("/commerce/payment-sessions/aggregator",
		x.opening("stripe", object{"mode": "hosted_v2", "method": "MERPAY"}), x.token)
	x.wantRefusal("payment_method_not_enabled", status, answer) // the shop has enabled it, but Stripe has no such method
	if posted := x.stripe.PostedRequests()[before:]; len(posted) != 0 {
		x.Errorf("Stripe got the requests %v", posted)
	}
	opened := x.open("stripe", object{"mode": "hosted_v2", "method": "CARD_INTERNATIONAL"})
	status, done := x.request("/commerce/payment-sessions/aggregator/"+textAt(opened["paymentSession"].(object), "id")+"/cancel",
		object{}, x.token)
	if got, _ := done["paymentSession"].(object); status != http.StatusOK || got["status"] != "canceled" {
		x.Errorf("%d %v", status, done)
	}
}

// A webhook with PortOne's signature places the order; one with another signature is refused.
func (x *providerShop) receivePortOneWebhook() {
	opened := x.open("portone", object{"mode": "standard_v2", "channel": "card"})
	act := opened["action"].(object)
	if !x.portOne.Buy(textAt(act, "paymentId"), "", act, "PAID") {
		x.Fatal("the buyer could not pay")
	}
	id, stamp := "msg_"+textAt(act, "paymentId"), strconv.FormatInt(time.Now().Unix(), 10)
	body := `{"type":"Transaction.Paid","timestamp":"2026-01-31T09:00:00Z","data":{"storeId":"` + portonefake.Store + `","paymentId":"` +
		textAt(act, "paymentId") + `","transactionId":"tx"}}`
	sign := func(secret string) string {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = mac.Write([]byte(id + "." + stamp + "." + body))
		return "Webhook-Signature: v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	to := x.server.BaseURL + "/api/providers/" + x.accounts["portone"] + "/webhook"
	status, answer := requestJSON(x.T, "POST", to, body, "Webhook-Id: "+id, "Webhook-Timestamp: "+stamp, sign("a secret of someone else "))
	x.wantRefusal("webhook_signature_invalid", status, answer)
	if status, answer := requestJSON(x.T, "POST", to, body, "Webhook-Id: "+id, "Webhook-Timestamp: "+stamp, sign(hookSecret)); status != http.StatusOK {
		x.Errorf("%d %v", status, answer)
	}
	if got := x.must("GET", "/server/commerce/payment-sessions/"+textAt(opened, "paymentSession", "id"),
		nil, x.secret); textAt(got, "paymentSession", "status") != "succeeded" {
		x.Errorf("the session is %v", got)
	}
	x.wantOrder(opened)
}

func (x *providerShop) payOverGraphQL() {
	x.checkOut()
	send := func(query string, more ...string) object {
		x.Helper()
		raw, _ := json.Marshal(object{"query": query})
		_, answer := requestJSON(x.T, "POST", x.server.BaseURL+"/api/graphql", string(raw),
			append(more, "X-Client-Key: "+x.server.NewCredentials.TestClientKey)...)
		return answer
	}
	open := func(more string) object {
		return send(`mutation { paymentSessionCreateAggregator(idempotencyKey: "` + x.key() + `", checkoutToken: "` +
			strings.TrimPrefix(x.token, "X-Checkout-Token: ") +
			`", input: {checkoutId: "` + x.id + `", connectionId: "` + x.accounts["portone"] +
			`", redirectUrl: "https://shop.example/back", ` + more +
			`}) { checkoutUrl action paymentSession { id status providerSessionId } } }`)
	}
	for _, wrong := range []string{
		`mode: hosted_v2`, `mode: hosted_v2, method: card_kr`, `mode: hosted_v2, method: [CARD_KR, PAY_PAL]`,
		`mode: hosted_v2, method: BITCOIN`, `mode: standard_v2, channel: card, method: CARD_KR`,
	} {
		if answer := open(wrong); answer["errors"] == nil {
			x.Errorf("%s: %v", wrong, answer)
		}
	}
	opened, _ := open(`mode: hosted_v2, method: CARD_KR`)["data"].(object)
	session := textAt(opened, "paymentSessionCreateAggregator", "paymentSession", "id")
	if !strings.HasPrefix(textAt(opened, "paymentSessionCreateAggregator", "checkoutUrl"), "https://") || session == "" {
		x.Fatalf("%v", opened)
	}
	page := textAt(opened, "paymentSessionCreateAggregator", "paymentSession", "providerSessionId")
	if !x.portOne.Buy(x.paymentID(object{"id": session}), page, nil, "PAID") {
		x.Fatal("the buyer could not pay")
	}
	done, _ := send(`{ paymentSessionRetrieveAggregator(paymentSessionId: "`+session+
		`") { paymentSession { status } checkout { status } order { id status } } }`, x.token)["data"].(object)
	if textAt(done, "paymentSessionRetrieveAggregator", "paymentSession", "status") != "succeeded" ||
		textAt(done, "paymentSessionRetrieveAggregator", "checkout", "status") != "completed" ||
		textAt(done, "paymentSessionRetrieveAggregator", "order", "id") == "" {
		x.Errorf("%v", done)
	}
}
