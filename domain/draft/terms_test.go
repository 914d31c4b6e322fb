package draft_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	. "github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// with is a draft of one line per terms, of one mug each.
func with(terms ...collection.Record) collection.Record {
	r := record()
	var lines []collection.Record
	for _, t := range terms {
		lines = append(lines, collection.Record{"id": "x", "variant": "mug", "quantity": int64(1), "terms": t})
	}
	r["lines"] = lines
	return r
}

var cheaper = collection.Record{"unitPrice": krw(800), "reason": "a scratch"}

func TestTermsAreChecked(t *testing.T) {
	t.Parallel()
	percent := money.DecimalOf
	for name, c := range map[string]struct {
		terms collection.Record
		field string
	}{
		"none":                    {nil, ""},
		"all of it empty":         {collection.Record{"unitPrice": nil, "reason": nil}, ""},
		"a price with a reason":   {cheaper, ""},
		"price and percent off":   {collection.Record{"unitPrice": krw(800), "discountPercent": percent(5), "reason": "r"}, ""},
		"no reason":               {collection.Record{"discountAmount": krw(1)}, "lines.1.terms.reason"},
		"nothing but a reason":    {collection.Record{"reason": "r"}, "lines.1.terms.unitPrice"},
		"an amount and a percent": {collection.Record{"discountAmount": krw(1), "discountPercent": percent(5), "reason": "r"}, "lines.1.terms.discountPercent"},
		"a price of another currency": {
			collection.Record{"unitPrice": money.Of(1, "USD"), "reason": "r"}, "lines.1.terms.unitPrice",
		},
	} {
		err := CheckTerms(with(cheaper, c.terms))
		f, refused := errors.AsType[*fault.Error](err)
		if refused != (c.field != "") || refused && f.Fields[0].Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNewTermsAreNoticed(t *testing.T) {
	t.Parallel()
	percent := collection.Record{"discountPercent": money.DecimalOf(5), "reason": "r"}
	more := with(cheaper)
	more.Rows("lines")[0]["quantity"] = int64(2)
	for name, c := range map[string]struct {
		before, after collection.Record
		want          bool
	}{
		"a new draft":             {nil, with(cheaper), true},
		"a new draft without":     {nil, with(nil), false},
		"kept":                    {with(cheaper), with(nil, cheaper), false},
		"removed":                 {with(cheaper, percent), with(percent), false},
		"the same once more":      {with(cheaper), with(cheaper, cheaper), true},
		"other terms":             {with(cheaper), with(percent), true},
		"more units by the terms": {with(cheaper), more, true},
	} {
		if got := HasNewTerms(c.before, c.after); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestPreviewTellsTerms(t *testing.T) {
	t.Parallel()
	d := FromRecord(with(cheaper, nil))
	d.ShippingFee, d.DiscountCode = nil, ""
	all := offers()
	all["mug"] = onSale(all["mug"])
	p, err := d.Preview(Facts{Offers: all, Policy: &shipping.Policy{Currency: "KRW", BaseFee: krw(100)}}, now, true)
	if err != nil || p.Subtotal != krw(1800) || p.Lines[0].Terms.Reason != "a scratch" || *p.Lines[0].Terms.CatalogPrice != krw(1000) ||
		p.Lines[1].Terms != nil {
		t.Fatalf("%+v, %v", p, err)
	}
	told := p.Record().Rows("lines")[0].Group("terms")
	if told.Text("reason") != "a scratch" || told["catalogPrice"] != krw(1000) || told["discount"] != krw(0) {
		t.Errorf("%v", told)
	}
}

func TestAPolicyThatIsGoneShipsNothing(t *testing.T) {
	t.Parallel()
	d := FromRecord(with(nil))
	d.ShippingFee, d.DiscountCode = nil, ""
	if _, err := d.Preview(Facts{Offers: offers(), To: shipping.To(*d.Address, "KR", nil)}, now, false); !errors.Is(err, shipping.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}

func onSale(o pricing.Offer) pricing.Offer {
	o.OnSale = true
	return o
}
