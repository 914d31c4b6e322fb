package returns

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// Status is how far a return request is. Contract 9.
type Status string

// The statuses.
const (
	Requested Status = "requested"
	Approved  Status = "approved"
	Received  Status = "received" // the goods are here
	Refunded  Status = "refunded" // the money went back, or is on its way
	Rejected  Status = "rejected"
	Canceled  Status = "canceled"
)

// Statuses lists them all, for schemas and complete tables.
var Statuses = []Status{Requested, Approved, Received, Refunded, Rejected, Canceled}

// next is the whole table of what people decide. What never has to come back is refunded without having been received.
var next = map[Status][]Status{
	Requested: {Approved, Rejected, Canceled},
	Approved:  {Received, Refunded, Rejected, Canceled},
	Received:  {Refunded},
}

// Counts reports whether the units and amounts of a request count: those of rejected and canceled ones are free again.
func (s Status) Counts() bool { return s != Rejected && s != Canceled }

// Open reports whether something is still to be done about a request.
func (s Status) Open() bool { return s == Requested || s == Approved || s == Received }

// MayBecome checks a step from where r is. While nobody knows what the provider did with its refund, and once the provider
// took it, a request can only be refunded. Errors: ErrTransition, payment.ErrRefundBusy.
func (r Request) MayBecome(to Status) error {
	switch {
	case !slices.Contains(next[r.Status], to):
		return ErrTransition.With("from", string(r.Status)).With("to", string(to))
	case to == Refunded:
		return nil
	case r.RefundStatus == refundPending:
		return payment.ErrRefundBusy.With("transactionId", r.Transaction)
	case !to.Counts() && r.CameBack():
		return ErrTransition.With("from", string(r.Status)).With("to", string(to)).Saying("This return was refunded before, and the bank could not pay it out: it is owed.")
	}
	return nil
}

// Approve is r when the shop agrees. Errors: those of MayBecome, as with the others.
func (r Request) Approve(now time.Time) (Request, error) {
	if err := r.MayBecome(Approved); err != nil {
		return r, err
	}
	r.Status, r.ApprovedAt = Approved, collection.Instant(now)
	return r, nil
}

// Receive is r when the goods are here.
func (r Request) Receive(now time.Time) (Request, error) {
	if err := r.MayBecome(Received); err != nil {
		return r, err
	}
	r.Status, r.ReceivedAt = Received, collection.Instant(now)
	if r.ReturnedAt.IsZero() {
		r.ReturnedAt = r.ReceivedAt
	}
	return r, nil
}

// End is r rejected by the shop, or canceled.
func (r Request) End(as Status, reason string) (Request, error) {
	if err := r.MayBecome(as); err != nil {
		return r, err
	}
	r.Status, r.StatusReason = as, reason
	return r, nil
}

// Settle is r when its money went back, or nothing had to.
func (r Request) Settle(now time.Time) (Request, error) {
	if err := r.MayBecome(Refunded); err != nil {
		return r, err
	}
	r.Status, r.RefundedAt = Refunded, collection.Instant(now)
	if r.ReturnedAt.IsZero() {
		r.ReturnedAt = r.RefundedAt
	}
	return r, nil
}

// What operators and customers read of the refund.
const (
	refundPending = "pending"
	refundDone    = "refunded"
	refundFailed  = "failed"
)

// Begin is r when its refund is about to be asked for. Errors: ErrTransition.
func (r Request) Begin(transaction string) (Request, error) {
	if err := r.MayBecome(Refunded); err != nil {
		return r, err
	}
	r.Transaction, r.RefundStatus, r.RefundProblem = transaction, refundPending, ""
	return r, nil
}

// Short is r when no more is left of what was paid than problem says. While its refund is under way, and once it is done, that
// changes nothing.
func (r Request) Short(problem string) Request {
	if r.Status.Open() && r.RefundStatus != refundPending {
		r.RefundStatus, r.RefundProblem = refundFailed, problem
	}
	return r
}

// Follow is r when it is known what became of a refund of it. Money that is on its way counts as given back; a refund that
// the provider refused leaves r as it was, and one that failed later opens it again, to be refunded once more. What is said
// of an earlier refund than the last one changes nothing, unless that one gave the money back after all.
func (r Request) Follow(f payment.Refund, problem string, now time.Time) Request {
	went := f.State == payment.RefundPending || f.State == payment.RefundSucceeded
	switch {
	case f.State == payment.RefundRequested, f.ID != r.Transaction && (!went || r.Status == Refunded):
		return r
	case !went:
		r.RefundStatus, r.RefundProblem = refundFailed, problem
		if r.Status == Refunded {
			r.Status, r.RefundedAt = r.beforeRefund(), time.Time{}
		}
		return r
	case f.State == payment.RefundPending:
		r.Transaction, r.RefundStatus, r.RefundProblem = f.ID, refundPending, ""
	default:
		r.Transaction, r.RefundStatus, r.RefundProblem = f.ID, refundDone, ""
	}
	if settled, err := r.Settle(now); err == nil {
		return settled
	}
	return r // refunded already, or ended: the money is told of all the same
}

func (r Request) beforeRefund() Status {
	if r.ReceivedAt.IsZero() {
		return Approved
	}
	return Received
}
