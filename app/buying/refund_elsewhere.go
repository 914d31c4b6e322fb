package buying

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CatchUp compares what our books say went back of a session's payment with what its provider says, and writes down what
// nobody here asked for: refunds that a person made in the provider's console. Ours that it tells otherwise of are settled.
// Nothing is believed of a payment that is not exactly ours, and repeating it changes nothing. Errors: ports.ErrAbsent,
// payment.ErrNotConfigured, payment.ErrRefundBusy while it is not known what became of one of ours, ports.ErrProviderUnavailable,
// ports.ErrProviderRejected.
func (b *Buying) CatchUp(ctx context.Context, id tenant.ID, session string) error {
	reader := b.Store.Read(ports.Of(id))
	row, err := reader.Get(ctx, payment.Sessions, session)
	if err != nil {
		return err
	}
	s := payment.SessionFrom(row)
	purse, paid, err := purseOf(ctx, reader, s)
	if err != nil || !paid || s.Kind == payment.Custom {
		return err
	}
	said, err := b.Statement(ctx, s)
	if err != nil {
		return err
	}
	ours := s
	ours.Amount = purse.Paid
	if said.ProviderID != purse.PaymentID || !ours.Accepts(payment.Captured{PaymentID: said.PaymentID, Account: said.Account, Environment: said.Environment, Amount: said.Amount}) {
		b.log().ErrorContext(ctx, "a payment in the books that its provider tells otherwise of: its refunds are not believed", "session", s.ID, "account", said.Account, "amount", said.Amount)
		return nil
	}
	if err := b.settleTold(ctx, purse, said); err != nil {
		return err
	}
	for _, r := range said.Refunds {
		if err := b.learn(ctx, s, purse, r); err != nil {
			return err
		}
	}
	return nil
}

// purseOf is the payment that a session brought; paid is false when it brought none.
func purseOf(ctx context.Context, reader ports.Reader, s payment.Session) (p payment.Purse, paid bool, err error) {
	moved, err := transactionsOf(ctx, reader, "paymentSession", s.ID)
	if purses := payment.Purses(moved); len(purses) > 0 {
		return purses[0], true, err
	}
	return p, false, err
}

// refundTold puts what providers say of a refund into the words of the books; what they never heard of has none.
var refundTold = map[ports.RefundState]payment.RefundState{
	ports.RefundPending: payment.RefundPending, ports.RefundSucceeded: payment.RefundSucceeded, ports.RefundFailed: payment.RefundFailed,
}

// settleTold settles our refunds of which the provider says otherwise than the books.
func (b *Buying) settleTold(ctx context.Context, purse payment.Purse, said ports.ProviderPayment) error {
	told := map[string]payment.RefundState{}
	for _, r := range said.Refunds {
		told[r.ProviderID] = refundTold[r.State]
	}
	for _, r := range purse.Refunds {
		if r.ProviderID == "" || !r.State.Counts() || told[r.ProviderID] == r.State {
			continue
		}
		if _, err := b.SettleRefund(ctx, r.Tenant, r.ID); err != nil {
			return err
		}
	}
	return nil
}

// learn writes a refund down that purse, as it was a moment ago, does not know. What is written is decided under the lock of the
// order, or of the session without one: of any number who hear of it at once, one writes, and the books take no refund twice.
func (b *Buying) learn(ctx context.Context, s payment.Session, purse payment.Purse, told ports.ProviderRefund) error {
	made := payment.Made{ProviderID: told.ProviderID, State: refundTold[told.State], Amount: told.Amount}
	if purse.Knows(made.ProviderID) || !made.Took() {
		return nil
	}
	err := b.atomically(ctx, s.Tenant, func(ctx context.Context, tx ports.Tx) error {
		row, err := tx.Records.Get(ctx, payment.Sessions, s.ID) // perhaps it has an order by now
		if err != nil {
			return err
		}
		w := b.changes()
		x, err := b.openBooks(ctx, tx, w, row.Text("order"), s.ID)
		if err != nil {
			return err
		}
		for _, p := range x.purses {
			if p.ID == purse.ID {
				return b.learnWithin(ctx, tx, w, x, p, made)
			}
		}
		return nil
	})
	switch {
	case errors.Is(err, payment.ErrMismatch):
		b.log().ErrorContext(ctx, "a refund that cannot be one of its payment", "session", s.ID, "refund", made.ProviderID, "amount", made.Amount)
		return nil
	case errors.Is(err, ports.ErrMoneyKnown):
		b.log().WarnContext(ctx, "a refund that is in the books already", "session", s.ID, "refund", made.ProviderID)
		return nil
	}
	return err
}

func (b *Buying) learnWithin(ctx context.Context, tx ports.Tx, w *changes, x books, p payment.Purse, made payment.Made) error {
	r, unknown, err := p.Learn(made)
	if err != nil || !unknown {
		return err
	}
	r.ID = b.NewID()
	r.Tenant, r.Environment, r.Order, r.Checkout = x.belong()
	_, err = b.recordWithin(ctx, tx, w, x, entry{refund: r}, told{state: made.State, providerID: made.ProviderID})
	return err
}

// errAnew is a refusal of a refund that named another remaining amount than the books now know of: decided anew, it may come
// out otherwise.
var errAnew = errors.New("other money went back than was known")

// decideTries is how often a refund is decided anew while others give money of its payment back.
const decideTries = 5

// refusedBy is the fault of a refund that its provider refused. It is errAnew, too, once it turned out that the books did not
// know what was left.
func (b *Buying) refusedBy(ctx context.Context, r payment.Refund, refusal error) error {
	err := b.CatchUp(ctx, r.Tenant, r.Session)
	if err != nil && !errors.Is(err, payment.ErrRefundBusy) {
		b.log().WarnContext(ctx, "not compared with the provider", "refund", r.ID, "error", err)
		return refusal
	}
	purse, _, err := purseOf(ctx, b.Store.Read(ports.Of(r.Tenant)), payment.Session{ID: r.Session})
	switch {
	case err != nil:
		return err
	case purse.Left() == r.Remaining:
		return refusal
	}
	return fmt.Errorf("%w: %w", errAnew, refusal)
}

// hearRefunds brings the refunds of a payment session up to date, those that nobody here asked for among them. Errors: those of
// SettleRefund and CatchUp.
func (b *Buying) hearRefunds(ctx context.Context, id tenant.ID, session string) error {
	if err := b.SettleRefunds(ctx, id, session); err != nil {
		return err
	}
	return b.CatchUp(ctx, id, session)
}
