package steps

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// taxFreeSteps compares the tax-free part of the current order with what the sandbox provider was told.
type taxFreeSteps struct {
	*client

	catalog  *catalogSteps
	payments *paymentSteps
	orders   *orderSteps
	refunds  *refundSteps
}

func newTaxFreeSteps(c *client, catalog *catalogSteps, payments *paymentSteps, orders *orderSteps, refunds *refundSteps) *taxFreeSteps {
	return &taxFreeSteps{client: c, catalog: catalog, payments: payments, orders: orders, refunds: refunds}
}

func (s *taxFreeSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop charges tax on "([^"]*)" from now on$`, s.charge},
		{`^(\d+) KRW of the order are tax-free$`, func(ctx context.Context, want string) error {
			return s.orders.wantField(ctx, "taxFreeAmount", want)
		}},
		{`^the provider knows that (\d+) KRW of the payment are tax-free$`, func(ctx context.Context, want string) error {
			return s.wantAtProvider(ctx, "Tax-free", want)
		}},
		{`^the provider knows of no tax-free part$`, func(ctx context.Context) error { return s.wantAtProvider(ctx, "Tax-free") }},
		{`^the provider and the shop know that (\d+) KRW of the refund are tax-free$`, func(ctx context.Context, want string) error {
			return s.wantOfRefunds(ctx, want)
		}},
		{`^the provider and the shop know that (\d+) and (\d+) KRW of the refunds are tax-free$`,
			func(ctx context.Context, first, second string) error { return s.wantOfRefunds(ctx, first, second) }},
	}
}

func (s *taxFreeSteps) charge(ctx context.Context, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/products/" + p.id, object{"taxClass": "standard"}, s.asServer()})
	return err
}

var taxFreeOnPage = regexp.MustCompile(`<dt>([^<]*)</dt><dd>KRW ([0-9,]+)</dd>`)

// wantAtProvider compares the amounts of a label on the page of the current payment, in their order.
func (s *taxFreeSteps) wantAtProvider(ctx context.Context, label string, want ...string) error {
	at := s.urls[0] + "/sandbox/pay/" + s.payments.payment.orderID
	page, body, err := s.payments.browse(ctx, http.MethodGet, at, "") //nolint:bodyclose // browse closes it
	if err != nil {
		return err
	}
	var got []string
	for _, m := range taxFreeOnPage.FindAllStringSubmatch(body, -1) {
		if m[1] == label {
			got = append(got, strings.ReplaceAll(m[2], ",", ""))
		}
	}
	if page.StatusCode != http.StatusOK || !slices.Equal(got, want) {
		return fmt.Errorf("the page answered %d, %q is %v, not %v", page.StatusCode, label, got, want)
	}
	return nil
}

// wantOfRefunds compares the tax-free parts of all refunds, as the provider has them and as the shop recorded them.
func (s *taxFreeSteps) wantOfRefunds(ctx context.Context, want ...string) error {
	if err := s.wantAtProvider(ctx, "Tax-free in a refund", want...); err != nil {
		return err
	}
	all, err := s.refunds.all(ctx)
	if err != nil {
		return err
	}
	var recorded []string
	for _, r := range all {
		recorded = append(recorded, text(r, "taxFreeAmount"))
	}
	if slices.Sort(recorded); !slices.Equal(recorded, slices.Sorted(slices.Values(want))) {
		return fmt.Errorf("the shop recorded %v, not %v", recorded, want)
	}
	return nil
}

// taxClass is the tax class that a table calls by a short word.
func taxClass(word string) string {
	if word == "free" {
		return "exempt"
	}
	return firstNonEmpty(word, "standard")
}
