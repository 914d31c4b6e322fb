package portone

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
)

// virtualAccount is the part of a payment's method that says where to pay. Fact portone-19.
type virtualAccount struct {
	Bank      string `json:"bank"`
	Number    string `json:"accountNumber"`
	Holder    string `json:"remitteeName"`
	ExpiredAt string `json:"expiredAt"` // RFC 3339
}

// instructions are what the buyer has to do; nil without an account.
func (a virtualAccount) instructions(amount money.Money) *domain.Instructions {
	if a.Number == "" {
		return nil
	}
	due, _ := time.Parse(time.RFC3339, a.ExpiredAt) // an unreadable time is none
	return &domain.Instructions{
		Bank: bankNames[a.Bank], BankCode: a.Bank, Account: a.Number, Holder: a.Holder, Amount: amount, Due: due,
	}
}

// bankNames are PortOne's banks as buyers know them; its list has more, which buyers do not pay to. Fact portone-20.
var bankNames = map[string]string{
	"KDB": "산업은행", "IBK": "기업은행", "KOOKMIN": "국민은행", "SUHYUP": "수협은행", "NONGHYUP": "농협은행", "LOCAL_NONGHYUP": "지역농축협",
	"WOORI": "우리은행", "STANDARD_CHARTERED": "SC제일은행", "CITI": "한국씨티은행", "DAEGU": "아이엠뱅크", "BUSAN": "부산은행", "KWANGJU": "광주은행",
	"JEJU": "제주은행", "JEONBUK": "전북은행", "KYONGNAM": "경남은행", "KFCC": "새마을금고", "SHINHYUP": "신협", "SAVINGS_BANK": "저축은행",
	"POST": "우체국", "HANA": "하나은행", "SHINHAN": "신한은행", "K_BANK": "케이뱅크", "KAKAO": "카카오뱅크", "TOSS": "토스뱅크",
}
