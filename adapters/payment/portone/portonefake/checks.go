package portonefake

import (
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment/requestcheck"
)

// Enumerations that PortOne published.
var (
	methods = strings.Fields("CARD_KR N_PAY KAKAO_PAY TOSS_PAY CARD_INTERNATIONAL PAY_PAL UNION_PAY ALIPAY_CN ALIPAY_HK TRUE_MONEY DANA " +
		"TOUCH_N_GO G_CASH WE_CHAT_PAY KLARNA E_CONTEXT GRAB_PAY_MY GRAB_PAY_SG SHOPEE_PAY_TH PAY_PAY BPI " +
		"RABBIT_LINE_PAY CONVENIENCE_STORE_JP AMAZON_PAY RAKUTEN_PAY D_BARAI AU_PAY MERPAY") // Fact portone-12
	banks = strings.Fields("BANK_OF_KOREA KDB IBK KOOKMIN SUHYUP KEXIM NONGHYUP LOCAL_NONGHYUP WOORI STANDARD_CHARTERED CITI " +
		"SUHYUP_FEDERATION DAEGU BUSAN KWANGJU JEJU JEONBUK KYONGNAM KFCC SHINHYUP SAVINGS_BANK MORGAN_STANLEY HSBC " +
		"DEUTSCHE JPMC MIZUHO MUFG BANK_OF_AMERICA BNP_PARIBAS ICBC BANK_OF_CHINA NFCF UOB BOCOM CCB POST KODIT KIBO " +
		"HANA SHINHAN K_BANK KAKAO TOSS MISC_FOREIGN SGI KCIS YUANTA_SECURITIES KB_SECURITIES SANGSANGIN_SECURITIES " +
		"HANYANG_SECURITIES LEADING_SECURITIES BNK_SECURITIES IBK_SECURITIES DAOL_SECURITIES MIRAE_ASSET_SECURITIES " +
		"SAMSUNG_SECURITIES KOREA_SECURITIES NH_SECURITIES KYOBO_SECURITIES HI_SECURITIES HYUNDAI_MOTOR_SECURITIES " +
		"KIWOOM_SECURITIES EBEST_SECURITIES SK_SECURITIES DAISHIN_SECURITIES HANHWA_SECURITIES HANA_SECURITIES " +
		"TOSS_SECURITIES SHINHAN_SECURITIES DB_SECURITIES EUGENE_SECURITIES MERITZ_SECURITIES KAKAO_PAY_SECURITIES " +
		"BOOKOOK_SECURITIES SHINYOUNG_SECURITIES CAPE_SECURITIES KOREA_SECURITIES_FINANCE KOREA_FOSS_SECURITIES " +
		"WOORI_INVESTMENT_BANK") // Fact portone-20
)

// text and whole are members without further rules.
func text(name string) requestcheck.Member {
	return requestcheck.Member{Name: name, Kind: requestcheck.Text}
}

func whole(name string) requestcheck.Member {
	return requestcheck.Member{Name: name, Kind: requestcheck.Integer}
}

func required(m requestcheck.Member) requestcheck.Member {
	m.Required = true
	return m
}

func texts(names ...string) (all []requestcheck.Member) {
	for _, name := range names {
		all = append(all, text(name))
	}
	return all
}

// pattern is a text of a form.
func pattern(name, form string) requestcheck.Member {
	return requestcheck.Member{Name: name, Kind: requestcheck.Text, Pattern: regexp.MustCompile(form)}
}

func oneOf(name string, words ...string) requestcheck.Member {
	return requestcheck.Member{Name: name, Kind: requestcheck.Text, OneOf: words}
}

// published are the members of requests as PortOne published them, by the last word of their address. CHECKS.md says
// where.
var published = map[string][]requestcheck.Member{
	"payment-sessions": append(
		[]requestcheck.Member{
			required(text("storeId")), required(pattern("paymentId", `^[A-Za-z0-9]{6,40}$`)), required(text("profileKey")), // Fact portone-18
			required(pattern("country", `^[A-Z]{2}$`)), required(pattern("currency", `^[A-Z]{3}$`)),
			required(whole("totalAmount")), required(text("orderName")),
			oneOf("paymentMethod", methods...), whole("ttlSeconds"),
			{Name: "products", Kind: requestcheck.List, Members: append(
				[]requestcheck.Member{required(text("name")), required(whole("unitPrice")), required(whole("quantity"))},
				texts("id", "code", "startDate", "endDate", "url", "nPayCategoryType", "nPayCategoryId", "nPayUid")...)},
			{Name: "agreements", Kind: requestcheck.List, Members: texts("name", "url")},
			{Name: "colors", Kind: requestcheck.Object, Members: texts("primary", "primaryHover", "primaryLight")},
		}, texts("redirectUrl", "customerName", "customerEmail", "storeName", "orderImageUrl", "customData")...),
	"close":        nil,
	"pre-register": {text("storeId"), whole("totalAmount"), whole("taxFreeAmount"), pattern("currency", `^[A-Z]{3}$`)},
	"cancel": {
		text("storeId"), whole("amount"), whole("taxFreeAmount"), whole("vatAmount"), required(text("reason")), oneOf("requester", "CUSTOMER", "ADMIN"),
		oneOf("promotionDiscountRetainOption", "RETAIN", "RELEASE"), whole("currentCancellableAmount"), text("refundEmail"),
		{Name: "refundAccount", Kind: requestcheck.Object, Members: []requestcheck.Member{
			required(oneOf("bank", banks...)), required(text("number")), required(text("holderName")), text("holderPhoneNumber"),
		}},
		{Name: "skipWebhook", Kind: requestcheck.Boolean},
	},
}

// checkForm refuses a POST whose form is not what PortOne published; its status is 0 when it is. The type of the content
// does not matter: PortOne's own SDK for servers sends text/plain.
func checkForm(r *http.Request, body []byte) errorResponse {
	members, known := published[r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]]
	if !known {
		return newError(http.StatusNotFound, "NOT_FOUND")
	}
	if _, wrong := errors.AsType[*requestcheck.Problem](requestcheck.JSON(body, members)); wrong {
		return newError(http.StatusBadRequest, "INVALID_REQUEST")
	}
	return errorResponse{}
}

// needsBuyer are the gateways behind PortOne that take payments on a PC only with the buyer's name, phone number and email.
// Fact portone-21.
var needsBuyer = map[string]bool{"INICIS_V2": true, "WELCOME": true}

// refusesBuyer reports whether the gateway refuses an action for what it says of the buyer.
func (f *PortOne) refusesBuyer(action map[string]any) bool {
	customer, _ := action["customer"].(map[string]any)
	for _, name := range []string{"fullName", "phoneNumber", "email"} {
		if said, _ := customer[name].(string); needsBuyer[f.Gateway] && said == "" {
			return true
		}
	}
	return false
}
