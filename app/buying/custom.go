package buying

import (
	"context"
	"errors"
	"time"
	"unicode"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CustomProvider is the provider of sessions that the shop's own server vouches for.
const CustomProvider = "custom"

// NewCustom is the input of OpenCustom.
type NewCustom struct {
	Checkout        string
	ProviderSession string // the provider's id of the session the caller opened there
	ProviderName    string
}

// CustomPayment is what the caller verified at the provider.
type CustomPayment struct {
	ProviderSession, ProviderPayment, Event string
	Captured                                money.Money
}

// vouching refuses everybody but the shop's server. Errors: those of known, fault.ErrForbidden.
func vouching(c once.Call, write bool) error {
	if err := known(c, write); err != nil {
		return err
	}
	if !c.Server {
		return fault.ErrForbidden
	}
	return nil
}

const (
	maxIdentity     = 255
	maxProviderName = 100
)

// checkIdentity refuses what no provider would call anything. Errors: fault.ErrValidation naming field.
func checkIdentity(field, id string) error {
	if id == "" || len(id) > maxIdentity || hasUnseen(id, false) {
		return fault.Invalidf(field, "An identity at a provider is 1 to %d bytes of visible characters.", maxIdentity)
	}
	return nil
}

// hasUnseen reports whether s has characters that people do not see; spaces between words are seen where spaces is set.
func hasUnseen(s string, spaces bool) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar || r == ' ' && !spaces {
			return true
		}
	}
	return false
}

func (in NewCustom) check() error {
	if name := in.ProviderName; name == "" || len(name) > maxProviderName || hasUnseen(name, true) {
		return fault.Invalidf("providerName", "A provider's name is 1 to %d bytes of visible characters.", maxProviderName)
	}
	return checkIdentity("providerSessionId", in.ProviderSession)
}

func (in CustomPayment) check() error {
	for _, id := range [...]struct{ field, value string }{
		{"providerSessionId", in.ProviderSession}, {"providerPaymentId", in.ProviderPayment}, {"eventId", in.Event},
	} {
		if err := checkIdentity(id.field, id.value); err != nil {
			return err
		}
	}
	return nil
}

// OpenCustom takes the payment slot of a checkout for a session that the caller opened at a provider without an adapter,
// and answers {paymentSession}: 201, or 200 for the same provider session again. Nobody is called. Server credentials
// only. Errors: those of idempotency, ports.ErrAbsent, fault.ErrValidation, payment.ErrSlotHeld, payment.ErrSessionKnown,
// payment.ErrNothingToPay, what checkout.Payable says, ports.ErrShort, ports.ErrUsedUp. Contract 8.
func (b *Buying) OpenCustom(ctx context.Context, c once.Call, in NewCustom) (once.Answer, error) {
	if err := vouching(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := in.check(); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(in.Checkout, in.ProviderSession); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
			if receipt, err = b.openCustom(ctx, tx, c, in); err != nil {
				return err
			}
			return claim.Keep(ctx, tx, receipt)
		})
		if errors.Is(err, ports.ErrDuplicate) {
			err = payment.ErrSessionKnown
		}
		return receipt, err
	})
	return answer, err
}

func (b *Buying) openCustom(ctx context.Context, tx ports.Tx, c once.Call, in NewCustom) (ports.Receipt, error) {
	r, x, err := lockCheckout(ctx, tx, c, in.Checkout)
	if err != nil {
		return ports.Receipt{}, err
	}
	action := payment.Action{Kind: payment.Custom, ProviderSession: in.ProviderSession, ProviderName: in.ProviderName}
	if x.SlotHeld && x.Live() {
		return b.retakeCustom(ctx, tx, c, x, action)
	}
	if err := x.Payable(b.Now()); err != nil {
		return ports.Receipt{}, err
	}
	if x.Totals.Total.IsZero() {
		return ports.Receipt{}, payment.ErrNothingToPay
	}
	s := b.newSession(x, action, account{Connection: ports.Connection{Provider: CustomProvider, AccountKey: in.ProviderName}})
	s.ProviderSessionID, s.State = in.ProviderSession, payment.Join(s.State, payment.Open)
	if err := b.reserve(ctx, tx, x, s.ExpiresAt); err != nil {
		return ports.Receipt{}, err
	}
	w := b.changes()
	w.put(checkout.Schema, r, x.TakeSlot(s.ID).Record())
	receipt := b.vouched(c, ports.Created, s, w.put(payment.Sessions, nil, s.Record()))
	return receipt, tx.Records.Write(ctx, w.list...)
}

// retakeCustom answers the session that holds the slot for exactly the same provider session, its reservation renewed.
func (b *Buying) retakeCustom(ctx context.Context, tx ports.Tx, c once.Call, x checkout.Checkout, asked payment.Action) (ports.Receipt, error) {
	r, err := tx.Records.Lock(ctx, payment.Sessions, x.Session)
	if err != nil {
		return ports.Receipt{}, err
	}
	s := payment.SessionFrom(r)
	if !s.SameAction(asked) || s.Terminal() {
		return ports.Receipt{}, payment.ErrSlotHeld.With("paymentSessionId", s.ID)
	}
	s.ExpiresAt = b.until()
	if err := b.reserve(ctx, tx, x, s.ExpiresAt); err != nil {
		return ports.Receipt{}, err
	}
	w := b.changes()
	receipt := b.vouched(c, ports.OK, s, w.put(payment.Sessions, r, s.Record()))
	return receipt, tx.Records.Write(ctx, w.list...)
}

// vouched answers {paymentSession}.
func (b *Buying) vouched(c once.Call, result ports.Result, s payment.Session, r collection.Record) ports.Receipt {
	receipt := c.Receipt(result, c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: r}), nil, b.Now(), time.Time{})
	receipt.Record = s.ID
	return receipt
}

// customBy finds the custom session by the exact identity that a hidden unique field holds. Errors: ports.ErrAbsent.
func customBy(ctx context.Context, r ports.Reader, p tenant.Principal, field, id string) (collection.Record, error) {
	page, err := r.Find(ctx, collection.Query{
		Schema: payment.Sessions, Environment: string(p.Environment), Where: payment.Sessions.Where(field, collection.Equals, id),
		Limit: 1, Page: 1, Uncounted: true,
	})
	if err == nil && len(page.Docs) == 0 {
		err = ports.ErrAbsent
	}
	if err != nil {
		return nil, err
	}
	return page.Docs[0], nil
}

// Custom answers {status, amount, orderId} of the custom session with exactly this provider session or, when that is "",
// this provider payment. Server credentials only. Errors: ports.ErrAbsent.
func (b *Buying) Custom(ctx context.Context, c once.Call, providerSession, providerPayment string) ([]byte, error) {
	if err := vouching(c, false); err != nil {
		return nil, err
	}
	field, id := "customSession", providerSession
	if id == "" {
		field, id = "customPayment", providerPayment
	}
	r, err := customBy(ctx, b.Store.Read(ports.For(c.Principal)), c.Principal, field, id)
	if err != nil {
		return nil, err
	}
	s := payment.SessionFrom(r)
	answer := map[string]any{
		"status": string(s.Status), "orderId": nil,
		"amount": map[string]any{"amount": collection.Numeral(s.Amount.Major()), "currency": string(s.Amount.Currency)},
	}
	if s.Order != "" {
		answer["orderId"] = s.Order
	}
	return collection.AppendTree(nil, answer), nil
}
