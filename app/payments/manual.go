package payments

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// ManualAccount is the ledger account of money that moved through no provider account of the shop.
const ManualAccount = "manual"

// RecordManualPayment adds to w that the total of o, whose row is locked, was paid outside this platform,
// with an operator's note, and appends it to the ledger. It returns the payment. Errors:
// ports.ErrAlreadyRecorded.
func RecordManualPayment(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, o order.Order, note string,
) (payment.Transaction, error) {
	t := payment.Transaction{
		ID: w.NewID(), Order: o.ID, Amount: o.Paid, Note: note, Actor: ports.ActorOf(ctx), Taxes: o.TaxesIn(o.Paid),
		Session: payment.Session{Tenant: o.Tenant, Environment: o.Environment, Provider: payment.CustomProvider, TaxFree: o.DueTaxFree()},
	}
	if err := PutTransaction(ctx, tx, w, nil, t.Record()); err != nil {
		return t, err
	}
	return t, appendManual(ctx, tx, w, o, "charge", o.Paid)
}

// ResolveVoided adds to w that an order whose authorized payment was released before it was captured was paid otherwise:
// nobody has to decide about its session any more. note is the operator's.
func ResolveVoided(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, orderID, note string) error {
	transactions, err := TransactionsOf(ctx, tx.Records, "order", orderID)
	if err != nil {
		return err
	}
	held, ok := payment.HeldPaymentOf(transactions)
	if !ok {
		return nil
	}
	row, err := tx.Records.Lock(ctx, payment.Sessions, held.Record.Text("paymentSession"))
	if err != nil {
		return err
	}
	of := payment.SessionFrom(row)
	if !of.MoneyIsGone() {
		return nil
	}
	of.Note = note
	if of.State, err = of.Resolve(payment.ResolutionDismissed); err != nil {
		return err
	}
	w.Put(payment.Sessions, row, of.Record())
	return nil
}

// RecordManualRefund adds to w that amount of the payment t of o was refunded outside this platform, and
// appends it to the ledger. It returns the refund.
func RecordManualRefund(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, o order.Order, t payment.Transaction, amount money.Money, note string,
) (payment.Refund, error) {
	of := payment.RefundablePayment{Paid: t.Amount, TaxFree: t.TaxFree(), Taxes: t.Taxes}
	r := payment.Refund{
		ID: w.NewID(), Tenant: o.Tenant, Environment: o.Environment, State: payment.RefundSucceeded, RefundOf: t.ID, Amount: amount,
		RemainingBefore: t.Amount, Order: o.ID, Provider: payment.CustomProvider, Note: note, Actor: ports.ActorOf(ctx),
		TaxFree: of.TaxFreeShare(amount, nil), RemainingTaxFree: of.TaxFreeLeft(), Taxes: of.TaxesShare(amount, nil),
	}
	if err := PutTransaction(ctx, tx, w, nil, r.Record()); err != nil {
		return r, err
	}
	return r, appendManual(ctx, tx, w, o, "refund", amount)
}

func appendManual(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, o order.Order, kind string, amount money.Money) error {
	return tx.Ledger.Append(ctx, ports.LedgerEntry{
		ID: w.NewID(), Tenant: o.Tenant, Environment: o.Environment, Type: kind, Amount: amount, Provider: payment.CustomProvider,
		AccountKey: ManualAccount, Reference: "order:" + o.ID, Order: o.ID, At: w.Now,
	})
}
