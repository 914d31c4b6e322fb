package payment

import "github.com/cartwright-dev/cartwright/domain/money"

// ProviderRefund is a refund as its provider reports it.
type ProviderRefund struct {
	ProviderID string // the provider's id of the refund
	State      RefundState
	Amount     money.Money
	// TaxFree is the part of Amount without value added tax, VAT that tax in the rest; the zero Money where the provider does not tell.
	TaxFree, VAT money.Money
}

// TakesMoney reports whether m moved money, or will.
func (m ProviderRefund) TakesMoney() bool {
	return m.State == RefundPending || m.State == RefundSucceeded
}

// HasRefund reports whether a refund of p has the provider's id.
func (p RefundablePayment) HasRefund(providerID string) bool {
	for _, r := range p.Refunds {
		if r.ProviderID == providerID {
			return true
		}
	}
	return false
}

// AdoptRefund returns the record of a refund that was made outside this server. Its state is requested; the
// caller joins m.State to it. Its taxes, and its tax-free part unless the provider tells it, are taken to be
// proportional. ok is false if p has the refund already, or it moved no money. Errors: ErrRefundInProgress while
// a refund of ours is unanswered, since m may be that one; ErrPaymentMismatch if m cannot be a refund of p, being
// in another currency or more than was paid.
func (p RefundablePayment) AdoptRefund(m ProviderRefund) (r Refund, ok bool, err error) {
	if p.HasRefund(m.ProviderID) || !m.TakesMoney() {
		return r, false, nil
	}
	if other, busy := p.UnansweredRefund(); busy {
		return r, false, ErrRefundInProgress.WithData("transactionId", other.ID)
	}
	done := m.Amount.Minor
	if m.State == RefundSucceeded {
		done += p.sumRefunds(func(s RefundState) bool { return s == RefundSucceeded }).Minor
	}
	if m.ProviderID == "" || m.Amount.Minor <= 0 || m.Amount.Currency != p.Paid.Currency || done > p.Paid.Minor {
		return r, false, ErrPaymentMismatch
	}
	told := &m.TaxFree
	if m.TaxFree.Currency == "" {
		told = nil
	}
	r = Refund{
		State: RefundRequested, RefundOf: p.ID, Amount: m.Amount, RemainingBefore: p.UnrefundedAmount(), Session: p.Session,
		Provider: p.Provider, PaymentID: p.PaymentID, ProviderID: m.ProviderID, Note: NoteExternalRefund,
		TaxFree: p.TaxFreeShare(m.Amount, told), RemainingTaxFree: p.TaxFreeLeft(), Taxes: p.TaxesShare(m.Amount, nil),
	}
	if !p.TaxFree.IsZero() {
		r.VAT = m.VAT
	}
	return r, true, nil
}

// NoteExternalRefund is the note of a refund that was made outside this server.
const NoteExternalRefund = "Refunded at the provider, not by this shop's server."
