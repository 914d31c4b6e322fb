package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// translationSteps write and read products in several languages.
type translationSteps struct {
	*client

	product, variant string
}

func newTranslationSteps(c *client) *translationSteps { return &translationSteps{client: c} }

func (s *translationSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the languages of the shop are "([^"]*)"$`, s.speak},
		{`^a product "([^"]*)" in Korean called "([^"]*)"$`, s.translated},
		{`^the product page reads "([^"]*)" in "([^"]*)"$`, func(ctx context.Context, name, locale string) error {
			return s.wantName(ctx, name, "?locale="+locale, s.asVisitor())
		}},
		{`^the product cannot be read in "([^"]*)"$`, s.wantNoLanguage},
		{`^a shopper whose browser prefers "([^"]*)" reads "([^"]*)"$`, func(ctx context.Context, accept, name string) error {
			return s.wantName(ctx, name, "", with(s.asVisitor(), "Accept-Language", accept))
		}},
		{`^the shop's server whose program prefers "([^"]*)" reads "([^"]*)"$`, func(ctx context.Context, accept, name string) error {
			return s.wantName(ctx, name, "", with(s.asServer(), "Accept-Language", accept))
		}},
		{`^the search for the name "([^"]*)" in "([^"]*)" finds (the product|nothing)$`, s.wantFound},
		{`^a shopper whose browser prefers "([^"]*)" puts the product into a new cart$`, s.fillCart},
		{`^the cart is in "([^"]*)" and has a line "([^"]*)"$`, func(locale, title string) error {
			return s.wantLanguage("cart", locale, title)
		}},
		{`^its checkout is in "([^"]*)" and has a line "([^"]*)"$`, s.wantCheckout},
	}
}

func (s *translationSteps) speak(ctx context.Context, languages string) error {
	locales := strings.Split(languages, ", ")
	body := object{"settings": object{"locale": locales[0], "locales": locales}}
	_, err := s.must(ctx, request{"PATCH", "/api/tenants/" + s.shop.TenantID, body, s.asServer()})
	return err
}

func (s *translationSteps) translated(ctx context.Context, name, korean string) error {
	made, err := s.must(ctx, request{"POST", "/api/products", object{
		"name": name, "price": json.Number("1000"), "status": "published", "translations": object{"ko": object{"name": korean}},
		"variants": []any{object{"title": "One", "stock": 5}},
	}, s.asServer()})
	if err != nil {
		return err
	}
	s.product = text(made.body, "doc", "id")
	found, err := s.must(ctx, request{"GET", "/api/product-variants?where[product][equals]=" + s.product, nil, s.asServer()})
	s.variant = text(found.body, "docs", 0, "id")
	return err
}

func (s *translationSteps) wantName(ctx context.Context, name, query string, header map[string]string) error {
	got, err := s.must(ctx, request{"GET", "/api/products/" + s.product + query, nil, header})
	if err != nil {
		return err
	}
	return equal("the name", got.body["name"], name)
}

func (s *translationSteps) wantNoLanguage(ctx context.Context, locale string) error {
	got, err := s.send(ctx, request{"GET", "/api/products/" + s.product + "?locale=" + locale, nil, s.asVisitor()})
	if err == nil && got.status != http.StatusBadRequest {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (s *translationSteps) wantFound(ctx context.Context, name, locale, what string) error {
	query := url.Values{"where[name][like]": {name}, "locale": {locale}}
	got, err := s.must(ctx, request{"GET", "/api/products?" + query.Encode(), nil, s.asVisitor()})
	if err != nil {
		return err
	}
	if found := len(list(got.body, "docs")) == 1; found != (what == "the product") {
		return fmt.Errorf("it %s", got)
	}
	return nil
}

func (s *translationSteps) fillCart(ctx context.Context, accept string) error {
	items := []any{object{"variantId": s.variant, "quantity": 1}}
	return s.try(ctx, request{"POST", "/api/commerce/carts", object{"items": items}, with(s.asVisitor(), "Accept-Language", accept)})
}

// wantCheckout checks the cart out, and in what language the checkout is.
func (s *translationSteps) wantCheckout(ctx context.Context, locale, title string) error {
	header := with(with(s.asVisitor(), "X-Cart-Token", text(s.got.body, "cartToken")), "Idempotency-Key", newKey())
	body := object{"cartId": text(s.got.body, "cart", "id"), "email": "kim@shopper.example"}
	if err := s.try(ctx, request{"POST", "/api/commerce/checkouts", body, header}); err != nil {
		return err
	}
	return s.wantLanguage("checkout", locale, title)
}

// wantLanguage checks in what language what was answered is.
func (s *translationSteps) wantLanguage(what, locale, title string) error {
	if err := equal("the language", valueAt(s.got.body, what, "locale"), locale); err != nil {
		return err
	}
	return equal("the line", valueAt(s.got.body, what, "lines", 0, "title"), title)
}
