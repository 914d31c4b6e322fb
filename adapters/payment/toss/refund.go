package toss

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// cancelResponse is one cancel of a payment. Fact toss-6.
type cancelResponse struct {
	Key    string      `json:"transactionKey"`
	Amount json.Number `json:"cancelAmount"`
	Left   json.Number `json:"refundableAmount"` // the balance after the cancel
	Status string      `json:"cancelStatus"`

	TaxFree json.Number `json:"taxFreeAmount"`
}

// Our own codes.
const (
	codeCancelNotRun   = "CANCEL_NOT_RUN"
	codeBalanceChanged = "BALANCE_CHANGED"
)

// refundStates maps the provider's states to ours. A cancel without a state is done: only cancels that the bank
// executes later have one.
var refundStates = map[string]ports.RefundState{
	"": ports.RefundSucceeded, "DONE": ports.RefundSucceeded, "IN_PROGRESS": ports.RefundPending, "ABORTED": ports.RefundFailed,
}

// partialRefusals are codes with which Toss refuses to cancel a part of a payment. Fact toss-22.
var partialRefusals = map[string]bool{codePartialRefund: true, "NOT_ALLOWED_PARTIAL_REFUND_WAITING_DEPOSIT": true}

const codePartialRefund = "NOT_ALLOWED_PARTIAL_REFUND"

var errFullRefundOnly = ports.ErrProviderRejected.WithMessage("This payment can be refunded in full only.")

// checkPartialCancel refuses to cancel a part of a payment of which Toss says that it cannot. Fact toss-22.
func (s paymentResponse) checkPartialCancel(of refundRequest) error {
	var asked cancelRequest
	if err := json.Unmarshal(of.Cancel, &asked); err != nil {
		return fault.ErrInternal.WithCause(fmt.Errorf("toss: journaled refund: %w", err))
	}
	if s.PartialCancelable == nil || *s.PartialCancelable || s.hasBalance(asked.Amount) {
		return nil
	}
	return errFullRefundOnly.WithData("providerCode", codePartialRefund).WithCause(errors.New("toss: the payment is not partially cancelable"))
}

// checkCancelRan refuses the answer to a cancel after which the balance is unchanged: of two cancels within a
// second, Toss runs the first.
func (s paymentResponse) checkCancelRan(of refundRequest) error {
	if s.hasBalance(of.Remaining) {
		return reject(codeCancelNotRun, errors.New("toss: the cancel was not run"))
	}
	return nil
}

// currency is the currency of the payment: Toss spells that of some foreign payments with an M. Fact toss-13.
func (s paymentResponse) currency() money.Currency {
	if s.Currency == "MUSD" {
		return "USD"
	}
	return money.Currency(s.Currency)
}

// hasBalance reports whether so much is left of the payment.
func (s paymentResponse) hasBalance(left json.Number) bool {
	is, err := money.Parse(s.Balance.String(), s.currency())
	want, err2 := money.Parse(left.String(), s.currency())
	return err == nil && err2 == nil && is == want
}

// findRefund is a refund that was made before, by an attempt under another key: the cancel of its amount that left what
// it was to leave. Errors: ports.ErrProviderRejected when something else changed the balance.
func (s paymentResponse) findRefund(of refundRequest) (cancelResponse, error) {
	var asked cancelRequest
	if err := json.Unmarshal(of.Cancel, &asked); err != nil {
		return cancelResponse{}, fault.ErrInternal.WithCause(fmt.Errorf("toss: journaled refund: %w", err))
	}
	amount, err := money.Parse(asked.Amount.String(), s.currency())
	remaining, err2 := money.Parse(of.Remaining.String(), s.currency())
	for _, one := range s.Cancels {
		if err == nil && err2 == nil && one.is(amount, remaining.Minus(amount)) {
			return one, nil
		}
	}
	return cancelResponse{}, reject(codeBalanceChanged, errors.New("toss: something else changed the balance"))
}

// is reports whether c is of this amount and left that much.
func (c cancelResponse) is(amount, left money.Money) bool {
	itsAmount, err := money.Parse(c.Amount.String(), amount.Currency)
	itsLeft, err2 := money.Parse(c.Left.String(), amount.Currency)
	return err == nil && err2 == nil && itsAmount == amount && itsLeft == left
}

// refunded is the refunded amount.
func (s paymentResponse) refunded(c money.Currency) money.Money {
	back := money.Of(0, c)
	for _, one := range s.listRefunds(c) {
		if one.State == ports.RefundSucceeded {
			back = back.Plus(one.Amount)
		}
	}
	return back
}

// LookupRefund finds a refund among the cancels of its payment: by its key, else by the balance that it left.
func (p *Provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	if err := checkKeys(conn); err != nil {
		return ports.ProviderRefund{}, err
	}
	got, err := p.find(ctx, conn, "/"+url.PathEscape(ref.ProviderPaymentID))
	if err != nil {
		return ports.ProviderRefund{}, err
	}
	currency := ref.Amount.Currency
	for _, one := range got.Cancels {
		amount, err := money.Parse(one.Amount.String(), currency)
		if err != nil || got.currency() != currency {
			continue
		}
		ours := one.is(ref.Amount, ref.RemainingBefore.Minus(ref.Amount)) && !slices.Contains(ref.OtherRefundIDs, one.Key)
		if ref.ProviderID != "" {
			ours = one.Key == ref.ProviderID
		}
		if !ours {
			continue
		}
		return one.toRefund(amount), nil
	}
	return ports.ProviderRefund{State: ports.RefundAbsent}, nil
}

// toRefund converts a cancel.
func (c cancelResponse) toRefund(amount money.Money) ports.ProviderRefund {
	state, known := refundStates[c.Status]
	if !known {
		state = ports.RefundPending
	}
	found := ports.ProviderRefund{State: state, ProviderID: c.Key, Amount: amount}
	if taxFree, err := money.Parse(c.TaxFree.String(), amount.Currency); err == nil && c.TaxFree != "" {
		found.TaxFree = taxFree
	}
	return found
}

// listRefunds is the cancels of a payment whose amounts are readable.
func (s paymentResponse) listRefunds(c money.Currency) (all []ports.ProviderRefund) {
	for _, one := range s.Cancels {
		if amount, err := money.Parse(one.Amount.String(), c); err == nil {
			all = append(all, one.toRefund(amount))
		}
	}
	return all
}
