package payment

import (
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

func won(minor int64) money.Money { return money.Of(minor, "KRW") }

func TestCompareReversals(t *testing.T) {
	t.Parallel()
	deposit := Reversal{ID: "r1", Number: 1, MoneyGone: MoneyGone{Amount: won(100), Cause: CauseDeposit}}
	depositBack := deposit
	depositBack.Returned = true
	dispute := Reversal{ID: "r2", Number: 1, MoneyGone: MoneyGone{ProviderID: "dp_1", Amount: won(100), Cause: CauseDispute}}
	disputeWon := dispute
	disputeWon.Returned = true
	listed := func(returned bool) []MoneyGone {
		return []MoneyGone{{ProviderID: "dp_1", Amount: won(100), Cause: CauseDispute, Returned: returned}}
	}
	for name, c := range map[string]struct {
		recorded []Reversal
		refunded int64
		seen     SeenMoney
		gone     []MoneyGone
		back     []Reversal
	}{
		"paid":                      {seen: SeenMoney{Paid: MoneyThere}},
		"not paid any more":         {gone: []MoneyGone{{Amount: won(100), Cause: CauseDeposit}}},
		"not paid, a part refunded": {seen: SeenMoney{Refunded: won(30)}, gone: []MoneyGone{{Amount: won(70), Cause: CauseDeposit}}},
		"not paid, all refunded":    {seen: SeenMoney{Refunded: won(100)}},
		"known already":             {recorded: []Reversal{deposit}},
		"paid again":                {recorded: []Reversal{deposit}, seen: SeenMoney{Paid: MoneyThere}, back: []Reversal{deposit}},
		"paid again already":        {recorded: []Reversal{depositBack}, seen: SeenMoney{Paid: MoneyThere}},
		"taken back a second time":  {recorded: []Reversal{depositBack}, gone: []MoneyGone{{Amount: won(100), Cause: CauseDeposit}}},
		"disputed":                  {seen: SeenMoney{Paid: MoneyThere, Gone: listed(false)}, gone: listed(false)},
		"disputed, known already":   {recorded: []Reversal{dispute}, seen: SeenMoney{Paid: MoneyThere, Gone: listed(false)}},
		"the dispute is won":        {recorded: []Reversal{dispute}, seen: SeenMoney{Paid: MoneyThere, Gone: listed(true)}, back: []Reversal{dispute}},
		"won before we heard of it": {seen: SeenMoney{Paid: MoneyThere, Gone: listed(true)}},
		"won, and withdrawn again":  {recorded: []Reversal{disputeWon}, seen: SeenMoney{Paid: MoneyThere, Gone: listed(false)}, gone: listed(false)},
		"another currency":          {seen: SeenMoney{Paid: MoneyThere, Gone: []MoneyGone{{ProviderID: "x", Amount: money.Of(1, "USD")}}}},
		"nothing":                   {seen: SeenMoney{Paid: MoneyThere, Gone: []MoneyGone{{ProviderID: "x", Amount: won(0)}}}},
		"without a name":            {seen: SeenMoney{Paid: MoneyThere, Gone: []MoneyGone{{Amount: won(5)}}}},
		"disputed and not paid":     {seen: SeenMoney{Gone: listed(false)}, gone: listed(false)},
	} {
		p := RefundablePayment{ID: "p", Paid: won(100), Reversals: c.recorded}
		if c.seen.Paid == MoneyUnclear {
			c.seen.Paid = MoneyNotThere
		}
		if c.seen.Refunded.Currency == "" {
			c.seen.Refunded = won(0)
		}
		gone, back := p.CompareReversals(c.seen)
		if !reflect.DeepEqual(gone, c.gone) || !reflect.DeepEqual(back, c.back) {
			t.Errorf("%s: gone %+v, back %+v", name, gone, back)
		}
		for _, g := range gone {
			p = p.WithReversal(p.BeginReversal(g))
		}
		for _, r := range back {
			r.Returned = true
			p = p.WithReversal(r)
		}
		if gone, back := p.CompareReversals(c.seen); len(gone)+len(back) > 0 {
			t.Errorf("%s, compared again: gone %+v, back %+v", name, gone, back)
		}
	}
}

func TestReversedMoneyIsNotRefundable(t *testing.T) {
	t.Parallel()
	r := Reversal{ID: "r", MoneyGone: MoneyGone{Amount: won(100)}}
	if p := (RefundablePayment{Paid: won(500)}).WithReversal(r); p.RefundableAmount() != won(400) {
		t.Errorf("%v can be refunded", p.RefundableAmount())
	}
	r.Returned = true
	if p := (RefundablePayment{Paid: won(500)}).WithReversal(r); p.RefundableAmount() != won(500) {
		t.Errorf("%v of money that came back can be refunded", p.RefundableAmount())
	}
}

func TestDepositsAreWatchedLessAndLess(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	looks, at, more := 0, since, true
	for was := time.Duration(0); more; looks++ {
		var next time.Time
		next, more = NextWatch(since, at)
		if wait := next.Sub(at); wait < max(was, time.Minute) || wait > 12*time.Hour {
			t.Errorf("after %s it waits %s, before %s", at.Sub(since), wait, was)
		} else {
			was, at = wait, next
		}
	}
	if looks < 20 || looks > 40 || at.Sub(since) < WatchLasts {
		t.Errorf("%d looks in %s", looks, at.Sub(since))
	}
}
