package intake_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/intake"
)

func header(t *testing.T, kind intake.Kind, cells ...string) intake.Header {
	t.Helper()
	h, err := intake.ReadHeader(kind, cells)
	if err != nil {
		t.Fatal(err, fault.From(err).Fields)
	}
	return h
}

func row(t *testing.T, kind intake.Kind, cells map[string]string) intake.Row {
	t.Helper()
	var names, values []string
	for _, c := range kind.Columns() {
		v, given := cells[c.Name]
		if given || c.Required {
			names, values = append(names, c.Name), append(values, v)
		}
	}
	return header(t, kind, names...).ReadRow(2, values, nil, "")
}

func TestHeadingsAreUnmistakable(t *testing.T) {
	t.Parallel()
	for _, name := range intake.Kinds {
		kind := intake.Kind(name)
		var english, korean, names []string
		for _, c := range kind.Columns() {
			names, english, korean = append(names, c.Name), append(english, c.English), append(korean, c.Korean)
		}
		for _, headings := range [][]string{names, english, korean} {
			h := header(t, kind, headings...)
			for _, c := range kind.Columns() {
				if h.Has(c.Name) == c.Shown {
					t.Errorf("%s: the column %s is lost among %q", kind, c.Name, headings)
				}
			}
			if shuffled := header(t, kind, append(slices.Clone(headings[1:]), " "+strings.ToUpper(headings[0])+"_")...); !shuffled.Has(kind.Key()) {
				t.Errorf("%s: the order of columns counts", kind)
			}
		}
	}
}

func TestFilesWithOtherColumnsAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cells []string
		field string
	}{
		"missing":      {[]string{"sku"}, "onHand"},
		"twice":        {[]string{"sku", "재고", "On hand"}, "onHand"},
		"unknown":      {[]string{"sku", "onHand", "colour"}, "colour"},
		"another kind": {[]string{"email"}, "email"},
	} {
		_, err := intake.ReadHeader(intake.Stock, c.cells)
		f := fault.From(err)
		if !errors.Is(err, intake.ErrColumns) || len(f.Fields) == 0 || f.Fields[0].Field != c.field {
			t.Errorf("%s: %v", name, f.Fields)
		}
	}
	header(t, intake.Stock, "importRow", "importErrors", "", "SKU", "On hand", "reserved")
}

func TestStockRow(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]int64{"0": 0, "12\t": 12, "1,200": 1200, "007": 7, "3.0": 3, "1000000000000": 1_000_000_000_000} {
		got, bad := row(t, intake.Stock, map[string]string{"sku": " A-1 ", "onHand": cell}).Count()
		if got != (intake.Count{SKU: "A-1", OnHand: want}) || bad != nil {
			t.Errorf("%q: %+v %v", cell, got, bad)
		}
	}
	for cell, code := range map[string]string{
		"": "required", "x": "number", "-1": "number", "1.5": "number", "1.2E+3": "number", "1,2": "number", "99999999999999999999": "number",
	} {
		_, bad := row(t, intake.Stock, map[string]string{"sku": "A-1", "onHand": cell}).Count()
		if len(bad) != 1 || bad[0].Code != code || bad[0].Column != "onHand" || bad[0].Row != 2 || bad[0].Message == "" {
			t.Errorf("%q: %+v", cell, bad)
		}
	}
	h := header(t, intake.Stock, "sku", "onHand")
	for name, r := range map[string]intake.Row{
		"required": h.ReadRow(3, []string{" "}, nil, ""), "formula": h.ReadRow(3, []string{"a", "7"}, []int{1}, ""),
		"row_unreadable": h.ReadRow(3, nil, nil, "A quote is missing."),
	} {
		if _, bad := r.Count(); len(bad) != 1 || bad[0].Code != name || bad[0].Row != 3 {
			t.Errorf("%s: %+v", name, bad)
		}
	}
}

func TestCustomerRow(t *testing.T) {
	t.Parallel()
	there := collection.Record{"id": "c", "addresses": []collection.Record{
		{"label": "Office", "address1": "1 Main St", "isDefault": false}, {"label": "Home", "address1": "2 Side St", "phone": "1", "isDefault": true},
	}}
	cells := map[string]string{
		"email": " Ann@Example.com ", "name": "Ann", "phone": "", "groups": "vip| b2b", "marketingConsent": "", "address1": "3 New St", "recipientPhone": "",
	}
	got, bad := row(t, intake.Customers, cells).Customer(there)
	want := map[string]any{
		"email": "ann@example.com", "name": "Ann", "phone": nil, "groups": []any{"vip", "b2b"}, "addresses": []any{
			map[string]any{
				"label": "Office", "address1": "1 Main St", "isDefault": false, "recipientName": nil, "phone": nil, "postalCode": nil,
				"address2": nil, "deliveryNote": nil, "company": nil, "country": nil, "province": nil, "city": nil, "district": nil,
			},
			map[string]any{
				"label": "Home", "address1": "3 New St", "isDefault": true, "recipientName": nil, "phone": nil, "postalCode": nil,
				"address2": nil, "deliveryNote": nil, "company": nil, "country": nil, "province": nil, "city": nil, "district": nil,
			},
		},
	}
	if !reflect.DeepEqual(got, want) || bad != nil {
		t.Errorf("got %v %v", got, bad)
	}
	got, bad = row(t, intake.Customers, cells).Customer(nil)
	want = map[string]any{"email": "ann@example.com", "name": "Ann", "groups": []any{"vip", "b2b"}, "addresses": []any{
		map[string]any{"address1": "3 New St", "phone": nil},
	}}
	if !reflect.DeepEqual(got, want) || bad != nil {
		t.Errorf("a new one: %v %v", got, bad)
	}
	if _, bad = row(t, intake.Customers, map[string]string{"email": "a@example.com", "marketingConsent": "perhaps"}).Customer(nil); len(bad) != 1 {
		t.Errorf("got %v", bad)
	}
}

func TestDiscountRow(t *testing.T) {
	t.Parallel()
	got, bad := row(t, intake.Discounts, map[string]string{
		"code": "spring", "type": "tiered", "tiers": "50,000 percentage 10|100000 fixed_amount 20000.50", "products": "tea|cup", "isActive": "예", "endsAt": "",
	}).Discount(nil)
	want := map[string]any{
		"code": "SPRING", "type": "tiered", "applicableProducts": []any{"tea", "cup"}, "isActive": true, "tiers": []any{
			map[string]any{"minAmount": collection.JSONNumber("50000"), "discountType": "percentage", "value": collection.JSONNumber("10")},
			map[string]any{"minAmount": collection.JSONNumber("100000"), "discountType": "fixed_amount", "value": collection.JSONNumber("20000.5")},
		},
	}
	if !reflect.DeepEqual(got, want) || bad != nil {
		t.Errorf("got %v %v", got, bad)
	}
	if _, bad := row(t, intake.Discounts, map[string]string{"code": "x", "tiers": "ten"}).Discount(nil); len(bad) != 1 || bad[0].Code != "list" {
		t.Errorf("got %v", bad)
	}
}

func TestProductRows(t *testing.T) {
	t.Parallel()
	h := header(t, intake.Products, "handle", "title", "tags", "productPrice", "sku", "optionValues", "price", "stock", "price:us",
		"Compare-at price in us", "가격 jp")
	first := h.ReadRow(2, []string{" tea ", "Tea", "hot|new", "10", "T-1", "Size=S", "", "3", "1.50", "2", "150"}, nil, "")
	got, bad := intake.ProductOf([]intake.Row{first, h.ReadRow(3, []string{"tea", "", "", "10", "T-2", "Size=M", "12", "", "", "", ""}, nil, "")})
	n := func(text string) collection.JSONNumber { return collection.JSONNumber(text) }
	want := intake.Product{
		Slug: "tea", Fields: map[string]any{"slug": "tea", "name": "Tea", "tags": []any{"hot", "new"}, "price": n("10")},
		Variants: []intake.Variant{
			{
				Row: 2, Fields: map[string]any{"sku": "T-1", "price": nil, "stock": n("3")}, Options: []intake.Pair{{"Size", "S"}},
				Prices: map[string]map[string]any{"us": {"amount": n("1.5"), "compareAtAmount": n("2")}, "jp": {"amount": n("150")}},
			},
			{
				Row: 3, Fields: map[string]any{"sku": "T-2", "price": n("12"), "stock": nil}, Options: []intake.Pair{{"Size", "M"}},
				Prices: map[string]map[string]any{"us": {"amount": nil, "compareAtAmount": nil}, "jp": {"amount": nil}},
			},
		},
	}
	if !reflect.DeepEqual(got, want) || bad != nil {
		t.Errorf("got %+v %v", got, bad)
	}
	for cells, at := range map[[9]string]string{
		{"tea", "Coffee"}: "title", {"tea", "", "", "", "", "S"}: "optionValues", {"tea", "", "", "", "", "", "", "few"}: "stock",
		{"tea", "", "", "", "", "", "", "", "us"}: "price:us", {"tea", "", "", "", "", "", "x"}: "price",
	} {
		_, bad := intake.ProductOf([]intake.Row{first, h.ReadRow(3, cells[:], nil, "")})
		if len(bad) != 1 || bad[0].Row != 3 || bad[0].Column != at {
			t.Errorf("%s: %v", at, bad)
		}
	}
}

func TestOrderRows(t *testing.T) {
	t.Parallel()
	h := header(t, intake.Orders, "orderNumber", "status", "buyerName", "address1", "totalAmount", "discountCodes", "title", "quantity", "unitPrice",
		"lineDiscount")
	got, bad := intake.OrderOf([]intake.Row{
		h.ReadRow(2, []string{"A1", "paid", "Ann", "1 Main St", "25", "SPRING=5|FREE=", "Tea", "2", "10", "5"}, nil, ""),
		h.ReadRow(3, []string{"A1", "", "", "", "", "", "Cup", "1", "10", ""}, nil, ""),
	})
	n := func(text string) collection.JSONNumber { return collection.JSONNumber(text) }
	want := map[string]any{
		"orderNumber": "A1", "status": "paid", "customerSnapshot": map[string]any{"name": "Ann"},
		"shippingAddress": map[string]any{"address1": "1 Main St"}, "totalAmount": n("25"), "discountCodes": []any{
			map[string]any{"code": "SPRING", "amount": n("5")}, map[string]any{"code": "FREE"},
		},
		"lines": []any{
			map[string]any{"title": "Tea", "quantity": n("2"), "unitPrice": n("10"), "discount": n("5")},
			map[string]any{"title": "Cup", "quantity": n("1"), "unitPrice": n("10")},
		},
	}
	if !reflect.DeepEqual(got, want) || bad != nil {
		t.Errorf("got %v %v", got, bad)
	}
}

func TestRefusalsOfRecordsAreToldAtTheirColumns(t *testing.T) {
	t.Parallel()
	for path, want := range map[[2]string]intake.Problem{
		{"products", "variants.1.sku"}:             {Row: 5, Column: "sku"},
		{"products", "variants.0.price"}:           {Row: 4, Column: "price"},
		{"products", "variants.1.prices.0.amount"}: {Row: 5},
		{"products", "options.0.name"}:             {Row: 4, Column: "optionValues"},
		{"products", "tags.0"}:                     {Row: 4, Column: "tags"},
		{"products", "metadata"}:                   {Row: 4},
		{"customers", "addresses.0.phone"}:         {Row: 4, Column: "recipientPhone"},
		{"orders", "lines.1.discount"}:             {Row: 5, Column: "lineDiscount"},
		{"orders", "shippingAddress.phone"}:        {Row: 4, Column: "recipientPhone"},
		{"orders", "lines.1.taxes.amount"}:         {Row: 5, Column: "lineTax"},
		{"orders", "taxes.amount"}:                 {Row: 4, Column: "taxAmount"},
		{"orders", "customerSnapshot.name"}:        {Row: 4, Column: "buyerName"},
		{"stock", "count"}:                         {Row: 4, Column: "onHand"},
		{"discounts", "tiers.0.value"}:             {Row: 4, Column: "tiers"},
	} {
		bad := intake.Kind(path[0]).ProblemsOf(fault.Invalidf(path[1], "No."), []int{4, 5})
		if len(bad) != 1 || bad[0].Row != want.Row || bad[0].Column != want.Column || bad[0].Code != "validation_failed" || bad[0].Message == "" {
			t.Errorf("%v: %+v", path, bad)
		}
	}
	bad := intake.Products.ProblemsOf(fault.ErrNotFound.WithData("path", "variants.1"), []int{4, 5})
	if len(bad) != 1 || bad[0] != (intake.Problem{Row: 5, Code: "not_found", Message: fault.ErrNotFound.Message}) {
		t.Errorf("got %+v", bad)
	}
}
