package portone

import (
	"strings"

	"github.com/cartwright-dev/cartwright/ports"
)

// What PortOne calls methods that are not always refunded to where the money came from.
const (
	methodVirtualAccount = "VirtualAccount"
	methodMobile         = "Mobile" // to an account from the next month on
	methodCrypto         = "Crypto" // Triple-A asks the buyer by e-mail
)

// refundAccount is the bank account that a refund goes to. Fact portone-24.
type refundAccount struct {
	Bank   string `json:"bank"`
	Number string `json:"number"`
	Holder string `json:"holderName"`
	Phone  string `json:"holderPhoneNumber,omitempty"` // Smartro needs it
}

// newCancelRequest is a refund as PortOne takes it. Facts portone-15, portone-24, portone-25,
// portone-30.
func newCancelRequest(conn ports.Connection, r ports.RefundRequest) cancelRequest {
	c := cancelRequest{
		taxParts: refundTax(r), StoreID: conn.AccountKey, Amount: r.Amount.Minor, CurrentCancellableAmount: r.Remaining.Minor, Reason: r.Reason,
	}
	if a := r.Account; a != nil {
		c.Account = &refundAccount{a.Bank, a.Account, a.Holder, r.Buyer.Phone}
	}
	if r.Method == methodCrypto {
		c.Email = r.Buyer.Email
	}
	return c
}

// bankCodes are all banks of PortOne. Fact portone-20.
var bankCodes = strings.Fields(`
	BANK_OF_KOREA KDB IBK KOOKMIN SUHYUP KEXIM NONGHYUP LOCAL_NONGHYUP WOORI STANDARD_CHARTERED CITI SUHYUP_FEDERATION DAEGU BUSAN
	KWANGJU JEJU JEONBUK KYONGNAM KFCC SHINHYUP SAVINGS_BANK MORGAN_STANLEY HSBC DEUTSCHE JPMC MIZUHO MUFG BANK_OF_AMERICA
	BNP_PARIBAS ICBC BANK_OF_CHINA NFCF UOB BOCOM CCB POST KODIT KIBO HANA SHINHAN K_BANK KAKAO TOSS MISC_FOREIGN SGI KCIS
	YUANTA_SECURITIES KB_SECURITIES SANGSANGIN_SECURITIES HANYANG_SECURITIES LEADING_SECURITIES BNK_SECURITIES IBK_SECURITIES
	DAOL_SECURITIES MIRAE_ASSET_SECURITIES SAMSUNG_SECURITIES KOREA_SECURITIES NH_SECURITIES KYOBO_SECURITIES HI_SECURITIES
	HYUNDAI_MOTOR_SECURITIES KIWOOM_SECURITIES EBEST_SECURITIES SK_SECURITIES DAISHIN_SECURITIES HANHWA_SECURITIES HANA_SECURITIES
	TOSS_SECURITIES SHINHAN_SECURITIES DB_SECURITIES EUGENE_SECURITIES MERITZ_SECURITIES KAKAO_PAY_SECURITIES BOOKOOK_SECURITIES
	SHINYOUNG_SECURITIES CAPE_SECURITIES KOREA_SECURITIES_FINANCE KOREA_FOSS_SECURITIES WOORI_INVESTMENT_BANK`)
