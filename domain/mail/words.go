package mail

import "github.com/cartwright-dev/cartwright/domain/order"

// words are what blocks say in one language. Templates in other languages have the English ones, or say it themselves.
type words struct {
	subtotal, discount, shipping, total, ofWhich         string
	carrier, trackingNumber                              string
	andMore                                              string // of a title and how many others there are
	bank, accountNumber, accountHolder, amountDue, dueAt string
	registrationNumber, mailOrderNumber, representative  string
	carriers                                             map[order.Carrier]string // nil: those of documents on paper
}

var inLanguage = map[string]*words{
	"en": {
		subtotal: "Subtotal", andMore: "%s and %d more", discount: "Discount", shipping: "Shipping", total: "Total", ofWhich: "Of the total, ",
		carrier: "Carrier", trackingNumber: "Tracking number",
		bank: "Bank", accountNumber: "Account number", accountHolder: "Account holder", amountDue: "Amount", dueAt: "Pay by",
		registrationNumber: "Registration number", mailOrderNumber: "Mail-order number", representative: "Representative",
	},
	"ko": {
		subtotal: "상품 합계", andMore: "%s 외 %d건", discount: "할인", shipping: "배송비", total: "합계", ofWhich: "합계 중 ",
		carrier: "택배사", trackingNumber: "운송장번호",
		bank: "은행", accountNumber: "계좌번호", accountHolder: "예금주", amountDue: "입금 금액", dueAt: "입금 기한",
		registrationNumber: "사업자등록번호", mailOrderNumber: "통신판매업신고번호", representative: "대표자",
	},
	"ja": {
		subtotal: "小計", andMore: "%s ほか%d点", discount: "割引", shipping: "送料", total: "合計", ofWhich: "うち",
		carrier: "配送会社", trackingNumber: "お問い合わせ番号",
		bank: "銀行", accountNumber: "口座番号", accountHolder: "口座名義", amountDue: "お支払い金額", dueAt: "お支払い期限",
		registrationNumber: "事業者登録番号", mailOrderNumber: "通信販売届出番号", representative: "代表者",
		carriers: map[order.Carrier]string{
			order.CJ: "CJ大韓通運", order.Hanjin: "韓進宅配", order.Lotte: "ロッテ宅配", order.EPost: "韓国郵便局", order.Logen: "ローゼン宅配",
			order.UPS: "UPS", order.FedEx: "FedEx", order.DHL: "DHL", order.EMS: "EMS", order.OtherCarrier: "その他の配送",
		},
	},
}
