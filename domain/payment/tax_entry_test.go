package payment_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	. "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// A change of a transaction that an older version recorded has the entry that the version did not make, on the day of that, before what
// it moves now.
//
// Rule taxes-11.
func TestOldTransactionsHaveTheirEntryFirst(t *testing.T) {
	t.Parallel()
	recorded := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now := recorded.AddDate(0, 3, 0)
	vat := func(minor int64) tax.Taxes {
		return tax.Taxes{{Rate: "vat", Base: krw(10 * minor), Amount: krw(minor)}}
	}
	refund := func(s RefundState, old bool) collection.Record {
		r := Refund{ID: "r", Tenant: "shop", Environment: "live", State: s, Amount: krw(110), Taxes: vat(10)}.Record()
		if r["createdAt"] = recorded; old {
			delete(r, "taxesBooked")
		}
		return r
	}
	paid := WithTaxes(collection.Record{"id": "p", "type": "payment", "status": "paid", "createdAt": recorded}, vat(10))
	entry := func(of string, side tax.Side, at time.Time, minor int64) tax.Entry {
		e := tax.Entry{Transaction: of, Side: side, At: at, Taxes: vat(minor)}
		if of == "r" {
			e.Tenant, e.Environment = "shop", "live"
		}
		return e
	}
	for name, c := range map[string]struct {
		before, after collection.Record
		want          []tax.Entry
	}{
		"an old refund fails": {
			refund(RefundSucceeded, true), refund(RefundFailed, false),
			[]tax.Entry{entry("r", tax.Refunded, recorded, 10), entry("r", tax.Refunded, now, -10)},
		},
		"an old one that was pending is done": {
			refund(RefundPending, true), refund(RefundSucceeded, false), []tax.Entry{entry("r", tax.Refunded, now, 10)},
		},
		"an old payment is restated": {
			paid, RestateTaxes(paid, vat(7)), []tax.Entry{entry("p", tax.Paid, recorded, 10), entry("p", tax.Paid, now, -3)},
		},
		"an old payment stays":   {paid, RestateTaxes(paid, vat(10)), []tax.Entry{entry("p", tax.Paid, recorded, 10)}},
		"a refund fails":         {refund(RefundSucceeded, false), refund(RefundFailed, false), []tax.Entry{entry("r", tax.Refunded, now, -10)}},
		"a new one":              {nil, refund(RefundSucceeded, false), []tax.Entry{entry("r", tax.Refunded, now, 10)}},
		"one that was requested": {nil, refund(RefundRequested, false), nil},
		"nothing changes":        {refund(RefundSucceeded, false), refund(RefundSucceeded, false), nil},
	} {
		if got := TaxEntries(c.before, c.after, now); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%+v\n%+v", name, got, c.want)
		}
	}
}
