package carrier_test

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

func exampleOrder() order.Order {
	return order.Order{
		Number: "260131000001", Contact: sale.Contact{Name: "Kim", Email: "kim@example.com", Phone: "010-1"}, Address: &address.Address{
			RecipientName: "Lee", Phone: "010-2", PostalCode: "04524", Address1: "1 Road", Address2: "Flat 2", DeliveryNote: "Ring", Country: "KR",
			Company: "Mugs", Province: "11",
			City: "Jung-gu", District: "Taepyeong-ro",
		},
	}
}

func TestRowHasACellForEveryColumn(t *testing.T) {
	t.Parallel()
	row := carrier.Row(exampleOrder(), carrier.Parcel{
		FulfillmentOrder: "f1", Items: "Mug x2", Quantity: 2, Tracking: order.Tracking{Carrier: order.CJ, Number: "123456789012"},
	})
	if want := []string{
		"260131000001", "f1", "Lee", "010-2", "04524", "1 Road", "Flat 2", "Mug x2", "2", "Ring", "cj", "123456789012",
		"Mugs", "KR", "11", "Jung-gu", "Taepyeong-ro", "(04524) 서울특별시 Jung-gu Taepyeong-ro 1 Road, Flat 2",
	}; !slices.Equal(row, want) || len(row) != len(carrier.Columns) {
		t.Errorf("%q", row)
	}
	o := exampleOrder()
	o.Address.RecipientName, o.Address.Phone = "", ""
	if row := carrier.Row(o, carrier.Parcel{}); row[2] != "Kim" || row[3] != "010-1" {
		t.Errorf("without a recipient: %q", row)
	}
	o.Address = nil
	if row := carrier.Row(o, carrier.Parcel{}); len(row) != len(carrier.Columns) || row[2] != "Kim" {
		t.Errorf("without an address: %q", row)
	}
}

// Rule fulfillment-14.
func TestAddressesOfRowsAreWrittenAsInTheirCountry(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of         address.Address
		home, want string
	}{
		"the United States": {
			address.Address{Country: "US", Address1: "350 5th Ave", Address2: "Suite 3300", City: "New York", Province: "NY", PostalCode: "10118"},
			"KR", "350 5th Ave, Suite 3300, NEW YORK, NY 10118",
		},
		"Japan": {
			address.Address{Country: "JP", Address1: "千代田1-1", City: "千代田区", Province: "13", PostalCode: "100-8111"},
			"KR", "〒100-8111, 東京都千代田区, 千代田1-1",
		},
		"the country of the shop": {address.Address{Address1: "세종대로 110", PostalCode: "04524"}, "KR", "(04524) 세종대로 110"},
		"nothing":                 {address.Address{}, "KR", ""},
	} {
		c.of.RecipientName, c.of.Company = "Lee", "Mugs"
		row := carrier.Row(order.Order{Address: &c.of}, carrier.Parcel{Home: c.home})
		if got := row[slices.Index(carrier.Columns, carrier.WrittenAddress)]; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestRowsDifferByWhatTheyHaveOfTheOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(o *order.Order)
		same bool
	}{
		"nothing":                        {func(*order.Order) {}, true},
		"the recipient":                  {func(o *order.Order) { o.Address.RecipientName = "Park" }, false},
		"the note for the carrier":       {func(o *order.Order) { o.Address.DeliveryNote = "" }, false},
		"no address any more":            {func(o *order.Order) { o.Address = nil }, false},
		"the buyer, who is no recipient": {func(o *order.Order) { o.Contact.Name, o.Contact.Phone = "Park", "010-3" }, true},
		"the email, which no row has":    {func(o *order.Order) { o.Contact.Email = "park@example.com" }, true},
	} {
		o := exampleOrder()
		if c.edit(&o); carrier.SameOnRows(exampleOrder(), o) != c.same {
			t.Errorf("%s: the rows are the same: %t", name, !c.same)
		}
	}
	a, b := exampleOrder(), exampleOrder()
	a.Address.Phone, b.Address.Phone, b.Contact.Phone = "", "", "010-3"
	if carrier.SameOnRows(a, b) {
		t.Error("the phone of a buyer who is the recipient makes no difference")
	}
}
