package steps

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// addressSteps ships to other countries.
type addressSteps struct {
	*client

	shipping  *shippingSteps
	checkouts *checkoutSteps
}

func newAddressSteps(c *client, shipping *shippingSteps, checkouts *checkoutSteps) *addressSteps {
	return &addressSteps{client: c, shipping: shipping, checkouts: checkouts}
}

func (s *addressSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop ships to "([^"]*)"$`, s.shipTo},
		{`^the shopper checks out to "([^"]*)"$`, func(ctx context.Context, to string) error { return s.checkouts.checkOutTo(ctx, addressOf(to)) }},
		{`^the checkout goes to the province "([^"]*)" and the postal code "([^"]*)"$`, s.wantDestination},
		{`^the refusal names "([^"]*)"$`, s.wantField},
		{`^the buyer with the phone "([^"]*)" checks out to "([^"]*)"$`, func(ctx context.Context, phone, to string) error {
			return s.checkouts.checkOutAs(ctx, object{"phone": phone}, addressOf(to))
		}},
		{`^the buyer of the checkout has the number "([^"]*)"$`, s.wantNumber},
		{`^"([^"]*)" is listed as the customer with the number "([^"]*)"$`, s.wantListed},
		{`^the form for an address in "([^"]*)" asks for "([^"]*)"$`, s.wantForm},
	}
}

// addressOf reads "recipient, street, postal code" or "recipient, street, city, province, postal code, country".
func addressOf(text string) object {
	names := []string{"recipientName", "address1", "city", "province", "postalCode", "country"}
	parts := strings.Split(text, ",")
	if len(parts) == 3 {
		names = []string{"recipientName", "address1", "postalCode"}
	}
	to := object{}
	for i, part := range parts {
		to[names[i]] = strings.TrimSpace(part)
	}
	return to
}

func (s *addressSteps) shipTo(ctx context.Context, countries string) error {
	return s.shipping.changeDefaultPolicy(ctx, object{"countries": strings.Fields(countries)})
}

func (s *addressSteps) wantDestination(ctx context.Context, province, code string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	got, err := s.checkouts.read(ctx)
	if err != nil {
		return err
	}
	if p, c := text(got, "checkout", "shippingAddress", "province"), text(got, "checkout", "shippingAddress", "postalCode"); p != province || c != code {
		return fmt.Errorf("it goes to %q, %q", p, c)
	}
	return nil
}

func (s *addressSteps) wantNumber(ctx context.Context, number string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	got, err := s.checkouts.read(ctx)
	if err != nil {
		return err
	}
	return equal("the number", text(got, "checkout", "customerSnapshot", "phoneE164"), number)
}

func (s *addressSteps) wantListed(ctx context.Context, name, number string) error {
	query := url.Values{"where[phoneE164][equals]": {number}}
	got, err := s.must(ctx, request{"GET", "/api/customers?" + query.Encode(), nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the first customer", text(got.body, "docs", 0, "name"), name)
}

func (s *addressSteps) wantField(_ context.Context, field string) error {
	if said := fmt.Sprint(s.got.body); !strings.Contains(said, field) {
		return fmt.Errorf("the refusal says %s", said)
	}
	return nil
}

func (s *addressSteps) wantForm(ctx context.Context, country, names string) error {
	got, err := s.must(ctx, request{"GET", publicAPI + "/addresses/format?country=" + country, nil, s.asVisitor()})
	if err != nil {
		return err
	}
	var asked []string
	for _, f := range list(got.body, "fields") {
		asked = append(asked, text(f, "name"))
	}
	if strings.Join(asked, " ") != names {
		return fmt.Errorf("it asks for %v", asked)
	}
	return nil
}
