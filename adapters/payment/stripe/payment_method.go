package stripe

import (
	"fmt"
	"maps"
	"slices"

	api "github.com/stripe/stripe-go/v85"

	"github.com/cartwright-dev/cartwright/domain/payment"
)

// stripeMethods are Stripe's names of those of the 28 methods that it supports. A UnionPay card is a card
// there.
var stripeMethods = map[string]api.PaymentMethodType{
	"CARD_KR": api.PaymentMethodTypeKrCard, "CARD_INTERNATIONAL": api.PaymentMethodTypeCard, "UNION_PAY": api.PaymentMethodTypeCard,
	"N_PAY": api.PaymentMethodTypeNaverPay, "KAKAO_PAY": api.PaymentMethodTypeKakaoPay, "PAY_PAL": api.PaymentMethodTypePaypal,
	"ALIPAY_CN": api.PaymentMethodTypeAlipay, "ALIPAY_HK": api.PaymentMethodTypeAlipay, "WE_CHAT_PAY": api.PaymentMethodTypeWeChatPay,
	"KLARNA": api.PaymentMethodTypeKlarna, "GRAB_PAY_MY": api.PaymentMethodTypeGrabpay, "GRAB_PAY_SG": api.PaymentMethodTypeGrabpay,
	"CONVENIENCE_STORE_JP": api.PaymentMethodTypeKonbini, "AMAZON_PAY": api.PaymentMethodTypeAmazonPay,
}

var methodNames = slices.Sorted(maps.Keys(stripeMethods))

// capturesLater are the methods that can be authorized first. Fact stripe-14.
var capturesLater = []api.PaymentMethodType{
	api.PaymentMethodTypeCard, api.PaymentMethodTypeKrCard, api.PaymentMethodTypeKakaoPay, api.PaymentMethodTypeNaverPay,
	api.PaymentMethodTypeKlarna, api.PaymentMethodTypeAmazonPay, api.PaymentMethodTypePaypal,
}

// setPaymentMethod restricts the page to a method; without one the account's settings decide. A method that cannot be
// captured later is captured at once.
func setPaymentMethod(params *api.CheckoutSessionParams, method string, captureLater bool) error {
	if method == "" {
		return nil
	}
	word, known := stripeMethods[method]
	if !known {
		return payment.ErrMethodDisabled.WithCause(fmt.Errorf("stripe: no method %s", method))
	}
	params.PaymentMethodTypes = []*string{api.String(string(word))}
	if captureLater && slices.Contains(capturesLater, word) {
		params.PaymentIntentData.CaptureMethod = api.String(string(api.PaymentIntentCaptureMethodManual))
	}
	if word == api.PaymentMethodTypeWeChatPay {
		params.PaymentMethodOptions = &api.CheckoutSessionPaymentMethodOptionsParams{
			WeChatPay: &api.CheckoutSessionPaymentMethodOptionsWeChatPayParams{Client: api.String("web")},
		}
	}
	return nil
}
