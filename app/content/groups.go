package content

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/ports"
)

// complete fills the slug of w.After and checks it.
func complete(ctx context.Context, tx ports.Tx, w *Write) error {
	var failed error
	taken := func(slug string) bool {
		if w.slugs != nil && w.slugs.refused[slug] {
			return true
		}
		if w.ahead { // see commitShared
			return false
		}
		page, err := tx.Records.Find(ctx, collection.Query{Schema: w.Schema, Where: w.Schema.Where("slug", collection.Equals, slug), Limit: 1, Page: 1})
		if err != nil {
			failed = err
			return false
		}
		return len(page.Docs) > 0 && page.Docs[0].ID() != w.ID
	}
	next := catalog.Complete(w.Schema, w.After, taken)
	if failed != nil {
		return failed
	}
	w.After = next
	if w.slugs != nil {
		w.slugs.last = next.Text("slug")
	}
	return catalog.CheckSlug(next)
}

func withinGroup(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	return complete(ctx, tx, w)
}

// maxCategoryDepth bounds how many categories stand above one another.
const maxCategoryDepth = 20

// withinCategory also keeps a category from standing below itself.
func withinCategory(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	above := w.After.Text("parent")
	for range maxCategoryDepth {
		if above == "" {
			return complete(ctx, tx, w)
		}
		if above == w.ID {
			break
		}
		found, err := tx.Records.GetMany(ctx, w.Schema, []string{above})
		if err != nil {
			return err
		}
		above = found[above].Text("parent")
	}
	return fault.Invalidf("parent", "A category cannot stand below itself, and at most %d stand above one another.", maxCategoryDepth)
}

func withinMarket(_ context.Context, _ ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	return catalog.CheckMarket(w.After, w.Principal.Tenant.Currency)
}

// shapeMarketPrice names the market's currency before the amounts are read in it. A market that only the transaction can
// see must be named with its currency by the caller.
func (c *Content) shapeMarketPrice(ctx context.Context, w *Write) error {
	id, _ := w.Input["market"].(string)
	if id == "" || !w.Create || w.Input["currency"] != nil {
		return nil
	}
	found, err := c.Store.Read(ports.For(w.Principal)).GetMany(ctx, catalog.Markets, []string{id})
	if err != nil || found[id] == nil {
		return err // a foreign market is refused with the other links
	}
	w.Input["currency"] = found[id].Text("currency")
	return nil
}

func withinMarketPrice(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil || !w.Create {
		return nil
	}
	market, err := tx.Records.Get(ctx, catalog.Markets, w.After.Text("market"))
	if err != nil {
		return err
	}
	w.After, err = catalog.CompleteMarketPrice(w.After, catalog.MarketOf(market))
	return err
}

func withinDiscount(_ context.Context, _ ports.Tx, w *Write) (err error) {
	if w.After != nil {
		w.After, err = discount.Complete(w.After, w.Principal.Tenant.Currency)
	}
	return err
}

// withinPolicy also lets the new default policy take over from the one before.
func withinPolicy(ctx context.Context, tx ports.Tx, w *Write) (err error) {
	if w.After == nil {
		return nil
	}
	if w.After, err = shipping.Complete(w.Before, w.After, w.Principal.Tenant.Currency); err != nil {
		return err
	}
	if !w.After.Bool("isDefault") || w.Before.Bool("isDefault") {
		return nil
	}
	page, err := tx.Records.Find(ctx, collection.Query{Schema: w.Schema, Where: w.Schema.Where("isDefault", collection.Equals, true), Limit: collection.MaxLimit, Page: 1})
	if err != nil {
		return err
	}
	for _, old := range page.Docs {
		if old.ID() == w.ID || old.Text("currency") != w.After.Text("currency") {
			continue
		}
		next := old.Clone()
		next["isDefault"] = false
		w.Change(w.Schema, old, next)
	}
	return nil
}
