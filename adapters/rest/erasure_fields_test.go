package rest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
)

// notPersonal are the fields with text of their own of the collections that an erasure goes through which keep their values, by
// the reason.
var notPersonal = map[string]string{
	"names a record, or the operation that changed it": `lines.id lines.orderLine items.orderLine lineCancels.lines.orderLine comments.record
		webhook-deliveries.record webhook-deliveries.event webhook-deliveries.collection
		mail-deliveries.record mail-deliveries.event mail-deliveries.collection mail-deliveries.claim
		mail-deliveries.draft.order discountCodes.discount checkouts.liveCart
		payment-sessions.slot payment-sessions.cart payment-sessions.unsettledCart orders.lineCancels.key orders.cancelKey
		transactions.captureKey transactions.refundKey transactions.refundOf transactions.reversalOf`,
	"who acted: the id of an account":    `customers.erasedBy guest-erasures.erasedBy canceledBy.id actor.id`,
	"why, in words that ask for no name": `customers.erasureReason guest-erasures.erasureReason`,
	"what was bought, for the accounts": `lines.title lines.variantTitle lines.sku currency discountCodes.code draft-orders.discountCode
		payment-sessions.orderName`,
	"the number of an order, payment or parcel, for the accounts and its provider": `orderNumber paymentId providerSessionId providerPaymentId
		providerRefundId providerReversalId providerDisputeId payment-sessions.customSession payment-sessions.customPayment
		fulfillments.trackingNumber cashReceipt.issueNumber transactions.receiptUrl cashReceipt.receiptUrl payment-sessions.accountKey`,
	"decides on taxes and shipping, or says how they were worked out": `shippingAddress.country customers.addresses.country payment-sessions.country
		checkouts.initialShippingRefund shippingMethod rates.rate rates.name rates.country rates.jurisdiction
		taxes.rate taxes.name taxes.country taxes.jurisdiction
		shipping.rate shipping.name shipping.country shipping.jurisdiction`,
	"how it was paid": `payment-sessions.method transactions.method payment-sessions.methodAsked payment-sessions.customName
		payment-sessions.channel instructions.bank instructions.bankCode`,
	"a state, or words of the server or a provider about one": `orders.beforeReturn transactions.refundState checkouts.reason payment-sessions.reason
		disputes.reason stock-movements.reason`,
	"a hash":                           `carts.tokenHash checkouts.tokenHash orders.importHash`,
	"the language of a mail or a sale": `locale`,
	"labels of the shop for its work, not for people": `draft-orders.tags orders.tags return-requests.tags`,
}

// ownText reports whether values of f are text that people or providers write.
func ownText(f *collection.Field) bool {
	return slices.Contains([]collection.Kind{
		collection.Text, collection.Textarea, collection.Email, collection.JSON, collection.RichText, collection.Texts,
	}, f.Kind)
}

// stays reports whether a field is one of notPersonal.
func stays(path string) bool {
	for _, paths := range notPersonal {
		for known := range strings.FieldsSeq(paths) {
			if path == known || strings.HasSuffix(path, "."+known) {
				return true
			}
		}
	}
	return false
}

// erasedSchemas are the collections that an erasure goes through.
func erasedSchemas() []*collection.Schema {
	all := []*collection.Schema{identity.Customers}
	for _, h := range personaldata.Erased {
		if !slices.Contains(all, h.Schema) {
			all = append(all, h.Schema)
		}
	}
	return all
}

// Every field of a collection about people that holds words is either erased, or known to stay.
func TestEveryFieldAboutPeopleIsErasedOrStays(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	var check func(at string, fields []collection.Field)
	check = func(at string, fields []collection.Field) {
		for _, f := range fields {
			path := at + "." + f.Name
			switch {
			case f.Kind == collection.Group || f.Kind == collection.Array:
				check(path, f.Fields)
			case !ownText(&f) && !f.Personal:
			case f.Personal == stays(path):
				t.Errorf("%s: mark it as Personal, or say in notPersonal why it stays, and not both", path)
			}
			for _, paths := range notPersonal {
				for known := range strings.FieldsSeq(paths) {
					used[known] = used[known] || path == known || strings.HasSuffix(path, "."+known)
				}
			}
		}
	}
	for _, s := range append(erasedSchemas(), identity.GuestErasures) {
		check(s.Slug, s.Fields)
	}
	for known, there := range used {
		if !there {
			t.Errorf("there is no field %s", known)
		}
	}
}
