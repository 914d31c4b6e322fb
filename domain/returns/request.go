package returns

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Line is units of one order line that come back.
type Line struct {
	OrderLine     string
	Quantity      int64
	RestockingFee money.Money // at most LineRefund
	Reason        string
	Restock       bool // whether they go back on the shelf when they are received
	LineRefund    money.Money
}

// Quote is what a return comes to. RefundAmount = LineRefunds + InitialShippingRefund − RestockingFees − ReturnShippingFee.
type Quote struct {
	Lines                 []Line
	LineRefunds           money.Money // Σ LineRefund
	RestockingFees        money.Money // Σ RestockingFee
	InitialShippingRefund money.Money // outbound shipping that is given back
	Suggested             money.Money // what the order's policy suggests for it
	ReturnShippingFee     money.Money // charged to the customer
	RefundAmount          money.Money // never negative
}

// Request is a customer's wish to give goods back, and what becomes of it.
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
	Transaction   string // of its last refund; "" while there is none
	RefundStatus  string // how that is: "" before, "pending", "refunded", "failed"
	RefundProblem string // why it failed
	ApprovedAt    time.Time
	ReceivedAt    time.Time
	RefundedAt    time.Time
	ReturnedAt    time.Time // when its units were counted as returned: received, or refunded without
	Notes         string
	Metadata      collection.Tree
}

// CameBack reports whether the units of r stand in the order as returned.
func (r Request) CameBack() bool { return !r.ReturnedAt.IsZero() }

// Units is how many units of each order line r takes back.
func (r Request) Units() map[string]int64 {
	units := map[string]int64{}
	for _, l := range r.Lines {
		units[l.OrderLine] += l.Quantity
	}
	return units
}

// digital is the kind of what is downloaded: nothing of it comes back.
const digital = "digital"

// Shelved is the units that go back on the shelf when r is received, per variant. Digital goods never do, nor does what the
// sale did not take from it.
func (r Request) Shelved(o order.Order) []inventory.Demand {
	var units []inventory.Demand
	for _, l := range r.Lines {
		if sold, ok := line(o, l.OrderLine); ok && l.Restock && sold.StockTaken && sold.Kind != digital {
			units = append(units, inventory.Demand{Variant: sold.Variant, Quantity: l.Quantity})
		}
	}
	return inventory.Sum(units)
}

// line finds a line of an order.
func line(o order.Order, id string) (order.Line, bool) {
	for _, l := range o.Lines {
		if l.ID == id {
			return l, true
		}
	}
	return order.Line{}, false
}
