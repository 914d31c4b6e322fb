package mail

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// OccasionCollections are the slugs of the collections whose changes KindOf and MayHaveToken know.
var OccasionCollections = []string{
	"orders", "fulfillments", "payment-sessions", "transactions", "return-requests", "notifications", "customers", "users", "user-invitations",
}

// MayHaveToken reports whether events of a collection may come with a token for one person, which says what is mailed.
func MayHaveToken(slug string) bool {
	return slug == "customers" || slug == "users" || slug == "user-invitations"
}

// KindOf is the kind of mail that a change is an occasion for; "" for none. What was imported is none: its buyers were told by the
// system that it comes from. Mails with tokens are not among them: their tokens say so. Rule mail-2.
func KindOf(h team.Change) Kind {
	if h.Operation == collection.Deleted || h.Actor.Via == tenant.ViaImport {
		return ""
	}
	created := h.Operation == collection.Created
	becomes := func(status string) bool { return h.Doc.Status == status && h.Before.Status != status }
	switch h.Collection {
	case "orders":
		return orderKind(created, h.Doc, h.Before)
	case "fulfillments":
		if becomes("shipped") || created && h.Doc.Status == "delivered" {
			return OrderShipped
		}
	case "payment-sessions":
		if h.Doc.Instructions.Account != nil && h.Before.Instructions.Account == nil && h.Doc.Order == nil {
			return PaymentWaiting
		}
	case "transactions":
		if h.Doc.Type == "refund" && becomes("refunded") {
			return RefundMade
		}
	case "return-requests":
		return returnKind(created, becomes)
	case "notifications":
		if created && h.Doc.MailTo != nil {
			return Notice
		}
	}
	return ""
}

// doneCancels is how many cancels of single lines of an order are done.
func doneCancels(order team.State) (n int) {
	for _, c := range order.LineCancels {
		if c.Status == "done" {
			n++
		}
	}
	return n
}

func orderKind(created bool, is, was team.State) Kind {
	switch {
	case created:
		return OrderPlaced
	case doneCancels(is) > doneCancels(was), is.Status == "canceled" && was.Status != is.Status:
		return OrderCanceled
	case is.PaymentStatus == "paid" && was.PaymentStatus != is.PaymentStatus:
		return PaymentReceived
	}
	return ""
}

func returnKind(created bool, becomes func(status string) bool) Kind {
	switch {
	case created && becomes("requested"):
		return ReturnRequested
	case becomes("approved"):
		return ReturnApproved
	case becomes("received"):
		return ReturnReceived
	case becomes("rejected"):
		return ReturnRejected
	}
	return ""
}
