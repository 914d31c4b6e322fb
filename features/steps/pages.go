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

func (w *world) pageSteps() []definition {
	return []definition{
		{`^the shopper opens a payment page for "([^"]*)"$`, w.openPage},
		{`^an open payment page for (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return w.makeKind(ctx, n, name, func(ctx context.Context) error { return w.openPage(ctx, "CARD_KR") })
		}},
		{`^the shopper opens a browser payment$`, w.openBrowser},
		{`^an open browser payment for (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return w.makeKind(ctx, n, name, w.openBrowser)
		}},
		{`^the shop takes only "([^"]*)" on payment pages$`, w.takeOnly},
		{`^the shopper's browser asks what became of the payment$`, func(ctx context.Context) error { return w.try(ctx, w.lookUp(public, w.asBuyer())) }},
		{`^the shop asks what became of the payment$`, func(ctx context.Context) error { return w.try(ctx, w.lookUp(server, w.asOwner())) }},
		{`^the shop asks (\d+) times at once what became of the payment$`, func(ctx context.Context, n int) error {
			return w.together(ctx, slices.Repeat([]request{w.lookUp(server, w.asOwner())}, n))
		}},
		{`^a server with the new key asks what became of the payment$`, func(ctx context.Context) error {
			return w.try(ctx, w.lookUp(server, map[string]string{"X-API-Key": w.newKey}))
		}},
		{`^the shopper cancels the payment$`, func(ctx context.Context) error {
			return w.try(ctx, request{"POST", public + "/payment-sessions/aggregator/" + w.payment.id + "/cancel", object{}, keyed(w.asBuyer())})
		}},
		{`^the shopper gets the address of the page and nothing else$`, w.wantPaymentPage},
		{`^nobody can pay on the page any more$`, w.wantClosedPage},
		{`^the browser is asked for a card payment of (\d+) KRW under a name of letters and digits$`, w.wantAction},
	}
}

// makeKind opens a payment of a new checkout.
func (w *world) makeKind(ctx context.Context, n int, name string, open func(context.Context) error) error {
	if err := w.makeCheckout(ctx, n, name, true); err != nil {
		return err
	}
	if err := open(ctx); err != nil {
		return err
	}
	return w.succeeded()
}

// openPage opens a page for a method, "" for none; "only A" and "A and B" are lists.
func (w *world) openPage(ctx context.Context, methods string) error {
	body := object{"mode": "hosted_v2"}
	one, isList := strings.CutPrefix(methods, "only ")
	switch list := strings.Split(one, " and "); {
	case isList || len(list) > 1:
		body["method"] = list
	case methods != "":
		body["method"] = methods
	}
	return w.openKind(ctx, body)
}

func (w *world) openBrowser(ctx context.Context) error {
	return w.openKind(ctx, object{"mode": "standard_v2", "channel": "card"})
}

// openingKind asks for a payment of the form that body says.
func (w *world) openingKind(body object) request {
	body["checkoutId"], body["redirectUrl"] = w.checkout.id, "https://shop.example/back"
	return request{"POST", public + "/payment-sessions/aggregator", body, keyed(w.asBuyer())}
}

func (w *world) openKind(ctx context.Context, body object) error {
	if err := w.try(ctx, w.openingKind(body)); err != nil || !w.got.ok() {
		return err
	}
	w.before = w.payment
	w.payment = paymentView{id: text(w.got.body, "paymentSession", "id"), orderID: text(w.got.body, "action", "paymentId")}
	if w.payment.orderID == "" {
		w.payment.orderID = text(w.got.body, "paymentSession", "providerSessionId")
	}
	return nil
}

// takeOnly leaves one method enabled on the shop's payment account.
func (w *world) takeOnly(ctx context.Context, method string) error {
	got, err := w.must(ctx, request{"GET", "/api/provider-connections?limit=1", nil, w.asOwner()})
	if err != nil {
		return err
	}
	account := text(got.body, "docs", 0, "id")
	_, err = w.must(ctx, request{"PATCH", "/api/provider-connections/" + account, object{"enabledMethods": []string{method}}, w.asOwner()})
	return err
}

func (w *world) lookUp(at string, as map[string]string) request {
	return request{"GET", at + "/payment-sessions/aggregator/" + w.payment.id, nil, as}
}

func (w *world) wantPaymentPage() error {
	if names := slices.Sorted(maps.Keys(w.got.body)); !slices.Equal(names, []string{"checkoutUrl", "paymentSession"}) {
		return fmt.Errorf("it %s", w.got)
	}
	page, err := url.Parse(text(w.got.body, "checkoutUrl"))
	switch {
	case err != nil:
		return err
	case page.Scheme != "https" && page.Hostname() != "127.0.0.1":
		return fmt.Errorf("the page is at %s", page)
	case strings.Contains(page.String(), w.checkout.token):
		return errors.New("the address tells the checkout's token")
	}
	return nil
}

func (w *world) wantClosedPage(ctx context.Context) error {
	page, body, err := w.browse(ctx, http.MethodGet, w.target.URLs[0]+"/sandbox/pay/"+w.payment.orderID, "") //nolint:bodyclose // browse closes it
	if err == nil && (page.StatusCode >= http.StatusInternalServerError || strings.Contains(body, `value="approve"`)) {
		err = fmt.Errorf("the page answered %d %.300s", page.StatusCode, body)
	}
	return err
}

var paymentName = regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`)

func (w *world) wantAction(amount string) error {
	act, _ := w.got.body["action"].(object)
	if !paymentName.MatchString(text(act, "paymentId")) {
		return fmt.Errorf("it %s", w.got)
	}
	for name, want := range map[string]string{
		"type": "requestPayment", "version": "standard_v2", "totalAmount": amount, "currency": "CURRENCY_KRW", "payMethod": "CARD", "redirectUrl": "https://shop.example/back",
	} {
		if err := equal("its "+name, act[name], want); err != nil {
			return err
		}
	}
	return nil
}
