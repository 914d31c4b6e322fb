package returns

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Record is q as a record of AmountFields.
func (q Quote) Record() collection.Record {
	lines := make([]collection.Record, len(q.Lines))
	for i, l := range q.Lines {
		lines[i] = collection.Record{
			"orderLine": l.OrderLine, "quantity": l.Quantity, "restockingFee": l.RestockingFee, "restock": l.Restock,
			"lineRefund": l.LineRefund,
		}
		if l.Reason != "" {
			lines[i]["reason"] = l.Reason
		}
		if l.Requested > 0 {
			lines[i]["requestedQuantity"] = l.Requested
		}
		if l.Condition != "" {
			lines[i]["condition"] = string(l.Condition)
		}
	}
	return collection.Record{
		"lines": lines, "lineRefundTotal": q.LineRefunds, "restockingFeeTotal": q.RestockingFees,
		"initialShippingRefundAmount": q.InitialShippingRefund, "suggestedInitialShippingRefund": q.SuggestedShippingRefund,
		"returnShippingFee": q.ReturnShippingFee, "refundAmount": q.RefundAmount,
	}
}

// Record is r as a record of Schema.
func (r Request) Record() collection.Record {
	out := r.Quote.Record()
	for name, v := range map[string]string{
		"id": r.ID, "tenant": string(r.Tenant), "environment": string(r.Environment), "status": string(r.Status), "order": r.Order,
		"customer": r.Customer, "currency": string(r.Currency), "refundStatus": r.RefundStatus, "refundProblem": r.RefundProblem,
		"transaction": r.Transaction, "auditNote": r.AuditNote, "statusReason": r.StatusReason, "notes": r.Notes,
		"refundAccount": r.RefundAccount, "refundAccountEnding": r.AccountEnding,
	} {
		if v != "" {
			out[name] = v
		}
	}
	for name, at := range map[string]time.Time{
		"approvedAt": r.ApprovedAt, "receivedAt": r.ReceivedAt, "refundedAt": r.RefundedAt, "returnedAt": r.ReturnedAt,
	} {
		if !at.IsZero() {
			out[name] = at
		}
	}
	r.Assignment.Put(out)
	if r.Metadata != nil {
		out["metadata"] = r.Metadata
	}
	return out
}

// FromRecord reads what Record wrote.
func FromRecord(r collection.Record) Request {
	amount := func(of collection.Record, name string) money.Money { m, _ := of.Money(name); return m }
	out := Request{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Status: Status(r.Text("status")), Order: r.Text("order"), Customer: r.Text("customer"),
		Currency: money.Currency(r.Text("currency")), RefundStatus: r.Text("refundStatus"), RefundProblem: r.Text("refundProblem"),
		Transaction: r.Text("transaction"), AuditNote: r.Text("auditNote"), StatusReason: r.Text("statusReason"),
		ApprovedAt: r.Time("approvedAt"), ReceivedAt: r.Time("receivedAt"), RefundedAt: r.Time("refundedAt"),
		ReturnedAt: r.Time("returnedAt"), Notes: r.Text("notes"), Metadata: r["metadata"],
		Assignment:    team.AssignmentFrom(r),
		RefundAccount: r.Text("refundAccount"), AccountEnding: r.Text("refundAccountEnding"),
	}
	out.Quote = Quote{
		LineRefunds: amount(r, "lineRefundTotal"), RestockingFees: amount(r, "restockingFeeTotal"),
		InitialShippingRefund:   amount(r, "initialShippingRefundAmount"),
		SuggestedShippingRefund: amount(r, "suggestedInitialShippingRefund"), ReturnShippingFee: amount(r, "returnShippingFee"),
		RefundAmount: amount(r, "refundAmount"),
	}
	for _, l := range r.Rows("lines") {
		out.Lines = append(out.Lines, Line{
			OrderLine: l.Text("orderLine"), Quantity: l.Int("quantity"), RestockingFee: amount(l, "restockingFee"),
			Reason: l.Text("reason"), Requested: l.Int("requestedQuantity"), Condition: Condition(l.Text("condition")), Restock: l.Bool("restock"),
			LineRefund: amount(l, "lineRefund"),
		})
	}
	return out
}
