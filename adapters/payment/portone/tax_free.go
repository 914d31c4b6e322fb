package portone

import (
	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// won is the currency of payments with a tax-free part.
const won money.Currency = "KRW"

// taxParts are the parts of a cancel, in won: without value added tax, and that tax. Both are nil for a payment of which
// PortOne was told neither. Fact portone-30.
type taxParts struct {
	TaxFree *int64 `json:"taxFreeAmount,omitempty"`
	VAT     *int64 `json:"vatAmount,omitempty"`
}

// paymentTax is the part of a payment by the SDK without value added tax, and that tax, in won; 0 and 0 when there is no such
// part.
func paymentTax(req ports.PaymentRequest) (taxFree, vat int64) {
	if req.Amount.Currency != won || req.TaxFree.IsZero() {
		return 0, 0
	}
	if req.VAT.Currency == won {
		return req.TaxFree.Minor, req.VAT.Minor
	}
	return req.TaxFree.Minor, vatOf(req.Amount.Minor - req.TaxFree.Minor)
}

// refundTax are the parts of a refund. What was paid on a hosted page has none, see the package documentation.
func refundTax(r ports.RefundRequest) taxParts {
	if r.Amount.Currency != won || !payment.HasTaxFreePart(r) || r.ProviderSessionID != "" {
		return taxParts{}
	}
	before := r.Remaining.Minor - r.RemainingTaxFree.Minor
	after := before - (r.Amount.Minor - r.TaxFree.Minor)
	taxFree, vat := r.TaxFree.Minor, vatOf(before)-vatOf(after)
	if r.VAT.Currency == won {
		vat = r.VAT.Minor
	}
	return taxParts{&taxFree, &vat}
}

// vatOf is the value added tax in an amount of won: an eleventh, rounded half up.
func vatOf(taxed int64) int64 { return (2*taxed + 11) / 22 }
