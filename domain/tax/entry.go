package tax

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Side is what a movement of taxes belongs to.
type Side string

// The sides.
const (
	Paid     Side = "paid"     // with payments
	Refunded Side = "refunded" // with refunds
	Lost     Side = "lost"     // in money that providers took back without a refund
)

// Entry is what a transaction moved of taxes at a moment. Entries are only ever added, so that no period that has ended changes.
// Rule taxes-11.
type Entry struct {
	ID          string // UUIDv7
	Tenant      tenant.ID
	Environment tenant.Environment
	Transaction string
	Side        Side
	At          time.Time
	Taxes       Taxes // below zero for what is taken off what earlier entries have
}
