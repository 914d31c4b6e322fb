package program

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/cartwright-dev/cartwright/app/catalogtransfer"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// demoID is constant, so that of several instances that find an empty database only one creates the shop.
const demoID tenant.ID = "019a0c38-7000-7000-8000-00000000d3e0"

//go:embed demo/store.json
var demoJSON []byte

// demoData is the demo shop. Everything but products is input as a client would send it.
type demoData struct {
	Tenant struct {
		Name, Slug, Currency string
		Plan                 tenant.Plan
	}
	Brands, Categories, Markets, Discounts []map[string]any
	MarketPrices, ShippingPolicies         []map[string]any
	TaxRates                               []map[string]any
	ReducedCategories                      []string // whose goods have the reduced tax class
	Products                               []catalogtransfer.Product
	Orders                                 []map[string]any // imported orders of the shop's former system; their lines refer to variants by sku
	Buyers                                 []demoBuyer
	Recent                                 []demoOrder // newest first
}

// seedDemo creates the demo shop if the store has no tenant, and completes one after a crash. It returns nil
// when there are no new credentials. Of instances that start together one creates the shop, and the others
// find it.
func (k *core) seedDemo(ctx context.Context, baseURL string) (created *credentials, err error) {
	err = k.store.RunExclusive(ctx, func(ctx context.Context) error {
		created, err = k.seedDemoLocked(ctx, baseURL)
		return err
	})
	return created, err
}

func (k *core) seedDemoLocked(ctx context.Context, baseURL string) (*credentials, error) {
	if err := k.recoverPendingCredentials(ctx); err != nil {
		return nil, err
	}
	all, err := k.listTenants(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for tenants: %w", err)
	}
	demo, err := readDemo()
	if err != nil {
		return nil, err
	}
	var created *credentials
	switch {
	case len(all) == 0:
		if created, err = k.createDemoTenant(ctx, demo, baseURL); err != nil || created == nil {
			return nil, err
		}
	case all[0].ID() != string(demoID), identity.IsDeleting(all[0]):
		return nil, nil
	}
	shop, err := k.store.APIKeys().Tenant(ctx, demoID)
	if err != nil {
		return nil, err
	}
	return created, k.fillDemo(ctx, onboarding.SystemPrincipal(shop, tenant.Live), demo, baseURL)
}

func readDemo() (demo demoData, err error) {
	in := json.NewDecoder(bytes.NewReader(demoJSON))
	in.UseNumber()
	if err := in.Decode(&demo); err != nil { //nolint:musttag // the file uses the names of the fields
		return demo, fmt.Errorf("read the demo shop: %w", err)
	}
	return demo, nil
}

// createDemoTenant creates the tenant; the credentials are nil if another instance was faster.
func (k *core) createDemoTenant(ctx context.Context, demo demoData, baseURL string) (*credentials, error) {
	prepared, err := k.onboarding.Prepare(onboarding.TenantInput{
		ID: demoID, Name: demo.Tenant.Name, Slug: demo.Tenant.Slug, Plan: demo.Tenant.Plan, Currency: money.Currency(demo.Tenant.Currency),
		Locale: "en", // its texts are English
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the demo shop: %w", err)
	}
	created := newCredentials(prepared, baseURL)
	if err := writeFileAtomic(k.pendingCredentialsFile(), created.encode()); err != nil {
		return nil, fmt.Errorf("save the credentials: %w", err)
	}
	switch err := k.onboarding.Create(ctx, prepared); {
	case errors.Is(err, onboarding.ErrTenantExists):
		return nil, os.Remove(k.pendingCredentialsFile())
	case err != nil:
		return nil, fmt.Errorf("create the demo shop: %w", err)
	}
	return &created, os.Rename(k.pendingCredentialsFile(), k.config.File(credentialsFile))
}

// fillDemo fills the shop, whose storefront is that of the server. The markets are last: they mark it as complete.
func (k *core) fillDemo(ctx context.Context, by tenant.Principal, demo demoData, baseURL string) error {
	read := k.store.Read(ports.ForPrincipal(by))
	markets, err := read.Find(ctx, collection.Query{Schema: catalog.Markets, Limit: 0, Page: 1})
	if err != nil || markets.TotalDocs > 0 {
		return err
	}
	if err := k.createDemoCategories(ctx, by, demo); err != nil {
		return fmt.Errorf("create the demo's brands and categories: %w", err)
	}
	report, err := k.catalogTransfer.Run(ctx, by, catalogtransfer.File{Products: demo.Products},
		catalogtransfer.Options{Prices: catalogtransfer.PriceConversion{Tenant: by.Tenant.Currency}}, func(int, int) {})
	if err == nil && len(report.Rejected) > 0 {
		err = errors.New(report.Rejected[0].Handle + ": " + report.Rejected[0].Reason)
	}
	if err != nil {
		return fmt.Errorf("create the demo's products: %w", err)
	}
	if err := k.importDemoOrders(ctx, by.Tenant, demo); err != nil {
		return fmt.Errorf("import the demo's orders: %w", err)
	}
	if by, err = k.translateDemo(ctx, by); err != nil {
		return fmt.Errorf("translate the demo: %w", err)
	}
	if err := k.createDemoPricing(ctx, by, demo, baseURL); err != nil {
		return fmt.Errorf("create the demo's markets and discounts: %w", err)
	}
	return k.store.Analyze(ctx)
}

func (k *core) createDemoCategories(ctx context.Context, by tenant.Principal, demo demoData) error {
	within := records.InTransaction{Service: k.records}
	return k.store.Atomically(ctx, ports.ForPrincipal(by), func(ctx context.Context, tx ports.Tx) error {
		brands, err := tx.Records.Find(ctx, collection.Query{Schema: catalog.Brands, Limit: 0, Page: 1})
		if err != nil || brands.TotalDocs > 0 {
			return err
		}
		for _, b := range demo.Brands {
			if _, err := within.Create(ctx, tx, by, catalog.Brands, exactObject(b)); err != nil {
				return err
			}
		}
		for _, c := range demo.Categories {
			if _, err := within.Create(ctx, tx, by, catalog.Categories, exactObject(c)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (k *core) createDemoPricing(ctx context.Context, by tenant.Principal, demo demoData, baseURL string) error {
	within := records.InTransaction{Service: k.records}
	return k.store.Atomically(ctx, ports.ForPrincipal(by), func(ctx context.Context, tx ports.Tx) error {
		settings := map[string]any{"settings": map[string]any{"storefrontUrl": baseURL + "/demo/"}}
		if _, err := within.Update(ctx, tx, by, identity.Tenants, string(by.Tenant.ID), settings); err != nil {
			return err
		}
		if err := createDemoTaxes(ctx, tx, within, by, demo); err != nil {
			return err
		}
		for _, p := range demo.ShippingPolicies {
			if _, err := within.Create(ctx, tx, by, shipping.Schema, exactObject(p)); err != nil {
				return err
			}
		}
		markets := map[any]collection.Record{}
		for _, m := range demo.Markets {
			market, err := within.Create(ctx, tx, by, catalog.Markets, exactObject(m))
			if err != nil {
				return err
			}
			markets[m["code"]] = market
		}
		for _, p := range demo.MarketPrices {
			variant, err := firstID(ctx, tx, catalog.Variants, "sku", p["sku"])
			if err != nil {
				return err
			}
			input := exactObject(p)
			delete(input, "sku")
			market := markets[p["market"]]
			input["market"], input["currency"], input["variant"] = market.ID(), market.Text("currency"), variant
			if _, err := within.Create(ctx, tx, by, catalog.MarketPrices, input); err != nil {
				return err
			}
		}
		return createDemoDiscounts(ctx, tx, within, by, demo.Discounts)
	})
}

// createDemoTaxes creates the rates of the shop's countries, and gives what is eaten the class of a lower one.
func createDemoTaxes(ctx context.Context, tx ports.Tx, within records.InTransaction, by tenant.Principal, demo demoData) error {
	for _, r := range demo.TaxRates {
		if _, err := within.Create(ctx, tx, by, tax.Schema, exactObject(r)); err != nil {
			return err
		}
	}
	for _, name := range demo.ReducedCategories {
		category, err := firstID(ctx, tx, catalog.Categories, "name", name)
		if err != nil {
			return err
		}
		goods, err := ports.FindAll(ctx, tx.Records, collection.Query{
			Schema: catalog.Products, Where: catalog.Products.Where("category", collection.Equals, category), Sort: catalog.Products.SortBy("id"),
		})
		if err != nil {
			return err
		}
		for _, p := range goods {
			if _, err := within.Update(ctx, tx, by, catalog.Products, p.ID(), map[string]any{"taxClass": string(tax.Reduced)}); err != nil {
				return err
			}
		}
	}
	return nil
}

func createDemoDiscounts(
	ctx context.Context, tx ports.Tx, within records.InTransaction, by tenant.Principal, discounts []map[string]any,
) error {
	for _, d := range discounts {
		input := exactObject(d)
		if names, ok := d["applicableCategories"].([]any); ok {
			ids := make([]any, len(names))
			for i, name := range names {
				id, err := firstID(ctx, tx, catalog.Categories, "name", name)
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

func firstID(ctx context.Context, tx ports.Tx, s *collection.Schema, field string, value any) (string, error) {
	page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Where: s.Where(field, collection.Equals, value), Limit: 1, Page: 1})
	if err != nil {
		return "", err
	}
	if len(page.Docs) == 0 {
		return "", fmt.Errorf("there is no %s with %s %v", s.Slug, field, value)
	}
	return page.Docs[0].ID(), nil
}

// exactObject is a copy of decoded JSON with numbers kept as text.
func exactObject(m map[string]any) map[string]any { return reply.Numerals(m).(map[string]any) }
