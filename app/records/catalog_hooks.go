package records

import (
	"cmp"
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// completeSlug fills the slug of w.After and checks it.
func completeSlug(ctx context.Context, tx ports.Tx, w *Write) error {
	var failed error
	taken := func(slug string) bool {
		if w.slugAttempts != nil && w.slugAttempts.rejected[slug] {
			return true
		}
		if w.optimistic { // see commitShared
			return false
		}
		page, err := tx.Records.Find(ctx, collection.Query{
			Schema: w.Schema, Where: w.Schema.Where("slug", collection.Equals, slug), Limit: 1, Page: 1,
		})
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
	if w.slugAttempts != nil {
		w.slugAttempts.last = next.Text("slug")
	}
	return catalog.CheckSlug(next)
}

func beforeWriteTaxonomy(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	return completeSlug(ctx, tx, w)
}

// maxCategoryDepth bounds the depth of the category tree.
const maxCategoryDepth = 20

// beforeWriteCategory also prevents a category from becoming its own descendant.
func beforeWriteCategory(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	above := w.After.Text("parent")
	for range maxCategoryDepth {
		if above == "" {
			return completeSlug(ctx, tx, w)
		}
		if above == w.ID {
			break
		}
		found, err := tx.Records.GetMany(ctx, w.Schema, []string{above}, nil)
		if err != nil {
			return err
		}
		above = found[above].Text("parent")
	}
	return fault.Invalidf("parent", "A category cannot be its own ancestor, and categories nest at most %d levels deep.", maxCategoryDepth)
}

func beforeWriteMarket(_ context.Context, _ ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	if locale := w.After.Text("locale"); locale != "" && locale != w.Before.Text("locale") {
		in, err := w.Principal.Tenant.ContentIn(locale, "")
		if err != nil || in.All {
			return fault.Invalidf("locale", "%q is no language of this shop. Its languages are: %s.", locale,
				strings.Join(w.Principal.Tenant.Locales, ", "))
		}
		w.After = w.After.Clone()
		w.After["locale"] = cmp.Or(in.Locale, w.Principal.Tenant.DefaultLocale())
	}
	return catalog.CheckMarket(w.After, w.Principal.Tenant.Currency)
}

// prepareMarketPrice sets the market's currency before the amounts are parsed in it. For a market created in
// the same transaction the caller must give the currency.
func (c catalogHooks) prepareMarketPrice(ctx context.Context, w *Write) error {
	id, _ := w.Input["market"].(string)
	if id == "" || !w.Create || w.Input["currency"] != nil {
		return nil
	}
	found, err := c.store.Read(ports.ForPrincipal(w.Principal)).GetMany(ctx, catalog.Markets, []string{id}, nil)
	if err != nil || found[id] == nil {
		return err // a foreign market is refused by the link check
	}
	w.Input["currency"] = found[id].Text("currency")
	return nil
}

func beforeWriteMarketPrice(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil || !w.Create {
		return nil
	}
	market, err := tx.Records.Get(ctx, catalog.Markets, w.After.Text("market"))
	if err != nil {
		return err
	}
	w.After, err = catalog.CompleteMarketPrice(w.After, catalog.MarketFrom(market))
	return err
}

func beforeWriteDiscount(_ context.Context, _ ports.Tx, w *Write) (err error) {
	if w.After != nil {
		w.After, err = discount.Complete(w.After, w.Principal.Tenant.Currency)
	}
	return err
}

// beforeWriteTaxRate refuses a rate that could never apply as it is meant, and an active one too many.
func beforeWriteTaxRate(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	if err := tax.CheckRate(w.After); err != nil {
		return err
	}
	if err := completeProvince(w); err != nil || !w.After.Bool("active") || w.Before.Bool("active") {
		return err
	}
	s := w.Schema
	page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Where: s.Where("active", collection.Equals, true), Limit: 1, Page: 1})
	if err == nil && page.TotalDocs >= tax.MaxRates {
		err = fault.Invalidf("active", "A shop has at most %d active tax rates: deactivate or delete some first.", tax.MaxRates)
	}
	return err
}

// beforeWriteLocation refuses a location too many.
func beforeWriteLocation(ctx context.Context, tx ports.Tx, w *Write) error {
	if !w.Create {
		return nil
	}
	page, err := tx.Records.Find(ctx, collection.Query{Schema: w.Schema, Limit: 1, Page: 1})
	if err == nil && page.TotalDocs >= inventory.MaxLocations {
		err = fault.Invalidf("name", "A shop has at most %d stock locations: delete some first.", inventory.MaxLocations)
	}
	return err
}

// completeProvince stores the province of a tax rate as addresses store theirs, which it is compared with: US-CA and California as CA.
func completeProvince(w *Write) error {
	country, province := w.After.Text("country"), w.After.Text("province")
	if province == "" {
		return nil
	}
	code, found := address.ProvinceCode(country, province)
	if !found {
		return fault.Invalidf("province", "This is no province of %s.", country)
	}
	w.After = w.After.Clone()
	w.After["province"] = code
	return nil
}

// beforeWriteShippingPolicy also unsets the previous default policy when another one becomes the default.
func beforeWriteShippingPolicy(ctx context.Context, tx ports.Tx, w *Write) (err error) {
	if w.After == nil {
		return nil
	}
	if w.After, err = shipping.Complete(w.Before, w.After, w.Principal.Tenant); err != nil {
		return err
	}
	if !w.After.Bool("isDefault") || w.Before.Bool("isDefault") {
		return nil
	}
	page, err := tx.Records.Find(ctx, collection.Query{
		Schema: w.Schema, Where: w.Schema.Where("isDefault", collection.Equals, true), Limit: collection.MaxLimit, Page: 1,
	})
	if err != nil {
		return err
	}
	for _, old := range page.Docs {
		if old.ID() == w.ID || old.Text("currency") != w.After.Text("currency") {
			continue
		}
		next := old.Clone()
		next["isDefault"] = false
		w.AddChange(w.Schema, old, next)
	}
	return nil
}
