package payment_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
)

func TestExternalRefundIsAdoptedOnce(t *testing.T) {
	t.Parallel()
	made := func(change func(m *ProviderRefund)) ProviderRefund {
		m := ProviderRefund{ProviderID: "re_2", State: RefundSucceeded, Amount: krw(400)}
		change(&m)
		return m
	}
	as := func(*ProviderRefund) {}
	state := func(s RefundState) func(*ProviderRefund) { return func(m *ProviderRefund) { m.State = s } }
	amount := func(m money.Money) func(*ProviderRefund) { return func(x *ProviderRefund) { x.Amount = m } }
	ours := Refund{ProviderID: "re_1", State: RefundSucceeded, Amount: krw(600)}
	for name, c := range map[string]struct {
		given  RefundablePayment
		change func(*ProviderRefund)
		learnt bool
		err    error
	}{
		"it is new":                  {refundablePayment(), as, true, nil},
		"the bank still works on it": {refundablePayment(), state(RefundPending), true, nil},
		"beside one of ours":         {refundablePayment(ours), as, true, nil},
		"it is known": {
			refundablePayment(Refund{ProviderID: "re_2", State: RefundPending, Amount: krw(400)}), as, false, nil,
		},
		"it is known to have failed": {
			refundablePayment(Refund{ProviderID: "re_2", State: RefundFailed, Amount: krw(400)}), as, false, nil,
		},
		"it failed":            {refundablePayment(), state(RefundFailed), false, nil},
		"it was refused":       {refundablePayment(), state(RefundRefused), false, nil},
		"it is only asked for": {refundablePayment(), state(RefundRequested), false, nil},
		"an unknown state":     {refundablePayment(), state(""), false, nil},
		"one of ours was never answered": {
			refundablePayment(Refund{ID: "t", State: RefundRequested, Amount: krw(1)}), as, false, ErrRefundInProgress,
		},
		"one of ours is on its way": {refundablePayment(Refund{ProviderID: "re_1", State: RefundPending, Amount: krw(900)}), as, true, nil},
		"more than was paid":        {refundablePayment(ours), amount(krw(401)), false, ErrPaymentMismatch},
		"more than was paid, by itself": {
			refundablePayment(), func(m *ProviderRefund) { m.State, m.Amount = RefundPending, krw(1001) }, false, ErrPaymentMismatch,
		},
		"one of ours that failed is free": {
			refundablePayment(Refund{ProviderID: "re_1", State: RefundFailed, Amount: krw(600)}), amount(krw(1000)), true, nil,
		},
		"dollars":           {refundablePayment(), amount(money.Of(400, "USD")), false, ErrPaymentMismatch},
		"nothing":           {refundablePayment(), amount(krw(0)), false, ErrPaymentMismatch},
		"less than nothing": {refundablePayment(), amount(krw(-1)), false, ErrPaymentMismatch},
		"without a name":    {refundablePayment(), func(m *ProviderRefund) { m.ProviderID = "" }, false, ErrPaymentMismatch},
		"nothing to wait for if it is ours": {
			refundablePayment(Refund{ID: "t", State: RefundRequested, Amount: krw(1)},
				Refund{ProviderID: "re_2", State: RefundSucceeded, Amount: krw(400)}),
			as, false, nil,
		},
	} {
		m := made(c.change)
		r, learnt, err := c.given.AdoptRefund(m)
		if learnt != c.learnt || !errors.Is(err, c.err) || (err != nil) != (c.err != nil) {
			t.Errorf("%s: %v, %v", name, learnt, err)
		}
		if learnt && (r.State != RefundRequested || r.ProviderID != m.ProviderID || r.Amount != m.Amount ||
			r.RefundOf != c.given.ID || r.RemainingBefore != c.given.RefundableAmount() || r.Note != NoteExternalRefund ||
			r.CancelsOrder || r.ReturnRequest != "" || r.Key != "") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestRefundableAmountIsNeverNegative(t *testing.T) {
	t.Parallel()
	p := refundablePayment(Refund{State: RefundPending, Amount: krw(700)}, Refund{State: RefundSucceeded, Amount: krw(700)})
	if p.RefundableAmount() != krw(0) {
		t.Errorf("%v is left", p.RefundableAmount())
	}
	_, err := p.BeginRefund(krw(1), RefundParts{})
	if f := fault.From(err); !errors.Is(err, ErrExceedsPaid) || f.Data["left"] != collection.JSONNumber("0") {
		t.Errorf("%v", err)
	}
}
