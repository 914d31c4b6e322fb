package order

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Carrier is who brings a parcel to the buyer.
type Carrier string

// The carriers: a closed list. Contract 9. By OtherCarrier go parcels that nobody follows by a number, such as those that
// the shop brings itself.
const (
	CJ           Carrier = "cj"
	Hanjin       Carrier = "hanjin"
	Lotte        Carrier = "lotte"
	EPost        Carrier = "epost"
	Logen        Carrier = "logen"
	UPS          Carrier = "ups"
	FedEx        Carrier = "fedex"
	DHL          Carrier = "dhl"
	EMS          Carrier = "ems"
	OtherCarrier Carrier = "other"
)

// Carriers lists them all.
var Carriers = []Carrier{CJ, Hanjin, Lotte, EPost, Logen, UPS, FedEx, DHL, EMS, OtherCarrier}

// Tracking is how a parcel is followed; the zero value is that nothing is known yet.
type Tracking struct {
	Carrier Carrier
	Number  string
}

// MaxTrackingNumber is how many characters a tracking number has at most.
const MaxTrackingNumber = 50

// Check refuses a carrier that is not on the list, a number without a carrier, and one that could not stand on a label.
// Errors: fault.ErrValidation.
func (t Tracking) Check() error {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	switch {
	case t.Carrier != "" && !slices.Contains(Carriers, t.Carrier):
		return fault.Invalidf("carrier", "A carrier is one of: %s.", strings.Join(names(Carriers), ", "))
	case t.Number != "" && t.Carrier == "":
		return fault.Invalidf("carrier", "A tracking number needs its carrier.")
	case len(t.Number) > MaxTrackingNumber || strings.ContainsFunc(t.Number, odd):
		return fault.Invalidf("trackingNumber", "A tracking number has at most %d visible characters, without spaces.", MaxTrackingNumber)
	}
	return nil
}

// sendable refuses what cannot leave the house: a parcel has a carrier, and a number unless the carrier is another one.
// Errors: fault.ErrValidation.
func (t Tracking) sendable() error {
	switch {
	case t.Carrier == "":
		return fault.Invalidf("carrier", "A fulfillment is shipped by a carrier: name one.")
	case t.Number == "" && t.Carrier != OtherCarrier:
		return fault.Invalidf("trackingNumber", "A fulfillment is shipped under a tracking number, unless the carrier is %s.", OtherCarrier)
	}
	return t.Check()
}

// over is t where it says something, else what was known before.
func (t Tracking) over(before Tracking) Tracking {
	if t.Carrier == "" {
		t.Carrier = before.Carrier
	}
	if t.Number == "" {
		t.Number = before.Number
	}
	return t
}

// FulfillmentState is where a fulfillment is. Contract 3.
type FulfillmentState string

// The states.
const (
	FulfillmentPending   FulfillmentState = "pending"
	FulfillmentShipped   FulfillmentState = "shipped"
	FulfillmentDelivered FulfillmentState = "delivered"
	FulfillmentCanceled  FulfillmentState = "canceled"
)

// FulfillmentStates lists them all.
var FulfillmentStates = []FulfillmentState{FulfillmentPending, FulfillmentShipped, FulfillmentDelivered, FulfillmentCanceled}

// ErrFulfillmentTransition refuses a step that a fulfillment does not have: what was shipped is not canceled any more.
var ErrFulfillmentTransition = fault.New(fault.Conflict, "fulfillment_transition_invalid", "The fulfillment cannot go from its state to this one.")

// afterFulfillment is the whole transition table of fulfillments.
var afterFulfillment = map[FulfillmentState][]FulfillmentState{
	FulfillmentPending: {FulfillmentShipped, FulfillmentCanceled},
	FulfillmentShipped: {FulfillmentDelivered},
}

// Item is units of one order line.
type Item struct {
	OrderLine string
	Quantity  int64
}

// Fulfillment is a parcel: units of one order that leave the house together.
type Fulfillment struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Order       string
	Work        string // the fulfillment order it is made of
	State       FulfillmentState
	Tracking    Tracking
	Items       []Item
	ShippedAt   time.Time // zero: not yet
	DeliveredAt time.Time // zero: not yet
}

// Step checks one transition. Errors: ErrFulfillmentTransition.
func (f Fulfillment) Step(to FulfillmentState) error {
	if slices.Contains(afterFulfillment[f.State], to) {
		return nil
	}
	return ErrFulfillmentTransition.With("from", string(f.State)).With("to", string(to))
}

// CheckItems refuses an empty list, quantities below 1 and a line named twice. nil stands for all that is open.
// Errors: fault.ErrValidation.
func CheckItems(items []Item) error {
	if items != nil && len(items) == 0 {
		return fault.Invalidf("items", "Name at least one line, or leave the list out for all that is open.")
	}
	seen := map[string]bool{}
	for i, it := range items {
		switch {
		case it.Quantity < 1:
			return fault.Invalidf(itemPath(i, "quantity"), "A quantity is a whole number from 1.")
		case seen[it.OrderLine]:
			return fault.Invalidf(itemPath(i, "orderLine"), "This line is named twice.")
		}
		seen[it.OrderLine] = true
	}
	return nil
}

// itemPath is where a member of an item stands in a request.
func itemPath(i int, member string) string { return "items." + strconv.Itoa(i) + "." + member }
