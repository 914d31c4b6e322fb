package payment

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Kind is how the shopper pays.
type Kind string

// The kinds. Spec 4.6.
const (
	Widget   Kind = "widget"
	Hosted   Kind = "hosted_v2"
	Standard Kind = "standard_v2"
	Custom   Kind = "custom"
)

// Action is what a caller chooses when it opens a session. Two creates of one checkout with equal actions are one retry.
type Action struct {
	Kind       Kind
	Connection string // id; "" for custom sessions
	Method     string // hosted: one of Methods
	Channel    string // standard: "card"
	Country    string // hosted: ISO 3166-1 alpha-2, or ""
	SuccessURL string // hosted and standard: their redirect
	FailURL    string
	// ProviderSession and ProviderName identify a custom session.
	ProviderSession, ProviderName string
}

// Session is one attempt to collect the money of a checkout.
type Session struct {
	State
	Action

	ID                string
	Tenant            tenant.ID
	Environment       tenant.Environment
	Amount            money.Money
	Provider          string
	AccountKey        string
	PaymentID         string // ours, immutable
	ProviderSessionID string
	ProviderPaymentID string
	MethodUsed        string // what the provider says was used; "" before
	Checkout          string
	Order             string
	OrderName         string // what the provider shows the shopper
	CustomerName      string
	Email             string
	Note              string
	Prepared          collection.Tree // the provider's answer to prepare; nil before
	ExpiresAt         time.Time
}

// Begin is a new session that takes the slot of its checkout.
func Begin(s Session) Session {
	s.State = State{Status: StatusCreated, Observation: SeenNothing, SlotHeld: true}
	s.ExpiresAt = collection.Instant(s.ExpiresAt)
	return s
}

// SameAction reports whether a create with action a asks for exactly what s already does. Contract 8.
func (s Session) SameAction(a Action) bool { return s.Action == a }

// Prepare is s once the provider said how it is paid. The first answer stays: it is the one that was handed out.
func (s Session) Prepare(said map[string]string) Session {
	if s.Prepared != nil {
		return s
	}
	answer := make(map[string]any, len(said))
	for name, value := range said {
		answer[name] = value
	}
	s.State, s.ProviderSessionID, s.Prepared = Join(s.State, Open), said["providerSessionId"], answer
	return s
}

// Record is s as its collection keeps it.
func (s Session) Record() collection.Record {
	r := collection.Record{
		"id": s.ID, "tenant": string(s.Tenant), "environment": string(s.Environment),
		"kind": string(s.Kind), "status": string(s.Status), "observation": string(s.Observation), "slotHeld": s.SlotHeld,
		"amount":   collection.Record{"amount": s.Amount, "currency": string(s.Amount.Currency)},
		"provider": s.Provider, "checkout": s.Checkout, "paymentId": s.PaymentID, "expiresAt": s.ExpiresAt,
	}
	texts := map[string]string{
		"connection": s.Connection, "method": s.method(), "providerSessionId": s.ProviderSessionID,
		"providerPaymentId": s.ProviderPaymentID, "order": s.Order, "reason": s.Reason, "suggestedAction": string(s.Advice()), "resolution": string(s.Resolution), "note": s.Note, "accountKey": s.AccountKey,
		"successUrl": s.SuccessURL, "failUrl": s.FailURL, "channel": s.Channel, "country": s.Country, "orderName": s.OrderName,
		"customerName": s.CustomerName, "email": s.Email, "methodAsked": s.Method, "customSession": s.ProviderSession,
		"customName": s.ProviderName,
	}
	for name, v := range texts {
		if v != "" {
			r[name] = v
		}
	}
	if s.Kind == Custom && s.ProviderPaymentID != "" {
		r["customPayment"] = s.ProviderPaymentID
	}
	if s.SlotHeld {
		r["slot"] = s.Checkout
	}
	if s.Prepared != nil {
		r["prepared"] = s.Prepared
	}
	return r
}

func (s Session) method() string {
	if s.MethodUsed != "" {
		return s.MethodUsed
	}
	return s.Method
}

// SessionFrom reads a stored session.
func SessionFrom(r collection.Record) Session {
	amount, _ := r.Group("amount").Money("amount")
	s := Session{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		State: State{Status: Status(r.Text("status")), Observation: Observation(r.Text("observation")), SlotHeld: r.Bool("slotHeld"), Reason: r.Text("reason"), Resolution: Resolution(r.Text("resolution"))},
		Action: Action{
			Kind: Kind(r.Text("kind")), Connection: r.Text("connection"), Method: r.Text("methodAsked"), Channel: r.Text("channel"),
			Country: r.Text("country"), SuccessURL: r.Text("successUrl"), FailURL: r.Text("failUrl"),
			ProviderSession: r.Text("customSession"), ProviderName: r.Text("customName"),
		},
		Amount: amount, Provider: r.Text("provider"), AccountKey: r.Text("accountKey"), PaymentID: r.Text("paymentId"),
		ProviderSessionID: r.Text("providerSessionId"), ProviderPaymentID: r.Text("providerPaymentId"), Checkout: r.Text("checkout"),
		Order: r.Text("order"), OrderName: r.Text("orderName"), CustomerName: r.Text("customerName"), Email: r.Text("email"),
		Note: r.Text("note"), Prepared: r["prepared"], ExpiresAt: r.Time("expiresAt"),
	}
	if m := r.Text("method"); m != s.Method {
		s.MethodUsed = m
	}
	return s
}

// NeverPrepared reports whether the provider never said that it knows s.
func (s Session) NeverPrepared() bool { return s.Prepared == nil && s.Status == StatusCreated }
