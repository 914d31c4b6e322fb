package discount_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func dec(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// tenth is 10 % off, active, without any limit.
func tenth(change func(*discount.Discount)) *discount.Discount {
	d := &discount.Discount{ID: "d", Code: "TENTH", Type: discount.Percentage, Value: dec("10"), Currency: "KRW", Active: true}
	if change != nil {
		change(d)
	}
	return d
}

func order(change func(*discount.Order)) discount.Order {
	o := discount.Order{Currency: "KRW", Subtotal: krw(10_000), Now: now, Lines: []discount.Line{
		{Product: "shirt", Categories: []string{"clothes"}, Remaining: krw(6000), RequiresShipping: true},
		{Product: "song", Categories: []string{"music", "gifts"}, Remaining: krw(4000)},
	}}
	if change != nil {
		change(&o)
	}
	return o
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	tiers := []discount.Tier{
		{From: krw(5000), Type: discount.FixedAmount, Value: dec("500")},
		{From: krw(20_000), Type: discount.FixedAmount, Value: dec("5000")},
		{From: krw(10_000), Type: discount.Percentage, Value: dec("20")},
	}
	for name, c := range map[string]struct {
		discount func(*discount.Discount)
		order    func(*discount.Order)
		uses     [2]int64
		shares   []int64
		want     error
	}{
		"a percentage takes from every line": {shares: []int64{600, 400}},
		"an inactive discount is refused":    {discount: func(d *discount.Discount) { d.Active = false }, want: discount.ErrInactive},
		"it applies from its start":          {discount: func(d *discount.Discount) { d.StartsAt = now }, shares: []int64{600, 400}},
		"it does not apply before its start": {
			discount: func(d *discount.Discount) { d.StartsAt = now.Add(time.Millisecond) }, want: discount.ErrNotStarted,
		},
		"it does not apply at its end": {discount: func(d *discount.Discount) { d.EndsAt = now }, want: discount.ErrExpired},
		"it applies just before its end": {
			discount: func(d *discount.Discount) { d.EndsAt = now.Add(time.Millisecond) }, shares: []int64{600, 400},
		},
		"the last use is granted": {
			discount: func(d *discount.Discount) { d.UsageLimit = 3 }, uses: [2]int64{2, 0}, shares: []int64{600, 400},
		},
		"a use beyond the limit is refused": {
			discount: func(d *discount.Discount) { d.UsageLimit = 3 }, uses: [2]int64{3, 0}, want: discount.ErrUsageLimit,
		},
		"a limit of 0 is no limit": {uses: [2]int64{99, 99}, shares: []int64{600, 400}},
		"the customer's last use is granted": {
			discount: func(d *discount.Discount) { d.PerCustomerLimit = 1 }, uses: [2]int64{9, 0}, shares: []int64{600, 400},
		},
		"the customer's use beyond the limit is refused": {
			discount: func(d *discount.Discount) { d.PerCustomerLimit = 1 }, uses: [2]int64{1, 1}, want: discount.ErrCustomerLimit,
		},
		"the order must be in one of its markets": {
			discount: func(d *discount.Discount) { d.Markets = []string{"jp"} }, want: discount.ErrNotApplicable,
		},
		"one of its markets is enough": {
			discount: func(d *discount.Discount) { d.Markets = []string{"us", "jp"} }, order: func(o *discount.Order) { o.Market = "jp" },
			shares: []int64{600, 400},
		},
		"only its products":   {discount: func(d *discount.Discount) { d.Products = []string{"song"} }, shares: []int64{0, 400}},
		"only its categories": {discount: func(d *discount.Discount) { d.Categories = []string{"gifts"} }, shares: []int64{0, 400}},
		"products and categories together": {
			discount: func(d *discount.Discount) { d.Products, d.Categories = []string{"shirt"}, []string{"music"} },
			shares:   []int64{600, 400},
		},
		"none of its products": {
			discount: func(d *discount.Discount) { d.Products = []string{"mug"} }, want: discount.ErrNotApplicable,
		},
		"an order without lines":           {order: func(o *discount.Order) { o.Lines = nil }, want: discount.ErrNotApplicable},
		"a percentage needs no currency":   {order: func(o *discount.Order) { o.Currency = "" }, shares: []int64{600, 400}},
		"a percentage in another currency": {order: func(o *discount.Order) { o.Currency = "JPY" }, shares: []int64{600, 400}},
		"a percentage with a minimum needs its currency": {
			discount: func(d *discount.Discount) { d.MinOrder = new(krw(1)) }, order: func(o *discount.Order) { o.Currency = "" },
			want: discount.ErrContextRequired,
		},
		"a percentage with a cap needs its currency": {
			discount: func(d *discount.Discount) { d.MaxAmount = new(krw(1)) }, order: func(o *discount.Order) { o.Currency = "USD" },
			want: discount.ErrContextRequired,
		},
		"a fixed amount needs its currency": {
			discount: func(d *discount.Discount) { d.Type = discount.FixedAmount }, order: func(o *discount.Order) { o.Currency = "USD" },
			want: discount.ErrContextRequired,
		},
		"tiers need their currency": {
			discount: func(d *discount.Discount) { d.Type, d.Tiers = discount.Tiered, tiers },
			order:    func(o *discount.Order) { o.Currency = "" }, want: discount.ErrContextRequired,
		},
		"the minimum is reached exactly": {
			discount: func(d *discount.Discount) { d.MinOrder = new(krw(10_000)) }, shares: []int64{600, 400},
		},
		"below the minimum": {discount: func(d *discount.Discount) { d.MinOrder = new(krw(10_001)) }, want: discount.ErrMinOrder},
		"the minimum counts lines it does not apply to": {
			discount: func(d *discount.Discount) { d.MinOrder, d.Products = new(krw(10_000)), []string{"song"} }, shares: []int64{0, 400},
		},
		"a cap limits the amount":   {discount: func(d *discount.Discount) { d.MaxAmount = new(krw(500)) }, shares: []int64{300, 200}},
		"a cap of 0 leaves nothing": {discount: func(d *discount.Discount) { d.MaxAmount = new(krw(0)) }, shares: []int64{0, 0}},
		"a fixed amount is spread": {
			discount: func(d *discount.Discount) { d.Type, d.Value = discount.FixedAmount, dec("1000") }, shares: []int64{600, 400},
		},
		"a fixed amount stops at the eligible lines": {discount: func(d *discount.Discount) {
			d.Type, d.Value, d.Products = discount.FixedAmount, dec("9000"), []string{"song"}
		}, shares: []int64{0, 4000}},
		"the highest reached tier counts": {
			discount: func(d *discount.Discount) { d.Type, d.Tiers = discount.Tiered, tiers }, shares: []int64{1200, 800},
		},
		"the order of tiers does not matter": {
			discount: func(d *discount.Discount) { d.Type, d.Tiers = discount.Tiered, []discount.Tier{tiers[2], tiers[0]} },
			shares:   []int64{1200, 800},
		},
		"of two equal tiers the first counts": {discount: func(d *discount.Discount) {
			d.Type, d.Tiers = discount.Tiered, []discount.Tier{tiers[2], {From: krw(10_000), Type: discount.Percentage, Value: dec("50")}}
		}, shares: []int64{1200, 800}},
		"a tier is reached exactly": {discount: func(d *discount.Discount) {
			d.Type, d.Tiers, d.Products = discount.Tiered, []discount.Tier{{From: krw(6000), Type: discount.FixedAmount, Value: dec("7")}},
				[]string{"shirt"}
		}, shares: []int64{7, 0}},
		"a tier counts eligible lines only": {
			discount: func(d *discount.Discount) { d.Type, d.Tiers, d.Products = discount.Tiered, tiers, []string{"shirt"} },
			shares:   []int64{500, 0},
		},
		"no tier is reached": {
			discount: func(d *discount.Discount) { d.Type, d.Tiers, d.Products = discount.Tiered, tiers, []string{"song"} },
			want:     discount.ErrMinOrder,
		},
		"free shipping takes no amount": {discount: func(d *discount.Discount) { d.Type = discount.FreeShipping }, shares: []int64{0, 0}},
		"free shipping is for something that ships": {
			discount: func(d *discount.Discount) { d.Type, d.Products = discount.FreeShipping, []string{"song"} },
			want:     discount.ErrNotApplicable,
		},
		"half a unit rounds by the tenant's mode, up": {
			discount: func(d *discount.Discount) { d.Value = dec("0.005") }, shares: []int64{1, 0},
		},
		"half a unit rounds by the tenant's mode, down": {
			discount: func(d *discount.Discount) { d.Value = dec("0.005") }, order: func(o *discount.Order) { o.Rounding = money.Down },
			shares: []int64{0, 0},
		},
		"half a unit rounds by the tenant's mode, to even": {
			discount: func(d *discount.Discount) { d.Value = dec("0.005") }, order: func(o *discount.Order) { o.Rounding = money.HalfEven },
			shares: []int64{0, 0},
		},
		"a fixed amount with too many digits is an error": {
			discount: func(d *discount.Discount) { d.Type, d.Value = discount.FixedAmount, dec("0.5") }, want: money.ErrTooManyDigits,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := order(c.order)
			candidate := discount.RequestedCode{Discount: tenth(c.discount), Uses: c.uses[0], CustomerUses: c.uses[1]}
			r, err := discount.Evaluate(candidate, o)
			explained, how, again := discount.Explain(candidate, o)
			if !reflect.DeepEqual(r, explained) || !errors.Is(again, err) {
				t.Errorf("explained it is %+v, %v", explained, again)
			}
			if err := checkExplanation(how, r, err); err != nil {
				t.Errorf("%v: %+v", err, how)
			}
			if !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if err != nil {
				return
			}
			var shares []int64
			var sum int64
			for _, s := range r.Shares {
				shares = append(shares, s.Minor)
				sum += s.Minor
			}
			if !slices.Equal(shares, c.shares) || r.Amount != krw(sum) {
				t.Errorf("got %v of %v, want %v", shares, r.Amount, c.shares)
			}
		})
	}
}

func TestOnlyFreeShippingCodeWaivesShipping(t *testing.T) {
	t.Parallel()
	for _, k := range []discount.Type{discount.Percentage, discount.FreeShipping} {
		r, err := discount.Evaluate(discount.RequestedCode{Discount: tenth(func(d *discount.Discount) { d.Type = k })}, order(nil))
		if err != nil || r.FreeShipping != (k == discount.FreeShipping) {
			t.Errorf("%s: %+v, %v", k, r, err)
		}
	}
}

func TestUnknownCodeKeepsRefusal(t *testing.T) {
	t.Parallel()
	if _, err := discount.Evaluate(discount.RequestedCode{Code: "X"}, order(nil)); !errors.Is(err, discount.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := discount.Evaluate(discount.RequestedCode{Code: "X", Refusal: discount.ErrExpired}, order(nil)); !errors.Is(err, discount.ErrExpired) {
		t.Errorf("got %v", err)
	}
}

func TestCodesAreComparedRegardlessOfCaseAndSpaces(t *testing.T) {
	t.Parallel()
	got := discount.NormalizeCodes([]string{" welcome10", "", "Summer", "WELCOME10 ", "  ", "summer"})
	if !slices.Equal(got, []string{"WELCOME10", "SUMMER"}) {
		t.Errorf("got %q", got)
	}
}

func TestFromRecord(t *testing.T) {
	t.Parallel()
	r := collection.Record{
		"id": "d", "code": "C", "type": "tiered", "value": dec("5"), "usageLimit": int64(3), "perCustomerLimit": int64(1),
		"combinable": true, "isActive": true, "startsAt": now, "endsAt": now.Add(time.Hour), "minOrderAmount": krw(9),
		"maxDiscountAmount": krw(8), "applicableProducts": []string{"p"}, "applicableCategories": []string{"c"}, "markets": []string{"m"},
		"tiers": []collection.Record{{"minAmount": krw(7), "discountType": "percentage", "value": dec("6")}},
	}
	d := discount.FromRecord(r, "KRW")
	if d.ID != "d" || d.Code != "C" || d.Type != discount.Tiered || d.Value != dec("5") || d.Currency != "KRW" || d.UsageLimit != 3 ||
		d.PerCustomerLimit != 1 ||
		!d.Combinable || !d.Active || !d.StartsAt.Equal(now) || !d.EndsAt.Equal(now.Add(time.Hour)) || *d.MinOrder != krw(9) ||
		*d.MaxAmount != krw(8) || d.Products[0] != "p" || d.Categories[0] != "c" || d.Markets[0] != "m" ||
		d.Tiers[0] != (discount.Tier{From: krw(7), Type: discount.Percentage, Value: dec("6")}) {
		t.Errorf("got %+v", d)
	}
	bare := discount.FromRecord(collection.Record{"currency": "JPY"}, "KRW")
	if bare.Currency != "JPY" || bare.MinOrder != nil || bare.MaxAmount != nil || bare.Active || bare.Combinable {
		t.Errorf("got %+v", bare)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	tier := func(kind, value string) []collection.Record {
		return []collection.Record{{"minAmount": krw(7), "discountType": kind, "value": dec(value)}}
	}
	for name, c := range map[string]struct {
		record collection.Record
		fields []string
	}{
		"a percentage of 100 is fine": {collection.Record{"code": "c", "type": "percentage", "value": dec("100")}, nil},
		"a percentage above 100 is refused": {
			collection.Record{"code": "c", "type": "percentage", "value": dec("100.01")}, []string{"value"},
		},
		"a percentage needs a value":    {collection.Record{"code": "c", "type": "percentage"}, []string{"value"}},
		"a fixed amount needs a value":  {collection.Record{"code": "c", "type": "fixed_amount"}, []string{"value"}},
		"a fixed amount may exceed 100": {collection.Record{"code": "c", "type": "fixed_amount", "value": dec("5000")}, nil},
		"a fixed amount fits its currency": {
			collection.Record{"code": "c", "type": "fixed_amount", "value": dec("0.5")}, []string{"value"},
		},
		"a fixed amount fits its own currency": {
			collection.Record{"code": "c", "type": "fixed_amount", "value": dec("0.5"), "currency": "USD"}, nil,
		},
		"free shipping needs no value":   {collection.Record{"code": "c", "type": "free_shipping"}, nil},
		"a tiered discount needs a step": {collection.Record{"code": "c", "type": "tiered"}, []string{"tiers"}},
		"a step's percentage is at most 100": {
			collection.Record{"code": "c", "type": "tiered", "tiers": tier("percentage", "101")}, []string{"tiers.0.value"},
		},
		"a step's amount fits the currency": {
			collection.Record{"code": "c", "type": "tiered", "tiers": tier("fixed_amount", "1.5")}, []string{"tiers.0.value"},
		},
		"a step is enough":        {collection.Record{"code": "c", "type": "tiered", "tiers": tier("percentage", "10")}, nil},
		"an invalid currency":     {collection.Record{"code": "c", "type": "free_shipping", "currency": "12"}, []string{"currency"}},
		"a blank code is refused": {collection.Record{"code": "  ", "type": "free_shipping"}, []string{"code"}},
		"an end at the start is refused": {
			collection.Record{"code": "c", "type": "free_shipping", "startsAt": now, "endsAt": now}, []string{"endsAt"},
		},
		"an end after the start is fine": {
			collection.Record{"code": "c", "type": "free_shipping", "startsAt": now, "endsAt": now.Add(1)}, nil,
		},
		"an end alone is fine":  {collection.Record{"code": "c", "type": "free_shipping", "endsAt": now}, nil},
		"a start alone is fine": {collection.Record{"code": "c", "type": "free_shipping", "startsAt": now}, nil},
		"every problem is reported at once": {
			collection.Record{"code": "", "type": "tiered", "currency": "?"}, []string{"currency", "code", "tiers"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, err := discount.Complete(c.record, "KRW")
			var fields []string
			if err != nil {
				for _, f := range fault.From(err).Fields {
					fields = append(fields, f.Field)
				}
			} else if next.Text("code") != "C" || next.Text("currency") == "" || c.record.Text("code") == "C" {
				t.Errorf("completed to %v from %v", next, c.record)
			}
			if !slices.Equal(fields, c.fields) || (err != nil) != (len(c.fields) > 0) {
				t.Errorf("problems in %v, want %v", fields, c.fields)
			}
		})
	}
}
