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
	becomes := func(field string, values ...string) bool {
		for _, value := range values {
			if h.Doc[field] == value && h.Before[field] != value {
				return true
			}
		}
		return false
	}
	switch h.Collection {
	case "orders":
		if !created && doneCancels(h.Doc) > doneCancels(h.Before) {
			return OrderCanceled
		}
		return orderKind(created, becomes)
	case "fulfillments":
		if becomes("status", "shipped") || created && h.Doc["status"] == "delivered" {
			return OrderShipped
		}
	case "payment-sessions":
		if account(h.Doc) != nil && account(h.Before) == nil && h.Doc["order"] == nil {
			return PaymentWaiting
		}
	case "transactions":
		if h.Doc["type"] == "refund" && becomes("status", "refunded") {
			return RefundMade
		}
	case "return-requests":
		return returnKind(created, becomes)
	case "notifications":
		if created && h.Doc["mailTo"] != nil {
			return Notice
		}
	}
	return ""
}

// account is where a buyer has to pay to, of a payment session; nil for nowhere.
func account(session map[string]any) any {
	instructions, _ := session["instructions"].(map[string]any)
	return instructions["account"]
}

// doneCancels is how many cancels of single lines of an order are done.
func doneCancels(order map[string]any) (n int) {
	rows, _ := order["lineCancels"].([]any)
	for _, row := range rows {
		if r, _ := row.(map[string]any); r["status"] == "done" {
			n++
		}
	}
	return n
}

func orderKind(created bool, becomes func(field string, values ...string) bool) Kind {
	switch {
	case created:
		return OrderPlaced
	case becomes("status", "canceled"):
		return OrderCanceled
	case becomes("paymentStatus", "paid"):
		return PaymentReceived
	}
	return ""
}

func returnKind(created bool, becomes func(field string, values ...string) bool) Kind {
	switch {
	case created && becomes("status", "requested"):
		return ReturnRequested
	case becomes("status", "approved"):
		return ReturnApproved
	case becomes("status", "received"):
		return ReturnReceived
	case becomes("status", "rejected"):
		return ReturnRejected
	}
	return ""
}
