package payment

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Transaction is one movement of money as operators see it.
type Transaction struct {
	ID, Order, Note string
	Session         Session
	Amount          money.Money // as reported by the provider, which may differ from what was requested
	Method          string
	ReceiptURL      string
	Authorized      bool         // it is held by the provider, and not captured
	CashReceipt     *CashReceipt // nil if none is known
	Escrow          bool         // the provider keeps the money until the goods are delivered
	Actor           tenant.Actor // who paid, or reported it
	Taxes           tax.Taxes    // the taxes in Amount; nil where the sale has none, and while it is only authorized
}

// Record is the payment t as a record of Transactions.
func (t Transaction) Record() collection.Record {
	s := t.Session
	r := collection.Record{
		"id": t.ID, "tenant": string(s.Tenant), "environment": string(s.Environment),
		"type": typePayment, "status": statusPaid, "amount": t.Amount, "currency": string(t.Amount.Currency), "provider": s.Provider,
		"actor": collection.ActorRecord(t.Actor), taxesBooked: true,
	}
	for name, v := range map[string]string{
		"order": t.Order, "checkout": s.Checkout, "paymentSession": s.ID, "method": t.Method, "providerPaymentId": s.ProviderPaymentID,
		"receiptUrl": t.ReceiptURL, "note": t.Note,
	} {
		if v != "" {
			r[name] = v
		}
	}
	if t.Authorized {
		r["status"], r["authorizedAmount"] = statusAuthorized, t.Amount
	}
	if t.CashReceipt != nil {
		r["cashReceipt"] = t.CashReceipt.record()
	}
	if part := t.TaxFree(); !part.IsZero() {
		r["taxFreeAmount"] = part
	}
	putTaxes(r, t.Taxes)
	if t.Escrow {
		r["escrow"] = true
	}
	return r
}

// TransactionUnderWay reports whether the money of a transaction is still moving: a refund that is not settled, or a payment that its
// provider holds.
func TransactionUnderWay(r collection.Record) bool {
	status := r.Text("status")
	return status == "pending" || status == statusAuthorized
}
