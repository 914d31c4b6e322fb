package returns

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Line is a number of returned units of one order line.
type Line struct {
	OrderLine     string
	Quantity      int64       // units to return; once received, those that arrived
	Requested     int64       // units to return where fewer arrived; 0: all arrived, or nothing did so far
	Condition     Condition   // how they arrived; "" where nobody said
	RestockingFee money.Money // at most LineRefund
	Reason        string
	Restock       bool // whether they are put back into stock when they are received
	LineRefund    money.Money
}

// Quote is the amounts of a return. RefundAmount = LineRefunds + InitialShippingRefund − RestockingFees −
// ReturnShippingFee.
type Quote struct {
	Lines                   []Line
	LineRefunds             money.Money // Σ LineRefund
	RestockingFees          money.Money // Σ RestockingFee
	InitialShippingRefund   money.Money // outbound shipping that is refunded
	SuggestedShippingRefund money.Money // outbound shipping that the order's policy would refund
	ReturnShippingFee       money.Money // charged to the customer
	RefundAmount            money.Money // never negative
}

// Request is a customer's request to return goods, and its progress.
type Request struct {
	Quote

	ID            string
	Tenant        tenant.ID
	Environment   tenant.Environment
	Order         string
	Customer      string // of the order; "" for guests
	Currency      money.Currency
	Status        Status
	AuditNote     string
	StatusReason  string // why it was rejected or canceled
	Transaction   string // of its latest refund; "" if none
	RefundStatus  string // state of that refund: "" before, "pending", "refunded", "failed"
	RefundProblem string // why it failed
	RefundAccount string // where the money goes, sealed, until it is on its way; "" if nobody said
	AccountEnding string // last digits of that account
	ApprovedAt    time.Time
	ReceivedAt    time.Time
	RefundedAt    time.Time
	ReturnedAt    time.Time // when its units counted as returned: on receipt, or on a refund without it
	Notes         string
	Metadata      collection.JSONValue
	Assignment    team.Assignment
}

// UnitsReturned reports whether the order counts the units of r as returned.
func (r Request) UnitsReturned() bool { return !r.ReturnedAt.IsZero() }

// ForgetAccount returns r without the account of its refund, which is not needed any more.
func (r Request) ForgetAccount() Request {
	r.RefundAccount, r.AccountEnding = "", ""
	return r
}

// Units returns how many units of each order line r returns.
func (r Request) Units() map[string]int64 {
	units := map[string]int64{}
	for _, l := range r.Lines {
		units[l.OrderLine] += l.Quantity
	}
	return units
}

// digital is the kind of downloads, which cannot be returned physically.
const digital = "digital"

// RestockUnits returns the units per variant to restock on receipt; never digital goods or units the sale did
// not take from stock.
func (r Request) RestockUnits(o order.Order) []inventory.Demand {
	var units []inventory.Demand
	for _, l := range r.Lines {
		if sold, ok := findLine(o, l.OrderLine); ok && l.Restock && sold.StockTaken && sold.Kind != digital {
			units = append(units, inventory.Demand{Variant: sold.Variant, Quantity: l.Quantity})
		}
	}
	return inventory.Sum(units)
}

// findLine finds a line of an order by id.
func findLine(o order.Order, id string) (order.Line, bool) {
	for _, l := range o.Lines {
		if l.ID == id {
			return l, true
		}
	}
	return order.Line{}, false
}
