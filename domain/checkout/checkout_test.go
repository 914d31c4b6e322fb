package checkout_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	. "github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
)

var late = Case{"payment_late", AdviseRefund, "s1"}

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func address() *Address {
	return &Address{"Kim", "010", "06000", "Gangnam 1", "2F", "Door", "KR"}
}

func draft() Checkout {
	fee := krw(3000)
	return Checkout{
		ID: "k1", Tenant: "t1", Environment: "test", Cart: "c1", Customer: "u1", Contact: Contact{"Kim", " Kim@Example.com ", "010"},
		Address: address(), Market: "m1", Currency: "KRW", Notes: "n", TokenHash: "h",
		Lines: []Line{
			{ID: "l1", Product: "p1", Variant: "v2", Title: "Mug", VariantTitle: "Red", SKU: "M", Image: "i", Quantity: 2, UnitPrice: krw(1000), CompareAt: krw(1200), Subtotal: krw(2000), Discount: krw(200), Total: krw(1800), RequiresShipping: true, Kind: "physical", Attributes: map[string]any{"gift": "yes"}},
			{ID: "l2", Product: "p2", Variant: "v1", Title: "Talk", Quantity: 1, UnitPrice: krw(500), Subtotal: krw(500), Discount: krw(0), Total: krw(500), Kind: "event", Admissions: []Admission{{Name: "Lee", Email: "l@e.kr", Phone: "1", Attributes: map[string]any{"vip": true}}}},
			{ID: "l3", Product: "p1", Variant: "v2", Title: "Mug", Quantity: 3, UnitPrice: krw(0), Subtotal: krw(0), Discount: krw(0), Total: krw(0), RequiresShipping: true, Kind: "physical"},
		},
		Codes: []Code{{"TEN", krw(200), "d1", 5, 1, true}}, Totals: Totals{krw(2500), krw(200), krw(5300), &fee},
		Returns: ReturnPolicy{"always", krw(2500)},
	}
}

func open(t *testing.T) Checkout {
	t.Helper()
	c, err := Create(draft(), now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCreateFreezesAndOpens(t *testing.T) {
	t.Parallel()
	c := open(t)
	if c.Status != Open || !c.ExpiresAt.Equal(now.Add(Lifetime)) || c.Contact.Email != "kim@example.com" || !reflect.DeepEqual(c.Lines, draft().Lines) {
		t.Errorf("%+v", c)
	}
}

func TestWhatCreateRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Checkout)
		fields []string
	}{
		"no email":               {func(c *Checkout) { c.Contact.Email = "" }, []string{"email"}},
		"an unusable email":      {func(c *Checkout) { c.Contact.Email = "kim" }, []string{"email"}},
		"an empty address":       {func(c *Checkout) { c.Address = &Address{} }, []string{"shippingAddress.recipientName", "shippingAddress.postalCode", "shippingAddress.address1"}},
		"a wrong postal code":    {func(c *Checkout) { c.Address.PostalCode = "123" }, []string{"shippingAddress.postalCode"}},
		"blanks for a recipient": {func(c *Checkout) { c.Address.RecipientName = "  " }, []string{"shippingAddress.recipientName"}},
	} {
		d := draft()
		c.change(&d)
		_, err := Create(d, now)
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
	c, err := Create(d, now)
	if err != nil || !errors.Is(c.Payable(now), ErrAddressRequired) {
		t.Errorf("a mixed checkout without address: %v %v", err, c.Payable(now))
	}
	d.Lines = d.Lines[1:2]
	if c, err = Create(d, now); err != nil || c.RequiresShipping() || c.Payable(now) != nil {
		t.Errorf("a digital checkout without address: %v %v", err, c.Payable(now))
	}
	d.Address = &Address{PostalCode: "nonsense"}
	if c, err = Create(d, now); err != nil || c.Address != nil {
		t.Errorf("an address nobody needs: %v %v", err, c.Address)
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
		"open":                            {open(t), now, nil},
		"just before expiry":              {open(t), end.Add(-1), nil},
		"expired":                         {open(t), end, ErrExpired},
		"expired and written down":        {open(t).Expire(), now, ErrExpired},
		"pending, even after expiry":      {open(t).TakeSlot("s1"), end, nil},
		"superseded":                      {open(t).Supersede("k2"), now, ErrNotOpen},
		"completed":                       {open(t).Complete("o1"), now, ErrNotOpen},
		"in need of a person":             {open(t).Attend(late), now, ErrNotOpen},
		"freed within its time":           {open(t).TakeSlot("s1").FreeSlot("s1", now), now, nil},
		"freed after its time":            {open(t).TakeSlot("s1").FreeSlot("s1", end), end, ErrExpired},
		"another session lets nothing go": {open(t).TakeSlot("s1").FreeSlot("s2", end), end, nil},
	} {
		if err := c.c.Payable(c.at); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEndsOfACheckout(t *testing.T) {
	t.Parallel()
	done := open(t).TakeSlot("s1").Complete("o1")
	if done.SlotHeld || done.Order != "o1" || done.Live() || !reflect.DeepEqual(done.Attend(late), done) {
		t.Errorf("%+v", done)
	}
	odd := open(t).TakeSlot(late.Session).Attend(late)
	if odd.Status != Attention || odd.SlotHeld || odd.Case != late || odd.Live() {
		t.Errorf("%+v", odd)
	}
	if held := open(t).TakeSlot("another").Attend(late); !held.SlotHeld || held.FreeSlot("another", now).SlotHeld || held.FreeSlot("another", now).Status != Attention {
		t.Errorf("%+v", held)
	}
	if odd = odd.Complete("o2"); odd.Case != (Case{}) || odd.Status != Completed {
		t.Errorf("%+v", odd)
	}
	if over := open(t).Attend(late).Attended(); over.Status != Canceled || over.Case != (Case{}) || over.Live() {
		t.Errorf("%+v", over)
	}
	if !reflect.DeepEqual(done.Attended(), done) {
		t.Error("what was dealt with after the order changes the order's checkout")
	}
}

func TestDemandsAddUpPerVariant(t *testing.T) {
	t.Parallel()
	if got := draft().Demands(); !reflect.DeepEqual(got, []inventory.Demand{{Variant: "v1", Quantity: 1}, {Variant: "v2", Quantity: 5}}) {
		t.Error(got)
	}
}

func TestUsesCountForTheCustomerElseTheEmail(t *testing.T) {
	t.Parallel()
	c := open(t)
	if c.Buyer() != "u1" {
		t.Error(c.Buyer())
	}
	c.Customer = ""
	if c.Buyer() != "kim@example.com" {
		t.Error(c.Buyer())
	}
}

func TestACheckoutSurvivesItsRecord(t *testing.T) {
	t.Parallel()
	full := open(t).TakeSlot("s1")
	full.Order, full.SupersededBy, full.Case, full.OrderNumber, full.PaymentID = "o1", "k2", late, "A-1", "p1"
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
		t.Error("only a live checkout stands for its cart")
	}
}

// The schema says to filters what StatusAt says to rules.
func TestTheCollectionReadsAsTheRulesDo(t *testing.T) {
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
