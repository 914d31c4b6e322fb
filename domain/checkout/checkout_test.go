package checkout_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	. "github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

var late = AttentionCase{"payment_late", AdviceRefund, "s1"}

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func home() *address.Address {
	return &address.Address{
		RecipientName: "Kim", Phone: "010", PostalCode: "06000", Address1: "Gangnam 1", Address2: "2F", DeliveryNote: "Door",
		Country: "KR",
	}
}

func draft() Checkout {
	fee := krw(3000)
	return Checkout{
		ID: "k1", Tenant: "t1", Environment: "test", Cart: "c1", Customer: "u1",
		Contact: sale.Contact{Name: "Kim", Email: " Kim@Example.com ", Phone: "010"},
		Address: home(), Market: "m1", Locale: "ko", Currency: "KRW", Notes: "n", TokenHash: "h",
		Lines: []sale.Line{
			{
				ID: "l1", Product: "p1", Variant: "v2", Title: "Mug", VariantTitle: "Red", SKU: "M", Image: "i", Quantity: 2,
				UnitPrice: krw(1000), CompareAt: krw(1200), Subtotal: krw(2000), Discount: krw(200), Total: krw(1800),
				RequiresShipping: true, Kind: "physical", Attributes: map[string]string{"gift": "yes"},
			},
			{
				ID: "l2", Product: "p2", Variant: "v1", Title: "Talk", Quantity: 1, UnitPrice: krw(500), Subtotal: krw(500),
				Discount: krw(0), Total: krw(500), Kind: "event",
				Admissions: []sale.Admission{{Name: "Lee", Email: "l@e.kr", Phone: "1", Attributes: map[string]string{"vip": "yes"}}},
			},
			{
				ID: "l3", Product: "p1", Variant: "v2", Title: "Mug", Quantity: 3, UnitPrice: krw(0), Subtotal: krw(0), Discount: krw(0),
				Total: krw(0), RequiresShipping: true, Kind: "physical",
			},
		},
		Codes: []Code{{"TEN", krw(200), "d1", true}}, Totals: sale.Totals{
			Subtotal: krw(2500), Discount: krw(200), Total: krw(5300), Shipping: &fee,
		},
		ReturnPolicy: ReturnPolicy{"always", krw(2500)},
	}
}

func open(t *testing.T) Checkout {
	t.Helper()
	c, err := Create(draft(), "KR", now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCreateFreezesAndOpens(t *testing.T) {
	t.Parallel()
	c := open(t)
	if c.Status != Open || !c.ExpiresAt.Equal(now.Add(Lifetime)) || c.Contact.Email != "kim@example.com" ||
		!reflect.DeepEqual(c.Lines, draft().Lines) {
		t.Errorf("%+v", c)
	}
}

func TestCreateRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Checkout)
		fields []string
	}{
		"no email":         {func(c *Checkout) { c.Contact.Email = "" }, []string{"email"}},
		"an invalid email": {func(c *Checkout) { c.Contact.Email = "kim" }, []string{"email"}},
		"an empty address": {func(c *Checkout) { c.Address = &address.Address{} }, []string{
			"shippingAddress.recipientName", "shippingAddress.postalCode", "shippingAddress.address1",
		}},
		"an invalid postal code": {func(c *Checkout) { c.Address.PostalCode = "123" }, []string{"shippingAddress.postalCode"}},
		"a blank recipient":      {func(c *Checkout) { c.Address.RecipientName = "  " }, []string{"shippingAddress.recipientName"}},
	} {
		d := draft()
		c.change(&d)
		_, err := Create(d, "KR", now)
		var got []string
		for _, f := range fault.From(err).Fields {
			got = append(got, f.Field)
		}
		if !errors.Is(err, fault.ErrValidation) || !reflect.DeepEqual(got, c.fields) {
			t.Errorf("%s: %v %v", name, err, got)
		}
	}
}

func TestAnAddressIsNeededIffALineShips(t *testing.T) {
	t.Parallel()
	d := draft()
	d.Address = nil
	c, err := Create(d, "KR", now)
	if err != nil || !errors.Is(c.CheckPayable(now), ErrAddressRequired) {
		t.Errorf("a mixed checkout without address: %v %v", err, c.CheckPayable(now))
	}
	d.Lines = d.Lines[1:2]
	if c, err = Create(d, "KR", now); err != nil || c.RequiresShipping() || c.CheckPayable(now) != nil {
		t.Errorf("a digital checkout without address: %v %v", err, c.CheckPayable(now))
	}
	d.Address = &address.Address{PostalCode: "nonsense"}
	if c, err = Create(d, "KR", now); err != nil || c.Address != nil {
		t.Errorf("an address that is not needed: %v %v", err, c.Address)
	}
}

func TestStatusDecidesWhatCanBePaid(t *testing.T) {
	t.Parallel()
	end := now.Add(Lifetime)
	for name, c := range map[string]struct {
		c    Checkout
		at   time.Time
		want error
	}{
		"open":                        {open(t), now, nil},
		"just before expiry":          {open(t), end.Add(-1), nil},
		"expired":                     {open(t), end, ErrExpired},
		"expired, of a draft":         {ofDraft(open(t)), end, ErrLinkExpired},
		"stored as expired":           {open(t).Expire(), now, ErrExpired},
		"pending, even after expiry":  {open(t).TakeSlot("s1"), end, nil},
		"superseded":                  {open(t).Supersede("k2"), now, ErrNotOpen},
		"completed":                   {open(t).Complete("o1"), now, ErrNotOpen},
		"requiring attention":         {open(t).RequireAttention(late), now, ErrNotOpen},
		"slot released before expiry": {open(t).TakeSlot("s1").ReleaseSlot("s1", now), now, nil},
		"slot released after expiry":  {open(t).TakeSlot("s1").ReleaseSlot("s1", end), end, ErrExpired},
		"release by another session":  {open(t).TakeSlot("s1").ReleaseSlot("s2", end), end, nil},
	} {
		if err := c.c.CheckPayable(c.at); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckoutEndStates(t *testing.T) {
	t.Parallel()
	done := open(t).TakeSlot("s1").Complete("o1")
	if done.SlotHeld || done.Order != "o1" || done.IsLive() || !reflect.DeepEqual(done.RequireAttention(late), done) {
		t.Errorf("%+v", done)
	}
	odd := open(t).TakeSlot(late.PaymentSession).RequireAttention(late)
	if odd.Status != RequiresAttention || odd.SlotHeld || odd.AttentionCase != late || odd.IsLive() {
		t.Errorf("%+v", odd)
	}
	if held := open(t).TakeSlot("another").RequireAttention(late); !held.SlotHeld || held.ReleaseSlot("another", now).SlotHeld ||
		held.ReleaseSlot("another", now).Status != RequiresAttention {
		t.Errorf("%+v", held)
	}
	if odd = odd.Complete("o2"); odd.AttentionCase != (AttentionCase{}) || odd.Status != Completed {
		t.Errorf("%+v", odd)
	}
	if over := open(t).RequireAttention(late).ResolveAttention(); over.Status != Canceled || over.AttentionCase != (AttentionCase{}) ||
		over.IsLive() {
		t.Errorf("%+v", over)
	}
	if !reflect.DeepEqual(done.ResolveAttention(), done) {
		t.Error("resolving attention changed a completed checkout")
	}
}

func TestDemandsAddUpPerVariant(t *testing.T) {
	t.Parallel()
	if got := draft().Demands(); !reflect.DeepEqual(got, []inventory.Demand{{Variant: "v1", Quantity: 1}, {Variant: "v2", Quantity: 5}}) {
		t.Error(got)
	}
}

func TestDiscountCustomerIsCustomerOrEmail(t *testing.T) {
	t.Parallel()
	c := open(t)
	if c.DiscountCustomer() != "u1" {
		t.Error(c.DiscountCustomer())
	}
	c.Customer = ""
	if c.DiscountCustomer() != "kim@example.com" {
		t.Error(c.DiscountCustomer())
	}
}

func TestCheckoutRecordRoundTrip(t *testing.T) {
	t.Parallel()
	full := open(t).TakeSlot("s1")
	full.Order, full.SupersededBy, full.AttentionCase, full.OrderNumber, full.PaymentID, full.Draft, full.ShippingMethod = "o1", "k2", late, "A-1", "p1", "d1",
		"Express"
	full.TaxExempt = true
	v := reflect.ValueOf(full)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves %s empty", v.Type().Field(i).Name)
		}
	}
	r := full.Record()
	if got := FromRecord(r); !reflect.DeepEqual(got, full) {
		t.Errorf("got %+v\nwant %+v", got, full)
	}
	for name := range r {
		if _, ok := Schema.Field(name); !ok {
			t.Errorf("%s is not declared", name)
		}
	}
	if r.Text("liveCart") != "c1" || full.Complete("o").Record()["liveCart"] != nil {
		t.Error("only a live checkout may have liveCart")
	}
}

// The timed transition of the schema, which filters use, agrees with StatusAt.
func TestTimedTransitionMatchesStatusAt(t *testing.T) {
	t.Parallel()
	status, _ := Schema.Field("status")
	for _, status := range status.Options {
		for _, after := range []time.Duration{-time.Millisecond, 0, time.Hour} {
			c := open(t)
			c.Status = Status(status)
			at := c.ExpiresAt.Add(after)
			if got := Schema.AsOf(c.Record(), at).Text("status"); got != string(c.StatusAt(at)) {
				t.Errorf("%s %s after its expiry: %s", status, after, got)
			}
		}
	}
}

func ofDraft(c Checkout) Checkout {
	c.Draft = "d1"
	return c
}
