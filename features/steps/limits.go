package steps

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"time"
)

func (w *world) limitSteps() []definition {
	call := func(header func() map[string]string) func(context.Context) error {
		return func(ctx context.Context) error { return w.try(ctx, request{"GET", "/api/brands", nil, header()}) }
	}
	return []definition{
		{`^a shop on the "([^"]*)" plan$`, func(ctx context.Context, plan string) (err error) {
			w.shop, err = w.target.ShopOn(ctx, plan)
			return err
		}},
		{`^the shop has made (\d+) calls this month$`, func(ctx context.Context, calls int) error {
			return w.target.Spend(ctx, w.shop.TenantID, calls)
		}},
		{`^the platform moves the shop to the "([^"]*)" plan$`, func(ctx context.Context, plan string) error {
			return w.target.Move(ctx, w.shop.TenantID, plan)
		}},
		{`^the owner moves the shop to the "([^"]*)" plan$`, w.movePlan},
		{`^the editor lists brands without saying how many$`, func(ctx context.Context) error { return w.listBrands(ctx, nil) }},
		{`^the editor looks up the sizes of "([^"]*)"$`, func(ctx context.Context, name string) error { return w.sizes(ctx, name, nil) }},
		{`^the editor looks up the sizes of "([^"]*)" with what they belong to$`, func(ctx context.Context, name string) error {
			return w.sizes(ctx, name, url.Values{"depth": {"1"}})
		}},
		{`^they name the product "([^"]*)"$`, func(name string) error {
			return equal("the product", dig(w.got.body, "docs", 0, "product"), w.goods[name].product)
		}},
		{`^they tell of the product "([^"]*)"$`, func(name string) error {
			return equal("the product", dig(w.got.body, "docs", 0, "product", "id"), w.goods[name].product)
		}},
		{`^the shop's server makes a call$`, call(w.asOwner)},
		{`^a visitor makes a call$`, call(w.asVisitor)},
		{`^somebody makes a call with a key that is none$`, call(func() map[string]string {
			return map[string]string{"X-Client-Key": w.shop.TestClientKey, "X-API-Key": "sk_test_0123456789abcdef"}
		})},
		{`^the shop's server makes (\d+) calls at once$`, w.manyCalls},
		{`^the shop may make (\d+) calls a month$`, func(limit int) error {
			return w.wantLimits(strconv.Itoa(limit), w.got.header.Get("X-RateLimit-Remaining"))
		}},
		{`^(\d+) of them are left$`, func(left int) error {
			return w.wantLimits(w.got.header.Get("X-RateLimit-Limit"), strconv.Itoa(left))
		}},
		{`^the shop may make as many calls as it likes$`, func() error { return w.wantLimits("", "") }},
		{`^the shop has used (\d+) calls, all of them today$`, w.wantUsed},
		{`^the answer says when to come back$`, w.wantComeBack},
	}
}

func (w *world) manyCalls(ctx context.Context, n int) error {
	for range n {
		if err := w.try(ctx, request{"GET", "/api/brands", nil, w.asOwner()}); err != nil {
			return err
		}
	}
	return nil
}

// movePlan has the owner try what is the platform's to do.
func (w *world) movePlan(ctx context.Context, plan string) error {
	a, err := w.must(ctx, request{"POST", "/api/users/login", object{"email": w.shop.AdminEmail, "password": w.shop.AdminPassword}, nil})
	if err != nil {
		return err
	}
	return w.try(ctx, request{"PATCH", "/api/tenants/" + w.shop.TenantID, object{"plan": plan}, map[string]string{"Authorization": "Bearer " + text(a.body, "token")}})
}

// sizes looks up what a product comes in.
func (w *world) sizes(ctx context.Context, name string, query url.Values) error {
	all := url.Values{"where[product][equals]": {w.goods[name].product}}
	maps.Copy(all, query)
	return w.try(ctx, request{"GET", "/api/product-variants?" + all.Encode(), nil, w.asOwner()})
}

// wantLimits judges what the last answer says of the month; "" is nothing.
func (w *world) wantLimits(limit, left string) error {
	h := w.got.header
	if got, rest := h.Get("X-RateLimit-Limit"), h.Get("X-RateLimit-Remaining"); got != limit || rest != left || h.Get("X-RateLimit-Reset") == "" {
		return fmt.Errorf("the limit is %q, left are %q, want %q and %q: %v", got, rest, limit, left, h)
	}
	seconds, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if reset := time.Unix(seconds, 0).UTC(); err != nil || reset.Day() != 1 || reset.Truncate(24*time.Hour) != reset {
		return fmt.Errorf("calls count anew at %s, %w", reset, err)
	}
	return nil
}

func (w *world) wantUsed(ctx context.Context, used int) error {
	a, err := w.must(ctx, request{"GET", "/api/usage", nil, w.asOwner()})
	if err != nil {
		return err
	}
	days := list(a.body, "daily")
	if err := equal("what was used", a.body["used"], strconv.Itoa(used)); err != nil {
		return err
	}
	return equal("what was used today", dig(days, len(days)-1, "calls"), strconv.Itoa(used))
}

func (w *world) wantComeBack() error {
	if s, err := strconv.Atoi(w.got.header.Get("Retry-After")); err != nil || s < 1 || s > 60 {
		return fmt.Errorf("it says %q", w.got.header.Get("Retry-After"))
	}
	return nil
}
