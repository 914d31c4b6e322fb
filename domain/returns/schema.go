// Package returns is goods that come back: what a return gives back, and how far it is. Spec 3.3, Contract 9.
//
// Decisions of our own: several requests of an order may be open at once. Units come back when a request is received, or when
// it is refunded without that: such goods stay with the customer, or are digital, and nothing is put on the shelf. Until
// then a request may be rejected or canceled, and what it held is free again. A refund that the bank takes and cannot pay out
// later is owed: its request is open again and can only be refunded. A full return, and the value that a proportional refund
// of shipping goes by, are those of the lines that were shipped; a proportion is rounded once, over everything that came
// back so far. Goods that cost nothing go by their units. What a customer asks for has the amounts of the order's policy.
package returns

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
)

var (
	read  = []collection.Verb{collection.Read}
	patch = []collection.Verb{collection.Read, collection.Update}
)

func names(values []Status) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// MaxNote is how many characters reasons and audit notes have at most.
const MaxNote = 1000

var lineFields = []collection.Field{
	{Name: "orderLine", Kind: collection.Text, Doc: "Id of the order's line."},
	{Name: "quantity", Kind: collection.Integer, Doc: "Units that come back."},
	{Name: "restockingFee", Kind: collection.Money, Currency: "currency", Doc: "What the shop keeps of the line's refund."},
	{Name: "reason", Kind: collection.Textarea, Doc: "Why they come back."},
	{Name: "restock", Kind: collection.Boolean, Doc: "Whether they go back on the shelf when they are received. Digital goods never do, nor does what the sale did not take from it."},
	{Name: "lineRefund", Kind: collection.Money, Currency: "currency", Doc: "What the units were paid for, after discounts and before fees."},
}

// AmountFields is what a return comes to.
var AmountFields = []collection.Field{
	{Name: "lines", Kind: collection.Array, Fields: lineFields, Doc: "What comes back."},
	{Name: "lineRefundTotal", Kind: collection.Money, Currency: "currency", Doc: "Sum of the lines' refunds."},
	{Name: "restockingFeeTotal", Kind: collection.Money, Currency: "currency", Doc: "Sum of the restocking fees."},
	{Name: "initialShippingRefundAmount", Kind: collection.Money, Currency: "currency", Doc: "Outbound shipping that is given back."},
	{Name: "suggestedInitialShippingRefund", Kind: collection.Money, Currency: "currency", Doc: "What the return policy of the order suggests for it."},
	{Name: "returnShippingFee", Kind: collection.Money, Currency: "currency", Doc: "What the customer is charged for the way back."},
	{Name: "refundAmount", Kind: collection.Money, Currency: "currency", Doc: "lineRefundTotal + initialShippingRefundAmount − restockingFeeTotal − returnShippingFee."},
}

// Schema is the return-requests collection. Contract 9.
var Schema = &collection.Schema{
	Slug: "return-requests", Singular: "ReturnRequest", Plural: "ReturnRequests",
	Doc: "Units of an order that a customer gives back, and the money for them.",
	Fields: append(append([]collection.Field{
		{Name: "status", Kind: collection.Select, Options: names(Statuses), Indexed: true, Doc: "How far the return is; refunded once the money is on its way."},
		{Name: "order", Kind: collection.Relation, To: "orders", Indexed: true, Doc: "The order."},
		{Name: "customer", Kind: collection.Relation, To: "customers", Indexed: true, Doc: "The buyer's account; null for a guest."},
		{Name: "currency", Kind: collection.Text, Doc: "ISO 4217 code of all amounts."},
	}, AmountFields...), []collection.Field{
		{Name: "refundStatus", Kind: collection.Select, Options: []string{refundPending, refundDone, refundFailed}, Indexed: true, Doc: "What became of its refund; null before there is one, and where nothing has to go back."},
		{Name: "refundProblem", Kind: collection.Textarea, Read: collection.Staff, Doc: "Why its last refund failed."},
		{Name: "transaction", Kind: collection.Relation, To: "transactions", Read: collection.Staff, Doc: "Its last refund in the books."},
		{Name: "auditNote", Kind: collection.Textarea, Read: collection.Staff, Doc: "Why shipping is given back without a policy, or what else was noted when the return was made."},
		{Name: "statusReason", Kind: collection.Textarea, Doc: "Why it was rejected or canceled."},
		{Name: "approvedAt", Kind: collection.Date, Doc: "When the shop agreed."},
		{Name: "receivedAt", Kind: collection.Date, Doc: "When the goods were back."},
		{Name: "refundedAt", Kind: collection.Date, Doc: "When the money was given back, or put on its way."},
		{Name: "returnedAt", Kind: collection.Date, Read: collection.Nobody, Doc: "When its units were counted as returned."},
		{Name: "notes", Kind: collection.Textarea, Free: true, Read: collection.Staff, Doc: "Notes of operators."},
		{Name: "metadata", Kind: collection.JSON, Free: true, Read: collection.Staff, Doc: "Facts of the shop's own."},
	}...),
	Environmented: true, Operated: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: patch, Admin: patch, SecretKey: patch, Owner: "customer"},
}
