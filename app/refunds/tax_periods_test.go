package refunds_test

import (
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

const oneDay = 24 * time.Hour

// taxesOf is the tax report of the days up to one.
func (b *bed) taxesOf(to report.Day, by report.Grouping) []report.TaxRow {
	b.T.Helper()
	q := reports.Query{From: report.DayOf(paymentbed.Start, time.UTC).String(), To: to.String(), Grouping: by}
	got, err := b.reports().Taxes(b.T.Context(), b.Owner(), q)
	if err != nil {
		b.T.Fatal(err)
	}
	return got.Rows
}

func (b *bed) today() report.Day { return report.DayOf(b.Now(), time.UTC) }

// wantTaxRows asserts the state's tax of days in minor units, as "paid, refunded, lost" for each day that has any.
func (b *bed) wantTaxRows(when string, want map[int][3]int64) {
	b.T.Helper()
	got, first := map[int][3]int64{}, report.DayOf(paymentbed.Start, time.UTC)
	for _, r := range b.taxesOf(b.today(), report.ByDay) {
		if r.Name == "State" {
			got[int(r.Starts-first)] = [3]int64{r.Tax, r.RefundedTax, r.LostTax}
		}
	}
	if !reflect.DeepEqual(got, want) {
		b.T.Errorf("%s: %v, want %v", when, got, want)
	}
}

// Rule taxes-11.
func TestTaxesCountOnTheDayTheirMoneyMoved(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		id := b.taxedOrder(b.sellTaxed(tax.Added), "3 mug", "lamp")
		b.Advance(3 * oneDay)
		b.Must(b.capture(b.Instance, paymentbed.Key(), id, 0))
		b.wantTaxRows("captured on the third day", map[int][3]int64{3: {6230, 0, 0}})
		b.BankFaults(`{"asyncRefundNext":1}`)
		b.Must(b.cancelLines(b.Instance, "a mug", id, b.lineCancel(id, 1)))
		b.Advance(2 * oneDay)
		b.FinishRefundsAtBank(id, "succeed")
		b.wantTaxRows("given back on the fifth", map[int][3]int64{3: {6230, 0, 0}, 5: {0, 840, 0}})
		b.Advance(oneDay)
		b.failLate(id)
		b.wantTaxRows("failed on the sixth", map[int][3]int64{3: {6230, 0, 0}, 5: {0, 840, 0}, 6: {0, -840, 0}})
	})
}

// failLate has the refunds of an order fail that had succeeded, as a bank that refuses to take the money does.
func (b *bed) failLate(id string) {
	b.T.Helper()
	b.FinishRefundsAtBank(id, "fail")
	if err := b.SettleByWebhook(id); err != nil {
		b.T.Fatal(err)
	}
}

// Rules taxes-8, taxes-11.
func TestRestatedTaxesCountOnTheDayOfTheCancel(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		b.SellTaxFree("lamp", true)
		id := b.taxedOrder(b.sellTaxed(tax.Added), "3 mug", "lamp")
		b.Must(b.capture(b.Instance, paymentbed.Key(), id, 39_000))
		paid := b.taxesOf(b.today(), report.ByDay)[1].Tax
		b.Advance(oneDay)
		b.Must(b.cancelLines(b.Instance, "the lamp", id, b.lineCancel(id, 0, 1)))
		kept := b.OrderOf(id).TaxesIn(paymentbed.KRW(39_000))[0].Amount.Minor
		b.wantTaxRows("restated", map[int][3]int64{0: {paid, 0, 0}, 1: {kept - paid, 0, 0}})
	})
}

// Rule taxes-11.
func TestTaxesOfMoneyThatIsTakenBackAreToldApart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		dispute := b.disputing()
		id := b.taxedOrder(b.sellTaxed(tax.Added), "3 mug", "lamp")
		for _, returned := range []bool{false, true} {
			b.Advance(oneDay)
			dispute(payment.DisputeUnderReview, true, returned)
			if err := b.refundWebhook(b.Instance, paymentbed.Key(), id); err != nil {
				t.Fatal(err)
			}
		}
		b.wantTaxRows("taken back, and returned", map[int][3]int64{0: {6230, 0, 0}, 1: {0, 0, 6230}, 2: {0, 0, -6230}})
	})
}

// overlapping lets the provider list a refund beside those it knows of: whoever made it did not wait for those that are under way.
func (b *bed) overlapping() (list func(paymentID string, r ports.ProviderRefund)) {
	var mu sync.Mutex
	all := map[string][]ports.ProviderRefund{}
	b.Providers["sandbox"] = misreportingProvider{b.Providers["sandbox"], func(p *ports.ProviderPayment) {
		mu.Lock()
		defer mu.Unlock()
		p.Refunds = append(p.Refunds, all[p.PaymentID]...)
	}}
	return func(paymentID string, r ports.ProviderRefund) {
		mu.Lock()
		defer mu.Unlock()
		all[paymentID] = append(all[paymentID], r)
	}
}

// A refund that was made at the provider while one of ours was on its way had less taxes than its part: no more were left. Once ours
// fails, it has all of them.
//
// Rules taxes-8, taxes-11.
func TestAFailedRefundGivesBackTheTaxesItTookOfAnother(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		list := b.overlapping()
		id := b.taxedOrder(b.sellTaxed(tax.Added), "mug") // 15000 with shipping, and taxes of 1050 and 338
		b.BankFaults(`{"asyncRefundNext":1}`)
		if _, err := b.Refund(b.Instance, id, "ours", 12_000); err != nil {
			t.Fatal(err)
		}
		list(b.PaymentID(id), ports.ProviderRefund{ProviderID: "ref_half", State: ports.RefundSucceeded, Amount: paymentbed.KRW(16_388 / 2)})
		if err := b.refundWebhook(b.Instance, paymentbed.Key(), id); err != nil {
			t.Fatal(err)
		}
		b.wantTaxRows("while ours is pending", map[int][3]int64{0: {1050, 281, 0}})
		b.Advance(oneDay)
		b.FinishRefundsAtBank(id, "fail")
		b.wantTaxRows("failed", map[int][3]int64{0: {1050, 281, 0}, 1: {0, 525 - 281, 0}})
	})
}

// life is a random history of a shop that sells with taxes.
type life struct {
	*bed

	r       *rapid.T
	market  string
	dispute func(d payment.DisputeStatus, withdrawn, returned bool)
	list    func(paymentID string, r ports.ProviderRefund)
	orders  []string
	closed  []report.TaxRow // what was reported of the days that have ended
}

// No report of a period that has ended changes by whatever happens later, and all periods together have the taxes of the payments and
// refunds as they are.
//
// Rules taxes-8, taxes-11.
func TestReportsOfPeriodsThatEndedNeverChange(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellTaxed(tax.Included)
		b.SellTaxFree("lamp", true)
		b.track("mug", false)
		b.track("lamp", false)
		list, dispute := b.overlapping(), b.disputing()
		rapid.Check(t, func(r *rapid.T) {
			l := &life{bed: b, r: r, market: market, dispute: dispute, list: list}
			b.endDay(l)
			for range rapid.IntRange(1, 8).Draw(r, "steps") {
				l.step()
			}
			l.wantAll()
		})
	})
}

// endDay begins the next day, and remembers what is reported up to now.
func (b *bed) endDay(l *life) {
	l.closed = l.taxesOf(l.today(), report.ByDay)
	l.Advance(oneDay)
}

func (l *life) step() {
	steps := []string{"sell", "authorize"}
	id := ""
	if len(l.orders) > 0 {
		id = rapid.SampledFrom(l.orders).Draw(l.r, "order")
		steps = append(steps, "capture", "cancel lines", "refund", "refund later", "console", "overlap", "arrives", "fails", "cancel", "dispute", "tomorrow")
	}
	what := rapid.SampledFrom(steps).Draw(l.r, "what")
	l.do(what, id)
	if got := l.taxesOf(l.today()-1, report.ByDay); !reflect.DeepEqual(got, l.closed) {
		l.r.Fatalf("after %s, what was %+v is %+v", what, l.closed, got)
	}
	l.wantAll()
}

// do is one step of an order's life; one that is refused changes nothing.
func (l *life) do(what, id string) {
	switch what {
	case "sell", "authorize":
		mode := map[string]checkout.CaptureMode{"sell": checkout.CaptureAtOnce, "authorize": checkout.CaptureByHand}[what]
		l.captureLater(mode)
		l.orders = append(l.orders, l.taxedOrder(l.market, "2 mug", "lamp"))
	case "capture":
		_, _ = l.capture(l.Instance, paymentbed.Key(), id, rapid.SampledFrom([]int64{0, 30_001, 70_000}).Draw(l.r, "captured"))
	case "cancel lines":
		_, _ = l.cancelLines(l.Instance, paymentbed.Key(), id, l.lineCancel(id, rapid.SampledFrom([][]int64{{1}, {0, 1}}).Draw(l.r, "units")...))
	case "refund later":
		l.BankFaults(`{"asyncRefundNext":1}`)
		_, _ = l.Refund(l.Instance, id, paymentbed.Key(), rapid.Int64Range(1, 40_000).Draw(l.r, "amount"))
		l.BankFaults(`{}`)
	case "refund":
		_, _ = l.Refund(l.Instance, id, paymentbed.Key(), rapid.Int64Range(1, 40_000).Draw(l.r, "amount"))
	case "console", "overlap":
		l.elsewhere(id, what == "overlap")
	case "arrives", "fails":
		if l.isOpen(id, what == "fails") {
			l.FinishRefundsAtBank(id, map[string]string{"arrives": "succeed", "fails": "fail"}[what])
			_ = l.SettleByWebhook(id)
		}
	case "cancel":
		_, _ = l.CancelOrder(l.Instance, paymentbed.Key(), id)
	case "dispute":
		l.dispute(payment.DisputeUnderReview, rapid.Bool().Draw(l.r, "gone"), rapid.Bool().Draw(l.r, "returned"))
		_ = l.refundWebhook(l.Instance, paymentbed.Key(), id)
	case "tomorrow":
		l.endDay(l)
	}
}

// elsewhere refunds an amount of an order past us: of what is left at the provider, or, as one that overlaps others, of what is not
// refunded yet.
func (l *life) elsewhere(id string, overlaps bool) {
	o := l.OrderOf(id)
	most := o.Paid.Minor
	if overlaps {
		most -= o.Refunded.Minor
	} else {
		for _, r := range l.BankPayment(id).Refunds {
			if r.Status != "FAILED" {
				most -= r.Amount
			}
		}
	}
	if most <= 0 {
		return
	}
	amount := rapid.Int64Range(1, most).Draw(l.r, "amount")
	if overlaps {
		l.list(l.PaymentID(id), ports.ProviderRefund{ProviderID: paymentbed.Key(), State: ports.RefundSucceeded, Amount: paymentbed.KRW(amount)})
	} else {
		l.refundInConsole(id, amount)
	}
	_ = l.refundWebhook(l.Instance, paymentbed.Key(), id)
}

// isOpen reports whether the bank has a refund of an order to decide about: one that is under way, or with done one that it made.
func (l *life) isOpen(id string, done bool) bool {
	return slices.ContainsFunc(l.BankPayment(id).Refunds, func(r paymentbed.BankRefund) bool {
		return r.Status == "REQUESTED" || done && r.Status == "DONE"
	})
}

// wantAll asserts that all days together have the taxes of all transactions as they are.
func (l *life) wantAll() {
	var want report.Taxes
	for _, r := range l.All(payment.Transactions) {
		side, taxes := payment.CountedTaxes(r)
		want.Add(0, tax.Entry{Side: side, Taxes: taxes})
	}
	if got := l.taxesOf(l.today(), report.ByNothing); !reflect.DeepEqual(got, want.Rows()) {
		l.r.Fatalf("all days have %+v, the transactions %+v", got, want.Rows())
	}
}
