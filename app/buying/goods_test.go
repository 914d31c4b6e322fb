package buying_test

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func (b *bed) owner() tenant.Principal {
	return tenant.Principal{Kind: tenant.System, Tenant: b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true}
}

// create writes a record the way an operator does.
func (b *bed) create(s *collection.Schema, text string) string {
	b.t.Helper()
	var id string
	err := b.store.Atomically(b.t.Context(), ports.Of(b.shop.ID), func(ctx context.Context, tx ports.Tx) error {
		r, err := (content.Within{Content: b.content}).Create(ctx, tx, b.owner(), s, shops.Tree(b.t, text))
		id = r.ID()
		return err
	})
	if err != nil {
		b.t.Fatalf("%s %s: %v", s.Slug, text, err)
	}
	return id
}

// product puts a product with one variant on sale.
func (b *bed) product(name, price, stock, more string) {
	b.t.Helper()
	id := b.create(catalog.Products, `{"name":"`+name+`","status":"published","price":`+price+`,"variants":[{"title":"One","stock":`+stock+more+`}]}`)
	page, err := b.store.Read(ports.Of(b.shop.ID)).Find(b.t.Context(), collection.Query{
		Schema: catalog.Variants, Environment: "test", Where: catalog.Variants.Where("product", collection.Equals, id), Limit: 10, Page: 1,
	})
	if err != nil || len(page.Docs) != 1 {
		b.t.Fatalf("variants of %s: %v %v", name, page.Docs, err)
	}
	b.variants[name] = page.Docs[0].ID()
}

// found gives the shop what every shop has.
func (b *bed) found() {
	b.t.Helper()
	now := b.now()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		shop := collection.Record{"id": string(b.shop.ID), "tenant": string(b.shop.ID), "name": "Shop", "slug": "shop-" + string(b.shop.ID), "plan": "enterprise", "currency": "KRW"}
		policy := shipping.NewPolicy(shops.NewID(), string(b.shop.ID), "KRW")
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, nil, shop, shops.NewID(), now), collection.NewChange(shipping.Schema, nil, policy, shops.NewID(), now))
	})
	b.connection = b.create(payment.Connections, `{"name":"Sandbox","provider":"sandbox","accountKey":"`+b.account+`","environment":"test","isDefault":true,"enabledMethods":["CARD_KR","KAKAO_PAY","PAY_PAL"],"credentials":{"secretKey":"`+bank.AccountSecret(bankSecret, b.account)+`"},"webhookSecrets":["`+bank.WebhookSecret(bankSecret, b.account)+`"]}`)
}

func (b *bed) stockShop() {
	b.t.Helper()
	b.product("mug", "12000", "100", "")
	b.product("lamp", "50000", "30", "")
	b.product("course", "30000", "1000", `,"kind":"digital"`)
	b.product("gift", "0", "5", `,"kind":"digital"`)
	b.create(discount.Schema, `{"code":"ONCE","type":"percentage","value":10,"usageLimit":1}`)
}

func (b *bed) atomically(fn func(ctx context.Context, tx ports.Tx) error) { b.view().Atomically(fn) }

// cart stores a guest's cart with one line per product, quantity 1 unless the name says "3 mug".
func (b *bed) cart(codes []string, names ...string) string {
	b.t.Helper()
	x := cart.Cart{
		ID: shops.NewID(), Tenant: b.shop.ID, Environment: tenant.Test, Status: cart.Active, Revision: 1, Currency: "KRW", Sequence: 0,
		TokenHash: once.HashText("ct_guest"), ExpiresAt: b.now().Add(cart.Lifetime), Totals: cart.Totals{Subtotal: krw(0), Discount: krw(0), Total: krw(0)},
	}
	for _, name := range names {
		quantity := int64(1)
		if n, rest, ok := strings.Cut(name, " "); ok {
			quantity, name = int64(n[0]-'0'), rest
		}
		x.Lines = append(x.Lines, cart.Line{
			ID: shops.NewID(), Product: shops.NewID(), Variant: b.variants[name], Title: name, Quantity: quantity, UnitPrice: krw(1), Subtotal: krw(1), Discount: krw(0),
			Total: krw(1), Kind: "physical", RequiresShipping: name == "mug" || name == "lamp",
		})
	}
	for _, code := range codes {
		x.Codes = append(x.Codes, cart.Code{Code: code, Applied: true, Amount: krw(0)})
	}
	r := x.Record()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(cart.Schema, nil, r.Clone(), shops.NewID(), b.now()))
	})
	return x.ID
}
