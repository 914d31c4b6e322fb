package mail_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// Only a parcel after which something is still to come says so.
func TestLastParcelsNameNoOther(t *testing.T) {
	t.Parallel()
	won := money.Of(0, "KRW")
	line := func(id string, quantity int64, ships bool) order.Line {
		return order.Line{Line: sale.Line{ID: id, Quantity: quantity, RequiresShipping: ships, Total: won}}
	}
	o := order.Order{Lines: []order.Line{line("mug", 3, true), line("pdf", 1, false)}}
	parcel := func(id string, state order.FulfillmentState, n int64) order.Fulfillment {
		return order.Fulfillment{ID: id, State: state, Items: []order.Item{{OrderLine: "mug", Quantity: n}}}
	}
	first, last := parcel("a", order.FulfillmentShipped, 2), parcel("b", order.FulfillmentShipped, 1)
	whole := parcel("c", order.FulfillmentShipped, 3)
	delivered, pending := parcel("a", order.FulfillmentDelivered, 2), parcel("b", order.FulfillmentPending, 1)
	for name, c := range map[string]struct {
		of   order.Fulfillment
		all  []order.Fulfillment
		want bool
	}{
		"the first":                   {first, []order.Fulfillment{first}, true},
		"the first, beside a packed":  {first, []order.Fulfillment{first, pending}, true},
		"the last":                    {last, []order.Fulfillment{first, last}, false},
		"the last, after an arrived":  {last, []order.Fulfillment{delivered, last}, false},
		"the only one of what ships":  {whole, []order.Fulfillment{whole}, false},
		"the last, beside a given up": {last, []order.Fulfillment{first, last, parcel("c", order.FulfillmentCanceled, 1)}, false},
	} {
		if got := mail.OfParcel(o, c.of, c.all)["partial"]; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The button of a parcel leads to its carrier's page, and to nowhere where there is none.
//
// Rule mail-34.
func TestParcelsLeadToTheirCarriers(t *testing.T) {
	t.Parallel()
	for _, c := range order.Carriers {
		page, _ := mail.OfParcel(order.Order{}, order.Fulfillment{Tracking: order.Tracking{Carrier: c, Number: "1/2&3"}}, nil)["trackingUrl"].(string)
		if c == order.OtherCarrier {
			if page != "" {
				t.Errorf("%s has a page: %s", c, page)
			}
			continue
		}
		if !mail.IsSafeURL(page) || !strings.HasSuffix(page, "1%2F2%263") {
			t.Errorf("%s: %q", c, page)
		}
		if got := mail.OfParcel(order.Order{}, order.Fulfillment{Tracking: order.Tracking{Carrier: c}}, nil)["trackingUrl"]; got != "" {
			t.Errorf("%s without a number: %q", c, got)
		}
	}
}

func TestNamesThatAreLinksAreNotGreeted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Win at https://evil.example", "www.evil", "You won: evil.example", "Evil.COM", "악.한국"} {
		if got := mail.Greeted(name); got != "" {
			t.Errorf("%q is greeted", got)
		}
	}
	for _, name := range []string{"Ada", "J. R. Kim", "김하늘", "Ada Jr.", "3.5"} {
		if mail.Greeted(name) != name {
			t.Errorf("%q is not greeted", name)
		}
	}
}
