package paper_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var seoul = time.FixedZone("KST", 9*60*60)

func won(n int64) money.Money { return money.Of(n, "KRW") }

func shop() paper.Shop {
	return paper.ShopFrom("Starlight", "", collection.Record{
		"businessName": "Starlight Ltd.", "registrationNumber": "220-81-62517", "representative": "Kim Haneul", "phone": "02-123-4567",
		"address":       collection.Record{"postalCode": "03044", "address1": "12 Jahamun-ro", "country": "KR"},
		"returnAddress": collection.Record{"address1": "77 Icheon-ro", "country": "KR"},
		"policies":      collection.Record{"returns": "Within a week.\n\nIn its box."},
	}, seoul)
}

// sold is an order of two lines in Seoul.
func sold() order.Order {
	line := func(id, title string, quantity, price, discount int64) order.Line {
		return order.Line{Line: sale.Line{
			ID: id, Title: title, SKU: "SKU-" + id, Quantity: quantity, UnitPrice: won(price), Subtotal: won(quantity * price),
			Discount: won(discount), Total: won(quantity*price - discount), RequiresShipping: true,
		}}
	}
	return order.Order{
		Number: "261128123456", Status: order.Paid, Currency: "KRW", Contact: sale.Contact{Name: "Hong Gildong", Phone: "010-1"},
		Address:  &address.Address{PostalCode: "06236", Address1: "152 Teheran-ro", DeliveryNote: "At the door."},
		Lines:    []order.Line{line("a", "Mug", 2, 18_000, 3_600), line("b", "Plate", 1, 64_000, 0)},
		Subtotal: won(100_000), Discount: won(3_600), Shipping: won(3_000), Total: won(99_400), Paid: won(99_400), Refunded: won(0),
		PlacedAt: time.Date(2026, 11, 27, 16, 0, 0, 0, time.UTC),
	}
}

// texts are all texts of a document, one a line.
func texts(d paper.Document) string {
	var all []string
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			all = append(all, v.String())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for _, field := range v.Fields() {
				walk(field)
			}
		default:
		}
	}
	walk(reflect.ValueOf(d))
	return strings.Join(all, "\n")
}

func TestAmountsHaveAllDigitsOfTheirCurrency(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]money.Money{
		"₩0": won(0), "₩999": won(999), "₩1,234,567": won(1_234_567), "-₩3,000": won(-3_000), "$19.90": money.Of(1990, "USD"),
		"€0.05": money.Of(5, "EUR"), "-€1,000.00": money.Of(-100_000, "EUR"), "KWD 1.005": money.Of(1005, "KWD"), "CHF -20.00": money.Of(-2000, "CHF"),
	} {
		if got := paper.English.Amount(m); got != want {
			t.Errorf("%v: %s, want %s", m, got, want)
		}
	}
	if got := paper.Korean.Amount(won(-3_000)); got != "-3,000원" {
		t.Error(got)
	}
}

func TestLanguageFollowsTheLocale(t *testing.T) {
	t.Parallel()
	for locale, want := range map[string]paper.Language{
		"ko": paper.Korean, "ko-KR": paper.Korean, "en": paper.English, "": paper.English, "kok": paper.English, "de-DE": paper.English,
	} {
		if got := paper.LanguageOf(locale); got != want {
			t.Errorf("%q: %s", locale, got)
		}
	}
}

func TestDatesAreThoseOfTheShop(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 27, 16, 0, 0, 0, time.UTC)
	if en, ko := paper.English.Date(at, seoul), paper.Korean.Date(at, seoul); en != "November 28, 2026" || ko != "2026년 11월 28일" {
		t.Error(en, ko)
	}
}

func TestPackingSlipHasTheUnitsOfItsParcelAndNoPrices(t *testing.T) {
	t.Parallel()
	f := order.Fulfillment{Items: []order.Item{{OrderLine: "a", Quantity: 1}}, Tracking: order.Tracking{Carrier: order.CJ, Number: "612345678901"}}
	for _, language := range []paper.Language{paper.English, paper.Korean} {
		d := paper.PackingSlip(language, shop(), sold(), f)
		all := texts(d)
		if len(d.Rows) != 1 || d.Rows[0][0].Text != "SKU-a" || d.Rows[0][3].Text != "1" || len(d.Totals) != 0 {
			t.Errorf("%+v", d)
		}
		if strings.Contains(all, "Plate") || strings.Contains(all, "18,000") || strings.Contains(all, "원") {
			t.Errorf("it has what is not in the parcel, or prices: %s", all)
		}
		for _, want := range []string{"261128123456", "612345678901", "Hong Gildong", "At the door.", "Within a week.", "77 Icheon-ro, Starlight"} {
			if !strings.Contains(all, want) {
				t.Errorf("%q is missing: %s", want, all)
			}
		}
	}
}

func TestAddressesAreInTheOrderOfTheirCountry(t *testing.T) {
	t.Parallel()
	o := sold()
	for country, want := range map[string][]string{
		"":   {"(06236) 152 Teheran-ro", "Hong Gildong", "010-1"}, // as the shop
		"KR": {"(06236) 152 Teheran-ro", "Hong Gildong", "010-1"},
		"DE": {"Hong Gildong", "152 Teheran-ro", "06236", "GERMANY", "010-1"},
	} {
		o.Address.Country = country
		if got := paper.ParcelLabel(paper.English, shop(), o, order.Fulfillment{}).Parties[0].Lines; !slices.Equal(got, want) {
			t.Errorf("%s: %q", country, got)
		}
	}
}

// A shop is where its settings say, also while its profile has no address.
func TestTheCountryOfTheShopIsNotNamed(t *testing.T) {
	t.Parallel()
	o, s := sold(), paper.ShopFrom("Starlight", "KR", nil, seoul)
	o.Address.Country = "KR"
	if got, want := paper.ParcelLabel(paper.Korean, s, o, order.Fulfillment{}).Parties[0].Lines, []string{
		"(06236) 152 Teheran-ro", "Hong Gildong", "010-1",
	}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestParcelsThatShouldNotLeaveAreMarked(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*order.Order, *order.Fulfillment){
		"": func(*order.Order, *order.Fulfillment) {},
		"On hold": func(o *order.Order, f *order.Fulfillment) {
			o.Hold, f.State = order.HoldDisputed, order.FulfillmentPending
		},
		"Canceled": func(_ *order.Order, f *order.Fulfillment) { f.State = order.FulfillmentCanceled },
	} {
		o, f := sold(), order.Fulfillment{State: order.FulfillmentPending}
		change(&o, &f)
		for _, d := range []paper.Document{paper.ParcelLabel(paper.English, shop(), o, f), paper.PackingSlip(paper.English, shop(), o, f)} {
			if d.Mark != want {
				t.Errorf("%q, want %q", d.Mark, want)
			}
		}
	}
}

// Labels of what has no tracking number yet are scanned by the number of the order.
func TestAddressLabelsHaveTheOrderNumberAsBarcode(t *testing.T) {
	t.Parallel()
	f := order.Fulfillment{State: order.FulfillmentPending, Items: []order.Item{{OrderLine: "a", Quantity: 2}}}
	d := paper.AddressLabel(paper.English, shop(), sold(), f)
	if d.Barcode != "261128123456" || d.Title != "Parcel" || !strings.Contains(texts(d), "Hong Gildong") {
		t.Errorf("%+v", d)
	}
	if d := paper.ParcelLabel(paper.English, shop(), sold(), f); d.Barcode != "" {
		t.Errorf("the label of a parcel has the barcode %s", d.Barcode)
	}
}

func TestDocumentsOfTheTestEnvironmentAreMarked(t *testing.T) {
	t.Parallel()
	o, f := sold(), order.Fulfillment{State: order.FulfillmentPending}
	for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
		o.Environment = env
		for l, word := range map[paper.Language]string{paper.English: "TEST", paper.Korean: "시험"} {
			for _, d := range []paper.Document{
				paper.Invoice(l, shop(), o), paper.PackingSlip(l, shop(), o, f), paper.ParcelLabel(l, shop(), o, f), paper.AddressLabel(l, shop(), o, f),
			} {
				if got := strings.HasPrefix(d.Mark, word); got != (env == tenant.Test) {
					t.Errorf("%s, %s of %s: %q", l, d.Title, env, d.Mark)
				}
			}
		}
	}
	f.State = order.FulfillmentCanceled
	if got := paper.PackingSlip(paper.English, shop(), o, f).Mark; got != "TEST · Canceled" {
		t.Errorf("a canceled parcel: %q", got)
	}
}

// Buyers print invoices, too.
func TestInvoiceShowsNothingInternal(t *testing.T) {
	t.Parallel()
	o := sold()
	o.StatusNote, o.CancelReason, o.Notes, o.Hold = "secret note", "secret reason", "secret notes", "secret hold"
	o.Reversed, o.Assignment.Tags = won(1_000), []string{"secret tag"}
	o.LineCancels = []order.LineCancel{{Reason: "secret cancel", Key: "secret key"}}
	for _, language := range []paper.Language{paper.English, paper.Korean} {
		if all := texts(paper.Invoice(language, shop(), o)); strings.Contains(all, "secret") || strings.Contains(all, "1,000") {
			t.Error(all)
		}
	}
}

func TestInvoiceNamesSellerAndBuyer(t *testing.T) {
	t.Parallel()
	all := texts(paper.Invoice(paper.Korean, shop(), sold()))
	for _, want := range []string{"거래명세서", "Starlight Ltd.", "사업자등록번호 220-81-62517", "대표자 Kim Haneul", "Hong Gildong", "세금계산서가 아닙니다", "결제 완료"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing: %s", want, all)
		}
	}
}

func TestInvoiceIsMarkedByItsPayment(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*order.Order){
		"Paid":            func(*order.Order) {},
		"Unpaid":          func(o *order.Order) { o.Status, o.Paid = order.Pending, money.Money{} },
		"Partly refunded": func(o *order.Order) { o.Refunded = won(400) },
		"Refunded":        func(o *order.Order) { o.Status, o.Refunded = order.Canceled, o.Paid },
		"Canceled":        func(o *order.Order) { o.Status, o.Paid = order.Canceled, money.Money{} },
	} {
		o := sold()
		change(&o)
		if got := paper.Invoice(paper.English, shop(), o).Mark; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
