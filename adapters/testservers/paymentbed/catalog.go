package paymentbed

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Owner is the bed's operator.
func (b *Bed) Owner() tenant.Principal {
	return tenant.Principal{Kind: tenant.System, Tenant: b.Shop, Environment: tenant.Test, CanRead: true, CanWrite: true}
}

// Create creates a record as an operator does and returns its id.
func (b *Bed) Create(s *collection.Schema, text string) string {
	b.T.Helper()
	var id string
	err := b.Store.Atomically(b.T.Context(), ports.ForTenant(b.Shop.ID), func(ctx context.Context, tx ports.Tx) error {
		r, err := (records.InTransaction{Service: b.Records}).Create(ctx, tx, b.Owner(), s, shops.ParseObject(b.T, text))
		id = r.ID()
		return err
	})
	if err != nil {
		b.T.Fatalf("%s %s: %v", s.Slug, text, err)
	}
	return id
}

// Product publishes a product with one variant; more is further JSON members of the variant.
func (b *Bed) Product(name, price, stock, more string) {
	b.T.Helper()
	id := b.Create(catalog.Products,
		`{"name":"`+name+`","status":"published","price":`+price+`,"variants":[{"title":"One","stock":`+stock+more+`}]}`)
	page, err := b.Store.Read(ports.ForTenant(b.Shop.ID)).Find(b.T.Context(), collection.Query{
		Schema: catalog.Variants, Environment: "test", Where: catalog.Variants.Where("product", collection.Equals, id), Limit: 10, Page: 1,
	})
	if err != nil || len(page.Docs) != 1 {
		b.T.Fatalf("variants of %s: %v %v", name, page.Docs, err)
	}
	b.Variants[name] = page.Docs[0].ID()
}

// SellTaxFree has the shop sell a product free of value added tax from now on, or with it.
func (b *Bed) SellTaxFree(name string, taxFree bool) {
	b.T.Helper()
	variant := b.Get(catalog.Variants, b.Variants[name])
	class := tax.Standard
	if taxFree {
		class = tax.Exempt
	}
	b.Change(catalog.Products, variant.Text("product"), `{"taxClass":"`+string(class)+`"}`)
}

// createDefaults creates what every tenant has.
func (b *Bed) createDefaults() {
	b.T.Helper()
	now := b.Now()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		shop := collection.Record{
			"id": string(b.Shop.ID), "tenant": string(b.Shop.ID), "name": "Shop", "slug": "shop-" + string(b.Shop.ID), "plan": "enterprise",
			"currency": "KRW",
		}
		policy := shipping.DefaultPolicy(shops.NewID(), identity.SettingsFrom(shop))
		w := collection.NewChangeSet(now, shops.NewID)
		w.Put(identity.Tenants, nil, shop)
		w.Put(shipping.Schema, nil, policy)
		return tx.Records.Write(ctx, w.List()...)
	})
	b.Connection = b.Create(payment.Connections,
		`{"name":"Sandbox","provider":"sandbox","accountKey":"`+b.Account+`","environment":"test",`+
			`"isDefault":true,"enabledMethods":["CARD_KR","KAKAO_PAY","PAY_PAL"],"credentials":{"secretKey":"`+
			bank.AccountSecret(BankSecret, b.Account)+`"},`+`"webhookSecrets":["`+bank.WebhookSecret(BankSecret, b.Account)+`"]}`)
}

func (b *Bed) addProducts() {
	b.T.Helper()
	b.Product("mug", "12000", "100", "")
	b.Product("lamp", "50000", "30", "")
	b.Product("course", "30000", "1000", `,"kind":"digital"`)
	b.Product("gift", "0", "5", `,"kind":"digital"`)
	b.Create(discount.Schema, `{"code":"ONCE","type":"percentage","value":10,"usageLimit":1}`)
}

// Atomically runs fn in one transaction of the tenant.
func (b *Bed) Atomically(fn func(ctx context.Context, tx ports.Tx) error) { b.View().Atomically(fn) }

// Cart stores a guest's cart with one line per product, of quantity 1 unless the name is like "3 mug".
func (b *Bed) Cart(codes []string, names ...string) string {
	b.T.Helper()
	x := cart.Cart{
		ID: shops.NewID(), Tenant: b.Shop.ID, Environment: tenant.Test, Status: cart.Active, Revision: 1, Currency: "KRW", Sequence: 0,
		TokenHash: idempotency.HashToken("ct_guest"), ExpiresAt: b.Now().Add(cart.Lifetime),
		Totals: sale.Totals{Subtotal: KRW(0), Discount: KRW(0), Total: KRW(0)},
	}
	for _, name := range names {
		quantity := int64(1)
		if n, rest, ok := strings.Cut(name, " "); ok {
			quantity, name = int64(n[0]-'0'), rest
		}
		x.Lines = append(x.Lines, cart.Line{Line: sale.Line{
			ID: shops.NewID(), Product: shops.NewID(), Variant: b.Variants[name], Title: name, Quantity: quantity, UnitPrice: KRW(1),
			Subtotal: KRW(1), Discount: KRW(0), Total: KRW(1), Kind: "physical", RequiresShipping: name == "mug" || name == "lamp",
		}})
	}
	for _, code := range codes {
		x.Codes = append(x.Codes, cart.Code{Code: code, Applied: true, Amount: KRW(0)})
	}
	r := x.Record()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(cart.Schema, nil, r.Clone(), shops.NewID(), b.Now()))
	})
	return x.ID
}

// Rewrite changes a field of a record without any use case.
func (b *Bed) Rewrite(s *collection.Schema, id, field string, value any) {
	b.T.Helper()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, s, id)
		if err != nil {
			return err
		}
		next := r.Clone()
		next[field] = value
		return tx.Records.Write(ctx, collection.NewChange(s, r, next, shops.NewID(), b.Now()))
	})
}

// Change updates a record as an operator does.
func (b *Bed) Change(s *collection.Schema, id, text string) {
	b.T.Helper()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		_, err := (records.InTransaction{Service: b.Records}).Update(ctx, tx, b.Owner(), s, id, shops.ParseObject(b.T, text))
		return err
	})
}

// View reads the tenant's records.
func (b *Bed) View() shops.View { return shops.NewView(b.T, b.Store, b.Shop.ID) }

// Get is a record.
func (b *Bed) Get(s *collection.Schema, id string) collection.Record { return b.View().Get(s, id) }

// All is every record of a collection.
func (b *Bed) All(s *collection.Schema) []collection.Record { return b.View().All(s) }

// Level is the stock level of a product's variant.
func (b *Bed) Level(name string) ports.StockLevel { return b.View().Level(b.Variants[name]) }

// Balance is the ledger's balance of an order.
func (b *Bed) Balance(orderID string) (minor int64) {
	b.T.Helper()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		sums, err := tx.Ledger.Balance(ctx, orderID)
		minor = sums["KRW"]
		return err
	})
	return minor
}
