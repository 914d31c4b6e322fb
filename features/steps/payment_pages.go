package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// paymentPageSteps opens payments on a page of the provider and by its script in the browser, and looks them up.
type paymentPageSteps struct {
	*client

	apiKeys   *apiKeySteps
	checkouts *checkoutSteps
	payments  *paymentSteps
}

func newPaymentPageSteps(c *client, apiKeys *apiKeySteps, checkouts *checkoutSteps, payments *paymentSteps) *paymentPageSteps {
	return &paymentPageSteps{client: c, apiKeys: apiKeys, checkouts: checkouts, payments: payments}
}

func (s *paymentPageSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shopper opens a payment page for "([^"]*)"$`, s.openHosted},
		{`^an open payment page for (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return s.create(ctx, n, name, func(ctx context.Context) error { return s.openHosted(ctx, "CARD_KR") })
		}},
		{`^the shopper opens a browser payment$`, s.openBrowser},
		{`^the shopper opens a (browser payment|payment page) with a (personal|corporate) cash receipt under "([^"]*)"$`, s.openWithCashReceipt},
		{`^the provider is told of a (PERSONAL|CORPORATE) cash receipt under "([^"]*)"$`, s.wantCashReceiptTold},
		{`^the shop sees a (personal|corporate) cash receipt under "([^"]*)" in the payment$`, s.wantCashReceiptKept},
		{`^an open browser payment for (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return s.create(ctx, n, name, s.openBrowser)
		}},
		{`^the shop enables only "([^"]*)" for payment pages$`, s.enableOnly},
		{`^the shopper's browser looks the payment up$`, func(ctx context.Context) error {
			return s.try(ctx, s.lookupRequest(publicAPI, s.checkouts.asShopper()))
		}},
		{
			`^the shop looks the payment up$`,
			func(ctx context.Context) error { return s.try(ctx, s.lookupRequest(serverAPI, s.asServer())) },
		},
		{`^the shop looks the payment up (\d+) times at once$`, func(ctx context.Context, n int) error {
			return s.sendConcurrently(ctx, slices.Repeat([]request{s.lookupRequest(serverAPI, s.asServer())}, n))
		}},
		{`^a server with the new API key looks the payment up$`, func(ctx context.Context) error {
			return s.try(ctx, s.lookupRequest(serverAPI, withSecretKey(s.apiKeys.key)))
		}},
		{`^the shopper cancels the payment$`, func(ctx context.Context) error {
			return s.try(ctx, s.cancelRequest())
		}},
		{`^the answer holds the address of the page and nothing else$`, s.wantAddressOnly},
		{`^the page no longer takes payments$`, s.wantClosed},
		{`^the browser gets a card payment of (\d+) KRW with a payment id of letters and digits$`, s.wantAction},
	}
}

// create opens a payment of a new checkout.
func (s *paymentPageSteps) create(ctx context.Context, n int, name string, open func(context.Context) error) error {
	if err := s.checkouts.create(ctx, n, name, true); err != nil {
		return err
	}
	if err := open(ctx); err != nil {
		return err
	}
	return s.wantSuccess()
}

// openHosted opens a page for a method, "" for none; "only A" and "A and B" are sent as lists.
func (s *paymentPageSteps) openHosted(ctx context.Context, methods string) error {
	body := object{"mode": "hosted_v2"}
	one, isList := strings.CutPrefix(methods, "only ")
	switch list := strings.Split(one, " and "); {
	case isList || len(list) > 1:
		body["method"] = list
	case methods != "":
		body["method"] = methods
	}
	return s.open(ctx, body)
}

func (s *paymentPageSteps) openBrowser(ctx context.Context) error {
	return s.open(ctx, object{"mode": "standard_v2", "channel": "card"})
}

func (s *paymentPageSteps) openWithCashReceipt(ctx context.Context, where, kind, number string) error {
	body := object{"mode": "standard_v2", "channel": "card"}
	if where == "payment page" {
		body = object{"mode": "hosted_v2", "method": "CARD_KR"}
	}
	body["cashReceipt"] = object{"type": kind, "number": number}
	return s.open(ctx, body)
}

func (s *paymentPageSteps) wantCashReceiptTold(kind, number string) error {
	if !s.got.ok() {
		return fmt.Errorf("it %s", s.got)
	}
	for _, method := range []string{"transfer", "virtualAccount"} {
		if got := text(s.got.body, "action", method, "cashReceiptType") + text(s.got.body, "action", method, "customerIdentifier"); got != kind+number {
			return fmt.Errorf("of a %s the provider is told %q", method, got)
		}
	}
	if valueAt(s.got.body, "paymentSession", "cashReceipt") != nil {
		return errors.New("the session shows it to the shopper")
	}
	return nil
}

func (s *paymentPageSteps) wantCashReceiptKept(ctx context.Context, kind, number string) error {
	kept, err := s.must(ctx, request{"GET", "/api/payment-sessions/" + s.payments.payment.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the cash receipt", text(kept.body, "cashReceipt", "type")+" "+text(kept.body, "cashReceipt", "number"), kind+" "+number)
}

func (s *paymentPageSteps) cancelRequest() request {
	path := publicAPI + "/payment-sessions/aggregator/" + s.payments.payment.id + "/cancel"
	return request{"POST", path, object{}, keyed(s.checkouts.asShopper())}
}

// openRequest opens a payment with the mode and the method of body.
func (s *paymentPageSteps) openRequest(body object) request {
	body["checkoutId"], body["redirectUrl"] = s.checkouts.checkout.id, "https://shop.example/back"
	return request{"POST", publicAPI + "/payment-sessions/aggregator", body, keyed(s.checkouts.asShopper())}
}

func (s *paymentPageSteps) open(ctx context.Context, body object) error {
	if err := s.try(ctx, s.openRequest(body)); err != nil || !s.got.ok() {
		return err
	}
	opened := payment{id: text(s.got.body, "paymentSession", "id"), orderID: text(s.got.body, "action", "paymentId")}
	if opened.orderID == "" {
		opened.orderID = text(s.got.body, "paymentSession", "providerSessionId")
	}
	s.payments.use(opened)
	return nil
}

// enableOnly leaves one method enabled on the shop's connection.
func (s *paymentPageSteps) enableOnly(ctx context.Context, method string) error {
	return s.payments.changeConnection(ctx, object{"enabledMethods": []string{method}})
}

func (s *paymentPageSteps) lookupRequest(at string, as map[string]string) request {
	return request{"GET", at + "/payment-sessions/aggregator/" + s.payments.payment.id, nil, as}
}

func (s *paymentPageSteps) wantAddressOnly() error {
	if names := slices.Sorted(maps.Keys(s.got.body)); !slices.Equal(names, []string{"checkoutUrl", "paymentSession"}) {
		return fmt.Errorf("it %s", s.got)
	}
	page, err := url.Parse(text(s.got.body, "checkoutUrl"))
	switch {
	case err != nil:
		return err
	case page.Scheme != "https" && page.Hostname() != "127.0.0.1":
		return fmt.Errorf("the page is at %s", page)
	case strings.Contains(page.String(), s.checkouts.checkout.token):
		return errors.New("the address contains the checkout's token")
	}
	return nil
}

func (s *paymentPageSteps) wantClosed(ctx context.Context) error {
	at := s.urls[0] + "/sandbox/pay/" + s.payments.payment.orderID
	page, body, err := s.payments.browse(ctx, http.MethodGet, at, "") //nolint:bodyclose // browse closes it
	if err == nil && (page.StatusCode >= http.StatusInternalServerError || strings.Contains(body, `value="approve"`)) {
		err = fmt.Errorf("the page answered %d %.300s", page.StatusCode, body)
	}
	return err
}

var paymentName = regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`)

func (s *paymentPageSteps) wantAction(amount string) error {
	act, _ := s.got.body["action"].(object)
	if !paymentName.MatchString(text(act, "paymentId")) {
		return fmt.Errorf("it %s", s.got)
	}
	for name, want := range map[string]string{
		"type": "requestPayment", "version": "standard_v2", "totalAmount": amount, "currency": "CURRENCY_KRW", "payMethod": "CARD",
		"redirectUrl": "https://shop.example/back",
	} {
		if err := equal("its "+name, act[name], want); err != nil {
			return err
		}
	}
	return nil
}
