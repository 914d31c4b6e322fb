package pdf_test

import (
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var seoul = time.FixedZone("KST", 9*60*60)

func won(n int64) money.Money { return money.Of(n, "KRW") }

// koreanShop, koreanOrder and koreanParcel are a sale in Seoul.
func koreanShop() paper.Shop {
	return paper.Shop{
		Name: "별빛 도자기", BusinessName: "주식회사 별빛도자기", RegistrationNumber: "220-81-62517", MailOrderNumber: "2026-서울종로-01234",
		Representative: "김하늘", Phone: "02-123-4567", Email: "hello@starlight.example",
		Address:       &address.Address{PostalCode: "03044", Address1: "서울특별시 종로구 자하문로 12", Address2: "2층", Country: "KR"},
		ReturnAddress: &address.Address{RecipientName: "별빛 물류센터", Phone: "031-987-6543", PostalCode: "17385", Address1: "경기도 이천시 도자예술로 77", Country: "KR"},
		ReturnPolicy:  "받으신 날부터 7일 이내에 반품하실 수 있습니다.\n파손된 상품은 사진과 함께 알려 주세요.", Zone: seoul,
	}
}

func koreanOrder() order.Order {
	o := order.Order{
		ID: "o1", Number: "261128123456", Status: order.Preparing, Currency: "KRW",
		Contact: sale.Contact{Name: "홍길동", Email: "gildong@example.com", Phone: "010-1234-5678"},
		Address: &address.Address{
			RecipientName: "홍길동", Phone: "010-1234-5678", PostalCode: "06236", Address1: "서울특별시 강남구 테헤란로 152",
			Address2: "강남파이낸스센터 1203호", DeliveryNote: "부재 시 경비실에 맡겨 주세요.", Country: "KR",
		},
		Lines: []order.Line{
			koreanLine("l1", "청자 머그컵", "하늘색 / 대", "MUG-BLUE-L", 2, 18000, 3600), koreanLine("l2", "백자 접시 세트", "", "PLATE-4", 1, 64000, 6400),
			koreanLine("l3", "도자기 전문 서적 “흙과 불”", "", "BOOK-1", 1, 25000, 0),
		},
		Codes: []checkout.Code{{Code: "WELCOME10"}}, Shipping: won(3000), Paid: won(118000), Refunded: won(0),
		PlacedAt: time.Date(2026, 11, 27, 16, 30, 0, 0, time.UTC),
	}
	o.Lines[0].Attributes = map[string]string{"각인": "엄마 사랑해요"}
	o.Lines[2].TaxClass = tax.Exempt
	o.Subtotal, o.Discount, o.Total = won(125000), won(10000), won(118000)
	return o
}

func koreanLine(id, title, variant, sku string, quantity, price, discount int64) order.Line {
	return order.Line{Line: sale.Line{
		ID: id, Title: title, VariantTitle: variant, SKU: sku, Quantity: quantity, UnitPrice: won(price), Subtotal: won(price * quantity),
		Discount: won(discount), Total: won(price*quantity - discount), RequiresShipping: true,
	}}
}

func koreanParcel() order.Fulfillment {
	return order.Fulfillment{
		ID: "f1", Order: "o1", State: order.FulfillmentShipped, Tracking: order.Tracking{Carrier: order.CJ, Number: "612345678901"},
		Items: []order.Item{{OrderLine: "l1", Quantity: 2}, {OrderLine: "l3", Quantity: 1}}, ShippedAt: time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC),
	}
}

// unpacked is what of koreanOrder is to be packed, canceled a parcel of it that was canceled, and tested the order in the test
// environment.
func unpacked() order.Fulfillment {
	return order.Fulfillment{State: order.FulfillmentPending, Items: []order.Item{{OrderLine: "l1", Quantity: 1}, {OrderLine: "l2", Quantity: 1}}}
}

func canceled() order.Fulfillment {
	f := koreanParcel()
	f.State = order.FulfillmentCanceled
	return f
}

func tested() order.Order {
	o := koreanOrder()
	o.Environment = tenant.Test
	return o
}

// westernOrder is a sale to Munich, with cancels and refunds.
func westernOrder() order.Order {
	euro := func(n int64) money.Money { return money.Of(n, "EUR") }
	line := func(id, title, variant, sku string, quantity, price int64) order.Line {
		return order.Line{Line: sale.Line{
			ID: id, Title: title, VariantTitle: variant, SKU: sku, Quantity: quantity, UnitPrice: euro(price), Subtotal: euro(price * quantity),
			Discount: euro(0), Total: euro(price * quantity), RequiresShipping: true,
		}}
	}
	o := order.Order{
		ID: "o2", Number: "NO-2026-0042", Status: order.Shipped, Currency: "EUR",
		Contact: sale.Contact{Name: "Zoë Müller-Łukasiewicz", Email: "zoe@example.de"},
		Address: &address.Address{
			RecipientName: "Zoë Müller-Łukasiewicz", Phone: "+49 89 1234567", PostalCode: "80331", Address1: "Frauenplatz 12",
			Address2: "München", Country: "DE",
		},
		Lines: []order.Line{
			line("l1", "Celadon mug", "Sky blue / large", "MUG-BLUE-L", 3, 1895),
			line("l2", "Tea towel, Ελληνικά и кириллица", "", "TOWEL", 1, 1250),
		},
		Subtotal: euro(6935), Discount: euro(0), Shipping: euro(990), Total: euro(7925), Paid: euro(7925), Refunded: euro(1895),
		PlacedAt: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
	}
	o.Lines[0].Canceled, o.Lines[0].CanceledAmount, o.Lines[1].Returned = 1, euro(1895), 1
	canceled := order.CanceledUnits{Item: order.Item{OrderLine: "l1", Quantity: 1}, Amount: euro(1895)}
	o.LineCancels = []order.LineCancel{{Done: true, Lines: []order.CanceledUnits{canceled}, Shipping: euro(0)}}
	return o
}

func westernParcel() order.Fulfillment {
	return order.Fulfillment{
		ID: "f2", Order: "o2", State: order.FulfillmentPending, Tracking: order.Tracking{Carrier: order.DHL, Number: "JJD000390007412345678"},
		Items: []order.Item{{OrderLine: "l1", Quantity: 2}},
	}
}

// endless is a sale whose texts are as long as they can be.
func endless() (order.Order, order.Fulfillment) {
	o, f := koreanOrder(), koreanParcel()
	long := func(n int, text string) string { return strings.Repeat(text, n/len([]rune(text))+1) }
	o.Address = &address.Address{
		RecipientName: long(200, "김수한무거북이와두루미"), Phone: long(50, "010-1234-"), PostalCode: long(20, "12345"), Address1: long(500, "서울특별시 강남구 "),
		Address2: long(500, "Donaudampfschifffahrtsgesellschaft"), DeliveryNote: long(500, "문 앞에 놓아 주세요. "), Country: "KR",
	}
	o.Lines[0].Title, o.Lines[0].SKU = long(300, "아주긴상품이름"), long(100, "SKU-")
	f.Tracking.Number = long(50, "1234567890")[:50]
	return o, f
}
