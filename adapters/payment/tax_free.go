package payment

import (
	"errors"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// CheckTaxFree refuses a payment whose tax-free part is negative, more than its amount or in another currency. Errors:
// fault.ErrInternal.
func CheckTaxFree(r ports.PaymentRequest) error {
	if !isPart(r.TaxFree, r.Amount) {
		return errTaxFree("the tax-free part is no part of the payment")
	}
	return nil
}

// CheckCaptureTaxFree refuses a capture of which more would be collected, taxed or tax-free, than is authorized. Errors:
// fault.ErrInternal.
func CheckCaptureTaxFree(r ports.CaptureRequest) error {
	switch {
	case !isPart(r.TaxFree, r.Amount):
		return errTaxFree("the tax-free part is no part of the capture")
	case r.TaxFree.Minor > r.AuthorizedTaxFree.Minor:
		return errTaxFree("more is captured tax-free than is authorized")
	case r.Amount.Minor-r.TaxFree.Minor > r.Authorized.Minor-r.AuthorizedTaxFree.Minor:
		return errTaxFree("more is captured of the taxed part than is authorized")
	}
	return nil
}

// CheckRefundTaxFree refuses a refund of a payment with a tax-free part, of which more would go back, taxed or tax-free, than
// is left. Errors: fault.ErrInternal.
func CheckRefundTaxFree(r ports.RefundRequest) error {
	switch {
	case !HasTaxFreePart(r): // the provider compares its amount with the balance
		return nil
	case !isPart(r.TaxFree, r.Amount):
		return errTaxFree("the tax-free part is no part of the refund")
	case !isPart(r.RemainingTaxFree, r.Remaining):
		return errTaxFree("what is left tax-free is no part of what is left")
	case r.TaxFree.Minor > r.RemainingTaxFree.Minor:
		return errTaxFree("more is refunded tax-free than is left")
	case r.Amount.Currency != r.Remaining.Currency || r.Amount.Minor-r.TaxFree.Minor > r.Remaining.Minor-r.RemainingTaxFree.Minor:
		return errTaxFree("more is refunded of the taxed part than is left")
	}
	return nil
}

// HasTaxFreePart reports whether a refund is of a payment with a tax-free part, all of which may have gone back before.
func HasTaxFreePart(r ports.RefundRequest) bool {
	return r.TaxFree != money.Money{} || r.RemainingTaxFree != money.Money{}
}

// isPart reports whether part is of whole; the zero Money is part of any amount.
func isPart(part, whole money.Money) bool {
	return part == money.Money{} || part.Currency == whole.Currency && part.Minor >= 0 && part.Minor <= whole.Minor
}

func errTaxFree(problem string) error { return fault.ErrInternal.WithCause(errors.New(problem)) }
