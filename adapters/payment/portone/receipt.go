package portone

import domain "github.com/cartwright-dev/cartwright/domain/payment"

// cashReceipt is the cash receipt of a payment by transfer or virtual account. Fact portone-28.
type cashReceipt struct {
	Status string `json:"status"`
	Type   string `json:"type"`
	Number string `json:"issueNumber"`
	URL    string `json:"url"`
}

var cashReceiptTypes = map[string]domain.CashReceiptType{
	"PERSONAL": domain.CashReceiptPersonal, "CORPORATE": domain.CashReceiptCorporate,
}

// toPort is nil for a receipt that was canceled.
func (c *cashReceipt) toPort() *domain.CashReceipt {
	if c == nil || c.Number == "" || c.Status != "ISSUED" {
		return nil
	}
	return &domain.CashReceipt{Type: cashReceiptTypes[c.Type], Number: c.Number, URL: safeURL(c.URL)}
}
