package buying

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// NewSession is the input of OpenSession.
type NewSession struct {
	payment.Action

	Checkout string
}

// pending is a session whose slot is held, on its way to the provider.
type pending struct {
	session payment.Session
	record  collection.Record
	account account
	call    call
	done    bool // prepared before: there is nothing to ask the provider
}

// OpenSession takes the payment slot of a checkout and answers {paymentSession, action}, of a hosted page exactly
// {paymentSession, checkoutUrl}: 201, or 200 for a retry of exactly the action that holds the slot. Goods and discount
// uses are reserved in the same transaction as the slot. When the provider fails the session stays created and the slot
// held; nothing is kept, so that the same key asks again. A session that somebody ended while the provider was asked is
// answered with payment.ErrTerminal, and closed there as far as that can be done.
// Errors: those of idempotency, ports.ErrAbsent, fault.ErrValidation, payment.ErrSlotHeld, payment.ErrNotConfigured,
// payment.ErrMethodDisabled, payment.ErrNothingToPay, payment.ErrTerminal, what checkout.Payable says, ports.ErrShort,
// ports.ErrUsedUp, ports.ErrProviderUnavailable, ports.ErrProviderRejected.
func (b *Buying) OpenSession(ctx context.Context, c once.Call, in NewSession) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := checkForm(c, in.Action); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(in.Checkout, in.Connection); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		return b.openSession(ctx, c, in, claim)
	})
	return answer, err
}

func (b *Buying) openSession(ctx context.Context, c once.Call, in NewSession, claim *once.Claim) (ports.Receipt, error) {
	if err := checkOrigins(c.Principal, in.Action); err != nil {
		return ports.Receipt{}, err
	}
	var p pending
	err := b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) (err error) {
		p, err = b.takeSlot(ctx, tx, c, in)
		return err
	})
	if err != nil {
		return ports.Receipt{}, err
	}
	if p.done {
		return b.opened(c, p)
	}
	said, err := b.send(ctx, p.account, &p.call)
	if err == nil {
		if err = checkPage(p.account, p.session, said["checkoutUrl"]); err != nil {
			p.call.Outcome, p.call.Detail = "unknown", detail(err)
			b.log().WarnContext(ctx, "page of a payment not handed out", "session", p.session.ID, "provider", p.account.Provider, "error", err)
		}
	}
	if err != nil {
		b.refused(ctx, p, err)
		return ports.Receipt{}, err
	}
	b.fail(FailPrepared)
	return b.prepared(ctx, c, p, said, claim)
}

// takeSlot decides under the checkout's lock: a retry of what holds the slot, or a new session.
func (b *Buying) takeSlot(ctx context.Context, tx ports.Tx, c once.Call, in NewSession) (pending, error) {
	r, x, err := lockCheckout(ctx, tx, c, in.Checkout)
	if err != nil {
		return pending{}, err
	}
	if x.SlotHeld && x.Live() {
		return b.retake(ctx, tx, x, in.Action)
	}
	if err := x.Payable(b.Now()); err != nil {
		return pending{}, err
	}
	if x.Totals.Total.IsZero() {
		return pending{}, payment.ErrNothingToPay
	}
	a, err := b.connect(ctx, tx.Records, x.Environment, in.Connection, in.Kind)
	if err != nil {
		return pending{}, err
	}
	if err := in.Allowed(a.methods, x.Currency); err != nil {
		return pending{}, err
	}
	in.Connection = a.ID
	s := b.newSession(x, in.Action, a)
	if err := b.reserve(ctx, tx, x, s.ExpiresAt); err != nil {
		return pending{}, err
	}
	w := b.changes()
	w.put(checkout.Schema, r, x.TakeSlot(s.ID).Record())
	p := pending{session: s, record: w.put(payment.Sessions, nil, s.Record()), account: a}
	if err := tx.Records.Write(ctx, w.list...); err != nil {
		return pending{}, err
	}
	p.call, err = b.begin(ctx, tx, a, s, opPrepare, "", map[string]string{"kind": string(s.Kind)})
	return p, err
}

func (b *Buying) newSession(x checkout.Checkout, a payment.Action, to account) payment.Session {
	var random [20]byte
	_, _ = rand.Read(random[:]) // never fails
	return payment.Begin(payment.Session{
		ID: b.NewID(), Tenant: x.Tenant, Environment: x.Environment, Action: a, Amount: x.Totals.Total, Provider: to.Provider,
		AccountKey: to.AccountKey, PaymentID: payment.NewPaymentID(random), Checkout: x.ID, OrderName: orderName(x),
		CustomerName: x.Contact.Name, Email: x.Contact.Email, ExpiresAt: b.until(),
	})
}

const maxOrderName = 100

// orderName is what the provider shows the shopper: the first line, and how many more.
func orderName(x checkout.Checkout) string {
	name := []rune(x.Lines[0].Title)
	if len(name) > maxOrderName-20 {
		name = name[:maxOrderName-20]
	}
	if more := len(x.Lines) - 1; more > 0 {
		return fmt.Sprintf("%s and %d more", string(name), more)
	}
	return string(name)
}

// reserve promises goods and discount uses to a checkout, in place of what it was promised before.
func (b *Buying) reserve(ctx context.Context, tx ports.Tx, x checkout.Checkout, until time.Time) error {
	if len(x.Codes) > 0 {
		if err := tx.Uses.Reserve(ctx, x.Tenant, x.Environment, x.ID, placing.Uses(x)); err != nil {
			return err
		}
	}
	return tx.Stock.Reserve(ctx, x.Tenant, x.Environment, x.ID, x.Demands(), until)
}

// retake repeats exactly the action that holds the slot, after renewing the reservation; nothing while its provider would
// not be asked anyway.
func (b *Buying) retake(ctx context.Context, tx ports.Tx, x checkout.Checkout, asked payment.Action) (pending, error) {
	held := payment.ErrSlotHeld.With("paymentSessionId", x.Session)
	r, err := tx.Records.Lock(ctx, payment.Sessions, x.Session)
	if err != nil {
		return pending{}, err
	}
	s := payment.SessionFrom(r)
	if asked.Connection == "" {
		asked.Connection = s.Connection // the default may have changed since; the action has not
	}
	if !s.SameAction(asked) || s.Terminal() {
		return pending{}, held
	}
	if err := wanted(ctx, tx, x); err != nil {
		return pending{}, err
	}
	a, err := b.account(ctx, tx.Records, s)
	if err != nil {
		return pending{}, err
	}
	done := s.Prepared != nil
	if !done { // those who try again and again before a provider that is away cost a look, not a promise of goods and a row
		if err := a.provider.Ready(a.Connection); err != nil {
			return pending{}, err
		}
	}
	s.ExpiresAt = b.until()
	if err := b.reserve(ctx, tx, x, s.ExpiresAt); err != nil {
		return pending{}, err
	}
	w := b.changes()
	p := pending{session: s, record: w.put(payment.Sessions, r, s.Record()), account: a, done: done}
	if err := tx.Records.Write(ctx, w.list...); err != nil || p.done {
		return p, err
	}
	p.call, err = b.begin(ctx, tx, a, s, opPrepare, "", map[string]string{"kind": string(s.Kind)})
	return p, err
}

// opened is the answer that tells the buyer how to pay.
func (b *Buying) opened(c once.Call, p pending) (ports.Receipt, error) {
	act, err := action(p.account, p.session)
	if err != nil {
		return ports.Receipt{}, err
	}
	result := ports.Created
	if p.done {
		result = ports.OK
	}
	name := "action"
	if page, ok := act.(map[string]any); ok && p.session.Kind == payment.Hosted {
		name, act = "checkoutUrl", page["checkoutUrl"]
	}
	answer := with(c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: p.record}), name, act)
	receipt := c.Receipt(result, answer, nil, b.Now(), time.Time{})
	receipt.Record = p.session.ID
	return receipt, nil
}

// prepared stores the provider's answer together with ours. Of two attempts at once the first one's answer stays. A session
// that was ended meanwhile is not handed out.
func (b *Buying) prepared(ctx context.Context, c once.Call, p pending, said map[string]string, claim *once.Claim) (receipt ports.Receipt, err error) {
	err = b.atomically(ctx, p.session.Tenant, func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, payment.Sessions, p.session.ID)
		if err != nil {
			return err
		}
		w := b.changes()
		p.session = payment.SessionFrom(r).Prepare(said)
		p.record = w.put(payment.Sessions, r, p.session.Record())
		if err := tx.Records.Write(ctx, w.list...); err != nil {
			return err
		}
		if err := tx.Journal.Finish(ctx, p.call.ProviderCall); err != nil || p.session.Over() {
			return err
		}
		if receipt, err = b.opened(c, p); err != nil {
			return err
		}
		return claim.Keep(ctx, tx, receipt)
	})
	if err != nil || !p.session.Over() {
		return receipt, err
	}
	if _, err := b.close(ctx, p.session); err != nil {
		b.log().WarnContext(ctx, "session of an ended payment not closed", "session", p.session.ID, "error", err)
	}
	return ports.Receipt{}, payment.ErrTerminal
}

// refused notes a failed prepare. A definite refusal is an observation on the session, which lets it be canceled.
func (b *Buying) refused(ctx context.Context, p pending, cause error) {
	b.note(ctx, p.call)
	if p.call.Outcome != "declined" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer cancel()
	err := b.atomically(ctx, p.session.Tenant, func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, payment.Sessions, p.session.ID)
		if err != nil {
			return err
		}
		w, s := b.changes(), payment.SessionFrom(r)
		s.State = payment.Join(s.State, payment.Failed)
		w.put(payment.Sessions, r, s.Record())
		return tx.Records.Write(ctx, w.list...)
	})
	if err != nil {
		b.log().WarnContext(ctx, "refused prepare not noted", "session", p.session.ID, "refusal", cause, "error", err)
	}
}
