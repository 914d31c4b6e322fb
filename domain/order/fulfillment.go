package order

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Carrier is the company that delivers a parcel.
type Carrier string

// The carriers. OtherCarrier is for parcels without a tracking number, such as those that the shop delivers
// itself. Rule fulfillment-13.
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

// Carriers lists all carriers.
var Carriers = []Carrier{CJ, Hanjin, Lotte, EPost, Logen, UPS, FedEx, DHL, EMS, OtherCarrier}

// Tracking is the carrier and number of a parcel; the zero value is unknown tracking.
type Tracking struct {
	Carrier Carrier
	Number  string
}

// MaxTrackingNumber is the maximum length of a tracking number in characters.
const MaxTrackingNumber = 50

// Check refuses an unknown carrier, a number without a carrier, and a number that cannot be printed on a
// label. Errors: fault.ErrValidation.
func (t Tracking) Check() error {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	switch {
	case t.Carrier != "" && !slices.Contains(Carriers, t.Carrier):
		return fault.Invalidf("carrier", "The carrier must be one of: %s.", strings.Join(toStrings(Carriers), ", "))
	case t.Number != "" && t.Carrier == "":
		return fault.Invalidf("carrier", "A tracking number needs its carrier.")
	case len(t.Number) > MaxTrackingNumber || strings.ContainsFunc(t.Number, odd):
		return fault.Invalidf("trackingNumber", "A tracking number has at most %d visible characters, without spaces.", MaxTrackingNumber)
	}
	return nil
}

// checkShippable refuses tracking that is incomplete for shipping: a carrier is required, and a number unless
// it is OtherCarrier. Errors: fault.ErrValidation.
func (t Tracking) checkShippable() error {
	switch {
	case t.Carrier == "":
		return fault.Invalidf("carrier", "A fulfillment is shipped by a carrier: name one.")
	case t.Number == "" && t.Carrier != OtherCarrier:
		return fault.Invalidf("trackingNumber", "A fulfillment is shipped under a tracking number, unless the carrier is %s.", OtherCarrier)
	}
	return t.Check()
}

// withDefaults returns t with its empty parts taken from before.
func (t Tracking) withDefaults(before Tracking) Tracking {
	if t.Carrier == "" {
		t.Carrier = before.Carrier
	}
	if t.Number == "" {
		t.Number = before.Number
	}
	return t
}

// FulfillmentState is the state of a fulfillment. Rule fulfillment-16.
type FulfillmentState string

// The states.
const (
	FulfillmentPending   FulfillmentState = "pending"
	FulfillmentShipped   FulfillmentState = "shipped"
	FulfillmentDelivered FulfillmentState = "delivered"
	FulfillmentCanceled  FulfillmentState = "canceled"
)

// FulfillmentStates lists all states.
var FulfillmentStates = []FulfillmentState{FulfillmentPending, FulfillmentShipped, FulfillmentDelivered, FulfillmentCanceled}

// ErrFulfillmentTransition says that the state table has no such step; a shipped fulfillment, for example, cannot be
// canceled.
var ErrFulfillmentTransition = fault.New(fault.Conflict, "fulfillment_transition_invalid",
	"The fulfillment cannot change from its current status to this one.")

// fulfillmentTransitions is the state table of fulfillments.
var fulfillmentTransitions = map[FulfillmentState][]FulfillmentState{
	FulfillmentPending: {FulfillmentShipped, FulfillmentCanceled},
	FulfillmentShipped: {FulfillmentDelivered},
}

// Item is a number of units of one order line.
type Item struct {
	OrderLine string
	Quantity  int64
}

// Fulfillment is a parcel: units of one order that are shipped together.
type Fulfillment struct {
	ID               string
	Tenant           tenant.ID
	Environment      tenant.Environment
	Order            string
	FulfillmentOrder string // the fulfillment order whose units it has
	State            FulfillmentState
	Tracking         Tracking
	Items            []Item
	ShippedAt        time.Time // zero: not yet
	DeliveredAt      time.Time // zero: not yet
}

// CheckTransition checks one step. Errors: ErrFulfillmentTransition.
func (f Fulfillment) CheckTransition(to FulfillmentState) error {
	if slices.Contains(fulfillmentTransitions[f.State], to) {
		return nil
	}
	return ErrFulfillmentTransition.WithData("from", string(f.State)).WithData("to", string(to))
}

// CheckItems refuses in a field of a request an empty list, quantities below 1 and a line named twice. nil means all open units.
// Errors: fault.ErrValidation.
func CheckItems(field string, items []Item) error {
	if items != nil && len(items) == 0 {
		return fault.Invalidf(field, "Name at least one line, or leave the list out for all that is open.")
	}
	seen := map[string]bool{}
	for i, it := range items {
		switch {
		case it.Quantity < 1:
			return fault.Invalidf(itemPath(field, i, "quantity"), "A quantity is a whole number from 1.")
		case seen[it.OrderLine]:
			return fault.Invalidf(itemPath(field, i, "orderLine"), "This line is listed twice.")
		}
		seen[it.OrderLine] = true
	}
	return nil
}

// itemPath is the path of a field of an item in a request.
func itemPath(field string, i int, member string) string {
	return field + "." + strconv.Itoa(i) + "." + member
}
