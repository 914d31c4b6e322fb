package payments

import (
	"context"
	"errors"
	"unicode"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CustomSessions is sessions at providers without an adapter: the shop's server verifies them at the
// provider, and is trusted.
type CustomSessions struct {
	core

	settler *Settler
}

// CustomSessionInput is the input of CustomSessions.Open.
type CustomSessionInput struct {
	Checkout        string
	ProviderSession string // the provider's id of the session the caller opened there
	ProviderName    string
}

// CustomPayment is what the caller verified at the provider.
type CustomPayment struct {
	ProviderSession, ProviderPayment, Event string
	Captured                                money.Money
}

const (
	maxProviderIDLength = 255
	maxProviderName     = 100
)

// checkProviderID refuses ids that no provider would use. Errors: fault.ErrValidation naming field.
func checkProviderID(field, id string) error {
	if id == "" || len(id) > maxProviderIDLength || hasInvisible(id, false) {
		return fault.Invalidf(field, "An identity at a provider is 1 to %d bytes of visible characters.", maxProviderIDLength)
	}
	return nil
}

// hasInvisible reports whether s has invisible characters; the space counts as visible where spaces is set.
func hasInvisible(s string, spaces bool) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar || r == ' ' && !spaces {
			return true
		}
	}
	return false
}

func (in CustomSessionInput) check() error {
	if name := in.ProviderName; name == "" || len(name) > maxProviderName || hasInvisible(name, true) {
		return fault.Invalidf("providerName", "A provider's name is 1 to %d bytes of visible characters.", maxProviderName)
	}
	return checkProviderID("providerSessionId", in.ProviderSession)
}

func (in CustomPayment) check() error {
	for _, id := range [...]struct{ field, value string }{
		{"providerSessionId", in.ProviderSession}, {"providerPaymentId", in.ProviderPayment}, {"eventId", in.Event},
	} {
		if err := checkProviderID(id.field, id.value); err != nil {
			return err
		}
	}
	return nil
}

// Open takes the payment slot of a checkout for a session that the caller opened at a provider without an
// adapter, and answers {paymentSession}: 201, or 200 for the same provider session again. No provider is
// called. Server credentials only. Errors: those of idempotency, ports.ErrNotFound, fault.ErrValidation,
// payment.ErrSlotHeld, payment.ErrProviderSessionUsed, payment.ErrNothingToPay, those of
// checkout.Checkout.CheckPayable and checkouts.ReserveNew. Rules payments-16,
// payments-17.
func (cs *CustomSessions) Open(ctx context.Context, c idempotency.Call, in CustomSessionInput) (idempotency.Response, error) {
	if err := checkouts.RequireServer(c, true); err != nil {
		return idempotency.Response{}, err
	}
	if err := in.check(); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(in.Checkout, in.ProviderSession); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := cs.idempotency.Run(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = cs.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
			if receipt, err = cs.open(ctx, tx, c, in); err != nil {
				return err
			}
			return claim.Save(ctx, tx, receipt)
		})
		if errors.Is(err, ports.ErrDuplicate) {
			err = payment.ErrProviderSessionUsed
		}
		return receipt, err
	})
	return answer, err
}

func (cs *CustomSessions) open(ctx context.Context, tx ports.Tx, c idempotency.Call, in CustomSessionInput) (idempotency.Receipt, error) {
	l, err := cs.lockPayable(ctx, tx, c, in.Checkout)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	r, x := l.Record, l.Checkout
	action := payment.Action{Kind: payment.Custom, ProviderSession: in.ProviderSession, ProviderName: in.ProviderName}
	if x.SlotHeld {
		return cs.reuse(ctx, tx, c, x, action)
	}
	s := cs.newSession(x, action, connections.Opened{Connection: ports.Connection{Provider: payment.CustomProvider, AccountKey: in.ProviderName}})
	s.ProviderSessionID, s.State = in.ProviderSession, payment.Join(s.State, payment.FactOpen)
	if err := checkouts.ReserveNew(ctx, tx, x, s.ExpiresAt); err != nil {
		return idempotency.Receipt{}, err
	}
	w := cs.newChangeSet()
	w.Put(checkout.Schema, r, x.TakeSlot(s.ID).Record())
	receipt := sessionReceipt(c, ports.ReceiptCreated, w.Put(payment.Sessions, nil, s.Record()), cs.now())
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return receipt, err
	}
	return receipt, cs.scheduleSession(ctx, tx, s)
}

// reuse answers the session that holds the slot for exactly the same provider session, after it renewed the
// reservation.
func (cs *CustomSessions) reuse(
	ctx context.Context, tx ports.Tx, c idempotency.Call, x checkout.Checkout, asked payment.Action,
) (idempotency.Receipt, error) {
	r, err := tx.Records.Lock(ctx, payment.Sessions, x.Session)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	s := payment.SessionFrom(r)
	if !s.SameAction(asked) || s.Terminal() {
		return idempotency.Receipt{}, payment.ErrSlotHeld.WithData("paymentSessionId", s.ID)
	}
	if s, err = cs.renewReservation(x, s); err != nil {
		return idempotency.Receipt{}, err
	}
	if err := checkouts.Reserve(ctx, tx, x, s.ExpiresAt); err != nil {
		return idempotency.Receipt{}, err
	}
	w := cs.newChangeSet()
	receipt := sessionReceipt(c, ports.ReceiptOK, w.Put(payment.Sessions, r, s.Record()), cs.now())
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return receipt, err
	}
	return receipt, cs.scheduleSession(ctx, tx, s)
}

// findCustomSession finds the custom session whose hidden unique field has exactly this id. Errors:
// ports.ErrNotFound.
func findCustomSession(ctx context.Context, r ports.Reader, p tenant.Principal, field, id string) (collection.Record, error) {
	page, err := r.Find(ctx, collection.Query{
		Schema: payment.Sessions, Environment: string(p.Environment), Where: payment.Sessions.Where(field, collection.Equals, id),
		Limit: 1, Page: 1, SkipCount: true,
	})
	if err == nil && len(page.Docs) == 0 {
		err = ports.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return page.Docs[0], nil
}

// Status answers {status, amount, orderId} of the custom session with exactly this provider session or, when
// that is "", exactly this provider payment. For the shop's server and operators. Errors: ports.ErrNotFound.
func (cs *CustomSessions) Status(ctx context.Context, c idempotency.Call, providerSession, providerPayment string) (*reply.Body, error) {
	c, err := checkouts.AdmitOperator(c, tenant.ResolvePayments, false)
	if err != nil {
		return nil, err
	}
	field, id := "customSession", providerSession
	if id == "" {
		field, id = "customPayment", providerPayment
	}
	r, err := findCustomSession(ctx, cs.store.Read(ports.ForPrincipal(c.Principal)), c.Principal, field, id)
	if err != nil {
		return nil, err
	}
	s := payment.SessionFrom(r)
	var placed any
	if s.Order != "" {
		placed = s.Order
	}
	return c.Body(
		reply.Member{
			Name: "amount", Value: reply.Object{{Name: "amount", Value: s.Amount}, {Name: "currency", Value: string(s.Amount.Currency)}},
		},
		reply.Member{Name: "orderId", Value: placed},
		reply.Member{Name: "status", Value: string(s.Status)}), nil
}
