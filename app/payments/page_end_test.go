package payments_test

import (
	"context"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// boundedPages is a provider whose pages live as long as it is asked, within bounds, and end by the shop's clock.
type boundedPages struct {
	ports.Provider

	bed      *bed
	shortest time.Duration
	ends     time.Time // of the last page
}

func (p *boundedPages) Describe() payment.Provider {
	d := p.Provider.Describe()
	d.Limits = payment.Limits{MinPageLife: p.shortest, MaxPageLife: 24 * time.Hour}
	return d
}

func (p *boundedPages) Build(conn ports.Connection, r ports.ProviderRequest) ([]byte, error) {
	if asked, ok := r.(ports.PrepareRequest); ok {
		p.ends, asked.ExpiresAt = asked.ExpiresAt, time.Time{}
		r = asked
	}
	return p.Provider.Build(conn, r)
}

func (p *boundedPages) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	got, err := p.Provider.Do(ctx, conn, call)
	if call.Operation == ports.OpPrepare {
		got.Prepared.PageEnd = p.ends
	}
	return got, err
}

func (p *boundedPages) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	got, err := p.Provider.Lookup(ctx, conn, ref)
	if got.State == ports.ProviderOpen && !p.bed.Now().Before(p.ends) {
		got.State = ports.ProviderExpired
	}
	return got, err
}

// withPages gives the shop's provider pages that live for at least shortest.
func (b *bed) withPages(shortest time.Duration) *boundedPages {
	p := &boundedPages{Provider: b.Providers["sandbox"], bed: b, shortest: shortest}
	b.Providers["sandbox"] = p
	return p
}

func (b *bed) session(opened paymentbed.Answer) payment.Session {
	b.T.Helper()
	return payment.SessionFrom(b.Get(payment.Sessions, opened.Text("paymentSession.id")))
}

func TestPageIsPayableWhileItsGoodsAreReserved(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		pages := b.withPages(0)
		in := hosted(b.Checkout("mug").Text("checkout.id"))
		first := b.open(in)
		if s := b.session(first); !pages.ends.Equal(s.ExpiresAt) || !s.Prepared.PageEnd.Equal(collection.TruncateTime(pages.ends)) {
			t.Errorf("the page ends at %v, the reservation at %v", pages.ends, s.ExpiresAt)
		}
		b.Advance(30 * time.Minute)
		if again := b.open(in); again.Text("checkoutUrl") != first.Text("checkoutUrl") || b.session(again).ID != b.session(first).ID {
			t.Errorf("a retry got another page: %v", again)
		}
		b.Advance(31 * time.Minute)
		b.pollDue()
		second := b.open(in)
		if s := b.session(first); !s.Closed() || s.Status != payment.StatusCanceled {
			t.Errorf("the session whose page ended is %+v", s.State)
		}
		if s := b.session(second); s.ID == b.session(first).ID || !s.SlotHeld || second.Text("checkoutUrl") == first.Text("checkoutUrl") {
			t.Errorf("a retry got the page that ended: %v", second)
		}
		b.decide(second, "approve")
		if b.SettleSession(second); len(b.All(order.Schema)) != 1 {
			t.Error("the second page brought no order")
		}
	})
}

// What was paid just before the page ended is found by the retry, which opens no second page.
func TestRetryFindsThePaymentOfAPageThatEnded(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.withPages(0)
		in := hosted(b.Checkout("mug").Text("checkout.id"))
		first := b.open(in)
		b.decide(first, "approve")
		b.Advance(61 * time.Minute)
		a, err := b.Payments.Aggregator.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), in)
		paymentbed.Refused(t, "a paid checkout", a, err, checkout.ErrNotOpen)
		if sessions, orders := len(b.All(payment.Sessions)), len(b.All(order.Schema)); sessions != 1 || orders != 1 {
			t.Errorf("%d sessions, %d orders", sessions, orders)
		}
	})
}

func TestPageThatOutlivesItsReservationIsClosed(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.withPages(2 * time.Hour)
		in := hosted(b.Checkout("mug").Text("checkout.id"))
		first := b.open(in)
		b.Advance(59 * time.Minute)
		b.pollDue()
		if s := b.session(first); !s.SlotHeld {
			t.Errorf("closed while the goods are reserved: %+v", s.State)
		}
		b.Advance(6 * time.Minute) // a twelfth of its age later at the latest
		b.pollDue()
		if s := b.session(first); !s.Closed() || b.Level("mug").Reserved != 0 {
			t.Errorf("the page is open without goods: %+v, %d reserved", s.State, b.Level("mug").Reserved)
		}
		if second := b.open(in); b.session(second).ID == b.session(first).ID {
			t.Errorf("a retry got the page that was closed: %v", second)
		}
	})
}
