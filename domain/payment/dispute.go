package payment

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// DisputeStatus is how far a dispute is.
type DisputeStatus string

// The statuses. Closed: it ended, and the provider does not say for whom; where the money is says the payment.
const (
	DisputeNeedsResponse DisputeStatus = "needs_response"
	DisputeUnderReview   DisputeStatus = "under_review"
	DisputeWon           DisputeStatus = "won" // by the shop
	DisputeLost          DisputeStatus = "lost"
	DisputeClosed        DisputeStatus = "closed"
)

var disputeStatuses = []string{
	string(DisputeNeedsResponse), string(DisputeUnderReview), string(DisputeWon), string(DisputeLost), string(DisputeClosed),
}

// Open reports whether a dispute in this status is not decided yet.
func (s DisputeStatus) Open() bool { return s == DisputeNeedsResponse || s == DisputeUnderReview }

// SeenDispute is a dispute of a payment as its provider reports it: the buyer asked the bank for the money. What the
// provider took back for it is MoneyGone under the same ProviderID.
type SeenDispute struct {
	ProviderID  string // the provider's id of it
	Status      DisputeStatus
	Reason      string      // in the provider's words; "" if it does not say
	Amount      money.Money // that is disputed; without a currency if the provider does not say
	EvidenceDue time.Time   // until when the shop may give evidence; zero if the provider does not say
	OpenedAt    time.Time   // zero if the provider does not say
}

// Dispute is a recorded SeenDispute. Rule payments-48.
type Dispute struct {
	SeenDispute

	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Order       string // "" while the payment belongs to none
	Checkout    string
	Session     string
	Provider    string
	PaymentID   string // the provider's id of the payment
	Note        string // of an operator
}

// Record is d as a record of Disputes.
func (d Dispute) Record() collection.Record {
	r := collection.Record{
		"id": d.ID, "tenant": string(d.Tenant), "environment": string(d.Environment), "status": string(d.Status), "provider": d.Provider,
		"providerDisputeId": d.ProviderID,
	}
	if d.Amount.Currency != "" {
		r["amount"], r["currency"] = d.Amount, string(d.Amount.Currency)
	}
	for name, at := range map[string]time.Time{"evidenceDue": d.EvidenceDue, "openedAt": d.OpenedAt} {
		if !at.IsZero() {
			r[name] = at
		}
	}
	for name, v := range map[string]string{
		"order": d.Order, "checkout": d.Checkout, "paymentSession": d.Session, "providerPaymentId": d.PaymentID, "reason": d.Reason,
		"note": d.Note,
	} {
		if v != "" {
			r[name] = v
		}
	}
	return r
}

// DisputeFrom reads what Dispute.Record wrote.
func DisputeFrom(r collection.Record) Dispute {
	d := Dispute{
		SeenDispute: SeenDispute{
			ProviderID: r.Text("providerDisputeId"), Status: DisputeStatus(r.Text("status")), Reason: r.Text("reason"),
			EvidenceDue: r.Time("evidenceDue"), OpenedAt: r.Time("openedAt"),
		},
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), Order: r.Text("order"),
		Checkout: r.Text("checkout"), Session: r.Text("paymentSession"), Provider: r.Text("provider"), PaymentID: r.Text("providerPaymentId"),
		Note: r.Text("note"),
	}
	d.Amount, _ = r.Money("amount")
	return d
}

// Update is d as its provider reports it now. A dispute that was decided stays so: an older answer may come last.
func (d Dispute) Update(seen SeenDispute) Dispute {
	if !d.Status.Open() {
		return d
	}
	seen.EvidenceDue, seen.OpenedAt = collection.TruncateTime(seen.EvidenceDue), collection.TruncateTime(seen.OpenedAt)
	d.SeenDispute = seen
	return d
}

// CompareDisputes returns the disputes that seen shows and recorded does not, as they are to be recorded: new ones have no
// ID. Recording them and comparing again gives none.
func CompareDisputes(recorded []Dispute, seen []SeenDispute) (changed []Dispute) {
	for _, one := range seen {
		i := slices.IndexFunc(recorded, func(d Dispute) bool { return d.ProviderID == one.ProviderID })
		switch {
		case one.ProviderID == "":
		case i < 0:
			changed = append(changed, Dispute{SeenDispute: SeenDispute{ProviderID: one.ProviderID, Status: DisputeNeedsResponse}}.Update(one))
		default:
			if next := recorded[i].Update(one); next != recorded[i] {
				changed = append(changed, next)
			}
		}
	}
	return changed
}

// Disputes declares the disputes of payments.
var Disputes = &collection.Schema{
	Slug: "disputes", Singular: "Dispute", Plural: "Disputes",
	Doc: "A payment that its buyer disputes with the bank, which may take the money back. The shop answers at its provider.",
	Fields: []collection.Field{
		{Name: "status", Kind: collection.Select, NonNull: true, Options: disputeStatuses, Indexed: true, Doc: "How far it is; won: by the shop."},
		{Name: "reason", Kind: collection.Text, Doc: "Why the buyer disputes it, in the provider's words."},
		{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "How much is disputed; null if the provider does not say."},
		{Name: "currency", Kind: collection.Text, Doc: "ISO 4217 code."},
		{
			Name: "evidenceDue", Kind: collection.Date, Indexed: true,
			Doc: "Until when the shop may answer with evidence; null if the provider does not say.",
		},
		{Name: "openedAt", Kind: collection.Date, Doc: "When the buyer disputed it."},
		{Name: "order", Kind: collection.Relation, RelationTo: "orders", Indexed: true, Doc: "The order; null while there is none."},
		{Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts", Doc: "The checkout that was paid."},
		{
			Name: "paymentSession", Kind: collection.Relation, RelationTo: "payment-sessions", Indexed: true,
			Doc: "The session that collected the payment.",
		},
		{Name: "provider", Kind: collection.Select, NonNull: true, Doc: "The provider."},
		{Name: "providerPaymentId", Kind: collection.Text, Doc: "The provider's id of the payment."},
		{Name: "providerDisputeId", Kind: collection.Text, NonNull: true, Doc: "The provider's id of the dispute."},
		{Name: "note", Kind: collection.Textarea, Personal: true, Patchable: true, Doc: "What an operator noted."},
	},
	UniqueSets:     [][]string{{"paymentSession", "providerDisputeId"}},
	PerEnvironment: true, KeepsHistory: true, CommandOnly: true, NoDelete: true,
	TimelineOf: "order",
	Access:     collection.Access{Viewer: read, Editor: read, Admin: patch, SecretKey: patch},
}
