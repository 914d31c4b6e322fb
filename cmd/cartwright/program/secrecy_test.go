package program

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// TestPaymentSecretsAreNeverExposed makes all kinds of payments at all providers, reads the connections in
// every way and causes many refusals. Then it searches responses, events, logs, requests to providers and the
// database for credentials of connections, webhook secrets, their sealed forms, and tokens of checkouts.
// Rules payments-32, webhooks-9, checkouts-8.
func TestPaymentSecretsAreNeverExposed(t *testing.T) {
	t.Parallel()
	s := newSecretRecorder(t)
	s.readAccounts()
	tokens := map[string]string{}
	for _, open := range s.openings() {
		id, token := s.checkOut()
		tokens["the checkout token of "+open.name] = token
		s.payFor(open, id, token)
	}
	id, token := s.checkOut()
	tokens["the checkout token of many payments"] = token
	s.payManyTimes(id, token)
	s.fail()

	if n := len(s.sentToProviders.list); n < 6 {
		t.Errorf("providers got only %d requests", n)
	}
	s.answers.each(func(about, text string) {
		search(t, s.secrets, about, text)
		if about != checkedOut {
			search(t, tokens, about, about+text)
		}
	})
	all := maps.Clone(s.secrets)
	maps.Copy(all, tokens)
	s.log.each(func(about, text string) { search(t, all, about, text) })
	s.sentToProviders.each(func(about, text string) { search(t, all, "a request to "+about, text) })
	for _, event := range s.allEvents() {
		search(t, all, "an event", event)
	}
	for name, content := range s.files() {
		for what, word := range all {
			if sealed := strings.HasPrefix(what, "sealed"); !sealed && containsEncoded(string(content), word) {
				t.Errorf("%s contains %s", name, what)
			}
		}
	}
}

// readAccounts reads the connections in every way, as every kind of caller.
func (s *secretRecorder) readAccounts() {
	s.Helper()
	const at = "/provider-connections"
	var names []string
	for _, f := range payment.Connections.AllFields() {
		if f.VisibleTo != collection.ServerOnly {
			names = append(names, f.Name)
		}
	}
	for _, headers := range [][]string{s.admin, s.secret, s.client, nil} {
		for _, query := range []string{
			"", "?depth=10", "?select[credentials]=true", "?select[webhookSecrets]=true", "?sort=credentials", "?sort=-webhookSecrets",
			"?limit=500&where[provider][exists]=true", "?where[credentials][exists]=true", "?where[credentials][like]=secret",
			"?where[webhookSecrets][contains]=whsec", "?where[or][0][webhookSecrets][exists]=true",
			"/count?where[credentials][exists]=true",
		} {
			s.request("GET", at+query, nil, headers...)
		}
		for _, id := range s.accounts {
			s.request("GET", at+"/"+id+"?depth=10", nil, headers...)
			s.request("GET", "/payment-sessions?where[connection.credentials][exists]=true&sort=connection.credentials", nil, headers...)
		}
		for _, document := range []string{
			"{ ProviderConnections(limit: 100) { docs { " + strings.Join(names, " ") + " } } }",
			"{ ProviderConnections { docs { credentials webhookSecrets } } }",
			"{ ProviderConnections(where: {credentials: {exists: true}}) { totalDocs } }",
			"{ ProviderConnections(sort: \"credentials\") { totalDocs } }",
			"{ PaymentSessions(limit: 100) { docs { id prepared accountKey connection { id credentials } } } }",
			`{ __type(name: "ProviderConnection") { fields { name } } }`,
		} {
			s.request("POST", "/graphql", object{"query": document}, headers...)
		}
		s.request("POST", at, object{
			"name": "again", "provider": "stripe", "accountKey": "acct", "environment": "test", "credentials": object{"secretKey": 5},
		}, headers...)
		s.request("POST", at, object{
			"name": "again", "provider": "portone", "accountKey": s.portoneStore(), "environment": "test",
			"credentials": object{"apiSecret": s.secrets["portone.apiSecret"]},
		}, headers...)
	}
}

func (s *secretRecorder) portoneStore() string {
	s.Helper()
	return s.must("GET", "/provider-connections/"+s.accounts["portone"], nil, s.secret...)["accountKey"].(string)
}

// openingCase is one way of opening a payment session.
type openingCase struct {
	name, path string
	input      object
}

func (s *secretRecorder) openings() []openingCase {
	const back = "https://shop.example/back"
	widget := func(provider string) openingCase {
		return openingCase{"a widget at " + provider, "/payment-sessions", object{
			"connectionId": s.accounts[provider], "successUrl": back, "failUrl": back,
		}}
	}
	hosted := func(provider, method string) openingCase {
		return openingCase{"a page at " + provider, "/payment-sessions/aggregator", object{
			"connectionId": s.accounts[provider], "mode": "hosted_v2", "method": method, "redirectUrl": back, "country": "KR",
		}}
	}
	standard := func(provider string) openingCase {
		return openingCase{"an action at " + provider, "/payment-sessions/aggregator", object{
			"connectionId": s.accounts[provider], "mode": "standard_v2", "channel": "card", "redirectUrl": back,
		}}
	}
	disabled := hosted("stripe", "BPI")
	disabled.name = "a page that is not enabled at stripe"
	return []openingCase{
		widget("sandbox"), widget("toss"), widget(echoingToss), hosted("sandbox", "PAY_PAL"), hosted("portone", "PAY_PAL"),
		hosted("stripe", "CARD_INTERNATIONAL"),
		disabled, hosted("toss", "PAY_PAL"), standard("sandbox"), standard("portone"), standard("stripe"),
		{"a custom payment", "/payment-sessions/custom", object{"providerSessionId": "session-1", "providerName": "Bank"}},
	}
}

// invalidOpenings are the openings that must fail.
var invalidOpenings = []string{
	"a widget at " + echoingToss, "a page at toss", "a page that is not enabled at stripe", "an action at stripe",
}

// checkedOut is the only response that may contain a checkout token.
const checkedOut = "POST /commerce/checkouts → 201"

// checkOut checks a guest's cart out.
func (s *secretRecorder) checkOut() (id, token string) {
	s.Helper()
	created := s.must("POST", "/commerce/carts", object{"items": []any{object{"variantId": s.variant, "quantity": 1}}}, s.client...)
	cart := append(slices.Clone(s.client), "X-Cart-Token: "+created["cartToken"].(string))
	checked := s.must("POST", "/commerce/checkouts", object{
		"cartId": created["cart"].(object)["id"], "email": "kim@shop.example",
		"shippingAddress": object{"recipientName": "Kim", "phone": "010", "postalCode": "04524", "address1": "Road 1", "country": "KR"},
	}, cart...)
	return checked["checkout"].(object)["id"].(string), checked["checkoutToken"].(string)
}

// payFor opens a payment session as the shopper, or as the shop's server if shoppers may not, and calls every operation
// on it.
func (s *secretRecorder) payFor(o openingCase, id, token string) {
	s.Helper()
	buyer := append(slices.Clone(s.client), "X-Checkout-Token: "+token)
	input := maps.Clone(o.input)
	input["checkoutId"] = id
	prefix, who := "/commerce", buyer
	if strings.HasSuffix(o.path, "/custom") {
		prefix, who = "/server/commerce", s.secret
	}
	status, opened := s.request("POST", prefix+o.path, input, who...)
	if works := status == http.StatusCreated; works == slices.Contains(invalidOpenings, o.name) {
		s.Errorf("%s: %d %v", o.name, status, opened)
	}
	s.request("POST", prefix+o.path, input, who...)
	session, _ := opened["paymentSession"].(object)
	name, _ := session["id"].(string)
	for _, at := range []string{"/payment-sessions/" + name, "/payment-sessions/aggregator/" + name, "/checkouts/" + id} {
		s.request("GET", "/commerce"+at, nil, buyer...)
		s.request("GET", "/server/commerce"+at, nil, s.secret...)
	}
	s.request("GET", "/payment-sessions/"+name+"?depth=10", nil, s.admin...)
	s.request("GET", "/checkouts/"+id+"?depth=10", nil, s.secret...)
	s.request("POST", "/graphql", object{
		"query": fmt.Sprintf(`{ checkoutRetrieve(checkoutId: %q) { status checkout { id } paymentSession { id status } } }`, id),
	}, buyer...)
	s.request("POST", "/server/commerce/payment-sessions/"+name+"/confirm",
		object{"paymentKey": "made-up", "orderId": "made-up", "amount": object{"amount": 1, "currency": "KRW"}}, s.secret...)
	s.request("GET",
		"/server/commerce/payment-sessions/aggregator/find?environment=test&accountKey="+s.portoneStore()+"&providerPaymentId="+name,
		nil, s.secret...)
	s.request("POST", "/server/commerce/payment-sessions/aggregator/reconcile",
		object{"environment": "test", "accountKey": "mid-1", "providerPaymentId": name}, s.secret...)
	s.request("POST", "/commerce/payment-sessions/"+name+"/cancel", object{}, buyer...)
	s.request("POST", "/commerce/payment-sessions/aggregator/"+name+"/cancel", object{}, buyer...)
	s.request("POST", "/server/commerce/payment-sessions/"+name+"/release", object{"note": "The buyer called."}, s.secret...)
	if a := s.must("GET", "/commerce/checkouts/"+id, nil, buyer...); a["checkoutToken"] != nil {
		s.Errorf("%s: %v", o.name, a)
	}
}

// payManyTimes opens one session after another for a checkout: its token is valid for all of them, and afterwards.
func (s *secretRecorder) payManyTimes(id, token string) {
	s.Helper()
	buyer := append(slices.Clone(s.client), "X-Checkout-Token: "+token)
	status := func(want string) {
		s.Helper()
		if a := s.must("GET", "/commerce/checkouts/"+id, nil, buyer...); a["status"] != want {
			s.Errorf("the checkout is %v, not %s", a["status"], want)
		}
	}
	for _, o := range s.openings() {
		if !strings.HasSuffix(o.name, "sandbox") || strings.HasPrefix(o.name, "an action") {
			continue
		}
		input := maps.Clone(o.input)
		input["checkoutId"] = id
		session := s.must("POST", "/commerce"+o.path, input, buyer...)["paymentSession"].(object)["id"].(string)
		status("payment_pending")
		s.must("POST", "/commerce/payment-sessions/"+session+"/cancel", object{}, buyer...)
		status("open")
	}
	custom := s.must("POST", "/server/commerce/payment-sessions/custom",
		object{"checkoutId": id, "providerSessionId": "session-2", "providerName": "Bank"}, s.secret...)
	status("payment_pending")
	s.must("POST", "/server/commerce/payment-sessions/"+custom["paymentSession"].(object)["id"].(string)+"/cancel", object{}, s.secret...)
	total := s.must("GET", "/commerce/checkouts/"+id, nil, buyer...)["checkout"].(object)["totals"].(object)["total"]
	s.must("POST", "/server/commerce/payment-sessions/custom",
		object{"checkoutId": id, "providerSessionId": "session-3", "providerName": "Bank"}, s.secret...)
	s.must("POST", "/server/commerce/payment-sessions/custom/confirm", object{
		"providerSessionId": "session-3", "providerPaymentId": "payment-3", "eventId": "event-3",
		"captured": object{"amount": total, "currency": "KRW"},
	}, s.secret...)
	status("completed")
	s.must("GET", "/server/commerce/payment-sessions/custom?providerPaymentId=payment-3", nil, s.secret...)
	const document = `{ paymentSessionCustomRetrieve(providerPaymentId: "payment-3") { status orderId amount { amount currency } }
		paymentSessionFindAggregator(accountKey: "nobody", environment: test, providerPaymentId: "payment-3") { found paymentSession { id } } }`
	a := s.must("POST", "/graphql", object{"query": document}, s.secret...)
	if data, _ := a["data"].(object); a["errors"] != nil || data["paymentSessionCustomRetrieve"].(object)["status"] != "succeeded" ||
		data["paymentSessionFindAggregator"].(object)["found"] != false {
		s.Errorf("over GraphQL: %v", a)
	}
}

// fail causes refusals: unsigned webhooks, and connections with wrong credentials or deleted ones.
func (s *secretRecorder) fail() {
	s.Helper()
	for _, id := range s.accounts {
		for _, body := range []string{"", "{}", `{"type":"Transaction.Paid","data":{"paymentId":"x"}}`, "\x00"} {
			s.request("POST", "/providers/"+id+"/webhook",
				body, "Webhook-Id: 1", "Webhook-Timestamp: 1", "Webhook-Signature: v1,AAAA", "Stripe-Signature: t=1,v1=00")
		}
	}
	id, token := s.checkOut()
	buyer := append(slices.Clone(s.client), "X-Checkout-Token: "+token)
	s.must("PATCH", "/provider-connections/"+s.accounts["portone"],
		object{"credentials": object{"apiSecret": "wrong-secret-of-portone-77", "profileKey": "profile-key-1"}}, s.admin...)
	s.secrets["portone.wrong"] = "wrong-secret-of-portone-77"
	page := object{
		"checkoutId": id, "connectionId": s.accounts["portone"], "mode": "hosted_v2", "method": "PAY_PAL",
		"redirectUrl": "https://shop.example/back",
	}
	if status, a := s.request("POST", "/commerce/payment-sessions/aggregator", page, buyer...); status < http.StatusBadRequest {
		s.Errorf("a page at a connection with a wrong key: %d %v", status, a)
	}
	s.request("DELETE", "/provider-connections/"+s.accounts["portone"], nil, s.admin...)
	s.request("POST", "/commerce/payment-sessions/aggregator", page, buyer...)
}
