package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/app/importing"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// demoID is the same everywhere, so that of two instances that find an empty database only one founds the shop.
const demoID tenant.ID = "019a0c38-7000-7000-8000-00000000d3e0"

//go:embed demo/store.json
var demoFile []byte

// demoStore is the invented shop of the demo. Everything but products is input as a client would send it.
type demoStore struct {
	Tenant struct {
		Name, Slug, Currency string
		Plan                 tenant.Plan
	}
	Brands, Categories, Markets, Discounts []map[string]any
	MarketPrices, ShippingPolicies         []map[string]any
	Products                               []importing.Product
	Orders                                 []map[string]any // of the shop's former system; their lines name variants by sku
}

// seedDemo founds the demo shop if the store has no tenant, and finishes one that a crash left half done. The answer is
// nil when there was nothing to tell. Of instances that start together one does it, and the others find it done.
func (k *core) seedDemo(ctx context.Context, baseURL string) (told *credentials, err error) {
	err = k.store.Alone(ctx, func(ctx context.Context) error {
		told, err = k.seedDemoAlone(ctx, baseURL)
		return err
	})
	return told, err
}

func (k *core) seedDemoAlone(ctx context.Context, baseURL string) (*credentials, error) {
	if err := k.settleDraft(ctx); err != nil {
		return nil, err
	}
	all, err := k.tenants(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for tenants: %w", err)
	}
	var demo demoStore
	in := json.NewDecoder(bytes.NewReader(demoFile))
	in.UseNumber()
	if err := in.Decode(&demo); err != nil { //nolint:musttag // the file has the names of the fields
		return nil, fmt.Errorf("read the demo shop: %w", err)
	}
	var told *credentials
	switch {
	case len(all) == 0:
		if told, err = k.foundDemo(ctx, demo, baseURL); err != nil || told == nil {
			return nil, err
		}
	case all[0].ID() != string(demoID):
		return nil, nil
	}
	facts, err := k.store.Tenant(ctx, demoID)
	if err != nil {
		return nil, err
	}
	return told, k.stockDemo(ctx, founding.Owner(facts, tenant.Live), demo)
}

// foundDemo founds the shop; nil credentials mean that another instance was faster.
func (k *core) foundDemo(ctx context.Context, demo demoStore, baseURL string) (*credentials, error) {
	founded, err := k.founding.Draft(founding.Shop{
		ID: demoID, Name: demo.Tenant.Name, Slug: demo.Tenant.Slug, Plan: demo.Tenant.Plan, Currency: money.Currency(demo.Tenant.Currency),
	})
	if err != nil {
		return nil, fmt.Errorf("draft the demo shop: %w", err)
	}
	told := credentialsOf(founded, baseURL)
	if err := replaceFile(k.draftFile(), told.encode()); err != nil {
		return nil, fmt.Errorf("keep the credentials: %w", err)
	}
	switch err := k.founding.Found(ctx, founded); {
	case errors.Is(err, founding.ErrExists):
		return nil, os.Remove(k.draftFile())
	case err != nil:
		return nil, fmt.Errorf("found the demo shop: %w", err)
	}
	return &told, os.Rename(k.draftFile(), k.config.File(credentialsFile))
}

// stockDemo fills the shop. The markets come last: with them it is finished.
func (k *core) stockDemo(ctx context.Context, by tenant.Principal, demo demoStore) error {
	read := k.store.Read(ports.For(by))
	markets, err := read.Find(ctx, collection.Query{Schema: catalog.Markets, Limit: 0, Page: 1})
	if err != nil || markets.TotalDocs > 0 {
		return err
	}
	if err := k.groupDemo(ctx, by, demo); err != nil {
		return fmt.Errorf("make the demo's brands and categories: %w", err)
	}
	report, err := k.imports.Run(ctx, by, importing.File{Products: demo.Products}, importing.Prices{Tenant: by.Tenant.Currency}, func(int, int) {})
	if err == nil && len(report.Rejected) > 0 {
		err = errors.New(report.Rejected[0].Handle + ": " + report.Rejected[0].Reason)
	}
	if err != nil {
		return fmt.Errorf("make the demo's products: %w", err)
	}
	if err := k.orderDemo(ctx, by.Tenant, demo); err != nil {
		return fmt.Errorf("import the demo's former orders: %w", err)
	}
	if err := k.priceDemo(ctx, by, demo); err != nil {
		return fmt.Errorf("make the demo's markets and discounts: %w", err)
	}
	return nil
}

func (k *core) groupDemo(ctx context.Context, by tenant.Principal, demo demoStore) error {
	within := content.Within{Content: k.content}
	return k.store.Atomically(ctx, ports.For(by), func(ctx context.Context, tx ports.Tx) error {
		there, err := tx.Records.Find(ctx, collection.Query{Schema: catalog.Brands, Limit: 0, Page: 1})
		if err != nil || there.TotalDocs > 0 {
			return err
		}
		for _, b := range demo.Brands {
			if _, err := within.Create(ctx, tx, by, catalog.Brands, tree(b)); err != nil {
				return err
			}
		}
		for _, c := range demo.Categories {
			if _, err := within.Create(ctx, tx, by, catalog.Categories, tree(c)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (k *core) priceDemo(ctx context.Context, by tenant.Principal, demo demoStore) error {
	within := content.Within{Content: k.content}
	return k.store.Atomically(ctx, ports.For(by), func(ctx context.Context, tx ports.Tx) error {
		for _, p := range demo.ShippingPolicies {
			if _, err := within.Create(ctx, tx, by, shipping.Schema, tree(p)); err != nil {
				return err
			}
		}
		markets := map[any]collection.Record{}
		for _, m := range demo.Markets {
			made, err := within.Create(ctx, tx, by, catalog.Markets, tree(m))
			if err != nil {
				return err
			}
			markets[m["code"]] = made
		}
		for _, p := range demo.MarketPrices {
			variant, err := first(ctx, tx, catalog.Variants, "sku", p["sku"])
			if err != nil {
				return err
			}
			input := tree(p)
			delete(input, "sku")
			market := markets[p["market"]]
			input["market"], input["currency"], input["variant"] = market.ID(), market.Text("currency"), variant
			if _, err := within.Create(ctx, tx, by, catalog.MarketPrices, input); err != nil {
				return err
			}
		}
		return discountDemo(ctx, tx, within, by, demo.Discounts)
	})
}

func discountDemo(ctx context.Context, tx ports.Tx, within content.Within, by tenant.Principal, discounts []map[string]any) error {
	for _, d := range discounts {
		input := tree(d)
		if names, ok := d["applicableCategories"].([]any); ok {
			ids := make([]any, len(names))
			for i, name := range names {
				id, err := first(ctx, tx, catalog.Categories, "name", name)
				if err != nil {
					return err
				}
				ids[i] = id
			}
			input["applicableCategories"] = ids
		}
		if _, err := within.Create(ctx, tx, by, discount.Schema, input); err != nil {
			return err
		}
	}
	return nil
}

func first(ctx context.Context, tx ports.Tx, s *collection.Schema, field string, value any) (string, error) {
	page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Where: s.Where(field, collection.Equals, value), Limit: 1, Page: 1})
	if err != nil {
		return "", err
	}
	if len(page.Docs) == 0 {
		return "", fmt.Errorf("there is no %s with %s %v", s.Slug, field, value)
	}
	return page.Docs[0].ID(), nil
}

// tree is decoded JSON with its numbers as exact text.
func tree(m map[string]any) map[string]any { return exact(m).(map[string]any) }

func exact(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, x := range v {
			out[key] = exact(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = exact(x)
		}
		return out
	case json.Number:
		return collection.Numeral(v.String())
	}
	return v
}
