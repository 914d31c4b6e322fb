package payment

// Methods are all methods that a hosted session may request. Rule payments-10, Fact portone-12.
var Methods = []string{
	"CARD_KR", "N_PAY", "KAKAO_PAY", "TOSS_PAY", "CARD_INTERNATIONAL", "PAY_PAL", "UNION_PAY", "ALIPAY_CN", "ALIPAY_HK",
	"TRUE_MONEY", "DANA", "TOUCH_N_GO", "G_CASH", "WE_CHAT_PAY", "KLARNA", "E_CONTEXT", "GRAB_PAY_MY", "GRAB_PAY_SG",
	"SHOPEE_PAY_TH", "PAY_PAY", "BPI", "RABBIT_LINE_PAY", "CONVENIENCE_STORE_JP", "AMAZON_PAY", "RAKUTEN_PAY", "D_BARAI",
	"AU_PAY", "MERPAY",
}
