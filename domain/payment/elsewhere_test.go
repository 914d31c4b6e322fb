package payment_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
)

func TestARefundThatNobodyHereAskedForIsLearntOnce(t *testing.T) {
	t.Parallel()
	made := func(change func(m *Made)) Made {
		m := Made{ProviderID: "re_2", State: RefundSucceeded, Amount: won(400)}
		change(&m)
		return m
	}
	as := func(*Made) {}
	state := func(s RefundState) func(*Made) { return func(m *Made) { m.State = s } }
	amount := func(m money.Money) func(*Made) { return func(x *Made) { x.Amount = m } }
	ours := Refund{ProviderID: "re_1", State: RefundSucceeded, Amount: won(600)}
	for name, c := range map[string]struct {
		given  Purse
		change func(*Made)
		learnt bool
		err    error
	}{
		"it is new":                         {purse(), as, true, nil},
		"the bank still works on it":        {purse(), state(RefundPending), true, nil},
		"beside one of ours":                {purse(ours), as, true, nil},
		"it is known":                       {purse(Refund{ProviderID: "re_2", State: RefundPending, Amount: won(400)}), as, false, nil},
		"it is known to have failed":        {purse(Refund{ProviderID: "re_2", State: RefundFailed, Amount: won(400)}), as, false, nil},
		"it failed":                         {purse(), state(RefundFailed), false, nil},
		"it was refused":                    {purse(), state(RefundRefused), false, nil},
		"it is only asked for":              {purse(), state(RefundRequested), false, nil},
		"nobody knows what it is":           {purse(), state(""), false, nil},
		"one of ours was never answered":    {purse(Refund{ID: "t", State: RefundRequested, Amount: won(1)}), as, false, ErrRefundBusy},
		"one of ours is on its way":         {purse(Refund{ProviderID: "re_1", State: RefundPending, Amount: won(900)}), as, true, nil},
		"more than was paid":                {purse(ours), amount(won(401)), false, ErrMismatch},
		"more than was paid, by itself":     {purse(), func(m *Made) { m.State, m.Amount = RefundPending, won(1001) }, false, ErrMismatch},
		"one of ours that failed is free":   {purse(Refund{ProviderID: "re_1", State: RefundFailed, Amount: won(600)}), amount(won(1000)), true, nil},
		"dollars":                           {purse(), amount(money.Of(400, "USD")), false, ErrMismatch},
		"nothing":                           {purse(), amount(won(0)), false, ErrMismatch},
		"less than nothing":                 {purse(), amount(won(-1)), false, ErrMismatch},
		"without a name":                    {purse(), func(m *Made) { m.ProviderID = "" }, false, ErrMismatch},
		"nothing to wait for if it is ours": {purse(Refund{ID: "t", State: RefundRequested, Amount: won(1)}, Refund{ProviderID: "re_2", State: RefundSucceeded, Amount: won(400)}), as, false, nil},
	} {
		m := made(c.change)
		r, learnt, err := c.given.Learn(m)
		if learnt != c.learnt || !errors.Is(err, c.err) || (err != nil) != (c.err != nil) {
			t.Errorf("%s: %v, %v", name, learnt, err)
		}
		if learnt && (r.State != RefundRequested || r.ProviderID != m.ProviderID || r.Amount != m.Amount || r.Of != c.given.ID || r.Remaining != c.given.Left() || r.Note != NoteElsewhere || r.Cancels || r.Return != "" || r.Key != "") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestNoMoreThanNothingIsLeft(t *testing.T) {
	t.Parallel()
	p := purse(Refund{State: RefundPending, Amount: won(700)}, Refund{State: RefundSucceeded, Amount: won(700)})
	if p.Left() != won(0) {
		t.Errorf("%v is left", p.Left())
	}
	_, err := p.Begin(won(1))
	if f := fault.From(err); !errors.Is(err, ErrExceedsPaid) || f.Data["left"] != "0" {
		t.Errorf("%v", err)
	}
}
