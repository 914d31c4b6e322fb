package payment

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// CountedTaxes are the taxes of a transaction on its side, as it is: none while no money moved, or none any more.
func CountedTaxes(r collection.Record) (tax.Side, tax.Taxes) {
	side, status := tax.Paid, statusPaid
	switch r.Text("type") {
	case "refund":
		side, status = tax.Refunded, RefundSucceeded.status()
	case typeReversal:
		side, status = tax.Lost, statusReversed
	}
	if r.Text("status") != status {
		return side, nil
	}
	return side, tax.TaxesFrom(r.Rows("taxes"))
}

// TaxEntries are what the change of a transaction moves of taxes at now, without their IDs. before is nil for a new one. Of one that an
// older version recorded, which made no entries, the first is that of before, on the day it was recorded.
func TaxEntries(before, after collection.Record, now time.Time) (all []tax.Entry) {
	_, had := CountedTaxes(before)
	side, has := CountedTaxes(after)
	add := func(at time.Time, t tax.Taxes) {
		if t = t.Since(nil); t != nil {
			all = append(all, tax.Entry{
				Tenant: tenant.ID(after.Text("tenant")), Environment: tenant.Environment(after.Text("environment")), Transaction: after.ID(),
				Side: side, At: at, Taxes: t,
			})
		}
	}
	if before != nil && !before.Bool(taxesBooked) {
		add(before.Time("createdAt"), had)
	}
	add(now, has.Since(had))
	return all
}

// taxesBooked is set in every transaction that has its entries.
const taxesBooked = "taxesBooked"

// OldTransactions selects those whose taxes have no entries, as an older version recorded them.
func OldTransactions(s *collection.Schema) collection.Comparison {
	return s.Where(taxesBooked, collection.Exists, false)
}

// PaidAt is when the money of a payment came, as far as its record says: one that was captured does not say more than when an operator
// asked for that.
func PaidAt(r collection.Record) time.Time {
	if at := r.Time("captureBegunAt"); !at.IsZero() {
		return at
	}
	return r.Time("createdAt")
}
