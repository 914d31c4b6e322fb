package order_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

func TestImportTakesTheTaxesOfTheOtherSystem(t *testing.T) {
	t.Parallel()
	rate := func(id, amount string) []any {
		return []any{object{"rate": id, "name": "VAT", "country": "KR", "percent": n("10"), "base": n("2000"), "amount": n(amount)}}
	}
	lines := func(mug, course object) []any {
		return []any{
			object{"title": "Mug", "quantity": n("2"), "unitPrice": n("1000"), "taxes": mug},
			object{"title": "Course", "quantity": n("1"), "unitPrice": n("500"), "kind": "digital", "taxes": course},
		}
	}
	for name, c := range map[string]struct {
		change                          object
		total, mug, course, of, ofRates int64 // total, then taxes: of the mugs, the course, shipping and the first rate
	}{
		"none":            {object{}, 5500, 0, 0, 0, 0},
		"added, by value": {object{"taxes": object{"amount": n("550")}, "totalAmount": n("6050")}, 6050, 200, 50, 300, 550},
		"included":        {object{"taxes": object{"amount": n("500"), "included": true}}, 5500, 182, 45, 273, 500},
		"of lines": {object{
			"taxes": object{"amount": n("250")}, "totalAmount": n("5750"), "lines": lines(object{"amount": n("200")}, object{"amount": n("50")}),
		}, 5750, 200, 50, 0, 250},
		"and of shipping": {object{
			"taxes": object{"amount": n("260")}, "totalAmount": n("5760"), "lines": lines(object{"amount": n("200")}, object{}),
		}, 5760, 200, 0, 60, 260},
		"of a known rate": {object{
			"taxes": object{"amount": n("260")}, "totalAmount": n("5760"),
			"lines": lines(object{"amount": n("200"), "rates": rate("r1", "200")}, object{}),
		}, 5760, 200, 0, 60, 200},
		"not of exempt shipping": {object{"taxes": object{"amount": n("275"), "exemptShipping": n("3000")}, "totalAmount": n("5775")}, 5775, 220, 55, 0, 275},
		"not of a tax-free": {object{
			"taxes": object{"amount": n("80")}, "totalAmount": n("1080"), "shippingAmount": nil, "lines": []any{
				object{"title": "Book", "quantity": n("1"), "unitPrice": n("500"), "taxClass": "exempt"},
				object{"title": "Mug", "quantity": n("1"), "unitPrice": n("500")},
			},
		}, 1080, 0, 80, 0, 80},
	} {
		o, _, err := imported(incomingOrder(c.change))
		if err != nil {
			t.Errorf("%s: %v %+v", name, err, fault.From(err).Fields)
			continue
		}
		got := [4]int64{o.Total.Minor, o.Lines[0].Tax.Minor, o.Lines[1].Tax.Minor, o.ShippingCharged().Minor - o.Shipping.Minor}
		if o.Taxes != nil && o.Taxes.Included {
			got[3] = o.Taxes.Shipping.Sum()
		}
		if got != [4]int64{c.total, c.mug, c.course, c.of} || o.Paid != o.Total || o.Taxes != nil && o.Taxes.Rates[0].Amount != krw(c.ofRates) {
			t.Errorf("%s: %v, %+v", name, got, o.Taxes)
		}
	}
	for name, c := range map[string]struct {
		field  string
		change object
	}{
		"taxes of lines alone":      {"taxes.amount", object{"lines": lines(object{"amount": n("0")}, object{})}},
		"a total without them":      {"totalAmount", object{"taxes": object{"amount": n("550")}}},
		"lines above the whole":     {"taxes.amount", object{"taxes": object{"amount": n("100")}, "lines": lines(object{"amount": n("200")}, object{})}},
		"more exempt than shipping": {"taxes.exemptShipping", object{"taxes": object{"amount": n("0"), "exemptShipping": n("3001")}}},
		"more than the line": {"lines.1.taxes.amount", object{
			"taxes": object{"amount": n("501"), "included": true}, "lines": lines(object{}, object{"amount": n("501")}),
		}},
		"rates that are not the line's": {"lines.0.taxes.rates", object{
			"taxes": object{"amount": n("200")}, "totalAmount": n("5700"), "lines": lines(object{"amount": n("200"), "rates": rate("r1", "199")}, object{}),
		}},
		"rates that are not shipping's": {"taxes.shipping", object{
			"taxes": object{"amount": n("60"), "shipping": rate("r1", "59")}, "totalAmount": n("5560"), "lines": lines(object{"amount": n("0")}, object{}),
		}},
		"of shipping that is free": {"taxes.amount", object{
			"taxes": object{"amount": n("250")}, "totalAmount": n("2750"), "shippingAmount": nil,
			"lines": lines(object{"amount": n("200")}, object{}),
		}},
		"of shipping that is exempt": {"taxes.amount", object{
			"taxes": object{"amount": n("250"), "exemptShipping": n("3000")}, "totalAmount": n("5750"),
			"lines": lines(object{"amount": n("200")}, object{}),
		}},
		"of exempt goods": {"lines.0.taxes.amount", object{
			"taxes": object{"amount": n("50")}, "totalAmount": n("550"), "shippingAmount": nil,
			"lines": []any{object{"title": "Book", "quantity": n("1"), "unitPrice": n("500"), "taxClass": "exempt", "taxes": object{"amount": n("50")}}},
		}},
		"members without an amount": {"taxes.amount", object{"taxes": object{"included": true}}},
		"rates of a line without its sum": {"lines.0.taxes.amount", object{
			"taxes": object{"amount": n("200")}, "totalAmount": n("5700"), "lines": lines(object{"rates": rate("r1", "200")}, object{}),
		}},
		"less than nothing": {"lines.0.taxes.rates.0.amount", object{
			"taxes": object{"amount": n("0")}, "lines": lines(object{"amount": n("0"), "rates": rate("r1", "-1")}, object{}),
		}},
	} {
		_, _, err := imported(incomingOrder(c.change))
		if found := fault.From(err).Fields; !errors.Is(err, fault.ErrValidation) || len(found) == 0 || found[0].Field != c.field {
			t.Errorf("%s: %v %+v", name, err, found)
		}
	}
}

// Rates of other systems often have no id: what they say tells them apart, in the order and in what is given back of it.
//
// Rule orders-21.
func TestRatesWithoutAnIDAreToldApart(t *testing.T) {
	t.Parallel()
	rates := []any{
		object{"name": "State", "country": "US", "percent": n("7"), "base": n("2000"), "amount": n("140")},
		object{"name": "City", "country": "US", "percent": n("2.25"), "base": n("2000"), "amount": n("45")},
	}
	o, _, err := imported(incomingOrder(object{
		"taxes": object{"amount": n("185")}, "totalAmount": n("2185"), "shippingAmount": nil,
		"lines": []any{object{"title": "Mug", "quantity": n("2"), "unitPrice": n("1000"), "taxes": object{"amount": n("185"), "rates": rates}}},
	}))
	if err != nil || len(o.Taxes.Rates) != 2 {
		t.Fatalf("%+v %v", o.Taxes, err)
	}
	half := o.Lines[0].Taxes.Portion(2185, 0, 1000)
	if left := o.Taxes.Rates.Minus(half); left[0].Amount != krw(140-64) || left[1].Amount != krw(45-20) {
		t.Errorf("%+v", left)
	}
	if back := o.Taxes.Rates.Share(2185, 1000, half); back[0].Amount != krw(64) || back[1].Amount != krw(20) || back[1].Base != half[1].Base {
		t.Errorf("%+v", back)
	}
}

// What an export says of an order is the same order when it is imported under another number: what it came to, with the taxes of each
// line and of shipping, whether they were added or not, and which part is free of them.
//
// Rules orders-21, transfers-16.
func TestExportedOrdersKeepTheirTaxes(t *testing.T) {
	t.Parallel()
	placed := newOrderFulfillment(t, lines)
	rapid.Check(t, func(t *rapid.T) {
		was := taxedSale(t, placed).Order
		was.Paid = was.Total
		for i := range was.Lines {
			was.Lines[i].Title = was.Lines[i].ID
		}
		exported := transfer.OrderRows(was.Record(), nil)
		var names []string
		for _, c := range transfer.Orders.Columns {
			names = append(names, c.Name)
		}
		h, err := intake.ReadHeader(intake.Orders, names)
		if err != nil {
			t.Fatal(err)
		}
		var rows []intake.Row
		for i, r := range exported {
			var cells []string
			for _, c := range transfer.Orders.Columns {
				cells = append(cells, c.Cell(r))
			}
			rows = append(rows, h.ReadRow(i+2, cells, nil, ""))
		}
		if !intake.IsOrder(rows, exported) {
			t.Fatal("the file is not that of the order")
		}
		in, problems := intake.OrderOf(rows)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		is, _, err := imported(in)
		if err != nil {
			t.Fatal(err, fault.From(err).Fields)
		}
		if is.Total != was.Total || is.ShippingCharged() != was.ShippingCharged() || is.TaxFree() != was.TaxFree() ||
			is.Taxes.Amount != was.Taxes.Amount || is.Taxes.Included != was.Taxes.Included || is.Taxes.Rates.Sum() != was.Taxes.Rates.Sum() {
			t.Fatalf("%+v with %+v, was %+v with %+v", is, is.Taxes, was, was.Taxes)
		}
		for i, l := range is.Lines {
			if l.Charged() != was.Lines[i].Charged() || l.Tax != was.Lines[i].Tax || l.TaxClass != was.Lines[i].TaxClass {
				t.Fatalf("%+v, was %+v", l, was.Lines[i])
			}
		}
	})
}
