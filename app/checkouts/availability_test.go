package checkouts_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// read is the lines of a cart as a reader sees them.
func (b *bed) read(id string) []cart.Line {
	b.T.Helper()
	r, err := b.Records.GetRecord(b.T.Context(), b.Owner(), cart.Schema, id)
	if err != nil {
		b.T.Fatal(err)
	}
	x, err := cart.FromRecord(r)
	if err != nil {
		b.T.Fatal(err)
	}
	return x.Lines
}

// afterChange is the lines of a cart as any change of it would leave them, which changes them by the catalog of now.
// The cart stays as it is. A market that was closed has no line that is available.
func (b *bed) afterChange(id string) []cart.Line {
	b.T.Helper()
	var shown []cart.Line
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Get(ctx, cart.Schema, id)
		if err != nil {
			return err
		}
		x, err := cart.FromRecord(r)
		if err != nil {
			return err
		}
		facts := cart.Facts{Market: x.Market, Currency: x.Currency}
		f, err := offers.Lookup(ctx, tx.Records, offers.Request{
			Tenant: b.Shop, Environment: x.Environment, Market: x.Market, Variants: x.Variants(),
		})
		switch {
		case err == nil:
			facts.Currency, facts.Rounding, facts.Offers = f.Currency, f.Rounding, f.Offers
		case !errors.Is(err, catalog.ErrMarketNotFound):
			return err
		}
		next, err := cart.Decide(x, 0, cart.SetAttributes{Facts: facts}, b.Now())
		if err != nil {
			return err
		}
		shown = next.Lines
		return nil
	})
	return shown
}

// catalogChange is something that an operator may do to what is in a cart.
type catalogChange struct {
	name string
	do   func(b *bed, name string, random *rand.Rand)
}

func (b *bed) changeVariant(name, text string) { b.Change(catalog.Variants, b.Variants[name], text) }

func (b *bed) product(name string) string {
	return b.Get(catalog.Variants, b.Variants[name]).Text("product")
}

func pick[T any](random *rand.Rand, from ...T) T { return from[random.IntN(len(from))] }

var catalogChanges = []catalogChange{
	{"kind", func(b *bed, name string, random *rand.Rand) {
		b.changeVariant(name, `{"kind":"`+pick(random, "physical", "digital", "service", "event", "event")+`"}`)
	}},
	{"status", func(b *bed, name string, random *rand.Rand) {
		b.Change(catalog.Products, b.product(name), `{"status":"`+pick(random, "published", "published", "unlisted", "draft", "out-of-stock")+`"}`)
	}},
	{"price", func(b *bed, name string, random *rand.Rand) {
		b.changeVariant(name, `{"price":`+pick(random, "null", "0", "7000", "12000")+`}`)
	}},
	{"tracking", func(b *bed, name string, random *rand.Rand) {
		b.changeVariant(name, `{"trackInventory":`+pick(random, "true", "true", "false")+`}`)
	}},
	{"stock", func(b *bed, name string, random *rand.Rand) {
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			levels, err := tx.Stock.Levels(ctx, tenant.Test, []string{b.Variants[name]})
			if err != nil {
				return err
			}
			level := levels[b.Variants[name]]
			level.OnHand = int64(random.IntN(5))
			return tx.Stock.Set(ctx, b.Shop.ID, tenant.Test, "", b.Variants[name], level, ports.StockCause{})
		})
	}},
	{"market", func(b *bed, _ string, random *rand.Rand) {
		if all := b.All(catalog.Markets); len(all) > 0 {
			b.Change(catalog.Markets, all[0].ID(), `{"status":"`+pick(random, "active", "active", "inactive")+`"}`)
		}
	}},
	{"market price", func(b *bed, name string, random *rand.Rand) {
		for _, r := range b.All(catalog.MarketPrices) {
			if r.Text("variant") == b.Variants[name] {
				b.Change(catalog.MarketPrices, r.ID(), `{"amount":`+strconv.Itoa(1000*random.IntN(9))+`}`)
				return
			}
		}
		for _, m := range b.All(catalog.Markets) {
			b.Create(catalog.MarketPrices, `{"market":"`+m.ID()+`","variant":"`+b.Variants[name]+`","amount":9000}`)
		}
	}},
}

// cartOfEverything is a cart with two lines of one variant and lines of others, one of them an event, some in a
// market.
func (b *bed) cartOfEverything(random *rand.Rand) string {
	b.T.Helper()
	b.Product("talk", "5000", "4", `,"kind":"event"`)
	b.Product("hat", "9000", "4", `,"kind":"service"`)
	b.Product("mug", "12000", "4", "")
	id := b.Cart(nil, "mug", "mug", "hat", "talk")
	market := ""
	if random.IntN(2) == 0 {
		market = b.Create(catalog.Markets, `{"name":"KR","code":"kr","currency":"KRW","status":"active"}`)
	}
	x, err := cart.FromRecord(b.Get(cart.Schema, id))
	if err != nil {
		b.T.Fatal(err)
	}
	lines := slices.Clone(x.Lines)
	for i := range lines {
		lines[i].Attributes = map[string]string{"line": strconv.Itoa(i)}
		lines[i].Quantity = int64(1 + random.IntN(2))
	}
	for range lines[3].Quantity {
		lines[3].Admissions = append(lines[3].Admissions, sale.Admission{Name: "Kim"})
	}
	x.Lines, x.Market = lines, market
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, cart.Schema, id)
		if err != nil {
			return err
		}
		return tx.Records.Write(ctx, collection.NewChange(cart.Schema, r, x.Record(), shops.NewID(), b.Now()))
	})
	return id
}

// A checkout takes a cart exactly when the cart shows all of its lines as available, whatever was changed
// about what is in it; otherwise it names a line that is shown as unavailable.
func TestCheckoutTakesExactlyWhatTheCartShows(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, near *bed) {
		taken, refused := 0, map[string]int{}
		for seed := range uint64(8) {
			random := rand.New(rand.NewPCG(8, seed))
			b := &bed{paymentbed.NewEmpty(t, near.Store)}
			id, path := b.cartOfEverything(random), ""
			for range 25 {
				c := pick(random, catalogChanges...)
				name := pick(random, "mug", "hat", "talk")
				c.do(b, name, random)
				path += fmt.Sprint(c.name, " of ", name, ", ")
				if reason := b.compareWithCheckout(id, path); reason == "" {
					taken++
				} else {
					refused[reason]++
				}
			}
		}
		if taken < 10 || len(refused) < 4 {
			t.Errorf("%d checkouts were taken, the others refused for %v", taken, refused)
		}
	})
}

// compareWithCheckout compares a cart with a checkout of it, and returns why that was refused.
func (b *bed) compareWithCheckout(id, path string) (reason string) {
	b.T.Helper()
	shown, changed := b.read(id), b.afterChange(id)
	available := func(l, o cart.Line) bool { return l.ID == o.ID && l.Available == o.Available }
	if !slices.EqualFunc(shown, changed, available) {
		b.T.Errorf("%s: a reader sees %v, a change leaves %v", path, shown, changed)
	}
	a, err := b.Checkouts.Create(b.T.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(id))
	if err == nil && a.Fault != nil {
		err = a.Fault
	}
	all := !slices.ContainsFunc(shown, func(l cart.Line) bool { return !l.Available })
	if all != (err == nil) {
		b.T.Errorf("%s: the cart shows %v as available, the checkout says %v", path, all, err)
	}
	if err == nil {
		b.compareLines(b.Must(a, err).Text("checkout.id"), changed, path)
		return ""
	}
	refusal := fault.From(err)
	if errors.Is(err, catalog.ErrMarketNotFound) {
		return refusal.Reason
	}
	i := slices.IndexFunc(shown, func(l cart.Line) bool { return l.ID == refusal.Data["lineId"] })
	expected := []string{catalog.ErrVariantUnavailable.Reason, inventory.ErrOutOfStock.Reason, cart.ErrAdmissionsMismatch.Reason}
	if !slices.Contains(expected, refusal.Reason) || i < 0 || shown[i].Available {
		b.T.Errorf("%s: refused with %v, which names no line that is shown as unavailable", path, refusal.Data)
	}
	return refusal.Reason
}

// compareLines compares kinds and prices of a checkout's lines with those of the cart after a change.
func (b *bed) compareLines(id string, shown []cart.Line, path string) {
	b.T.Helper()
	for i, l := range checkout.FromRecord(b.Get(checkout.Schema, id)).Lines {
		if l.Kind != shown[i].Kind || l.UnitPrice != shown[i].UnitPrice || len(l.Admissions) != len(shown[i].Admissions) {
			b.T.Errorf("%s: line %d of the checkout is %+v, of the cart %+v", path, i, l, shown[i].Line)
		}
	}
}
