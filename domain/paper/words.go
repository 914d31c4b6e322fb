package paper

import "github.com/cartwright-dev/cartwright/domain/order"

// Language is the language of a document.
type Language string

// The languages.
const (
	English Language = "en"
	Korean  Language = "ko"
)

// Languages lists all languages.
var Languages = []string{string(English), string(Korean)}

// LanguageOf is the language for readers of a locale, a BCP 47 tag: Korean for Korean ones, English for all others.
func LanguageOf(locale string) Language {
	if len(locale) >= 2 && locale[:2] == string(Korean) && (len(locale) == 2 || locale[2] == '-') {
		return Korean
	}
	return English
}

// words are all words that are printed, in one language.
type words struct {
	Invoice, PackingSlip, Parcel string

	From, To, Seller, Buyer, ShipTo, ReturnTo, ReturnPolicy, Message string

	OrderNumber, OrderDate, TrackingNumber, Carrier, ShippedOn, Units, Phone, Email string

	RegistrationNumber, MailOrderNumber, Representative string

	SKU, Item, Options, Quantity, UnitPrice, Amount string

	Subtotal, Discount, Shipping, Total, CanceledPart, AmountDue, Paid, Refunded, Received, ToPay, TaxFree, OfWhich string

	LineDiscount, CanceledUnits, ReturnedUnits string // the latter two before a number

	Test, Canceled, OnHold, Statement string

	PaymentStatus map[string]string
	Carriers      map[order.Carrier]string
}

var inEnglish = words{ //nolint:dupl // the same words in another language
	Invoice: "Invoice", PackingSlip: "Packing slip", Parcel: "Parcel",
	From: "From", To: "To", Seller: "Seller", Buyer: "Buyer", ShipTo: "Ship to", ReturnTo: "Returns to", ReturnPolicy: "Returns and refunds",
	Message:     "Delivery note",
	OrderNumber: "Order", OrderDate: "Date of order", TrackingNumber: "Tracking number", Carrier: "Carrier", ShippedOn: "Shipped on",
	Units: "Units", Phone: "Phone", Email: "Email",
	RegistrationNumber: "Registration number", MailOrderNumber: "Mail-order number", Representative: "Representative",
	SKU: "SKU", Item: "Item", Options: "Options", Quantity: "Qty", UnitPrice: "Unit price", Amount: "Amount",
	Subtotal: "Subtotal", Discount: "Discount", Shipping: "Shipping", Total: "Total", CanceledPart: "Canceled", AmountDue: "Total after cancellations",
	Paid: "Paid", Refunded: "Refunded", Received: "Paid less refunds", ToPay: "To be paid", TaxFree: "Of the total, free of value added tax",
	OfWhich:      "Of the total, ",
	LineDiscount: "Discount", CanceledUnits: "Canceled: ", ReturnedUnits: "Returned: ",
	Test: "TEST", Canceled: "Canceled", OnHold: "On hold",
	Statement: "This is a statement of the order, not a tax invoice. Prices include value added tax where it is due.",
	PaymentStatus: map[string]string{
		"unpaid": "Unpaid", "paid": "Paid", "partially_refunded": "Partly refunded", "refunded": "Refunded",
		"reversed": "Payment reversed", "authorized": "Authorized", "partially_paid": "Partly paid",
	},
	Carriers: map[order.Carrier]string{
		order.CJ: "CJ Logistics", order.Hanjin: "Hanjin", order.Lotte: "Lotte", order.EPost: "Korea Post", order.Logen: "Logen",
		order.UPS: "UPS", order.FedEx: "FedEx", order.DHL: "DHL", order.EMS: "EMS", order.OtherCarrier: "Other carrier",
	},
}

var inKorean = words{ //nolint:dupl // the same words in another language
	Invoice: "거래명세서", PackingSlip: "포장명세서", Parcel: "택배",
	From: "보내는 분", To: "받는 분", Seller: "공급자", Buyer: "주문자", ShipTo: "받는 분", ReturnTo: "반품 주소", ReturnPolicy: "교환 및 반품 안내",
	Message:     "배송 메시지",
	OrderNumber: "주문번호", OrderDate: "주문일", TrackingNumber: "운송장번호", Carrier: "택배사", ShippedOn: "발송일",
	Units: "수량", Phone: "전화", Email: "이메일",
	RegistrationNumber: "사업자등록번호", MailOrderNumber: "통신판매업신고번호", Representative: "대표자",
	SKU: "상품코드", Item: "상품", Options: "옵션", Quantity: "수량", UnitPrice: "단가", Amount: "금액",
	Subtotal: "상품 합계", Discount: "할인", Shipping: "배송비", Total: "합계", CanceledPart: "취소", AmountDue: "취소 후 합계",
	Paid: "결제", Refunded: "환불", Received: "환불 차감 후 결제", ToPay: "결제할 금액", TaxFree: "합계 중 면세 금액",
	OfWhich:      "합계 중 ",
	LineDiscount: "할인", CanceledUnits: "취소: ", ReturnedUnits: "반품: ",
	Test: "시험", Canceled: "취소됨", OnHold: "출고 보류",
	Statement: "이 문서는 주문 내역을 확인하는 거래명세서이며 세금계산서가 아닙니다. 과세 상품의 금액에는 부가가치세가 포함되어 있습니다.",
	PaymentStatus: map[string]string{
		"unpaid": "미결제", "paid": "결제 완료", "partially_refunded": "부분 환불", "refunded": "환불 완료",
		"reversed": "결제 회수됨", "authorized": "결제 승인", "partially_paid": "부분 결제",
	},
	Carriers: map[order.Carrier]string{
		order.CJ: "CJ대한통운", order.Hanjin: "한진택배", order.Lotte: "롯데택배", order.EPost: "우체국택배", order.Logen: "로젠택배",
		order.UPS: "UPS", order.FedEx: "FedEx", order.DHL: "DHL", order.EMS: "EMS", order.OtherCarrier: "기타 배송",
	},
}

// Carrier is the name of a carrier; "" for none.
func (l Language) Carrier(c order.Carrier) string { return l.words().Carriers[c] }

func (l Language) words() *words {
	if l == Korean {
		return &inKorean
	}
	return &inEnglish
}
