package cart_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func krw(n int64) money.Money { return money.Of(n, "KRW") }

// full is a cart with every field set.
func full() cart.Cart {
	return cart.Cart{
		ID: "c1", Tenant: "t1", Environment: "test", Customer: "u1", Status: cart.Active, Revision: 7, Market: "m1", Currency: "KRW",
		Lines: []cart.Line{{Available: true, PriceChanged: true, Line: sale.Line{
			ID: "l1", Product: "p1", Variant: "v1", Title: "Concert", VariantTitle: "Row 1", SKU: "C-1", Image: "i1", Quantity: 1,
			UnitPrice: krw(9000), CompareAt: krw(10000), Subtotal: krw(9000), Discount: krw(900), Total: krw(8100), RequiresShipping: true,
			Kind:       "event",
			Admissions: []sale.Admission{{Name: "Ann", Email: "ann@example.com", Phone: "1", Attributes: map[string]string{"seat": "4"}}},
			Attributes: map[string]string{"gift": "yes"},
		}}, {Line: sale.Line{
			ID: "l2", Product: "p2", Variant: "v2", Title: "File", Quantity: 2, UnitPrice: krw(1), Subtotal: krw(2), Discount: krw(0),
			Total: krw(2), Kind: "digital",
		}}},
		Codes:      []cart.Code{{Code: "TEN", Applied: true, Amount: krw(900)}, {Code: "OLD", Amount: krw(0), Reason: "discount_expired"}},
		Attributes: map[string]string{"note": "x"}, Totals: sale.Totals{Subtotal: krw(9002), Discount: krw(900), Total: krw(8102)},
		TokenHash: "secret-hash", ExpiresAt: now.Add(cart.Lifetime), CreatedAt: now, UpdatedAt: now, Sequence: 7,
	}
}

func TestCartRecordRoundTrip(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]cart.Cart{
		"a full cart": full(),
		"a fresh guestcart": {
			ID: "c", Tenant: "t", Environment: "live", Status: cart.Active, Revision: 1, Currency: "USD",
			Totals: sale.Totals{Subtotal: money.Of(0, "USD"), Discount: money.Of(0, "USD"), Total: money.Of(0, "USD")}, ExpiresAt: now,
			CreatedAt: now, UpdatedAt: now, Sequence: 1,
		},
	} {
		got, err := cart.FromRecord(c.Record())
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, c)
		}
	}
}

func TestFromRecordRefusesInvalidCart(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"status", "revision", "currency"} {
		r := full().Record()
		delete(r, field)
		if _, err := cart.FromRecord(r); err == nil {
			t.Errorf("a cart without %s was accepted", field)
		}
	}
}

func TestAnAnswerNeverShowsTheTokenHash(t *testing.T) {
	t.Parallel()
	body := string(collection.AppendJSON(nil, cart.Schema, full().Record(), collection.View{Audience: collection.Staff}))
	if strings.Contains(body, "secret-hash") || strings.Contains(body, "tokenHash") {
		t.Error(body)
	}
}

// Answers and events share their encoded bytes, so they must not depend on the reader.
func TestEveryoneWhoMaySeeACartSeesTheSame(t *testing.T) {
	t.Parallel()
	as := func(a collection.Audience) string {
		return string(collection.AppendJSON(nil, cart.Schema, full().Record(), collection.View{Audience: a}))
	}
	if as(collection.Everyone) != as(collection.Staff) {
		t.Error(as(collection.Staff))
	}
}

func TestShippingTotalIsNullOrAbsent(t *testing.T) {
	t.Parallel()
	c := full()
	wire := func() string {
		return string(collection.AppendJSON(nil, cart.Schema, c.Record(), collection.View{}))
	}
	if !strings.Contains(wire(), `"discount":900,"shipping":null,"total":8102`) {
		t.Error(wire())
	}
	c.Lines[0].RequiresShipping = false
	if strings.Contains(wire(), `"shipping"`) {
		t.Error(wire())
	}
	stored := string(collection.AppendStored(nil, cart.Schema, full().Record()))
	if !strings.Contains(stored, `"shipping":null`) {
		t.Error(stored)
	}
}

// The timed transition of the schema, which filters use, agrees with StatusAt.
func TestTimedTransitionMatchesStatusAt(t *testing.T) {
	t.Parallel()
	for _, status := range []cart.Status{cart.Active, cart.Completed, cart.Merged, cart.Abandoned} {
		for _, after := range []time.Duration{-time.Millisecond, 0, time.Hour} {
			c := full()
			c.Status = status
			at := c.ExpiresAt.Add(after)
			if got := cart.Schema.AsOf(c.Record(), at).Text("status"); got != string(c.StatusAt(at)) {
				t.Errorf("%s %s after its expiry: %s", status, after, got)
			}
		}
	}
}

func TestACartOfAMarketIsLockedToIt(t *testing.T) {
	t.Parallel()
	for market, locked := range map[string]bool{"m1": true, "": false} {
		c := full()
		c.Market = market
		if got := c.Record()["marketLocked"]; got != locked {
			t.Errorf("market %q: %v", market, got)
		}
	}
}

// Readers saw the cart as abandoned before, so Abandon keeps the revision. Completed and merged carts stay as
// they are.
func TestAbandonOnlyExpiredActiveCarts(t *testing.T) {
	t.Parallel()
	for _, status := range []cart.Status{cart.Active, cart.Completed, cart.Merged, cart.Abandoned} {
		for _, after := range []time.Duration{-time.Millisecond, 0, time.Hour} {
			c := full()
			c.Status = status
			at := c.ExpiresAt.Add(after)
			want := c
			if status == cart.Active && after >= 0 {
				want.Status, want.UpdatedAt, want.Sequence = cart.Abandoned, at, c.Sequence+1
			}
			if got := c.Abandon(at); !reflect.DeepEqual(got, want) {
				t.Errorf("%s %s after its expiry:\n got %+v\nwant %+v", status, after, got, want)
			}
		}
	}
}
