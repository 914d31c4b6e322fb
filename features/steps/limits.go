package steps

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"time"
)

// limitSteps counts calls against quotas and burst limits.
type limitSteps struct {
	*client

	catalog *catalogSteps
	brands  *brandSteps
}

func newLimitSteps(c *client, catalog *catalogSteps, brands *brandSteps) *limitSteps {
	return &limitSteps{client: c, catalog: catalog, brands: brands}
}

func (s *limitSteps) definitions() []stepDefinition {
	call := func(header func() map[string]string) func(context.Context) error {
		return func(ctx context.Context) error { return s.try(ctx, request{"GET", "/api/brands", nil, header()}) }
	}
	return []stepDefinition{
		{`^the shop has made (\d+) calls this month$`, func(ctx context.Context, calls int) error {
			return s.target.Spend(ctx, s.shop.TenantID, calls)
		}},
		{`^the platform moves the shop to the "([^"]*)" plan$`, func(ctx context.Context, plan string) error {
			return s.target.Move(ctx, s.shop.TenantID, plan)
		}},
		{`^the admin tries to move the shop to the "([^"]*)" plan$`, s.tryToChangePlan},
		{`^the editor lists brands without a page or a limit$`, func(ctx context.Context) error { return s.brands.list(ctx, nil) }},
		{
			`^the editor lists the variants of "([^"]*)"$`,
			func(ctx context.Context, name string) error { return s.variants(ctx, name, nil) },
		},
		{`^the editor lists the variants of "([^"]*)" with their related records$`, func(ctx context.Context, name string) error {
			return s.variants(ctx, name, url.Values{"depth": {"1"}})
		}},
		{`^they name the product "([^"]*)" by its id$`, func(name string) error {
			return equal("the product", valueAt(s.got.body, "docs", 0, "product"), s.catalog.products[name].id)
		}},
		{`^they include the product "([^"]*)"$`, func(name string) error {
			return equal("the product", valueAt(s.got.body, "docs", 0, "product", "id"), s.catalog.products[name].id)
		}},
		{`^the shop's server makes a call$`, call(s.asServer)},
		{`^a visitor makes a call$`, call(s.asVisitor)},
		{`^a client makes a call with an unknown key$`, call(func() map[string]string {
			return map[string]string{"X-Client-Key": s.shop.TestClientKey, "X-API-Key": "sk_test_0123456789abcdef"}
		})},
		{`^the shop's server makes (\d+) calls$`, s.callRepeatedly},
		{`^the shop may make (\d+) calls a month$`, func(limit int) error {
			return s.wantLimits(strconv.Itoa(limit), s.got.header.Get("X-RateLimit-Remaining"))
		}},
		{`^(\d+) calls are left$`, func(left int) error {
			return s.wantLimits(s.got.header.Get("X-RateLimit-Limit"), strconv.Itoa(left))
		}},
		{`^the calls of the shop are unlimited$`, func() error { return s.wantLimits("", "") }},
		{`^the shop has used (\d+) calls, all of them today$`, s.wantUsed},
		{`^the answer says to retry within a minute$`, s.wantRetryAfter},
	}
}

func (s *limitSteps) callRepeatedly(ctx context.Context, n int) error {
	for range n {
		if err := s.try(ctx, request{"GET", "/api/brands", nil, s.asServer()}); err != nil {
			return err
		}
	}
	return nil
}

// tryToChangePlan tries as the admin what only the platform may do.
func (s *limitSteps) tryToChangePlan(ctx context.Context, plan string) error {
	a, err := s.must(ctx, request{"POST", "/api/users/login", object{"email": s.shop.AdminEmail, "password": s.shop.AdminPassword}, nil})
	if err != nil {
		return err
	}
	return s.try(ctx, request{"PATCH", "/api/tenants/" + s.shop.TenantID, object{"plan": plan}, withToken(text(a.body, "token"))})
}

// variants lists the variants of a product.
func (s *limitSteps) variants(ctx context.Context, name string, query url.Values) error {
	all := url.Values{"where[product][equals]": {s.catalog.products[name].id}}
	maps.Copy(all, query)
	return s.try(ctx, request{"GET", "/api/product-variants?" + all.Encode(), nil, s.asServer()})
}

// wantLimits judges the quota headers of the last answer; "" is for a header that is absent.
func (s *limitSteps) wantLimits(limit, left string) error {
	h := s.got.header
	if got, rest := h.Get("X-RateLimit-Limit"), h.Get("X-RateLimit-Remaining"); got != limit || rest != left ||
		h.Get("X-RateLimit-Reset") == "" {
		return fmt.Errorf("the limit is %q and %q calls are left, want %q and %q: %v", got, rest, limit, left, h)
	}
	seconds, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if reset := time.Unix(seconds, 0).UTC(); err != nil || reset.Day() != 1 || reset.Truncate(24*time.Hour) != reset {
		return fmt.Errorf("the quota resets at %s, %w", reset, err)
	}
	return nil
}

func (s *limitSteps) wantUsed(ctx context.Context, used int) error {
	a, err := s.must(ctx, request{"GET", "/api/usage", nil, s.asServer()})
	if err != nil {
		return err
	}
	days := list(a.body, "daily")
	if err := equal("the usage", a.body["used"], strconv.Itoa(used)); err != nil {
		return err
	}
	return equal("the usage of today", valueAt(days, len(days)-1, "calls"), strconv.Itoa(used))
}

func (s *limitSteps) wantRetryAfter() error {
	if seconds, err := strconv.Atoi(s.got.header.Get("Retry-After")); err != nil || seconds < 1 || seconds > 60 {
		return fmt.Errorf("it says %q", s.got.header.Get("Retry-After"))
	}
	return nil
}
