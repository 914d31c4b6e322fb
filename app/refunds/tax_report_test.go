package refunds_test

import (
	"context"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

func (b *bed) reports() *reports.Service {
	return &reports.Service{Reports: b.Store.Reports(), Ledger: b.Store.LedgerReader(), Store: b.Store, Sheets: spreadsheet.Codec{}, Now: b.Now}
}

// wantReport asserts what the tax report has of each of the two rates of sellTaxed: the city's tax and what was refunded of it, and the
// state's.
func (b *bed) wantReport(when string, city, cityBack, state, stateBack int64) {
	b.T.Helper()
	got, err := b.reports().Taxes(b.T.Context(), b.Owner(), reports.Query{})
	if err != nil || len(got.Rows) != 2 {
		b.T.Fatalf("%s: %+v %v", when, got, err)
	}
	want := []int64{city, cityBack, state, stateBack}
	if has := []int64{got.Rows[0].Tax, got.Rows[0].RefundedTax, got.Rows[1].Tax, got.Rows[1].RefundedTax}; !reflect.DeepEqual(has, want) {
		b.T.Errorf("%s: %v, want %v", when, has, want)
	}
}

// What is canceled before the capture was never paid, and what is canceled after it is given back: each counts once.
//
// Rules taxes-8, taxes-11.
func TestACapturedPaymentHasTheTaxesOfWhatItIsFor(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		id := b.taxedOrder(b.sellTaxed(tax.Added), "3 mug", "lamp")
		if got, err := b.reports().Taxes(t.Context(), b.Owner(), reports.Query{}); err != nil || len(got.Rows) > 0 {
			t.Errorf("an authorized payment is reported: %+v %v", got, err)
		}
		b.Must(b.cancelLines(b.Instance, "before", id, b.lineCancel(id, 1)))
		done := b.Must(b.capture(b.Instance, paymentbed.Key(), id, 0))
		if len(done.At("transaction.taxes").([]any)) != 2 {
			t.Errorf("%v", done)
		}
		b.wantReport("captured", 2003-270, 0, 6230-840, 0)
		b.Must(b.cancelLines(b.Instance, "after", id, b.lineCancel(id, 1)))
		b.wantReport("canceled after that", 2003-270, 270, 6230-840, 840)
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantReport("refunded", 2003-270, 2003-270, 6230-840, 6230-840)
	})
}

// It makes no difference to what is reported whether lines are canceled before or after a part is captured: once the money that was
// kept is what the order comes to, its taxes are those of these goods.
//
// Rules taxes-8, taxes-11, payments-69.
func TestWhatIsKeptHasTheTaxesOfWhatIsLeft(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		b.SellTaxFree("lamp", true)
		market := b.sellTaxed(tax.Included)
		capture := func(id string) { b.Must(b.capture(b.Instance, paymentbed.Key(), id, 39_000)) }
		before := b.taxedOrder(market, "3 mug", "lamp")
		b.Must(b.cancelLines(b.Instance, "before", before, b.lineCancel(before, 0, 1)))
		capture(before)
		b.wantTaxFree("the lamp is not paid for", before, 0)
		due := b.OrderOf(before).DueTaxes()
		b.wantReport("canceled first", due[1].Amount.Minor, 0, due[0].Amount.Minor, 0)
		after := b.taxedOrder(market, "3 mug", "lamp")
		capture(after)
		b.Must(b.cancelLines(b.Instance, "after", after, b.lineCancel(after, 0, 1)))
		if o := b.OrderOf(after); !reflect.DeepEqual(o.DueTaxes(), due) || o.Due() != o.Paid {
			t.Fatalf("%+v", o)
		}
		b.wantReport("captured first", 2*due[1].Amount.Minor, 0, 2*due[0].Amount.Minor, 0)
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), after))
		b.wantReport("refunded", 2*due[1].Amount.Minor, due[1].Amount.Minor, 2*due[0].Amount.Minor, due[0].Amount.Minor)
	})
}

// Money that is given back without goods changes nothing about the taxes that the order says its goods have.
//
// Rule taxes-8.
func TestGoodwillLeavesTheTaxesOfTheOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.taxedOrder(b.sellTaxed(tax.Added), "3 mug", "lamp")
		if _, err := b.Refund(b.Instance, id, "goodwill", 90_000); err != nil {
			t.Fatal(err)
		}
		b.Must(b.cancelLines(b.Instance, "two mugs", id, b.lineCancel(id, 2)))
		o := b.OrderOf(id)
		if c := o.LineCancels[0]; c.Taxes.Sum() != 2220 || o.DueTaxes().Sum() != 8233-2220 {
			t.Errorf("two mugs have %+v, and %+v are due", c.Taxes, o.DueTaxes())
		}
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantTaxesBack("all of it", id)
	})
}

// The goods stay canceled when their refund fails late; the money is refunded again, with its taxes.
//
// Rules taxes-8, taxes-11.
func TestAFailedRefundOfCanceledLinesGivesNoTaxesBack(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.taxedOrder(b.sellTaxed(tax.Included), "3 mug", "lamp")
		b.BankFaults(`{"asyncRefundNext":1}`)
		b.Must(b.cancelLines(b.Instance, "two mugs", id, b.lineCancel(id, 2)))
		b.FinishRefundsAtBank(id, "fail")
		o := b.OrderOf(id)
		if err := b.SettleByWebhook(id); err != nil || !o.Refunded.IsZero() || len(o.LineCancels) != 1 {
			t.Fatalf("%+v %v", o, err)
		}
		state, city := o.Taxes.Rates[0].Amount.Minor, o.Taxes.Rates[1].Amount.Minor
		b.wantReport("failed", city, 0, state, 0)
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantTaxesBack("all of it", id)
		b.wantReport("refunded again", city, city, state, state)
	})
}

// copyAsOld copies an order with its money, as a version recorded it that knew no entries of taxes, and no taxes of payments.
func (b *bed) copyAsOld(id string) {
	b.T.Helper()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		add := func(s *collection.Schema, r collection.Record, of string, fields map[string]any) collection.Change {
			next := r.Clone()
			maps.Copy(next, fields)
			next["id"] = of
			return collection.NewChange(s, nil, next, shops.NewID(), r.Time("createdAt"))
		}
		old := shops.NewID()
		all := []collection.Change{add(order.Schema, b.Get(order.Schema, id), old, map[string]any{"orderNumber": old, "checkout": nil})}
		for _, r := range b.All(payment.Transactions) {
			if r.Text("order") != id {
				continue
			}
			fields := map[string]any{"order": old, "taxesBooked": nil, "paymentSession": nil, "providerPaymentId": nil}
			if r.Text("type") == "payment" {
				fields["taxes"] = nil
			}
			all = append(all, add(payment.Transactions, r, shops.NewID(), fields))
		}
		return tx.Records.Write(ctx, all...)
	})
}

// A payment that was recorded by an older version says nothing of taxes: they are those of its order as it was then, whatever was
// canceled of that before and after it was captured.
//
// Rule taxes-11.
func TestOldPaymentsHaveTheTaxesOfTheirOrders(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureByHand)
		b.SellTaxFree("lamp", true)
		id := b.taxedOrder(b.sellTaxed(tax.Added), "3 mug", "lamp")
		b.Must(b.cancelLines(b.Instance, "the lamp", id, b.lineCancel(id, 0, 1)))
		b.Advance(oneDay)
		b.Must(b.capture(b.Instance, paymentbed.Key(), id, 0))
		b.Advance(oneDay)
		b.Must(b.cancelLines(b.Instance, "a mug", id, b.lineCancel(id, 1)))
		paid := b.OrderOf(id).TaxesAt(b.OrderOf(id).Paid, paymentbed.Start.Add(oneDay))
		b.wantReport("the payment and its refund", paid[1].Amount.Minor, 270, paid[0].Amount.Minor, 840)
		b.copyAsOld(id)
		b.wantReport("with old ones that are the same", 2*paid[1].Amount.Minor, 2*270, 2*paid[0].Amount.Minor, 2*840)
		for _, r := range b.All(payment.Transactions) {
			if r.Text("type") == "payment" && r.Text("order") == id {
				b.Rewrite(payment.Transactions, r.ID(), "taxes", nil)
			}
		}
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantReport("refunded", 2*paid[1].Amount.Minor, 270+paid[1].Amount.Minor, 2*paid[0].Amount.Minor, 840+paid[0].Amount.Minor)
	})
}

// Money that nobody could be given goods for has no taxes until somebody places its order.
//
// Rule taxes-11.
func TestPaymentsHaveTaxesOnceTheyAreForAnOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellTaxed(tax.Added)
		of := b.Cart(nil, "9 lamp")
		b.Rewrite(cart.Schema, of, "market", market)
		session := b.Pay(b.CheckoutOf(of).Text("checkout.id"))
		key := b.Approve(session, "approve")
		b.Release(session)
		var others []paymentbed.Answer
		for range 3 {
			others = append(others, b.Pay(b.Checkout("9 lamp").Text("checkout.id")))
		}
		b.CaptureAtBank(session, key)
		b.SettleSession(session)
		if got, err := b.reports().Taxes(t.Context(), b.Owner(), reports.Query{}); err != nil || len(got.Rows) > 0 {
			t.Errorf("an unapplied payment is reported: %+v %v", got, err)
		}
		b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""), others[0].Text("paymentSession.id")))
		b.Must(b.Resolve(session, payment.ResolutionPlaced))
		b.wantReport("placed", 10125+68, 0, 31500+210, 0)
	})
}

// Rule taxes-11.
func TestTheTaxReportTellsSalesAndRefundsApart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellTaxed(tax.Added)
		id := b.taxedOrder(market, "3 mug", "lamp")
		b.taxedOrder(market, "mug")
		b.Must(b.cancelLines(b.Instance, "two mugs", id, b.lineCancel(id, 2)))
		s := b.reports()
		got, err := s.Taxes(t.Context(), b.Owner(), reports.Query{Grouping: report.ByDay})
		if err != nil || len(got.Rows) != 2 || got.Rows[0].Starts != report.DayOf(b.Now(), time.UTC) {
			t.Fatalf("%+v %v", got, err)
		}
		city, state := got.Rows[0], got.Rows[1]
		if city.Name != "City" || city.Country != "KR" || city.Base != 89000+15000 || city.Tax != 2003+338 || city.RefundedTax != 540 {
			t.Errorf("%+v", city)
		}
		if state.Name != "State" || state.Base != 89000+15000 || state.Tax != 6230+1050 || state.RefundedTax != 1680 || state.RefundedBase != 24000 {
			t.Errorf("%+v", state)
		}
		var file strings.Builder
		if err := s.WriteTaxes(t.Context(), b.Owner(), reports.Query{}, &file); err != nil ||
			!strings.Contains(file.String(), "KR,State,7,KRW,104000,7280,24000,1680,5600,") {
			t.Errorf("%s %v", file.String(), err)
		}
	})
}
