package order

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Status is the status of an order. Rule orders-1.
type Status string

// The statuses.
const (
	Pending          Status = "pending"
	Authorized       Status = "authorized" // its payment is, and not captured yet
	Paid             Status = "paid"
	Failed           Status = "failed"
	Canceled         Status = "canceled"
	Preparing        Status = "preparing"
	Shipped          Status = "shipped"
	Delivered        Status = "delivered"
	Confirmed        Status = "confirmed"
	ReturnRequested  Status = "return_requested"
	ReturnProcessing Status = "return_processing"
	Returned         Status = "returned"
)

// Statuses lists all statuses.
var Statuses = []Status{
	Pending, Authorized, Paid, Failed, Canceled, Preparing, Shipped, Delivered, Confirmed, ReturnRequested, ReturnProcessing, Returned,
}

// ImportedStatuses are the statuses that an imported order may have: an order is authorized by its payment alone.
var ImportedStatuses = slices.DeleteFunc(slices.Clone(Statuses), func(s Status) bool { return s == Authorized })

// ErrTransition says that the transition table has no such step.
var ErrTransition = fault.New(fault.Conflict, "order_transition_invalid", "The order cannot change from its current status to this one.")

// NextStatuses lists the statuses that an order can move to from s; none for final ones.
func NextStatuses(s Status) []Status { return slices.Clone(transitions[s]) }

// UnderWay reports whether an order in status s still has to be paid, delivered or taken back, for which its buyer has to be known.
func (s Status) UnderWay() bool {
	return slices.Contains([]Status{Pending, Authorized, Paid, Preparing, Shipped, ReturnRequested, ReturnProcessing}, s)
}

// transitions is the transition table. An authorized order becomes paid by the capture of its money, and pending when its
// provider released that: these are no steps to choose. The return statuses lead back to the status before the first return:
// delivered or confirmed.
var transitions = map[Status][]Status{
	Pending:          {Paid, Failed, Canceled},
	Failed:           {Pending, Canceled},
	Authorized:       {Preparing, Canceled},
	Paid:             {Preparing, Canceled},
	Preparing:        {Shipped, Canceled},
	Shipped:          {Delivered},
	Delivered:        {Confirmed, ReturnRequested},
	Confirmed:        {ReturnRequested},
	ReturnRequested:  {ReturnProcessing, Delivered, Confirmed},
	ReturnProcessing: {Returned, Delivered, Confirmed},
}

// CheckTransition checks one step. Errors: ErrTransition.
func CheckTransition(from, to Status) error {
	if slices.Contains(transitions[from], to) {
		return nil
	}
	return ErrTransition.WithData("from", string(from)).WithData("to", string(to))
}
