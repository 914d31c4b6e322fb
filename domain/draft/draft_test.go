package draft_test

import (
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	. "github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func record() collection.Record {
	return collection.Record{
		"id": "d1", "tenant": "t1", "environment": "test", "status": "draft", "customer": "c1", "discountCode": "TEN",
		"customerNotes": "ring", "customerSnapshot": collection.Record{"name": "Kim", "email": "kim@example.com", "phone": "010"},
		"shippingFee": krw(700), "shippingPolicy": "express", "currency": "KRW", "market": "m1", "tags": []string{"vip"}, "assignee": "u1",
		"shippingAddress": collection.Record{"postalCode": "06000"},
		"lines": []collection.Record{
			{"id": "l1", "variant": "mug", "quantity": int64(2)}, {"id": "l2", "variant": "course", "quantity": int64(1)},
			{"id": "l3", "variant": "mug", "quantity": int64(3)},
		},
	}
}

func offers() map[string]pricing.Offer {
	return map[string]pricing.Offer{
		"mug": {
			Variant: "mug", Product: "p1", UnitPrice: krw(1000), Sellable: true, RequiresShipping: true,
			Stock: inventory.Level{OnHand: 6, Reserved: 1, Tracked: true},
		},
		"course": {Variant: "course", Product: "p2", UnitPrice: krw(500), Sellable: true},
	}
}

func TestFromRecord(t *testing.T) {
	t.Parallel()
	d := FromRecord(record())
	v := reflect.ValueOf(d)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not read", v.Type().Field(i).Name)
		}
	}
	for name := range record() {
		if _, ok := Schema.Field(name); !ok {
			t.Errorf("%s is not declared", name)
		}
	}
	if *d.ShippingFee != krw(700) || len(d.Lines) != 3 || d.Buyer.DiscountCustomer() != "c1" ||
		!reflect.DeepEqual(d.Codes(), []string{"TEN"}) {
		t.Errorf("%+v", d)
	}
}

func TestBlankAddressIsNil(t *testing.T) {
	t.Parallel()
	for _, address := range []any{nil, collection.Record{}, collection.Record{"postalCode": nil, "address1": " "}} {
		r := record()
		r["shippingAddress"], r["discountCode"] = address, " "
		if d := FromRecord(r); d.Address != nil || len(d.Codes()) != 0 {
			t.Errorf("%v: %+v", address, d)
		}
	}
}

func TestTheBuyer(t *testing.T) {
	t.Parallel()
	account := collection.Record{"name": "Lee", "email": "lee@example.com", "phone": "011"}
	for name, c := range map[string]struct {
		given    Buyer
		customer collection.Record
		email    string
		good     bool
	}{
		"as written":                 {Buyer{Contact: sale.Contact{Email: " Kim@Example.com "}}, nil, "kim@example.com", true},
		"from the customer's record": {Buyer{Contact: sale.Contact{Email: " "}}, account, "lee@example.com", true},
		"the operator's email comes first": {
			Buyer{Contact: sale.Contact{Email: "kim@example.com"}}, account, "kim@example.com", true,
		},
		"the operator's email comes first, even if invalid": {Buyer{Contact: sale.Contact{Email: "kim"}}, account, "kim", false},
		"no email":  {Buyer{}, nil, "", false},
		"no domain": {Buyer{Contact: sale.Contact{Email: "kim@"}}, nil, "kim@", false},
	} {
		got := c.given.WithDefaults(c.customer)
		if err := got.CheckEmail(); got.Email != c.email || (err == nil) != c.good || err != nil && !errors.Is(err, ErrEmail) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	if b := (Buyer{Contact: sale.Contact{Email: "kim@example.com"}}); b.DiscountCustomer() != "kim@example.com" {
		t.Error(b.DiscountCustomer())
	}
}

func TestOnlyADraftCanChange(t *testing.T) {
	t.Parallel()
	for status, open := range map[Status]bool{Open: true, Finalized: false, Discarded: false} {
		r := record()
		r["status"] = string(status)
		was := maps.Clone(r)
		done, err := Finalize(r, "o1", sale.Totals{Subtotal: krw(4), Discount: krw(1), Shipping: new(krw(2)), Total: krw(5)}, krw(2))
		gone, err2 := Discard(r)
		for _, err := range []error{CheckEditable(r), err, err2} {
			if (err == nil) != open || err != nil && !errors.Is(err, ErrNotEditable) {
				t.Errorf("%s: %v", status, err)
			}
		}
		if !reflect.DeepEqual(r, was) {
			t.Errorf("%s was changed in place", status)
		}
		if !open {
			continue
		}
		if done.Group("totals")["taxFree"] != krw(2) {
			t.Errorf("%v", done.Group("totals"))
		}
		total, _ := done.Group("totals").Money("total")
		if done.Text("status") != "finalized" || done.Text("order") != "o1" || total != krw(5) || gone.Text("status") != "discarded" ||
			gone["order"] != nil {
			t.Errorf("%v %v", done, gone)
		}
	}
}

func TestEdits(t *testing.T) {
	t.Parallel()
	r := record()
	rows := make([]collection.Record, MaxLines+1)
	r["lines"] = rows[:MaxLines]
	if err := CheckEdit(r); err != nil {
		t.Error(err)
	}
	r["lines"] = rows
	if err := CheckEdit(r); !errors.Is(err, fault.ErrValidation) {
		t.Error(err)
	}
}

func TestRejectPrices(t *testing.T) {
	t.Parallel()
	for _, fine := range []map[string]any{nil, {}, {"lines": "x"}, {"lines": []any{"x", map[string]any{"variant": "v", "nonsense": 1}}}} {
		if err := RejectPrices(fine); err != nil {
			t.Errorf("%v: %v", fine, err)
		}
	}
	err := RejectPrices(map[string]any{"lines": []any{map[string]any{"variant": "v"}, map[string]any{"price": nil, "discount": 1}}})
	f, _ := errors.AsType[*fault.Error](err)
	if f == nil || len(f.Fields) != 2 || f.Fields[0].Field != "lines.1.discount" || f.Fields[1].Field != "lines.1.price" ||
		!strings.Contains(f.Fields[0].Message, "catalog") {
		t.Errorf("%v", err)
	}
}

func TestUnavailableLines(t *testing.T) {
	t.Parallel()
	d := FromRecord(record())
	if lacks := d.UnavailableLines(offers()); len(lacks) != 0 {
		t.Errorf("five of five free mugs: %+v", lacks)
	}
	d.Lines[2].Quantity = 4
	lacks := d.UnavailableLines(offers())
	if len(lacks) != 2 || lacks[0].ID != "l1" || lacks[1].ID != "l3" || lacks[1].Reason != "out_of_stock" || lacks[1].Requested != 6 ||
		lacks[1].Available != 5 {
		t.Fatalf("%+v", lacks)
	}
	f := lacks[1].Refusal()
	if !errors.Is(f, inventory.ErrOutOfStock) || f.Data["lineId"] != "l3" || f.Data["variantId"] != "mug" ||
		f.Data["requested"] != int64(6) || f.Data["available"] != int64(5) {
		t.Errorf("%v %v", f, f.Data)
	}
	all := offers()
	delete(all, "course")
	if lacks := d.UnavailableLines(all); len(lacks) != 3 || lacks[1].Reason != "variant_unavailable" ||
		lacks[1].Refusal().Reason != "variant_unavailable" || lacks[1].Available != 0 {
		t.Errorf("%+v", lacks)
	}
	for variant, line := range map[string]string{"mug": "l1", "course": "l2"} { // the first of the variant's lines
		if f := d.WithLine(inventory.OutOfStock(inventory.Demand{Variant: variant, Quantity: 1}, 0)); f.Data["lineId"] != line {
			t.Errorf("%s: %v", variant, f.Data)
		}
	}
	if f := d.WithLine(inventory.ErrOutOfStock); f.Data["lineId"] != "" {
		t.Errorf("%v", f.Data)
	}
}

func TestPreviews(t *testing.T) {
	t.Parallel()
	policy, to := &shipping.Policy{ID: "s1", BaseFee: krw(3000), Currency: "KRW"}, &shipping.Destination{PostalCode: "06236"}
	ten := discount.RequestedCode{Code: "TEN", Discount: &discount.Discount{
		ID: "x", Code: "TEN", Type: discount.Percentage, Value: money.DecimalOf(10), Active: true,
	}}
	for name, c := range map[string]struct {
		change                    func(*Draft, *Facts)
		subtotal, discount, total int64
		shipping                  string
	}{
		"the operator's fee":            {func(*Draft, *Facts) {}, 5500, 550, 5650, "700"},
		"the policy's fee":              {func(d *Draft, _ *Facts) { d.ShippingFee = nil }, 5500, 550, 7950, "3000"},
		"an unknown address":            {func(d *Draft, f *Facts) { d.ShippingFee, f.To = nil, nil }, 5500, 550, 4950, ""},
		"no code":                       {func(d *Draft, f *Facts) { f.Codes = nil }, 5500, 0, 6200, "700"},
		"nothing ships":                 {func(d *Draft, _ *Facts) { d.Lines = d.Lines[1:2] }, 500, 50, 450, "0"},
		"a deleted variant is left out": {func(_ *Draft, f *Facts) { delete(f.Offers, "mug") }, 500, 50, 450, "0"},
		"no lines":                      {func(d *Draft, _ *Facts) { d.Lines = nil }, 0, 0, 0, "0"},
	} {
		d, f := FromRecord(record()), Facts{Offers: offers(), Codes: []discount.RequestedCode{ten}, Policy: policy, To: to}
		c.change(&d, &f)
		p, err := d.Preview(f, now, false)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		shipping := ""
		if p.Shipping != nil {
			shipping = p.Shipping.Major()
		}
		if p.Subtotal != krw(c.subtotal) || p.Discount != krw(c.discount) || p.Total != krw(c.total) || shipping != c.shipping ||
			len(p.Lines) != len(d.Lines) || p.Explanation != nil {
			t.Errorf("%s: %+v, shipping %q", name, p, shipping)
		}
	}
	d := FromRecord(record())
	d.ShippingFee = nil
	if _, err := d.Preview(Facts{Offers: offers(), To: to}, now, false); !errors.Is(err, shipping.ErrUnavailable) {
		t.Errorf("no policy: %v", err)
	}
	p, err := d.Preview(Facts{Offers: offers(), Policy: policy, To: to}, now, true)
	if err != nil || p.Explanation == nil || p.Explanation.Total != p.Total || p.Explanation.Shipping == nil {
		t.Errorf("%+v %v", p, err)
	}
}

func TestAPreviewOnTheWire(t *testing.T) {
	t.Parallel()
	d := FromRecord(record())
	d.Policy = ""
	some := offers()
	delete(some, "course")
	p, err := d.Preview(Facts{Offers: some, Codes: []discount.RequestedCode{{Code: "NOPE", Refusal: discount.ErrNotFound}}}, now, false)
	if err != nil {
		t.Fatal(err)
	}
	got := string(collection.AppendGroup(nil, PreviewFields, p.Record(), collection.View{Audience: collection.Staff}))
	want := `{"currency":"KRW","marketId":null,"subtotal":5000,"discount":0,"shipping":700,"total":5700,"lines":[` +
		`{"id":"l1","variant":"mug","quantity":2,"unitPrice":1000,"subtotal":2000,"discount":0,"total":2000,"available":true},` +
		`{"id":"l2","variant":"course","quantity":1,"unitPrice":null,"subtotal":null,"discount":null,"total":null,"available":false,"reason":"variant_unavailable"},` +
		`{"id":"l3","variant":"mug","quantity":3,"unitPrice":1000,"subtotal":3000,"discount":0,"total":3000,"available":true}],` +
		`"unavailable":[{"line":"l2","variant":"course","reason":"variant_unavailable","requested":1,"available":0}],` +
		`"discountCode":{"code":"NOPE","valid":false,"reason":"discount_not_found"}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Whatever the currency, the parts of a preview are whole units of it and add up.
func TestPreviewsAddUpInTheirCurrency(t *testing.T) {
	t.Parallel()
	tenPercent, err := money.ParseDecimal("10")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []money.Currency{"KRW", "JPY", "USD", "EUR", "KWD"} { // 0, 0, 2, 2 and 3 fraction digits
		for price := int64(1); price < 3000; price += 37 {
			d := FromRecord(record())
			fee := money.Of(price%400, c)
			d.Currency, d.ShippingFee, d.DiscountCode, d.Policy = c, &fee, "TEN", ""
			some := offers()
			for name, o := range some {
				o.UnitPrice = money.Of(price+int64(len(name)), c)
				some[name] = o
			}
			ten := &discount.Discount{ID: "ten", Code: "TEN", Type: discount.Percentage, Value: tenPercent, Active: true, Combinable: true}
			p, err := d.Preview(Facts{Offers: some, Codes: []discount.RequestedCode{{Code: "TEN", Discount: ten}}}, now, false)
			if err != nil {
				t.Fatal(err)
			}
			var subtotal, off, total int64
			for _, l := range p.Lines {
				subtotal, off, total = subtotal+l.Subtotal.Minor, off+l.Discount.Minor, total+l.Total.Minor
				if l.UnitPrice.Currency != c || l.Total.Currency != c || l.Subtotal.Minor != l.UnitPrice.Minor*l.Quantity {
					t.Errorf("%s %d: line %+v", c, price, l)
				}
			}
			if p.Subtotal != money.Of(subtotal, c) || p.Discount != money.Of(off, c) || p.Total != money.Of(total+fee.Minor, c) || off == 0 && subtotal > 5 {
				t.Errorf("%s %d: %+v", c, price, p)
			}
		}
	}
}

func TestCurrencyOfADraft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change collection.Record
		field  string
	}{
		"a currency":             {collection.Record{"currency": "KRW"}, ""},
		"none":                   {collection.Record{"currency": nil}, "currency"},
		"an unknown one":         {collection.Record{"currency": "XYZ", "shippingFee": nil}, "currency"},
		"another than the fee's": {collection.Record{"currency": "USD"}, "shippingFee"},
		"another with its fee":   {collection.Record{"currency": "USD", "shippingFee": money.Of(5, "USD")}, ""},
		"another without a fee":  {collection.Record{"currency": "JPY", "shippingFee": nil}, ""},
	} {
		r := record()
		maps.Copy(r, c.change)
		err := CheckCurrency(r)
		if got := fault.From(err); (err == nil) != (c.field == "") || err != nil && got.Fields[0].Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
}
