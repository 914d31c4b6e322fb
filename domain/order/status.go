package order

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Status is where an order is. Contract 9.
type Status string

// The statuses.
const (
	Pending          Status = "pending"
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

// Statuses lists them all, for schemas and complete tables.
var Statuses = []Status{Pending, Paid, Failed, Canceled, Preparing, Shipped, Delivered, Confirmed, ReturnRequested, ReturnProcessing, Returned}

// ErrTransition refuses a step the table does not have.
var ErrTransition = fault.New(fault.Conflict, "order_transition_invalid", "The order cannot go from its state to this one.")

// Next is where an order may go from s, nowhere from its last states.
func Next(s Status) []Status { return slices.Clone(next[s]) }

// next is the whole transition table. The way back from a return state leads to where the order was before the first
// return: delivered or confirmed.
var next = map[Status][]Status{
	Pending:          {Paid, Failed, Canceled},
	Failed:           {Pending, Canceled},
	Paid:             {Preparing, Canceled},
	Preparing:        {Shipped, Canceled},
	Shipped:          {Delivered},
	Delivered:        {Confirmed, ReturnRequested},
	Confirmed:        {ReturnRequested},
	ReturnRequested:  {ReturnProcessing, Delivered, Confirmed},
	ReturnProcessing: {Returned, Delivered, Confirmed},
}

// Step checks one transition. Errors: ErrTransition.
func Step(from, to Status) error {
	if slices.Contains(next[from], to) {
		return nil
	}
	return ErrTransition.With("from", string(from)).With("to", string(to))
}
