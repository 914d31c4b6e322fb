package payment

import "slices"

// Methods are all methods that a hosted session may request. Rule payments-10, Fact portone-12.
var Methods = []string{
	"CARD_KR", "N_PAY", "KAKAO_PAY", "TOSS_PAY", "CARD_INTERNATIONAL", "PAY_PAL", "UNION_PAY", "ALIPAY_CN", "ALIPAY_HK",
	"TRUE_MONEY", "DANA", "TOUCH_N_GO", "G_CASH", "WE_CHAT_PAY", "KLARNA", "E_CONTEXT", "GRAB_PAY_MY", "GRAB_PAY_SG",
	"SHOPEE_PAY_TH", "PAY_PAY", "BPI", "RABBIT_LINE_PAY", "CONVENIENCE_STORE_JP", "AMAZON_PAY", "RAKUTEN_PAY", "D_BARAI",
	"AU_PAY", "MERPAY",
}

// providerKinds are the kinds of session that each provider's adapter can open.
var providerKinds = map[string][]Kind{
	"sandbox": {Widget, Hosted, Standard}, "toss": {Widget}, "portone": {Hosted, Standard}, "stripe": {Hosted}, "custom": {Custom},
}

// Supports reports whether sessions of a kind can be opened at a provider.
func Supports(provider string, k Kind) bool { return slices.Contains(providerKinds[provider], k) }
