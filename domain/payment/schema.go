package payment

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

var (
	read  = []collection.Verb{collection.Read}
	patch = []collection.Verb{collection.Read, collection.Update}
	all   = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
)

// Connections declares a tenant's accounts at payment providers. Credentials and webhook secrets never leave
// the server and are sealed before they are stored. Rule payments-32.
var Connections = &collection.Schema{
	Slug: "provider-connections", Singular: "ProviderConnection", Plural: "ProviderConnections",
	Guarded: []collection.Verb{collection.Create, collection.Update, collection.Delete}, // the shop's money would go elsewhere
	Indexes: []collection.Index{{Fields: []string{"id", "tenant"}}},                     // a webhook names nothing else
	Doc:     "An account of the shop at a payment provider.",
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, MaxLength: 200, Doc: "Name shown to operators."},
		{
			Name: "provider", Kind: collection.Select, Required: true, Immutable: true, Indexed: true,
			Doc: "Which provider the account is at.",
		},
		{
			Name: "accountKey", Kind: collection.Text, Required: true, Immutable: true, Indexed: true, MaxLength: 200,
			Doc: "The account's identifier at the provider: store id, MID.",
		},
		{
			Name: "environment", Kind: collection.Select, Options: []string{"test", "live"}, Required: true, Immutable: true, Indexed: true,
			Doc: "Whether the account moves real money.",
		},
		{
			Name: "credentials", Kind: collection.JSON, VisibleTo: collection.ServerOnly,
			Doc: "Keys of the account by name; write-only, kept encrypted.",
		},
		{
			Name: "webhookSecrets", Kind: collection.Texts, VisibleTo: collection.ServerOnly,
			Doc: "Secrets that sign the provider's webhooks, newest first; write-only, kept encrypted.",
		},
		{Name: "enabledMethods", Kind: collection.Selects, Options: Methods, Doc: "Methods that hosted sessions may ask for."},
		{
			Name: "capture", Kind: collection.Select, Options: checkout.CaptureModes, Default: string(checkout.CaptureAtOnce),
			Doc: "When the money of an approved payment is collected: at once; once everything of the order was shipped or completed; or when an operator captures it. Later only where the provider can.",
		},
		{Name: "enabled", Kind: collection.Boolean, Default: true, Indexed: true, Doc: "Whether new sessions may use the account."},
		{Name: "isDefault", Kind: collection.Boolean, Default: false, Doc: "Whether sessions that name no connection use this one."},
	},
	UniqueSets: [][]string{{"provider", "accountKey", "environment"}},
	Access:     collection.Access{Viewer: read, Editor: read, Admin: all, SecretKey: all},
}

// Sessions declares payment sessions. Rules: features/payments/RULES.md.
var Sessions = &collection.Schema{
	Slug: "payment-sessions", Singular: "PaymentSession", Plural: "PaymentSessions",
	Indexes: []collection.Index{{Fields: []string{"slotHeld", "createdAt"}}}, // open sessions are watched across tenants
	Doc:     "One attempt to collect the money of a checkout.",
	Fields: []collection.Field{
		{
			Name: "kind", Kind: collection.Select, NonNull: true,
			Options: []string{string(Widget), string(Hosted), string(Standard), string(Custom)}, Doc: "How the shopper pays.",
		},
		{Name: "status", Kind: collection.Select, NonNull: true, Options: statuses, Indexed: true, Doc: "How far the payment is."},
		{
			Name: "observation", Kind: collection.Select, NonNull: true, Options: observations,
			Doc: "The last problem observed; it does not free the slot.",
		},
		{
			Name: "slotHeld", Kind: collection.Boolean, NonNull: true, Indexed: true,
			Doc: "Whether the session holds its checkout's payment slot.",
		},
		{Name: "amount", Kind: collection.Group, Doc: "What is collected.", Fields: []collection.Field{
			{Name: "amount", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "Amount in major units."},
			{Name: "currency", Kind: collection.Text, NonNull: true, Doc: "ISO 4217 code."},
		}},
		{
			Name: "taxFreeAmount", Kind: collection.Money,
			Doc: "The part of the amount that is free of value added tax, which the provider is told, in its currency; null for none.",
		},
		{
			Name: "vatAmount", Kind: collection.Money, VisibleTo: collection.ServerOnly,
			Doc: "The value added tax in the rest of the amount as the shop computed it, which the provider is told.",
		},
		{Name: "provider", Kind: collection.Select, NonNull: true, Indexed: true, Doc: "The provider."},
		{
			Name: "connection", Kind: collection.Relation, RelationTo: "provider-connections", Indexed: true,
			Doc: "The account; null for custom sessions.",
		},
		{Name: "method", Kind: collection.Text, Doc: "The payment method asked for, later the one used."},
		{Name: "providerSessionId", Kind: collection.Text, Indexed: true, Doc: "The provider's id of the session."},
		{Name: "providerPaymentId", Kind: collection.Text, Indexed: true, Doc: "The provider's id of the payment."},
		{Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts", Indexed: true, Doc: "The checkout that is paid."},
		{Name: "order", Kind: collection.Relation, RelationTo: "orders", Doc: "The order, once placed."},
		{
			Name: "instructions", Kind: collection.Group, Fields: instructionFields,
			Doc: "What the buyer has to pay where and until when, of payments to a virtual account; empty otherwise.",
		},
		{
			Name: "cashReceipt", Kind: collection.Group, VisibleTo: collection.Staff, Fields: CashReceiptRequestFields,
			Doc: "The cash receipt (현금영수증) that the buyer asked for, which the provider is told; empty for none. What was issued is in the transaction.",
		},
		{
			Name: "capture", Kind: collection.Select, Options: checkout.CaptureModes, VisibleTo: collection.Staff,
			Doc: "When the money is collected after the approval, as the connection said when the session was opened; null for custom sessions.",
		},
		{Name: "expiresAt", Kind: collection.Date, NonNull: true, Doc: "When the reservation of the goods ends."},
		{Name: "reason", Kind: collection.Text, Doc: "Why the session requires attention."},
		{
			Name: "suggestedAction", Kind: collection.Select, Options: checkout.AdviceOptions, VisibleTo: collection.Staff,
			Doc: "What an operator is advised to do while the session requires attention: refund the payment, place the order once the goods are available, compare the amounts, check with the provider, cancel the order, capture the payment before its provider releases it, or have the buyer pay again.",
		},
		{
			Name: "resolution", Kind: collection.Select, Options: resolutions, VisibleTo: collection.Staff,
			Doc: "How a payment that required attention was resolved: by an operator, or by its provider, which took the money back; voided: an authorized payment was released.",
		},
		{
			Name: "paymentId", Kind: collection.Text, VisibleTo: collection.Staff, Unique: true,
			Doc: "Our id of the payment: 6 to 40 letters and digits.",
		},
		{
			Name: "note", Kind: collection.Textarea, Personal: true, VisibleTo: collection.Staff,
			Doc: "What the operator who released the slot or resolved the payment wrote, or why the provider refused a capture.",
		},
		{Name: "accountKey", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "The account's identifier at the provider."},
		{Name: "slot", Kind: collection.Text, VisibleTo: collection.ServerOnly, Unique: true, Doc: "The cart while the session holds its slot."},
		{Name: "cart", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "The cart of the checkout."},
		{
			Name: "disputed", Kind: collection.Boolean, VisibleTo: collection.ServerOnly,
			Doc: "Whether a dispute of the payment is open.",
		},
		{
			Name: "released", Kind: collection.Boolean, VisibleTo: collection.ServerOnly,
			Doc: "Whether the session may still be paid although its slot was freed.",
		},
		{
			Name: "unsettledCart", Kind: collection.Text, VisibleTo: collection.ServerOnly, Indexed: true,
			Doc: "The cart while the session may still be paid or requires attention.",
		},
		{Name: "successUrl", Kind: collection.Text, Personal: true, VisibleTo: collection.ServerOnly, Doc: "Where the shopper returns after paying."},
		{Name: "failUrl", Kind: collection.Text, Personal: true, VisibleTo: collection.ServerOnly, Doc: "Where the shopper returns otherwise."},
		{Name: "methodAsked", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "The method the session was opened for."},
		{
			Name: "customSession", Kind: collection.Text, VisibleTo: collection.ServerOnly, Unique: true,
			Doc: "The provider session a custom session was opened for.",
		},
		{
			Name: "customPayment", Kind: collection.Text, VisibleTo: collection.ServerOnly, Unique: true,
			Doc: "The provider payment that paid a custom session.",
		},
		{Name: "customName", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "The provider's name in a custom session."},
		{Name: "channel", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Channel of a standard action."},
		{Name: "country", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Country of a hosted page."},
		{Name: "orderName", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "What the provider shows the shopper."},
		{Name: "customerName", Kind: collection.Text, Personal: true, VisibleTo: collection.Staff, Doc: "The buyer's name."},
		{Name: "email", Kind: collection.Text, Personal: true, VisibleTo: collection.Staff, Doc: "The buyer's email."},
		{Name: "phone", Kind: collection.Text, Personal: true, VisibleTo: collection.Staff, Doc: "The buyer's phone number."},
		sessionPhone,
		{Name: "digital", Kind: collection.Boolean, VisibleTo: collection.ServerOnly, Doc: "Whether nothing that is paid is delivered."},
		{
			Name: "prepared", Kind: collection.JSON, Personal: true, VisibleTo: collection.ServerOnly,
			Doc: "What the provider answered when the session was prepared.",
		},
	},
	UniqueSets:     [][]string{{"provider", "accountKey", "providerPaymentId"}},
	PerEnvironment: true, KeepsHistory: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read},
}

// Transactions declares the money that moved, as operators see it. Rule payments-33.
var Transactions = &collection.Schema{
	Slug: "transactions", Singular: "Transaction", Plural: "Transactions",
	Indexes: []collection.Index{{Fields: []string{"status", "createdAt"}}}, // pending refunds are watched across tenants
	Doc:     "One movement of money: a payment, a refund, or money that the provider took back.",
	Fields: []collection.Field{
		{
			Name: "order", Kind: collection.Relation, RelationTo: "orders", Indexed: true,
			Doc: "The order the money belongs to; null while there is no order.",
		},
		{Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts", Indexed: true, Doc: "The checkout that was paid."},
		{
			Name: "paymentSession", Kind: collection.Relation, RelationTo: "payment-sessions", Indexed: true,
			Doc: "The session that collected it.",
		},
		{
			Name: "type", Kind: collection.Select, Options: []string{typePayment, "refund", typeReversal}, Indexed: true,
			Doc: "Payment, refund, or reversal: money that the provider took back without a refund.",
		},
		{
			Name: "status", Kind: collection.Select, Indexed: true,
			Options: []string{"pending", statusAuthorized, statusPaid, "failed", statusVoided, "refunded", statusReversed, statusReturned},
			Doc:     "Outcome of the movement; an authorized payment is paid once it was captured, and canceled once it was released; a reversal is reversed, or returned once the shop has the money again.",
		},
		{Name: "amount", Kind: collection.Money, Currency: "currency", Indexed: true, Doc: "How much, never negative."},
		{
			Name: "taxFreeAmount", Kind: collection.Money, Currency: "currency",
			Doc: "Payments and refunds: the part of the amount that is free of value added tax; null where the payment has none.",
		},
		{Name: "currency", Kind: collection.Text, Doc: "ISO 4217 code."},
		{
			Name: "authorizedAmount", Kind: collection.Money, Currency: "currency",
			Doc: "Payments: what was authorized before it was captured; null where the approval collected the money.",
		},
		{Name: "captureKey", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Payments: the operation that captures it."},
		{Name: "captureBegunAt", Kind: collection.Date, VisibleTo: collection.ServerOnly, Doc: "Payments: when that was last sent."},
		{Name: "provider", Kind: collection.Select, Doc: "The provider."},
		{
			Name: "actor", Kind: collection.Group, VisibleTo: collection.Staff, Fields: collection.ActorFields(false),
			Doc: "Who moved the money: whoever confirmed the payment or asked for the refund, or the provider that reported it.",
		},
		{Name: "method", Kind: collection.Text, Doc: "The method used, in the provider's words."},
		{Name: "providerPaymentId", Kind: collection.Text, Indexed: true, Doc: "The provider's id of the payment."},
		{Name: "receiptUrl", Kind: collection.Text, Doc: "Receipt at the provider."},
		{
			Name: "cashReceipt", Kind: collection.Group, Fields: cashReceiptFields,
			Doc: "Payments: the cash receipt that the provider issued with it; empty otherwise.",
		},
		{
			Name: "escrow", Kind: collection.Boolean,
			Doc: "Payments: whether the provider keeps the money until the goods are delivered; null where it does not say so.",
		},
		{Name: "note", Kind: collection.Textarea, Personal: true, Patchable: true, Doc: "Why it needs attention, or what an operator noted."},
		{
			Name: "returnRequest", Kind: collection.Relation, RelationTo: "return-requests",
			Doc: "Refunds: the return request that is paid out; null for any other.",
		},
		{
			Name: "cause", Kind: collection.Select, Options: reversalCauses,
			Doc: "Reversals: why the provider took the money back; null for any other.",
		},
		{Name: "reversalOf", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Reversals: the transaction of the payment."},
		{Name: "reversalNumber", Kind: collection.Integer, VisibleTo: collection.ServerOnly, Doc: "Reversals: counts those of the payment."},
		{Name: "providerReversalId", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Reversals: the provider's id."},
		{Name: "refundOf", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Refunds: the transaction that is refunded."},
		{Name: "refundState", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Refunds: how far it is."},
		{
			Name: "remaining", Kind: collection.Money, Currency: "currency", VisibleTo: collection.ServerOnly,
			Doc: "Refunds: what was left of the payment before.",
		},
		{
			Name: "taxes", Kind: collection.Array, OmitMissing: true, Fields: tax.AmountFields,
			Doc: "The taxes that the amount contains, of each rate, those of a reversal in proportion; left out where there are none, and of a payment that is only authorized.",
		},
		{
			Name: taxesBooked, Kind: collection.Boolean, VisibleTo: collection.ServerOnly,
			Doc: "Whether what it moves of taxes is in the journal of taxes; null as older versions recorded it.",
		},
		{
			Name: "remainingTaxFree", Kind: collection.Money, Currency: "currency", VisibleTo: collection.ServerOnly,
			Doc: "Refunds: what was left of the tax-free part before; null where the payment has none.",
		},
		{
			Name: "vatAmount", Kind: collection.Money, Currency: "currency", VisibleTo: collection.ServerOnly,
			Doc: "Refunds: the value added tax in it that the provider was told, or tells; null where it is not.",
		},
		{Name: "providerRefundId", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Refunds: the provider's id."},
		{Name: "refundKey", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Refunds: the operation that requested it."},
		{
			Name: "cancels", Kind: collection.Boolean, VisibleTo: collection.ServerOnly,
			Doc: "Refunds: whether it belongs to the cancel of the order.",
		},
	},
	PerEnvironment: true, KeepsHistory: true, CommandOnly: true, NoDelete: true,
	TimelineOf: "order",
	Access:     collection.Access{Viewer: read, Editor: read, Admin: patch, SecretKey: patch},
}

// Schemas are Connections, Sessions, Transactions and Disputes as a server declares them that has adapters for these
// providers: with their names, and with what a connection to each needs.
func Schemas(providers []Provider) (connections, sessions, transactions, disputes *collection.Schema) {
	names, needs := make([]string, 0, len(providers)+1), make([]string, 0, len(providers))
	for _, p := range providers {
		names, needs = append(names, p.Name), append(needs, p.describe())
	}
	names = append(names, CustomProvider)
	of := func(s *collection.Schema) *collection.Schema {
		out := *s
		out.Fields = slices.Clone(s.Fields)
		for i := range out.Fields {
			switch f := &out.Fields[i]; f.Name {
			case "provider":
				f.Options = names
			case "credentials":
				f.Doc += " " + strings.Join(needs, ". ") + "."
			}
		}
		return &out
	}
	return of(Connections), of(Sessions), of(Transactions), of(Disputes)
}

// sessionPhone is how the number of a session's buyer is declared beside what was typed.
var sessionPhone = func() collection.Field {
	f := address.PhoneE164Field
	f.VisibleTo = collection.Staff
	return f
}()
