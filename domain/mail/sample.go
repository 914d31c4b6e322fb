package mail

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Sample are facts of a kind that nobody brought about, to show a template by: each variable has something to tell, in amounts of
// currency, on the day of now, with goods and people as they are called in the language of locale.
func Sample(k Kind, locale string, currency money.Currency, now time.Time) Facts {
	said := sampleIn[tenant.Language(locale)]
	if said.name == "" {
		said = sampleIn["en"]
	}
	unit := int64(1)
	for range currency.Exponent() {
		unit *= 10
	}
	if unit == 1 { // a coin of such a currency buys nothing
		unit = 1000
	}
	in := func(units int64) money.Money { return money.Of(units*unit, currency) }
	all := Facts{
		"name": said.name, "orderNumber": "261128000123", "orderDate": now, "orderUrl": "https://shop.example/orders/261128000123",
		"lines": []collection.Record{
			{"title": said.goods[0], "options": said.goods[1], "quantity": int64(2), "amount": in(36)},
			{"title": said.goods[2], "quantity": int64(1), "amount": in(24)},
		},
		"taxes": []collection.Record{{
			"tax": said.tax, "percent": "10", "amount": money.Of((63*unit+5)/11, currency), "included": true,
		}},
		"subtotal": in(66), "discount": in(6), "shipping": in(3), "total": in(63), "address": said.address,
		"amountDue": in(63), "paidAmount": in(63), "refundAmount": in(24), "dueAt": now.Add(72 * time.Hour),
		"bank": said.bank, "accountNumber": "110-123-456789", "accountHolder": said.holder,
		"carrier": string(order.CJ), "trackingNumber": "612345678901", "trackingUrl": "https://carrier.example/612345678901", "partial": true,
		"reason": said.reason, "returnAddress": said.address, "url": "https://shop.example/link/sample", "expiresAt": now.Add(time.Hour),
		"inviter": said.holder, "platform": false, "title": said.title, "text": said.text,
	}
	out := Facts{}
	for _, v := range VariablesOf(k) {
		if fact, there := all[v.Name]; there {
			out[v.Name] = fact
		}
	}
	withoutAmounts(k, out)
	return out
}

// withoutAmounts takes the amounts from the lines of a mail about a parcel, which has none.
func withoutAmounts(k Kind, f Facts) {
	rows, _ := f["lines"].([]collection.Record)
	if k != OrderShipped {
		return
	}
	for _, row := range rows {
		delete(row, "amount")
	}
}

// SampleOf are facts to show a template of a kind by an order. What no order has by itself, such as a parcel or what is given back of
// it, is made up as Sample does, but in amounts of the whole order; madeUp are the names of these variables.
func SampleOf(k Kind, o order.Order, locale string, now time.Time) (f Facts, madeUp []string) {
	own := OfOrder(o)
	if o.Paid.IsZero() {
		delete(own, "paidAmount")
	}
	if !o.Refunded.IsZero() && (k == OrderCanceled || k == RefundMade) {
		own["refundAmount"] = o.Refunded
	}
	f = Sample(k, locale, o.Currency, now)
	for _, v := range VariablesOf(k) {
		_, there := own[v.Name]
		switch {
		case there || find(orderVariables, v.Name) != nil:
			f[v.Name] = own[v.Name]
		case v.Type == TypeBoolean:
			f[v.Name] = false
		case f[v.Name] != nil:
			madeUp = append(madeUp, v.Name)
			if v.Type == TypeMoney {
				f[v.Name] = o.Total
			}
		}
	}
	withoutAmounts(k, f)
	return f, madeUp
}

type sample struct {
	name, tax, bank, holder, reason, title, text string
	goods                                        [3]string // a product, its options, and another one
	address                                      collection.Record
}

var sampleIn = map[string]sample{
	"en": {
		name: "Alex Kim", tax: "VAT", bank: "Example Bank", holder: "Jordan Lee", goods: [3]string{"Mug", "Blue", "Plate"},
		reason: "The goods were used.", title: "Stock is running low", text: "Mug, blue: 3 left.",
		address: collection.Record{
			"recipientName": "Alex Kim", "phone": "+1 555 0100", "postalCode": "94016",
			"address1": "1 Example Street", "country": "US",
		},
	},
	"ko": {
		name: "김하늘", tax: "부가가치세", bank: "예시은행", holder: "이도윤", goods: [3]string{"머그컵", "파랑", "접시"},
		reason: "사용한 흔적이 있는 상품입니다.", title: "재고가 얼마 남지 않았습니다", text: "머그컵(파랑) 재고가 3개 남았습니다.",
		address: collection.Record{
			"recipientName": "김하늘", "phone": "010-0000-0000", "postalCode": "03044", "address1": "서울특별시 종로구 자하문로 12",
			"address2": "101호", "country": "KR",
		},
	},
	"ja": {
		name: "佐藤 葵", tax: "消費税", bank: "サンプル銀行", holder: "田中 蓮", goods: [3]string{"マグカップ", "青", "お皿"},
		reason: "使用済みの商品のためです。", title: "在庫が少なくなりました", text: "マグカップ（青）の在庫は残り3個です。",
		address: collection.Record{
			"recipientName": "佐藤 葵", "phone": "03-0000-0000", "postalCode": "150-0001", "address1": "東京都渋谷区神宮前1-2-3", "country": "JP",
		},
	},
}
