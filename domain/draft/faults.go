package draft

import "github.com/cartwright-dev/cartwright/domain/fault"

// The refusals of drafts. Rule api-14.
var (
	ErrNotEditable = fault.New(fault.Conflict, "draft_not_editable",
		"This draft order is finalized or discarded and cannot change any more.")
	ErrAwaitsPayment = fault.New(fault.Conflict, "draft_awaits_payment",
		"The buyer has a payment link of this draft order. Revoke it before the draft changes.")
	ErrNoPaymentLink = fault.New(fault.Conflict, "draft_has_no_payment_link", "This draft order has no payment link.")
	ErrEmail         = fault.NewInvalid("email", "customer_email_invalid", "The draft order needs a valid email of its customer.").
				WithFields(fault.Field{Field: "customerSnapshot.email", Message: "This field takes an email address."})
	ErrEmpty          = fault.New(fault.Unprocessable, "draft_empty", "The draft order has no lines.")
	ErrMarketRequired = fault.New(fault.Unprocessable, "draft_market_required",
		"The shop's prices are not in the currency of the draft order: it needs an active market in that currency.")
)
