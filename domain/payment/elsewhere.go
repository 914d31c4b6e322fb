package payment

import "github.com/cartwright-dev/cartwright/domain/money"

// Made is a refund as its provider tells of it.
type Made struct {
	ProviderID string // its id there
	State      RefundState
	Amount     money.Money
}

// Took reports whether m took something of its payment, or is about to.
func (m Made) Took() bool { return m.State == RefundPending || m.State == RefundSucceeded }

// Knows reports whether a refund of p has the provider's id.
func (p Purse) Knows(providerID string) bool {
	for _, r := range p.Refunds {
		if r.ProviderID == providerID {
			return true
		}
	}
	return false
}

// Learn is the refund that m, which nobody here asked for, is written down as; it is requested, for m.State to be joined. ok is
// false when p knows it, and when it took nothing. Errors: ErrRefundBusy while it is not known what became of one of ours, for m
// may be that one; ErrMismatch for what cannot be of p, in another currency or more than was paid.
func (p Purse) Learn(m Made) (r Refund, ok bool, err error) {
	if p.Knows(m.ProviderID) || !m.Took() {
		return r, false, nil
	}
	if other, busy := p.Unanswered(); busy {
		return r, false, ErrRefundBusy.With("transactionId", other.ID)
	}
	done := m.Amount.Minor
	if m.State == RefundSucceeded {
		done += p.sum(func(s RefundState) bool { return s == RefundSucceeded }).Minor
	}
	if m.ProviderID == "" || m.Amount.Minor <= 0 || m.Amount.Currency != p.Paid.Currency || done > p.Paid.Minor {
		return r, false, ErrMismatch
	}
	return Refund{
		State: RefundRequested, Of: p.ID, Amount: m.Amount, Remaining: p.Left(), Session: p.Session, Provider: p.Provider,
		PaymentID: p.PaymentID, ProviderID: m.ProviderID, Note: NoteElsewhere,
	}, true, nil
}

// NoteElsewhere is the note of a refund that nobody here asked for.
const NoteElsewhere = "Refunded at the provider, not by this shop's server."
