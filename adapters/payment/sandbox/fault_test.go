package sandbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestLookupFindsEffectOfDroppedAnswer(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	s.putFaults(t, `{"dropResponseNext":1}`)
	dials := s.dials.Load()
	if _, err := s.confirm(p, "key-confirm-1", key); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("a dropped answer: %v", err)
	}
	if n := s.dials.Load() - dials; n != 1 {
		t.Errorf("%d attempts were made, want the logged one only", n)
	}
	s.wantState(t, p, ports.ProviderPaid)
	if _, err := s.confirm(p, "key-confirm-1", key); err != nil {
		t.Errorf("the same call again: %v", err)
	}
}

func TestTransportDoesNotRetry(t *testing.T) {
	s := open(t)
	s.client = payment.NewClient(payment.Limits{}, nil) // keeps connections alive
	s.provider = sandbox.New(s.server.URL, "", s.client)
	p, key := s.approved(t)
	s.putFaults(t, `{"dropResponseNext":1}`)
	if _, err := s.confirm(p, "key-confirm-1", key); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("the lost answer was hidden by a silent retry: %v", err)
	}
}

func TestAWrongAmountIsReported(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	s.putFaults(t, `{"wrongAmountNext":1}`)
	if _, err := s.confirm(p, "key-confirm-1", key); err != nil {
		t.Fatal(err)
	}
	wrong := money.Of(p.Amount.Minor+1, p.Amount.Currency)
	for range 2 { // the wrong amount was captured, and stays
		if got := s.wantState(t, p, ports.ProviderPaid); got.Amount != wrong {
			t.Errorf("amount %v, want %v", got.Amount, wrong)
		}
	}
	hosted := s.register(t, "hosted_v2")
	s.authorize(t, map[string]any{"sessionId": hosted.Session, "outcome": "approve"})
	s.putFaults(t, `{"wrongAmountNext":1}`)
	if got := s.wantState(t, hosted, ports.ProviderPaid); got.Amount != wrong {
		t.Errorf("a lookup reported %v, want %v", got.Amount, wrong)
	}
	if got := s.wantState(t, hosted, ports.ProviderPaid); got.Amount != hosted.Amount {
		t.Errorf("the next lookup reported %v", got.Amount)
	}
}

func TestHangingProviderOpensTheCircuit(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	s.connect(payment.Limits{CallTimeout: 50 * time.Millisecond, MaxFailures: 2, OpenFor: time.Hour})
	s.putFaults(t, `{"hangNext":2}`)
	for range 2 {
		if _, err := s.confirm(p, "key-confirm-1", key); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatalf("a hanging provider: %v", err)
		}
	}
	if !s.client.CircuitOpen(s.conn.ID) {
		t.Error("the circuit is closed after two failures")
	}
	dials := s.dials.Load()
	if _, err := s.confirm(p, "key-confirm-1", key); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("behind an open circuit: %v", err)
	}
	if s.dials.Load() != dials {
		t.Error("a call was made through an open circuit")
	}
	other := s.account("tenant-2")
	if got, err := s.provider.Lookup(t.Context(), other, ports.PaymentRef{PaymentID: p.PaymentID}); err != nil ||
		got.State != ports.ProviderAbsent {
		t.Errorf("another connection is affected: %+v %v", got, err)
	}
}

func TestSuccessfulProbeClosesTheCircuit(t *testing.T) {
	s := open(t)
	p := s.register(t, "widget")
	s.connect(payment.Limits{MaxFailures: 1, OpenFor: time.Nanosecond})
	s.putFaults(t, `{"failNext":1}`)
	if _, err := s.provider.Lookup(t.Context(), s.conn, ports.PaymentRef{PaymentID: p.PaymentID}); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Fatalf("a failing provider: %v", err)
	}
	s.wantState(t, p, ports.ProviderOpen)
	if s.client.CircuitOpen(s.conn.ID) {
		t.Error("the circuit is open after a successful probe")
	}
}

func TestRefusalsAndGoneCallersDoNotCount(t *testing.T) {
	s := open(t)
	p := s.register(t, "widget")
	s.connect(payment.Limits{MaxFailures: 1, OpenFor: time.Hour})
	if _, err := s.confirm(p, "key-confirm-1", "sbx_guess"); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("an unapproved payment: %v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := s.provider.Lookup(gone, s.conn, ports.PaymentRef{PaymentID: p.PaymentID}); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("a caller who left: %v", err)
	}
	if s.client.CircuitOpen(s.conn.ID) {
		t.Error("the circuit opened")
	}
}

func TestFaultsBelongToOneAccount(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.register(t, "widget")
	s.putFaults(t, `{"failNext":1}`)
	if _, err := s.provider.Lookup(t.Context(), s.account("tenant-2"), ports.PaymentRef{PaymentID: p.PaymentID}); err != nil {
		t.Errorf("another account: %v", err)
	}
	if _, err := s.provider.Lookup(t.Context(), s.conn, ports.PaymentRef{PaymentID: p.PaymentID}); !errors.Is(err,
		ports.ErrProviderUnavailable) {
		t.Errorf("this account: %v", err)
	}
	s.wantState(t, p, ports.ProviderOpen)
}

func TestCallCompletesAfterCallerLeaves(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	s.connect(payment.Limits{CallTimeout: 100 * time.Millisecond})
	s.putFaults(t, `{"latencyMs":60000}`)
	if _, err := s.confirm(p, "key-confirm-1", key); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Fatalf("a slow provider: %v", err)
	}
	s.putFaults(t, `{}`)
	for ctx := t.Context(); ; { // the provider finishes after the client gave up
		got, err := s.provider.Lookup(ctx, s.conn, ports.PaymentRef{PaymentID: p.PaymentID})
		if err != nil {
			t.Fatal(err)
		}
		if got.State == ports.ProviderPaid {
			return
		}
	}
}

func TestUnknownKindIsRefused(t *testing.T) {
	t.Parallel()
	p := sandbox.New("http://127.0.0.1", "", payment.NewClient(payment.Limits{}, nil))
	req := request("Payment0")
	req.Kind = domain.Custom
	if body, err := p.Build(ports.Connection{}, ports.PrepareRequest{PaymentRequest: req}); err == nil {
		t.Errorf("it was built: %s", body)
	}
	if action, err := p.Action(ports.Connection{}, req, domain.Prepared{}); err == nil {
		t.Errorf("it has an action: %v", action)
	}
}
