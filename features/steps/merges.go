package steps

import (
	"context"
	"fmt"
)

func (w *world) mergeSteps() []definition {
	return []definition{
		{`^"([^"]*)" takes the cart in$`, func(ctx context.Context, who string) error { return w.try(ctx, w.takeIn(who)) }},
		{`^"([^"]*)" takes the cart in without a key$`, w.takeInWithoutKey},
		{`^"([^"]*)" takes the cart in (\d+) times at once under one key$`, w.takeInTogether},
		{`^another cart with (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return w.makeAnother(ctx, "", n, name) }},
		{`^another cart of market "([^"]*)" with (\d+) "([^"]*)"$`, w.makeAnother},
		{`^the shopper puts the first cart into the other$`, w.mergeAnother},
		{`^the shopper is told that (\d+) of (\d+) "([^"]*)" were kept$`, w.wantKept},
	}
}

// takeIn is the merge that a storefront makes when a guest logs in.
func (w *world) takeIn(who string) request {
	body := object{"sourceCartId": w.cart.id}
	if w.cart.token != "" {
		body["sourceCartToken"] = w.cart.token
	}
	return request{"POST", public + "/carts/merge", body, keyed(w.asCustomer(who))}
}

func (w *world) takeInWithoutKey(ctx context.Context, who string) error {
	r := w.takeIn(who)
	delete(r.header, "Idempotency-Key")
	return w.try(ctx, r)
}

func (w *world) takeInTogether(ctx context.Context, who string, n int) error {
	r := w.takeIn(who)
	all := make([]request, n)
	for i := range all {
		all[i] = r
	}
	return w.together(ctx, all)
}

func (w *world) makeAnother(ctx context.Context, market string, n int, name string) error {
	w.another = w.cart
	return w.makeCart(ctx, market, []wish{{n, name}})
}

// mergeAnother merges as a guest who holds both tokens.
func (w *world) mergeAnother(ctx context.Context) error {
	body := object{"sourceCartId": w.another.id, "sourceCartToken": w.another.token, "targetCartId": w.cart.id}
	return w.tryOnCart(ctx, request{"POST", public + "/carts/merge", body, keyed(w.asCartOwner())})
}

func (w *world) wantKept(kept, requested, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	for _, warning := range list(w.got.body, "warnings") {
		if text(warning, "variantId") == g.variant && text(warning, "kept") == kept && text(warning, "requested") == requested {
			return nil
		}
	}
	return fmt.Errorf("it %s", w.got)
}
