package draft

import "github.com/cartwright-dev/cartwright/domain/fault"

// The refusals of drafts. Rule api-14.
var (
	ErrNotEditable = fault.New(fault.Conflict, "draft_not_editable",
		"This draft order is finalized or discarded and cannot change any more.")
	ErrEmail = fault.NewInvalid("email", "customer_email_invalid", "The draft order needs a valid email of its customer.").
			WithFields(fault.Field{Field: "customerSnapshot.email", Message: "This field takes an email address."})
	ErrEmpty          = fault.New(fault.Unprocessable, "draft_empty", "The draft order has no lines.")
	ErrMarketRequired = fault.New(fault.Unprocessable, "draft_market_required",
		"Draft orders are in KRW, and the shop's prices are not: it needs an active market in KRW.")
)
