// Package order holds the rules of orders: what was bought and paid, and the statuses that payment,
// fulfillment and returns move an order through. Lines and amounts never change after placement; what is
// canceled of them is recorded beside them.
package order

import (
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var (
	read  = []collection.Verb{collection.Read}
	patch = []collection.Verb{collection.Read, collection.Update}
)

func toStrings[S ~string](values []S) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// Schema declares orders. Rules: features/orders/RULES.md.
var Schema = &collection.Schema{
	Slug: "orders", Singular: "Order", Plural: "Orders",
	Doc: "Something bought: by checkout, by an operator, or in another system.",
	Fields: append([]collection.Field{
		{
			Name: "orderNumber", Kind: collection.Text, NonNull: true, Unique: true, Indexed: true,
			Doc: "Order number: date and six digits. It grants no access.",
		},
		{Name: "email", Kind: collection.Email, Personal: true, Indexed: true, Patchable: true, Doc: "The buyer's email. It can be corrected, not removed."},
		{Name: "status", Kind: collection.Select, NonNull: true, Options: toStrings(Statuses), Indexed: true, Doc: "Status of the order."},
		{
			Name: "source", Kind: collection.Select, NonNull: true, Options: []string{"checkout", "manual", "api"}, Indexed: true,
			Doc: "How it was made.",
		},
		{Name: "currency", Kind: collection.Text, NonNull: true, Doc: "ISO 4217 code of all amounts."},
		{
			Name: "locale", Kind: collection.Text, MaxLength: tenant.MaxLocale,
			Doc: "Language of the buyer, in which the lines have their titles; null: the shop's default language.",
		},
		{
			Name: "customer", Kind: collection.Relation, RelationTo: "customers", Indexed: true,
			Doc: "The buyer's account; null for a guest.",
		},
		{Name: "customerSnapshot", Kind: collection.Group, Fields: sale.ContactFields, Doc: "The buyer at the time of the order."},
		address.Group(collection.Field{
			Name: "shippingAddress", Patchable: true,
			Doc: "Where the goods go. It can be corrected until the order is shipped; what shipping cost stays as it is.",
		}),
		{Name: "lines", Kind: collection.Array, Fields: lineFields, Doc: "What was bought."},
		{
			Name: "paymentStatus", Kind: collection.Select, NonNull: true,
			Options: paymentStatuses, Indexed: true,
			Doc: "Derived from what was paid and refunded; authorized while the provider holds the money until it is captured, reversed while it has taken money back without a refund.",
		},
		{
			Name: "fulfillmentStatus", Kind: collection.Select, NonNull: true, Options: []string{"none", "partial", fulfilled},
			Indexed: true, Doc: "Derived from the units fulfilled.",
		},
		{Name: "subtotal", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "Lines before discounts."},
		{Name: "discountAmount", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "All discounts on lines."},
		{Name: "discountCodes", Kind: collection.Array, Fields: checkout.CodeFields, Doc: "The discount codes and their effect."},
		{Name: "shippingAmount", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "Shipping paid."},
		{
			Name: "shippingMethod", Kind: collection.Text, ToldWhenCreated: true,
			Doc: "How it ships: the title of the shipping policy that an operator chose in its draft order; null where none was chosen.",
		},
		{Name: "totalAmount", Kind: collection.Money, NonNull: true, Currency: "currency", Indexed: true, Doc: "What was paid."},
		{
			Name: "taxFreeAmount", Kind: collection.Money, Currency: "currency",
			Doc: "The part of totalAmount that is free of value added tax: its tax-free lines after discounts; null in records of older versions.",
		},
		sale.TaxField,
		{Name: "refundedAmount", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "The refunded amount."},
		{
			Name: "canceledAmount", Kind: collection.Money, Currency: "currency",
			Doc: "What cancels of lines took off the total; null for nothing. What the order comes to is totalAmount less this.",
		},
		{
			Name: "lineCancels", Kind: collection.Array, VisibleTo: collection.Staff, Fields: lineCancelFields,
			Doc: "Cancels of lines, oldest first.",
		},
		{
			Name: "reversedAmount", Kind: collection.Money, Currency: "currency", VisibleTo: collection.Staff,
			Doc: "What the provider took back without a refund and did not return; null for nothing.",
		},
		{
			Name: "authorization", Kind: collection.Group, VisibleTo: collection.Staff, Fields: authorizationFields,
			Doc: "Money that the provider holds for the order until it is captured; empty for none.",
		},
		{
			Name: "hold", Kind: collection.Select, Options: HoldReasons, Indexed: true, VisibleTo: collection.Staff,
			Doc: "Why nothing of the order is shipped or completed at present; null for no reason.",
		},
		{
			Name: "returnShippingPolicy", Kind: collection.Group, OmitMissing: true,
			Doc: "Return rules at the time of the order; absent on orders without such a snapshot.", Fields: []collection.Field{
				{
					Name: "initialShippingRefund", Kind: collection.Select, NonNull: true,
					Options: []string{"always", "full_return_only", "proportional", "never"},
					Doc:     "How much outbound shipping a return refunds.",
				},
				{
					Name: "returnShippingFee", Kind: collection.Money, NonNull: true, Currency: "currency",
					Doc: "What a return costs the customer.",
				},
			},
		},
		{
			Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts", Unique: true, Indexed: true,
			Doc: "The checkout it was placed from.",
		},
		{
			Name: "draftOrder", Kind: collection.Relation, RelationTo: "draft-orders", Unique: true, Indexed: true,
			Doc: "The draft it was finalized from.",
		},
		{Name: "notes", Kind: collection.Textarea, Personal: true, Patchable: true, Doc: "Notes of buyer and operators."},
		{Name: "metadata", Kind: collection.JSON, Personal: true, Patchable: true, Doc: "Custom data of the shop."},
		{Name: "placedAt", Kind: collection.Date, NonNull: true, Indexed: true, Doc: "When it was placed."},
		{Name: "deliveredAt", Kind: collection.Date, Doc: "When it was delivered; null before. Filter by it together with status."},
		{Name: "statusNote", Kind: collection.Textarea, Personal: true, VisibleTo: collection.Staff, Doc: "Note of the last manual transition."},
		{Name: "cancelReason", Kind: collection.Textarea, Personal: true, VisibleTo: collection.Staff, Doc: "Why it was canceled."},
		{
			Name: "canceledBy", Kind: collection.Group, VisibleTo: collection.Staff, Fields: collection.ActorFields(false),
			Doc: "Who canceled it, or is canceling it.",
		},
		{Name: "cancelKey", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "The operation that cancels it."},
		{Name: "paidAmount", Kind: collection.Money, Currency: "currency", VisibleTo: collection.ServerOnly, Doc: "What was paid."},
		{Name: "beforeReturn", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Status before the first open return."},
		{Name: "importHash", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "SHA-256 of the order as it was imported."},
		{
			Name: "formerEmails", Kind: collection.Texts, Personal: true, Indexed: true, MaxLength: collection.MaxEmail, MaxItems: maxFormerEmails,
			VisibleTo: collection.ServerOnly, Doc: "Addresses that were corrected: whoever is erased by one of them is in the order's events.",
		},
	}, team.AssignmentFields...),
	ListIndexes:    [][]string{{"status", "deliveredAt"}},
	PerEnvironment: true, KeepsHistory: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: patch, Admin: patch, SecretKey: patch, OwnerField: "customer"},
}

var lineCancelFields = []collection.Field{
	{Name: "status", Kind: collection.Select, Options: []string{lineCancelDone, lineCancelInProgress}, Doc: "in_progress until the provider took the refund."},
	{Name: "at", Kind: collection.Date, Doc: "When it began."},
	{Name: "actor", Kind: collection.Group, Fields: collection.ActorFields(false), Doc: "Who canceled."},
	{Name: "reason", Kind: collection.Textarea, Personal: true, Doc: "Why."},
	{Name: "lines", Kind: collection.Array, Fields: CanceledUnitsFields, Doc: "What was canceled."},
	{Name: "shippingAmount", Kind: collection.Money, Currency: "currency", Doc: "What it took off shipping."},
	{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "What it took off the order: lines and shipping."},
	{
		Name: "taxes", Kind: collection.Array, OmitMissing: true, Fields: tax.AmountFields,
		Doc: "The taxes in the amount, of each rate; left out where the order has none.",
	},
	{Name: "key", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "The operation that began it."},
}

// CanceledUnitsFields declares CanceledUnits.
var CanceledUnitsFields = []collection.Field{
	{Name: "orderLine", Kind: collection.Text, Doc: "Id of the order's line."},
	{Name: "quantity", Kind: collection.Integer, Doc: "Units of it."},
	{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "What they came to, after discounts."},
}

var authorizationFields = []collection.Field{
	{Name: "paymentSession", Kind: collection.Relation, RelationTo: "payment-sessions", Doc: "The session that the buyer approved."},
	{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "How much is held."},
	{Name: "capture", Kind: collection.Select, Options: checkout.CaptureModes, Doc: "When it is captured: once everything was shipped, or by an operator."},
	{Name: "until", Kind: collection.Date, Doc: "When the provider releases it at the latest; null where it does not say."},
}

var lineFields = sale.LineFields.Without("compareAtPrice").Described(sale.Docs{
	"id":               "Id of the order line.",
	"quantity":         "Units ordered.",
	"total":            "What the line cost.",
	"requiresShipping": "Whether it is delivered by a carrier.",
}).And(
	collection.Field{Name: "fulfilledQuantity", Kind: collection.Integer, NonNull: true, Doc: "Units shipped or completed."},
	collection.Field{Name: "returnedQuantity", Kind: collection.Integer, NonNull: true, Doc: "Units returned."},
	collection.Field{Name: "canceledQuantity", Kind: collection.Integer, Doc: "Units canceled before they were fulfilled; null for none."},
	collection.Field{
		Name: "canceledAmount", Kind: collection.Money, Currency: "currency", Doc: "What those came to, after discounts; null for none.",
	},
	collection.Field{
		Name: "stockTaken", Kind: collection.Boolean, VisibleTo: collection.Staff,
		Doc: "Whether the sale took its units from stock, to which a cancel or a return restores them; false if the variant was not tracked then, and on imported orders.",
	},
)

// FulfillmentOrders declares the work of orders: one record for what ships, and one for what is completed by
// hand. Rule fulfillment-1.
var FulfillmentOrders = &collection.Schema{
	Slug: "fulfillment-orders", Singular: "FulfillmentOrder", Plural: "FulfillmentOrders",
	Doc: "Units of one order to be shipped, or to be completed by hand.",
	Fields: []collection.Field{
		{Name: "order", Kind: collection.Relation, RelationTo: "orders", Indexed: true, Doc: "The order."},
		{
			Name: "type", Kind: collection.Select, Options: []string{ShippingFulfillmentOrder, ManualFulfillmentOrder}, Indexed: true,
			Doc: "Whether a carrier is needed.",
		},
		{
			Name: "status", Kind: collection.Select,
			Options: []string{FulfillmentOrderOpen, FulfillmentOrderInProgress, FulfillmentOrderClosed, FulfillmentOrderCanceled},
			Indexed: true, Doc: "How far the work is.",
		},
		{Name: "lines", Kind: collection.Array, Doc: "What is to be done.", Fields: []collection.Field{
			{Name: "orderLine", Kind: collection.Text, Doc: "Id of the order's line."},
			{Name: "quantity", Kind: collection.Integer, Doc: "Units."},
			{Name: "fulfilledQuantity", Kind: collection.Integer, Doc: "Units done."},
		}},
		{
			Name: "carrierBatch", Kind: collection.Relation, RelationTo: "carrier-batches", Indexed: true,
			Doc: "Batch in which it was exported to a carrier; null for none, and after it was released.",
		},
		{
			Name: "changedSinceExport", Kind: collection.Selects, Options: ExportChanges,
			Doc: "What changed after it was put into the batch: the address of the order, or its lines, of which units were canceled; empty for nothing.",
		},
	},
	PerEnvironment: true, KeepsHistory: true, CommandOnly: true, NoDelete: true,
	TimelineOf: "order",
	Access:     collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read},
}
