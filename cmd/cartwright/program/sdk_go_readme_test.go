package program

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
	"github.com/cartwright-dev/cartwright/adapters/testservers/faultproxy"
)

// The Go blocks in the README of the SDK are exactly the functions of sdk_go_readme_examples_test.go; the test runs each of them
// against a server.
func TestGoSDKReadmeExamples(t *testing.T) {
	t.Parallel()
	run := map[string]func(*goShop, string){
		"open": (*goShop).checkOpen, "buy": (*goShop).checkBuy, "price": (*goShop).checkPrice, "rename": (*goShop).checkRename,
		"refund": (*goShop).checkRefund, "addOnce": (*goShop).checkAddOnce, "decide": (*goShop).checkDecide, "hooks": (*goShop).checkHooks,
		"awaitOrder": (*goShop).checkAwaitOrder, "transferMail": (*goShop).checkTransferMail,
		"fetchOrders": (*goShop).checkFetchOrders, "tryOut": (*goShop).checkTryOut,
	}
	source, err := os.ReadFile("sdk_go_readme_examples_test.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../../adapters/sdk/go/README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string]bool{}
	for _, block := range strings.Split(string(readme), "```go\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		name, _, _ := strings.Cut(strings.TrimPrefix(block, "func "), "(")
		blocks[name] = true
		if run[name] == nil || !strings.Contains(string(source), "\n"+block) {
			t.Errorf("the block of %s is not a function of that file that is run:\n%s", name, block)
		}
	}
	s := startProcess(t, "CARTWRIGHT_DATA="+t.TempDir(), "CARTWRIGHT_LOG_LEVEL=warn")
	shop := newGoShop(t, s)
	for name, check := range run {
		if !blocks[name] {
			t.Errorf("the README has no block of %s", name)
		}
		t.Run(name, func(t *testing.T) {
			one := *shop
			one.T = t
			check(&one, t.TempDir())
		})
	}
}

func (s *goShop) checkOpen(dir string) {
	shop := callResult(open(s.url, s.credentials.TestSecretKey, filepath.Join(dir, "pending"))).ok(s)
	if n := callResult(shop.Collections.Products.Count(s.Context(), nil)).ok(s); n != 1 {
		s.Errorf("%d products", n)
	}
}

func (s *goShop) checkBuy(string) {
	checkout := callResult(buy(s.Context(), s.Client, s.variant)).ok(s)
	opened := callResult(s.PaymentSessions.Create(s.Context(), cartwright.PaymentSessionCreateInput{
		CheckoutID: checkout.ID, SuccessURL: "https://shop.example/ok", FailURL: "https://shop.example/no",
	})).ok(s)
	if opened.Action.Amount.Amount != "24000" {
		s.Errorf("%+v", opened.Action)
	}
}

func (s *goShop) checkPrice(string) {
	tea := callResult(price(s.Context(), s.Client, "tea")).ok(s)
	missing := callResult(price(s.Context(), s.Client, "coffee")).ok(s)
	if tea != "One: 12000 KRW, three for 36000\n" || missing != "not for sale: missing" {
		s.Errorf("%q %q", tea, missing)
	}
}

func (s *goShop) checkRename(string) {
	brand := callResult(s.Collections.Brands.Create(s.Context(), cartwright.BrandCreate{Name: "Old"})).ok(s).Doc
	if err := rename(s.Context(), s.Client); err != nil {
		s.Fatal(err)
	}
	if now := callResult(s.Collections.Brands.FindByID(s.Context(), brand.ID, cartwright.Query{})).ok(s); now.Name != "New" ||
		now.Description != "" {
		s.Errorf("%+v", now)
	}
}

func (s *goShop) checkFetchOrders(string) {
	var file bytes.Buffer
	if err := fetchOrders(s.Context(), s.Client, &file); err != nil || !bytes.HasPrefix(file.Bytes(), []byte("PK")) {
		s.Errorf("%d bytes, %v", file.Len(), err)
	}
}

func (s *goShop) checkTryOut(string) {
	problems := callResult(tryOut(s.Context(), s.Client, strings.NewReader("email\nsora@example.com\nnobody\n"))).ok(s)
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "row 3, email: ") {
		s.Errorf("%q", problems)
	}
}

func (s *goShop) checkRefund(string) {
	order := s.pay()
	work := callResult(s.Collections.FulfillmentOrders.Find(s.Context(), cartwright.Query{Where: where("order", order.ID)})).ok(s).Docs[0]
	requestJSON(s.T, "POST", s.url+"/api/fulfillment-orders/"+work.ID+"/complete", "", "X-API-Key: "+s.credentials.TestSecretKey)
	if back := callResult(refund(s.Context(), s.Client, order.ID)).ok(s); back != "12000" {
		s.Errorf("%s", back)
	}
}

func (s *goShop) checkAddOnce(string) {
	cart := s.cart(s.variant)
	key := cartwright.NewIdempotencyKey()
	for range 2 {
		if err := addOnce(s.Context(), s.Client, key, cart, s.variant); err != nil {
			s.Fatal(err)
		}
	}
	if now := callResult(s.Carts.Retrieve(s.Context(), cartwright.CartRetrieveInput{CartID: cart})).ok(s); now.Cart.Lines[0].Quantity != 2 {
		s.Errorf("%+v", now.Cart.Lines)
	}
}

func (s *goShop) checkDecide(string) {
	ctx := s.Context()
	cart := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart
	past := cart
	callResult(s.Carts.UpdateAttributes(ctx, cartwright.CartUpdateAttributesInput{CartID: cart.ID})).ok(s)
	for want, err := range map[string]error{
		"done":                decided(s, cart.ID, 2),
		"somebody was faster": decided(s, past.ID, 1),
		"out of tea": func() error {
			_, err := s.Carts.AddItem(ctx, cartwright.CartAddItemInput{CartID: cart.ID, VariantID: s.variant, Quantity: 9000})
			return err
		}(),
		"try again in 7s":         s.busyFor("7"),
		"failed, see req_1 there": &cartwright.Error{RequestID: "req_1"},
	} {
		if got := decide(err); got != want {
			s.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

func decided(s *goShop, cart string, revision int64) error {
	_, err := s.Carts.AddItem(s.Context(), cartwright.CartAddItemInput{
		CartID: cart, VariantID: s.variant, Quantity: 1, ExpectedRevision: &revision,
	})
	return err
}

// busyFor is the error of an overloaded server with a retryAfter that exceeds the time a call may wait.
func (s *goShop) busyFor(seconds string) error {
	proxy := faultproxy.Start(s, s.url)
	proxy.InjectNext(faultproxy.Fault{
		Kind: faultproxy.Status, Status: 503, Times: 1,
		Body: `{"errors": [{"message": "Busy.", "extensions": {"reason": "overloaded", "retryable": true, "retryAfter": ` +
			seconds + `}}]}`,
	})
	c := callResult(cartwright.New(cartwright.Config{
		BaseURL: proxy.URL, SecretKey: s.credentials.TestSecretKey, Retry: cartwright.Retry{Attempts: 1},
	})).ok(s)
	_, err := c.Carts.Create(s.Context(), cartwright.CartCreateInput{})
	return err
}

func (s *goShop) checkHooks(string) {
	queue := make(chan string, 1)
	receiver := httptest.NewServer(hooks("whsec_"+"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", queue))
	s.Cleanup(receiver.Close)
	res := callResult(http.Post(receiver.URL, "application/json", strings.NewReader("{}"))).ok(s)
	defer res.Body.Close()
	if res.StatusCode != http.StatusBadRequest || len(queue) != 0 {
		s.Error(res.Status)
	}
}

func (s *goShop) checkAwaitOrder(string) {
	opened := callResult(s.PaymentSessions.CreateAggregator(s.Context(), cartwright.HostedV2{
		CheckoutID: s.checkout().ID, Method: cartwright.PaymentMethodCardKr, RedirectURL: "https://shop.example/back",
	})).ok(s)
	there := opened.PaymentSession.ProviderSessionID
	s.authorize("sessionId", there, "virtual_account")
	order := callResult(awaitOrder(s.Context(), s.Client, opened.PaymentSession.ID, func(i cartwright.PaymentSessionInstructions) {
		if i.Amount != "12000" || i.Currency != "KRW" || i.Bank != "Sandbox Bank" || i.Due.IsZero() {
			s.Errorf("%+v", i)
		}
		requestJSON(s.T, "POST", s.url+"/sandbox/payments/"+there+"/deposit", "{}")
	})).ok(s)
	if order == nil || order.Status != cartwright.OrderStatusPaid {
		s.Errorf("%+v", order)
	}
	left := callResult(s.PaymentSessions.CreateAggregator(s.Context(), cartwright.HostedV2{
		CheckoutID: s.checkout().ID, Method: cartwright.PaymentMethodCardKr, RedirectURL: "https://shop.example/back",
	})).ok(s)
	if none := callResult(awaitOrder(s.Context(), s.Client, left.PaymentSession.ID, nil)).ok(s); none != nil {
		s.Errorf("%+v", none)
	}
}

func (s *goShop) checkTransferMail(string) {
	doc := json.RawMessage(`{"email": "kim@example.com", "customerName": "<b>Kim</b>", "instructions": {"bank": "Woori", "account": "X650",
		"holder": "Shop", "amount": 12000, "currency": "KRW", "due": "2026-02-03T09:00:00.000Z"}}`)
	e := &cartwright.Event{
		Collection: "payment-sessions", Operation: cartwright.EventOperationUpdate, Doc: doc, Data: doc,
		PreviousDoc: json.RawMessage(`{"instructions": {"account": null}}`),
	}
	to, text, page, err := transferMail(e)
	if err != nil || to != "kim@example.com" || !strings.Contains(text, "Dear <b>Kim</b>,") || !strings.Contains(text, "12000 KRW") ||
		strings.Contains(page, "<b>") || !strings.Contains(page, "until Tue, 03 Feb 2026") {
		s.Errorf("%q %q %q %v", to, text, page, err)
	}
	e.PreviousDoc = doc
	if to, _, _, err = transferMail(e); to != "" || err != nil {
		s.Errorf("again to %q, %v", to, err)
	}
}
