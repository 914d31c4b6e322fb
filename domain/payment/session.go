package payment

import (
	"cmp"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Kind is how the shopper pays.
type Kind string

// The kinds. Rule payments-1.
const (
	Widget   Kind = "widget"
	Hosted   Kind = "hosted_v2"
	Standard Kind = "standard_v2"
	Custom   Kind = "custom"
)

// Action is what a caller chooses when it opens a session. Two requests for one checkout with equal actions
// are a retry.
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
	CashReceipt                   CashReceiptRequest
}

// Session is one attempt to collect the money of a checkout.
type Session struct {
	State
	Action

	ID                string
	Tenant            tenant.ID
	Environment       tenant.Environment
	Amount            money.Money
	TaxFree           money.Money // the part of Amount without value added tax; the zero Money for none
	VAT               money.Money // that tax in the rest, which the provider is told; the zero Money where it is not told what the shop computed
	Provider          string
	AccountKey        string
	PaymentID         string // our id of the payment, never changed
	ProviderSessionID string
	ProviderPaymentID string
	MethodUsed        string // as reported by the provider; "" before
	Cart              string // of the checkout
	Checkout          string
	Order             string
	OrderName         string // shown to the shopper by the provider
	CustomerName      string
	Email             string
	Phone             string
	PhoneE164         string // of Phone, as the checkout has it
	Digital           bool   // nothing that is paid is delivered
	Note              string
	Capture           checkout.CaptureMode // when its money is collected
	Prepared          *Prepared            // the provider's answer when it was prepared; nil before
	Instructions      *Instructions        // of a payment by virtual account, once it was made; else nil
	ExpiresAt         time.Time
	Disputed          bool // a dispute of the payment is open
}

// Prepared is what a provider answered when a session was prepared.
type Prepared struct {
	SessionID   string // the provider's own id of its session; "" if it has none
	CheckoutURL string // of a hosted page, https; "" for other kinds
	// PageEnd is when a hosted page can no longer be paid; zero: the provider did not say, or there is none.
	PageEnd time.Time
}

func (p Prepared) record() collection.JSONValue {
	stored := map[string]any{"providerSessionId": p.SessionID, "checkoutUrl": p.CheckoutURL}
	if !p.PageEnd.IsZero() {
		stored["pageEnd"] = p.PageEnd.UTC().Format(collection.TimeFormat)
	}
	return stored
}

func preparedFrom(v collection.JSONValue) *Prepared {
	stored, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	var p Prepared
	p.SessionID, _ = stored["providerSessionId"].(string)
	p.CheckoutURL, _ = stored["checkoutUrl"].(string)
	end, _ := stored["pageEnd"].(string)
	p.PageEnd, _ = time.Parse(collection.TimeFormat, end) // pages of older versions have no known end
	return &p
}

// BeginSession returns a new session, which holds the slot of its checkout.
func BeginSession(s Session) Session {
	s.State = State{Status: StatusCreated, Observation: ObservedNothing, SlotHeld: true}
	s.ExpiresAt = collection.TruncateTime(s.ExpiresAt)
	s.TaxFree = taxFreePart(s.TaxFree, s.Amount)
	return s
}

// Renew returns s with its reservation extended to until, but not beyond last, nor shortened. Rule payments-44.
// Errors: checkout.ErrExpired when last has passed.
func (s Session) Renew(until, last, now time.Time) (Session, error) {
	if until.After(last) {
		until = last
	}
	if until.After(s.ExpiresAt) {
		s.ExpiresAt = collection.TruncateTime(until)
	}
	if !now.Before(s.ExpiresAt) {
		return s, checkout.ErrExpired
	}
	return s, nil
}

// SameAction reports whether a request with action a is a retry of s. Rule payments-2.
func (s Session) SameAction(a Action) bool { return s.Action == a }

// Prepare returns s with the provider's instructions for paying it. The first ones are kept, since clients
// have them.
func (s Session) Prepare(answer Prepared) Session {
	if s.Prepared != nil {
		return s
	}
	s.State, s.ProviderSessionID, s.Prepared = Join(s.State, FactOpen), answer.SessionID, &answer
	return s
}

// PageOver reports whether the hosted page of s has ended, so that a retry needs another one. Rule payments-55.
func (s Session) PageOver(now time.Time) bool {
	return s.hasPageEnd() && !now.Before(s.Prepared.PageEnd)
}

// PageOutlivesReservation reports whether the hosted page of s can still be paid although its reservation ended.
func (s Session) PageOutlivesReservation(now time.Time) bool {
	return s.hasPageEnd() && !now.Before(s.ExpiresAt) && now.Before(s.Prepared.PageEnd)
}

func (s Session) hasPageEnd() bool {
	return s.Kind == Hosted && s.Prepared != nil && !s.Prepared.PageEnd.IsZero()
}

// Record is s as a record of Sessions.
func (s Session) Record() collection.Record {
	r := collection.Record{
		"id": s.ID, "tenant": string(s.Tenant), "environment": string(s.Environment),
		"kind": string(s.Kind), "status": string(s.Status), "observation": string(s.Observation), "slotHeld": s.SlotHeld,
		"amount":   collection.Record{"amount": s.Amount, "currency": string(s.Amount.Currency)},
		"provider": s.Provider, "checkout": s.Checkout, "paymentId": s.PaymentID, "expiresAt": s.ExpiresAt,
	}
	texts := map[string]string{
		"connection": s.Connection, "method": s.PaymentMethod(), "providerSessionId": s.ProviderSessionID,
		"providerPaymentId": s.ProviderPaymentID, "order": s.Order, "reason": s.Reason, "suggestedAction": string(s.Advice()),
		"resolution": string(s.Resolution), "note": s.Note, "accountKey": s.AccountKey, "successUrl": s.SuccessURL, "failUrl": s.FailURL,
		"channel": s.Channel, "country": s.Country, "orderName": s.OrderName, "customerName": s.CustomerName, "email": s.Email, "phone": s.Phone,
		"phoneE164":   s.PhoneE164,
		"methodAsked": s.Method, "capture": string(s.Capture), "customSession": s.ProviderSession, "customName": s.ProviderName, "cart": s.Cart,
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
		r["slot"] = cmp.Or(s.Cart, s.Checkout) // the checkout's in records of older versions
	}
	if s.Released {
		r["released"] = true
	}
	if s.Disputed {
		r["disputed"] = true
	}
	if s.Cart != "" && (s.MayBePaid() || s.Status == StatusRequiresAttention) {
		r["unsettledCart"] = s.Cart
	}
	if s.Digital {
		r["digital"] = true
	}
	if !s.TaxFree.IsZero() {
		r["taxFreeAmount"] = s.TaxFree
	}
	if s.VAT.Currency != "" {
		r["vatAmount"] = s.VAT
	}
	if s.CashReceipt != (CashReceiptRequest{}) {
		r["cashReceipt"] = s.CashReceipt.record()
	}
	if s.Instructions != nil {
		r["instructions"] = s.Instructions.record()
	}
	if s.Prepared != nil {
		r["prepared"] = s.Prepared.record()
	}
	return r
}

// PaymentMethod is the method used, in the provider's words; before that is known, the one asked for.
func (s Session) PaymentMethod() string {
	if s.MethodUsed != "" {
		return s.MethodUsed
	}
	return s.Method
}

// SessionFrom reads what Session.Record wrote.
func SessionFrom(r collection.Record) Session {
	amount, _ := r.Group("amount").Money("amount")
	taxFree, _ := r.Money("taxFreeAmount")
	vat, _ := r.Money("vatAmount")
	s := Session{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		State: State{
			Status: Status(r.Text("status")), Observation: Observation(r.Text("observation")), SlotHeld: r.Bool("slotHeld"),
			Reason: r.Text("reason"), Resolution: Resolution(r.Text("resolution")), Released: r.Bool("released"),
		},
		Action: Action{
			Kind: Kind(r.Text("kind")), Connection: r.Text("connection"), Method: r.Text("methodAsked"), Channel: r.Text("channel"),
			Country: r.Text("country"), SuccessURL: r.Text("successUrl"), FailURL: r.Text("failUrl"),
			ProviderSession: r.Text("customSession"), ProviderName: r.Text("customName"),
			CashReceipt: cashReceiptRequestFrom(r.Group("cashReceipt")),
		},
		Amount: amount, TaxFree: taxFree, VAT: vat, Provider: r.Text("provider"), AccountKey: r.Text("accountKey"), PaymentID: r.Text("paymentId"),
		ProviderSessionID: r.Text("providerSessionId"), ProviderPaymentID: r.Text("providerPaymentId"), Cart: r.Text("cart"),
		Checkout: r.Text("checkout"), Order: r.Text("order"), OrderName: r.Text("orderName"), CustomerName: r.Text("customerName"),
		Email: r.Text("email"), Phone: r.Text("phone"), PhoneE164: r.Text("phoneE164"),
		Note: r.Text("note"), Prepared: preparedFrom(r["prepared"]), Instructions: instructionsFrom(r.Group("instructions")), ExpiresAt: r.Time("expiresAt"),
		Capture: checkout.CaptureMode(r.Text("capture")), Disputed: r.Bool("disputed"), Digital: r.Bool("digital"),
	}
	if m := r.Text("method"); m != s.Method {
		s.MethodUsed = m
	}
	return s
}

// NeverPrepared reports whether the provider never confirmed that it has s.
func (s Session) NeverPrepared() bool { return s.Prepared == nil && s.Status == StatusCreated }

// FreeSlot returns s after its slot was freed, with a note why. A session that nobody was ever told how to pay
// cannot be paid any more; any other may be.
func (s Session) FreeSlot(note string) Session {
	told := s.Prepared != nil || s.Kind == Custom
	s.State, s.Note = s.Release(), note
	s.Released = s.Released && told
	return s
}

// Superseded returns s after another payment of its cart became the order: money that s brought is to be
// refunded, and what it may still bring comes too late. An unknown provider state still requires attention.
func (s Session) Superseded() Session {
	if s.Status != StatusRequiresAttention {
		return s.FreeSlot(cmp.Or(s.Note, "Another payment of this cart became its order."))
	}
	if s.Booked() {
		s.Reason = ReasonLate
	}
	s.loseSlot()
	return s
}
