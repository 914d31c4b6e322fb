package returns

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// Status is the state of a return request. Rule returns-14.
type Status string

// The statuses.
const (
	Requested Status = "requested"
	Approved  Status = "approved"
	Received  Status = "received" // the goods have arrived
	Refunded  Status = "refunded" // the money was refunded, or the refund is in progress
	Rejected  Status = "rejected"
	Canceled  Status = "canceled"
)

// Statuses lists all statuses.
var Statuses = []Status{Requested, Approved, Received, Refunded, Rejected, Canceled}

// transitions are the steps that people may take. Goods that need not come back are refunded without having
// been received.
var transitions = map[Status][]Status{
	Requested: {Approved, Rejected, Canceled},
	Approved:  {Received, Refunded, Rejected, Canceled},
	Received:  {Refunded},
}

// Counts reports whether the units and amounts of a request count; those of rejected and canceled ones do
// not.
func (s Status) Counts() bool { return s != Rejected && s != Canceled }

// Open reports whether a request still needs action.
func (s Status) Open() bool { return s == Requested || s == Approved || s == Received }

// UnderWay reports whether a return, a record of Schema, is still to be decided, received or refunded.
func UnderWay(r collection.Record) bool {
	return Status(r.Text("status")).Open() || r.Text("refundStatus") == refundPending
}

// CheckTransition checks a step from r's status. While the outcome of its refund at the provider is unknown,
// and once the provider accepted it, a request can only be refunded. Errors: ErrTransition,
// payment.ErrRefundInProgress.
func (r Request) CheckTransition(to Status) error {
	switch {
	case !slices.Contains(transitions[r.Status], to):
		return ErrTransition.WithData("from", string(r.Status)).WithData("to", string(to))
	case to == Refunded:
		return nil
	case r.RefundStatus == refundPending:
		return payment.ErrRefundInProgress.WithData("transactionId", r.Transaction)
	case !to.Counts() && r.UnitsReturned():
		return ErrTransition.WithData("from", string(r.Status)).WithData("to", string(to)).
			WithMessage("This return was refunded but the bank could not pay it out: the refund is still owed.")
	}
	return nil
}

// Approve returns r approved. Errors: those of CheckTransition, as for the other steps.
func (r Request) Approve(now time.Time) (Request, error) {
	if err := r.CheckTransition(Approved); err != nil {
		return r, err
	}
	r.Status, r.ApprovedAt = Approved, collection.TruncateTime(now)
	return r, nil
}

// Receive returns r after its goods arrived.
func (r Request) Receive(now time.Time) (Request, error) {
	if err := r.CheckTransition(Received); err != nil {
		return r, err
	}
	r.Status, r.ReceivedAt = Received, collection.TruncateTime(now)
	if r.ReturnedAt.IsZero() {
		r.ReturnedAt = r.ReceivedAt
	}
	return r, nil
}

// EndAs returns r rejected or canceled.
func (r Request) EndAs(as Status, reason string) (Request, error) {
	if err := r.CheckTransition(as); err != nil {
		return r, err
	}
	r.Status, r.StatusReason = as, reason
	return r.ForgetAccount(), nil
}

// MarkRefunded returns r after its money was refunded, or if there was none to refund.
func (r Request) MarkRefunded(now time.Time) (Request, error) {
	if err := r.CheckTransition(Refunded); err != nil {
		return r, err
	}
	r.Status, r.RefundedAt = Refunded, collection.TruncateTime(now)
	if r.ReturnedAt.IsZero() {
		r.ReturnedAt = r.RefundedAt
	}
	return r.ForgetAccount(), nil
}

// The states of the refund, as operators and customers see them.
const (
	refundPending   = "pending"
	refundSucceeded = "refunded"
	refundFailed    = "failed"
)

// BeginRefund returns r before its refund is requested. Errors: ErrTransition.
func (r Request) BeginRefund(transaction string) (Request, error) {
	if err := r.CheckTransition(Refunded); err != nil {
		return r, err
	}
	r.Transaction, r.RefundStatus, r.RefundProblem = transaction, refundPending, ""
	return r, nil
}

// FailRefund records that too little money is left to refund, as problem explains. It has no effect while a
// refund is pending or done.
func (r Request) FailRefund(problem string) Request {
	if r.Status.Open() && r.RefundStatus != refundPending {
		r.RefundStatus, r.RefundProblem = refundFailed, problem
	}
	return r
}

// ApplyRefund returns r after a change of its refund f. A pending refund counts as refunded. A refund that
// the provider refused leaves r as it was; one that failed later opens r again, to be refunded once more. An
// earlier refund than the latest has no effect, unless it succeeded after all.
func (r Request) ApplyRefund(f payment.Refund, problem string, now time.Time) Request {
	accepted := f.State == payment.RefundPending || f.State == payment.RefundSucceeded
	switch {
	case f.State == payment.RefundRequested, f.ID != r.Transaction && (!accepted || r.Status == Refunded):
		return r
	case !accepted:
		r.RefundStatus, r.RefundProblem = refundFailed, problem
		if r.Status == Refunded {
			r.Status, r.RefundedAt = r.statusBeforeRefund(), time.Time{}
		}
		return r
	case f.State == payment.RefundPending:
		r.Transaction, r.RefundStatus, r.RefundProblem = f.ID, refundPending, ""
	default:
		r.Transaction, r.RefundStatus, r.RefundProblem = f.ID, refundSucceeded, ""
	}
	if settled, err := r.MarkRefunded(now); err == nil {
		return settled
	}
	return r // refunded already, or ended: only the refund fields change
}

func (r Request) statusBeforeRefund() Status {
	if r.ReceivedAt.IsZero() {
		return Approved
	}
	return Received
}
