package toss

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
)

// virtualAccount is the account that a buyer pays to. Fact toss-16.
type virtualAccount struct {
	Number   string `json:"accountNumber"`
	BankCode string `json:"bankCode"`
	Customer string `json:"customerName"`
	DueDate  string `json:"dueDate"` // ISO 8601 with an offset
}

// methodVirtualAccount is what Toss calls the method.
const methodVirtualAccount = "가상계좌"

// refundAccount is the account that the money of a virtual account goes back to. Fact toss-19.
type refundAccount struct {
	Bank   string `json:"bank"`
	Number string `json:"accountNumber"` // digits
	Holder string `json:"holderName"`
}

// instructions are what the buyer has to do; nil without an account.
func (a *virtualAccount) instructions(amount money.Money) *domain.Instructions {
	if a == nil || a.Number == "" {
		return nil
	}
	due, _ := time.Parse(time.RFC3339, a.DueDate) // an unreadable time is none
	return &domain.Instructions{
		Bank: bankNames[a.BankCode], BankCode: a.BankCode, Account: a.Number, Holder: a.Customer, Amount: amount, Due: due,
	}
}

// bankNames are the banks of Toss's codes, as buyers know them. Fact toss-17.
var bankNames = map[string]string{
	"02": "산업은행", "03": "IBK기업은행", "06": "KB국민은행", "07": "Sh수협은행", "11": "NH농협은행", "12": "단위농협", "20": "우리은행",
	"23": "SC제일은행", "27": "씨티은행", "31": "iM뱅크", "32": "부산은행", "34": "광주은행", "35": "제주은행", "37": "전북은행", "39": "경남은행",
	"45": "새마을금고", "48": "신협", "50": "저축은행", "54": "HSBC은행", "64": "산림조합", "71": "우체국", "81": "하나은행", "88": "신한은행",
	"89": "케이뱅크", "90": "카카오뱅크", "92": "토스뱅크",
}
