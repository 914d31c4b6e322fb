package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// paymentSteps opens, approves and confirms payments at the sandbox provider.
type paymentSteps struct {
	*client

	carts     *cartSteps
	checkouts *checkoutSteps

	payment  payment // the current one
	previous payment // the one opened before it
}

func newPaymentSteps(c *client, carts *cartSteps, checkouts *checkoutSteps) *paymentSteps {
	return &paymentSteps{client: c, carts: carts, checkouts: checkouts}
}

func (s *paymentSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^(\d+) shoppers with 1 "([^"]*)" and the code "([^"]*)" each open a payment at once$`, s.openConcurrently},
		{`^an open payment for (\d+) "([^"]*)"$`, s.create},
		{`^the shopper opens a payment$`, s.open},
		{`^the shopper opens the same payment again$`, s.open},
		{`^the shopper opens a payment with another return address$`, s.openWithOtherReturn},
		{`^the shopper (approve|decline|abandon)s the payment$`, s.decide},
		{`^the shopper (pays|declines) on the provider's page$`, s.decideOnPage},
		{`^the shop confirms the payment$`, func(ctx context.Context) error { return s.try(ctx, s.confirmRequest()) }},
		{`^the shop confirms the payment with an amount of (\d+)$`, s.confirmAmount},
		{`^the shop confirms the payment with an invented payment key$`, s.confirmUnapproved},
		{`^the shop confirms the payment (\d+) times at once$`, s.confirmConcurrently},
		{`^the shop cancels the payment$`, s.cancel},
		{`^a browser tries to confirm the payment itself$`, s.confirmInBrowser},
		{`^the shopper's browser returns to the shop$`, s.returnToShop},
		{`^the next answer of the provider is lost$`, func(ctx context.Context) error {
			return s.injectFaults(ctx, object{"dropResponseNext": 1})
		}},
		{`^the provider fails (\d+) times?$`, func(ctx context.Context, n int) error { return s.injectFaults(ctx, object{"failNext": n}) }},
		{`^the provider captures a wrong amount$`, func(ctx context.Context) error {
			return s.injectFaults(ctx, object{"wrongAmountNext": 1})
		}},
		{`^the payment slot is (held|free)$`, s.wantSlot},
		{`^the payment is "([^"]*)"$`, s.wantStatus},
		{`^the payment is the same as before$`, s.wantSame},
		{`^the ledger shows one payment of (\d+) ([A-Z]{3})$`, s.wantLedgerPayment},
		{`^(\d+) shoppers with 1 "([^"]*)" each open a payment at once$`, func(ctx context.Context, n int, name string) error {
			return s.openConcurrently(ctx, n, name, "")
		}},
		{`^the provider completes refunds later$`, func(ctx context.Context) error {
			return s.injectFaults(ctx, object{"asyncRefundNext": 1})
		}},
	}
}

// payment is an open payment as the shopper's browser knows it.
type payment struct {
	id, orderID, key, returnTo string
	amount                     object
}

func (s *paymentSteps) create(ctx context.Context, n int, name string) error {
	if err := s.checkouts.create(ctx, n, name, true); err != nil {
		return err
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	return s.wantSuccess()
}

func (s *paymentSteps) openRequest(returnTo string) request {
	return request{"POST", publicAPI + "/payment-sessions", object{
		"checkoutId": s.checkouts.checkout.id, "successUrl": returnTo + "/thanks", "failUrl": returnTo + "/sorry",
	}, keyed(s.checkouts.asShopper())}
}

func (s *paymentSteps) open(ctx context.Context) error {
	return s.openWithReturn(ctx, "https://shop.example")
}

func (s *paymentSteps) openWithOtherReturn(ctx context.Context) error {
	return s.openWithReturn(ctx, "https://elsewhere.example")
}

func (s *paymentSteps) openWithReturn(ctx context.Context, returnTo string) error {
	if err := s.try(ctx, s.openRequest(returnTo)); err != nil || !s.got.ok() {
		return err
	}
	action := valueAt(s.got.body, "action")
	amount, _ := valueAt(action, "amount").(object)
	s.use(payment{id: text(s.got.body, "paymentSession", "id"), orderID: text(action, "orderId"), amount: amount})
	return nil
}

// use makes a payment the current one.
func (s *paymentSteps) use(p payment) { s.previous, s.payment = s.payment, p }

// decide acts as the shopper at the provider, without a key of the shop.
func (s *paymentSteps) decide(ctx context.Context, outcome string) error {
	got, err := s.must(ctx, request{"POST", "/sandbox/authorize", object{"orderId": s.payment.orderID, "outcome": outcome}, nil})
	if err != nil {
		return err
	}
	s.payment.key, s.payment.returnTo = text(got.body, "paymentKey"), text(got.body, "redirectUrl")
	return nil
}

// decideOnPage opens the payment page and presses a button, which redirects to the shop.
func (s *paymentSteps) decideOnPage(ctx context.Context, decision string) error {
	outcome := map[string]string{"pays": "approve", "declines": "decline"}[decision]
	at := s.urls[0] + "/sandbox/pay/" + s.payment.orderID
	page, body, err := s.browse(ctx, http.MethodGet, at, "") //nolint:bodyclose // browse closes it
	if err != nil {
		return err
	}
	if page.StatusCode != http.StatusOK || !strings.Contains(body, `value="`+outcome+`"`) {
		return fmt.Errorf("the page answered %d %.300s", page.StatusCode, body)
	}
	back, _, err := s.browse(ctx, http.MethodPost, at, "outcome="+outcome) //nolint:bodyclose // browse closes it
	if err != nil {
		return err
	}
	to, err := back.Location()
	if err != nil {
		return fmt.Errorf("the button answered %d: %w", back.StatusCode, err)
	}
	if back.StatusCode != http.StatusSeeOther || to.Hostname() != "shop.example" {
		return fmt.Errorf("the button answered %d and redirected to %v", back.StatusCode, to)
	}
	s.payment.returnTo, s.payment.key = to.String(), to.Query().Get("paymentKey")
	return nil
}

// browse makes one request as a browser, without following a redirect.
func (s *paymentSteps) browse(ctx context.Context, method, at, form string) (*http.Response, string, error) {
	req, err := http.NewRequestWithContext(ctx, method, at, strings.NewReader(form))
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{
		Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	body, err := io.ReadAll(res.Body)
	return res, string(body), err
}

func (s *paymentSteps) confirmRequest() request {
	return request{"POST", serverAPI + "/payment-sessions/" + s.payment.id + "/confirm", object{
		"paymentKey": s.payment.key, "orderId": s.payment.orderID, "amount": s.payment.amount,
	}, keyed(s.asServer())}
}

func (s *paymentSteps) confirmAmount(ctx context.Context, amount string) error {
	r := s.confirmRequest()
	r.body.(object)["amount"] = object{"amount": json.Number(amount), "currency": s.payment.amount["currency"]}
	return s.try(ctx, r)
}

func (s *paymentSteps) confirmUnapproved(ctx context.Context) error {
	s.payment.key = "made-up-by-somebody"
	return s.try(ctx, s.confirmRequest())
}

func (s *paymentSteps) confirmConcurrently(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, s.confirmRequest())
	}
	return s.sendConcurrently(ctx, all)
}

func (s *paymentSteps) confirmInBrowser(ctx context.Context) error {
	r := s.confirmRequest()
	r.header = keyed(s.checkouts.asShopper())
	return s.try(ctx, r)
}

func (s *paymentSteps) cancel(ctx context.Context) error {
	return s.try(ctx, request{
		"POST", publicAPI + "/payment-sessions/" + s.payment.id + "/cancel", object{}, keyed(s.checkouts.asShopper()),
	})
}

// returnToShop reads the payment and the checkout, as a shop's page does after the redirect.
func (s *paymentSteps) returnToShop(ctx context.Context) error {
	if s.payment.returnTo == "" {
		return errors.New("the provider did not redirect the shopper")
	}
	if _, err := s.must(ctx, request{"GET", publicAPI + "/payment-sessions/" + s.payment.id, nil, s.checkouts.asShopper()}); err != nil {
		return err
	}
	_, err := s.checkouts.read(ctx)
	return err
}

// injectFaults makes the sandbox provider fail for this shop.
func (s *paymentSteps) injectFaults(ctx context.Context, faults object) error {
	_, err := s.must(ctx, request{"PUT", "/sandbox/faults", faults, s.asServer()})
	return err
}

func (s *paymentSteps) read(ctx context.Context) (object, error) {
	got, err := s.must(ctx, request{"GET", serverAPI + "/payment-sessions/" + s.payment.id, nil, s.asServer()})
	if inner, ok := got.body["paymentSession"].(object); ok {
		return inner, err
	}
	return got.body, err
}

func (s *paymentSteps) wantStatus(ctx context.Context, want string) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	return equal("the payment", got["status"], want)
}

// changeConnection changes the shop's connection to its provider.
func (s *paymentSteps) changeConnection(ctx context.Context, change object) error {
	got, err := s.must(ctx, request{"GET", "/api/provider-connections?limit=1", nil, s.asServer()})
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/provider-connections/" + text(got.body, "docs", 0, "id"), change, s.asServer()})
	return err
}

func (s *paymentSteps) wantSlot(ctx context.Context, want string) error {
	got, err := s.checkouts.read(ctx)
	if err != nil {
		return err
	}
	return equal("holding the slot", valueAt(got, "checkout", "paymentSlot", "held"), strconv.FormatBool(want == "held"))
}

func (s *paymentSteps) wantSame() error {
	if s.payment.id != s.previous.id || s.payment.orderID != s.previous.orderID {
		return fmt.Errorf("first it was %+v, now %+v", s.previous, s.payment)
	}
	return nil
}

func (s *paymentSteps) wantLedgerPayment(ctx context.Context, amount, currency string) error {
	got, err := s.must(ctx, request{"GET", "/api/transactions?limit=100", nil, s.asServer()})
	if err != nil {
		return err
	}
	docs := list(got.body, "docs")
	if len(docs) != 1 {
		return fmt.Errorf("the ledger shows %d entries", len(docs))
	}
	for field, want := range map[string]string{"amount": amount, "currency": currency, "type": "payment", "status": "paid"} {
		if err := equal("the entry's "+field, valueAt(docs[0], field), want); err != nil {
			return err
		}
	}
	return nil
}

// openConcurrently opens the payments of n shoppers with one unit each; code may be "".
func (s *paymentSteps) openConcurrently(ctx context.Context, n int, name, code string) error {
	var all []request
	var codes []string
	if code != "" {
		codes = []string{code}
	}
	for range n {
		if err := s.carts.create(ctx, "", []line{{1, name}}, codes...); err != nil {
			return err
		}
		if err := s.checkouts.checkOut(ctx, true); err != nil {
			return err
		}
		all = append(all, s.openRequest("https://shop.example"))
	}
	return s.sendConcurrently(ctx, all)
}
