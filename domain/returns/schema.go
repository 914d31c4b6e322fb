package returns

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/team"
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
	{Name: "quantity", Kind: collection.Integer, Doc: "Units to return; once received, those that arrived."},
	{Name: "requestedQuantity", Kind: collection.Integer, Doc: "Units to return where fewer arrived; null where all did, or nothing so far."},
	{
		Name: "condition", Kind: collection.Select, Options: Conditions,
		Doc: "How the units arrived, missing where none did; null where nobody said.",
	},
	{Name: "restockingFee", Kind: collection.Money, Currency: "currency", Doc: "What the shop keeps of the line's refund."},
	{Name: "reason", Kind: collection.Textarea, Personal: true, Doc: "Reason for the return."},
	{
		Name: "restock", Kind: collection.Boolean,
		Doc: "Whether they are restocked when received. Digital goods are never restocked, nor are units that the sale did not take from stock.",
	},
	{
		Name: "lineRefund", Kind: collection.Money, Currency: "currency",
		Doc: "What was paid for the units, after discounts and before fees.",
	},
}

// AmountFields declares the amounts of a Quote.
var AmountFields = []collection.Field{
	{Name: "lines", Kind: collection.Array, Fields: lineFields, Doc: "The lines to return."},
	{Name: "lineRefundTotal", Kind: collection.Money, Currency: "currency", Doc: "Sum of the lines' refunds."},
	{Name: "restockingFeeTotal", Kind: collection.Money, Currency: "currency", Doc: "Sum of the restocking fees."},
	{Name: "initialShippingRefundAmount", Kind: collection.Money, Currency: "currency", Doc: "Outbound shipping that is refunded."},
	{
		Name: "suggestedInitialShippingRefund", Kind: collection.Money, Currency: "currency",
		Doc: "What the return policy of the order suggests for it.",
	},
	{Name: "returnShippingFee", Kind: collection.Money, Currency: "currency", Doc: "What the customer is charged for return shipping."},
	{
		Name: "refundAmount", Kind: collection.Money, Currency: "currency",
		Doc: "lineRefundTotal + initialShippingRefundAmount − restockingFeeTotal − returnShippingFee.",
	},
}

// Schema declares return requests. Rules: features/returns/RULES.md.
var Schema = &collection.Schema{
	Slug: "return-requests", Singular: "ReturnRequest", Plural: "ReturnRequests",
	Doc: "Units of an order that a customer returns, and their refund.",
	Fields: slices.Concat([]collection.Field{
		{
			Name: "status", Kind: collection.Select, Options: toStrings(Statuses), Indexed: true,
			Doc: "How far the return is; refunded once the money is on its way.",
		},
		{Name: "order", Kind: collection.Relation, RelationTo: "orders", Indexed: true, Doc: "The order."},
		{
			Name: "customer", Kind: collection.Relation, RelationTo: "customers", Indexed: true,
			Doc: "The buyer's account; null for a guest.",
		},
		{Name: "currency", Kind: collection.Text, Doc: "ISO 4217 code of all amounts."},
	}, AmountFields, []collection.Field{
		{
			Name: "refundStatus", Kind: collection.Select, Options: []string{refundPending, refundSucceeded, refundFailed}, Indexed: true,
			Doc: "State of its refund; null before there is one, and when nothing has to be refunded.",
		},
		{
			Name: "refundAccount", Kind: collection.Text, Personal: true, VisibleTo: collection.ServerOnly,
			Doc: "The account that the refund goes to, kept encrypted until the money is on its way.",
		},
		{
			Name: "refundAccountEnding", Kind: collection.Text, Personal: true,
			Doc: "Last four digits of the account that the refund goes to, as long as it is kept; null if none was named.",
		},
		{Name: "refundProblem", Kind: collection.Textarea, Personal: true, VisibleTo: collection.Staff, Doc: "Why its last refund failed."},
		{
			Name: "transaction", Kind: collection.Relation, RelationTo: "transactions", VisibleTo: collection.Staff,
			Doc: "The transaction of its last refund.",
		},
		{
			Name: "auditNote", Kind: collection.Textarea, Personal: true, VisibleTo: collection.Staff,
			Doc: "Why shipping is refunded without a policy, or another note made when the return was created.",
		},
		{Name: "statusReason", Kind: collection.Textarea, Personal: true, Doc: "Why it was rejected or canceled."},
		{Name: "approvedAt", Kind: collection.Date, Doc: "When the shop approved it."},
		{Name: "receivedAt", Kind: collection.Date, Doc: "When the goods were received."},
		{Name: "refundedAt", Kind: collection.Date, Doc: "When the refund succeeded or was submitted."},
		{Name: "returnedAt", Kind: collection.Date, VisibleTo: collection.ServerOnly, Doc: "When its units were counted as returned."},
		{Name: "notes", Kind: collection.Textarea, Personal: true, Patchable: true, VisibleTo: collection.Staff, Doc: "Notes of operators."},
		{Name: "metadata", Kind: collection.JSON, Personal: true, Patchable: true, VisibleTo: collection.Staff, Doc: "Custom data of the shop."},
	}, team.AssignmentFields),
	PerEnvironment: true, KeepsHistory: true, CommandOnly: true, NoDelete: true,
	TimelineOf: "order",
	Access:     collection.Access{Viewer: read, Editor: patch, Admin: patch, SecretKey: patch, OwnerField: "customer"},
}
