package order

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// The statuses of a cancel of lines on the wire.
const (
	lineCancelDone       = "done"
	lineCancelInProgress = "in_progress"
)

// Record is c as one of an order's lineCancels.
func (c LineCancel) Record() collection.Record {
	status := lineCancelInProgress
	if c.Done {
		status = lineCancelDone
	}
	r := collection.Record{
		"key": c.Key, "status": status, "at": c.At, "actor": collection.ActorRecord(c.Actor), "reason": c.Reason,
		"lines": c.LineRecords(), "shippingAmount": c.Shipping, "amount": c.Amount(),
	}
	if len(c.Taxes) > 0 {
		r["taxes"] = c.Taxes.Records()
	}
	return r
}

// LineRecords are the lines of c as records of CanceledUnitsFields.
func (c LineCancel) LineRecords() []collection.Record {
	lines := make([]collection.Record, len(c.Lines))
	for i, l := range c.Lines {
		lines[i] = collection.Record{"orderLine": l.OrderLine, "quantity": l.Quantity, "amount": l.Amount}
	}
	return lines
}

func lineCancelRecords(all []LineCancel) []collection.Record {
	out := make([]collection.Record, len(all))
	for i, c := range all {
		out[i] = c.Record()
	}
	return out
}

// lineCancelsFrom reads what lineCancelRecords wrote.
func lineCancelsFrom(rows []collection.Record) (all []LineCancel) {
	for _, r := range rows {
		c := LineCancel{
			Key: r.Text("key"), Done: r.Text("status") == lineCancelDone, At: r.Time("at"), Reason: r.Text("reason"),
			Actor: collection.ActorFrom(r.Group("actor")),
		}
		c.Shipping, _ = r.Money("shippingAmount")
		c.Taxes = tax.TaxesFrom(r.Rows("taxes"))
		for _, l := range r.Rows("lines") {
			units := CanceledUnits{Item: Item{OrderLine: l.Text("orderLine"), Quantity: l.Int("quantity")}}
			units.Amount, _ = l.Money("amount")
			c.Lines = append(c.Lines, units)
		}
		all = append(all, c)
	}
	return all
}
