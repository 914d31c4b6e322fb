package payment

import "github.com/cartwright-dev/cartwright/domain/collection"

// CashReceipt is the proof of a payment in cash, by transfer or virtual account, which Korean buyers hand in with their
// taxes. Rule payments-57.
type CashReceipt struct {
	Type   CashReceiptType // "" if the provider does not say
	Number string          // under which it was issued
	URL    string          // of the receipt, https; "" if the provider does not say
}

// CashReceiptType is what the buyer hands a cash receipt in for.
type CashReceiptType string

// The types.
const (
	CashReceiptPersonal  CashReceiptType = "personal"  // income deduction
	CashReceiptCorporate CashReceiptType = "corporate" // proof of an expense
)

// cashReceiptFields are the members of the group "cashReceipt".
var cashReceiptFields = []collection.Field{
	{
		Name: "type", Kind: collection.Select, Options: []string{string(CashReceiptPersonal), string(CashReceiptCorporate)},
		Doc: "What the buyer hands it in for: personal for income deduction, corporate as proof of an expense.",
	},
	{Name: "issueNumber", Kind: collection.Text, Doc: "The number under which it was issued."},
	{Name: "receiptUrl", Kind: collection.Text, Doc: "The receipt."},
}

func (c CashReceipt) record() collection.Record {
	r := collection.Record{}
	for name, v := range map[string]string{"type": string(c.Type), "issueNumber": c.Number, "receiptUrl": c.URL} {
		if v != "" {
			r[name] = v
		}
	}
	return r
}
