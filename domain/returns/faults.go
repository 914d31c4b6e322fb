package returns

import (
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// The refusals of returns. Rule api-14.
var (
	ErrQuantityExceeded = fault.New(fault.Unprocessable, "return_quantity_exceeded", "More units than this line has left to return.")
	ErrRestockingFee    = fault.New(fault.Unprocessable, "restocking_fee_exceeds_line",
		"A restocking fee is at most the refund of its line.")
	ErrRefundNegative        = fault.New(fault.Unprocessable, "refund_negative", "The fees of this return are higher than its refund.")
	ErrShippingNotApplicable = fault.New(fault.Unprocessable, "return_shipping_not_applicable",
		"Nothing of this return was shipped, so shipping is neither refunded nor charged.")
	ErrShippingCap = fault.New(fault.Unprocessable, "shipping_refund_exceeds_cap",
		"All returns of an order together refund at most the shipping that was paid.")
	ErrAuditNoteRequired = fault.New(fault.Unprocessable, "audit_note_required",
		"This order has no return policy: refunding shipping needs an audit note.")
	ErrTransition = fault.New(fault.Conflict, "return_transition_invalid",
		"The return request cannot change from its current status to this one.")
	ErrLineNotInOrder = cart.ErrLineNotFound.WithMessage("The order has no such line.")
)
