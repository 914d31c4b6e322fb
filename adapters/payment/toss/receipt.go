package toss

import (
	"github.com/cartwright-dev/cartwright/adapters/payment"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
)

// cashReceipt is the cash receipt of a payment by transfer or virtual account. Fact toss-21.
type cashReceipt struct {
	Type   string `json:"type"`
	Number string `json:"issueNumber"`
	URL    string `json:"receiptUrl"`
}

var cashReceiptTypes = map[string]domain.CashReceiptType{"소득공제": domain.CashReceiptPersonal, "지출증빙": domain.CashReceiptCorporate}

func (c *cashReceipt) toPort() *domain.CashReceipt {
	if c == nil || c.Number == "" {
		return nil
	}
	out := &domain.CashReceipt{Type: cashReceiptTypes[c.Type], Number: c.Number}
	if payment.IsSafePageURL(c.URL) {
		out.URL = c.URL
	}
	return out
}
