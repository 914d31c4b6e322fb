package returns

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
)

var (
	read  = []collection.Verb{collection.Read}
	patch = []collection.Verb{collection.Read, collection.Update}
)

func toStrings(values []Status) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// MaxNote is the maximum length of reasons and audit notes in characters.
const MaxNote = 1000

var lineFields = []collection.Field{
	{Name: "orderLine", Kind: collection.Text, Doc: "Id of the order's line."},
	{Name: "quantity", Kind: collection.Integer, Doc: "Units that come back."},
	{Name: "restockingFee", Kind: collection.Money, Currency: "currency", Doc: "What the shop keeps of the line's refund."},
	{Name: "reason", Kind: collection.Textarea, Doc: "Why they come back."},
	{Name: "restock", Kind: collection.Boolean, Doc: "Whether they go back on the shelf when they are received. Digital goods never do, nor does what the sale did not take from it."},
	{Name: "lineRefund", Kind: collection.Money, Currency: "currency", Doc: "What the units were paid for, after discounts and before fees."},
}

// AmountFields declares the amounts of a Quote.
var AmountFields = []collection.Field{
	{Name: "lines", Kind: collection.Array, Fields: lineFields, Doc: "What comes back."},
	{Name: "lineRefundTotal", Kind: collection.Money, Currency: "currency", Doc: "Sum of the lines' refunds."},
	{Name: "restockingFeeTotal", Kind: collection.Money, Currency: "currency", Doc: "Sum of the restocking fees."},
	{Name: "initialShippingRefundAmount", Kind: collection.Money, Currency: "currency", Doc: "Outbound shipping that is given back."},
	{Name: "suggestedInitialShippingRefund", Kind: collection.Money, Currency: "currency", Doc: "What the return policy of the order suggests for it."},
	{Name: "returnShippingFee", Kind: collection.Money, Currency: "currency", Doc: "What the customer is charged for the way back."},
	{Name: "refundAmount", Kind: collection.Money, Currency: "currency", Doc: "lineRefundTotal + initialShippingRefundAmount − restockingFeeTotal − returnShippingFee."},
}

// Schema declares return requests. Rules: features/returns/RULES.md.
var Schema = &collection.Schema{
	Slug: "return-requests", Singular: "ReturnRequest", Plural: "ReturnRequests",
	Doc: "Units of an order that a customer gives back, and the money for them.",
	Fields: append(append([]collection.Field{
		{Name: "status", Kind: collection.Select, Options: toStrings(Statuses), Indexed: true, Doc: "How far the return is; refunded once the money is on its way."},
		{Name: "order", Kind: collection.Relation, RelationTo: "orders", Indexed: true, Doc: "The order."},
		{Name: "customer", Kind: collection.Relation, RelationTo: "customers", Indexed: true, Doc: "The buyer's account; null for a guest."},
		{Name: "currency", Kind: collection.Text, Doc: "ISO 4217 code of all amounts."},
	}, AmountFields...), []collection.Field{
		{Name: "refundStatus", Kind: collection.Select, Options: []string{refundPending, refundSucceeded, refundFailed}, Indexed: true, Doc: "What became of its refund; null before there is one, and where nothing has to go back."},
		{Name: "refundProblem", Kind: collection.Textarea, VisibleTo: collection.Staff, Doc: "Why its last refund failed."},
		{Name: "transaction", Kind: collection.Relation, RelationTo: "transactions", VisibleTo: collection.Staff, Doc: "Its last refund in the books."},
		{Name: "auditNote", Kind: collection.Textarea, VisibleTo: collection.Staff, Doc: "Why shipping is given back without a policy, or what else was noted when the return was made."},
		{Name: "statusReason", Kind: collection.Textarea, Doc: "Why it was rejected or canceled."},
		{Name: "approvedAt", Kind: collection.Date, Doc: "When the shop agreed."},
		{Name: "receivedAt", Kind: collection.Date, Doc: "When the goods were back."},
		{Name: "refundedAt", Kind: collection.Date, Doc: "When the money was given back, or put on its way."},
		{Name: "returnedAt", Kind: collection.Date, VisibleTo: collection.ServerOnly, Doc: "When its units were counted as returned."},
		{Name: "notes", Kind: collection.Textarea, Patchable: true, VisibleTo: collection.Staff, Doc: "Notes of operators."},
		{Name: "metadata", Kind: collection.JSON, Patchable: true, VisibleTo: collection.Staff, Doc: "Custom data of the shop."},
	}...),
	PerEnvironment: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: patch, Admin: patch, SecretKey: patch, OwnerField: "customer"},
}
