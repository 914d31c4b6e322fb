package payment

import (
	"regexp"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shop"
)

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

var cashReceiptType = collection.Field{
	Name: "type", Kind: collection.Select, Options: []string{string(CashReceiptPersonal), string(CashReceiptCorporate)},
	Doc: "What the buyer hands it in for: personal for income deduction, corporate as proof of an expense.",
}

// cashReceiptFields are the members of the group "cashReceipt" of transactions.
var cashReceiptFields = []collection.Field{
	cashReceiptType,
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

// CashReceiptRequest is the cash receipt that a buyer asks for when a payment begins; the zero value: none. Whether it is issued is up to
// the provider, which does so for payments by transfer and virtual account. Rule payments-73.
type CashReceiptRequest struct {
	Type   CashReceiptType
	Number string // digits under which it is issued: of a mobile phone or a card, or of a business
}

// maxCashReceiptNumber is how many characters a number has at most, as it is typed.
const maxCashReceiptNumber = 40

// CashReceiptRequestFields declare a CashReceiptRequest as input.
var CashReceiptRequestFields = []collection.Field{
	collection.Required(cashReceiptType),
	{
		Name: "number", Kind: collection.Text, Required: true, Personal: true, MaxLength: maxCashReceiptNumber,
		Doc: "Number to issue it under: of a mobile phone or a card (personal), of a business or its card (corporate). Spaces and dashes are left out.",
	},
}

var (
	mobileForm = regexp.MustCompile(`^01[016789][0-9]{7,8}$`)
	// cardForm leaves out 13 digits: resident registration numbers, which a shop may not collect.
	cardForm = regexp.MustCompile(`^[0-9]{14,19}$`)
)

// Normalize is r without the spaces and dashes of its number.
func (r CashReceiptRequest) Normalize() CashReceiptRequest {
	r.Number = withoutSeparators(r.Number)
	return r
}

// Problems are what is wrong with the parts of r, which is normalized; none quotes its number.
func (r CashReceiptRequest) Problems() (problems []fault.Field) {
	for _, part := range [][2]string{{"type", string(r.Type)}, {"number", r.Number}} {
		if part[1] == "" {
			problems = append(problems, fault.Field{Field: part[0], Message: "This field is required."})
		}
	}
	if len(problems) > 0 {
		return problems
	}
	_, isBusiness := shop.ParseKoreanRegistration(r.Number)
	switch {
	case r.Type == CashReceiptPersonal && !mobileForm.MatchString(r.Number) && !cardForm.MatchString(r.Number):
		return []fault.Field{{Field: "number", Message: "This field takes the number of a mobile phone in Korea, or of a card: 14 to 19 digits."}}
	case r.Type == CashReceiptCorporate && !isBusiness && !cardForm.MatchString(r.Number):
		return []fault.Field{{Field: "number", Message: "This field takes the registration number of a business in Korea, or of a card: 14 to 19 digits."}}
	}
	return nil
}

// CheckCashReceipt refuses an action that asks for a cash receipt where none is issued, or where the provider p cannot be told. Errors:
// ErrCashReceiptUnsupported.
func (a Action) CheckCashReceipt(p Provider, c money.Currency) error {
	switch {
	case a.CashReceipt == CashReceiptRequest{}:
		return nil
	case c != "KRW":
		return ErrCashReceiptUnsupported.WithMessage("Cash receipts are for payments in KRW only.")
	case !slices.Contains(p.CashReceipts, a.Kind):
		return ErrCashReceiptUnsupported
	}
	return nil
}

func (r CashReceiptRequest) record() collection.Record {
	return collection.Record{"type": string(r.Type), "number": r.Number}
}

func cashReceiptRequestFrom(r collection.Record) CashReceiptRequest {
	return CashReceiptRequest{CashReceiptType(r.Text("type")), r.Text("number")}
}
