package paymenttest

import (
	"errors"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// heldPayment is a payment that its buyer approved and that is to be captured later.
type heldPayment struct {
	Purchase

	ref ports.PaymentRef
}

func (s *suite) authorized(t *testing.T, m money.Money) heldPayment {
	t.Helper()
	return s.authorizedWith(t, m, money.Money{})
}

// authorizedWith is one whose tax-free part is taxFree.
func (s *suite) authorizedWith(t *testing.T, m, taxFree money.Money) heldPayment {
	t.Helper()
	req := s.request(m)
	req.CaptureLater, req.TaxFree = true, taxFree
	p := s.prepare(t, req)
	key := s.Approve(t, p)
	if s.Kind == domain.Widget {
		if _, err := s.confirm(t, p, key); err != nil {
			t.Fatalf("confirm: %v", err)
		}
	}
	got := s.wantState(t, p, ports.ProviderAuthorized)
	if got.Amount != m || got.PaymentID != req.PaymentID || got.ProviderID == "" || got.Refunded.Minor != 0 {
		t.Errorf("authorized: %+v", got)
	}
	if b := s.Ledger(t, p); !b.Captured.IsZero() {
		t.Errorf("authorized, the provider took %v", b.Captured)
	}
	g := heldPayment{Purchase: p, ref: p.Ref()}
	g.ref.ProviderPaymentID = got.ProviderID
	return g
}

func (g heldPayment) capture(authorized, amount money.Money) ports.CaptureRequest {
	return ports.CaptureRequest{PaymentRef: g.ref, Authorized: authorized, Amount: amount}
}

// captureLater: an authorized payment is captured once, in part or whole, and not more than that, whatever is repeated; a
// captured payment is refunded like any other.
func captureLater(t *testing.T, s *suite) {
	if !s.provider.Describe().CapturesLater {
		return // buildIsPure shows that it is never asked to
	}
	for _, currency := range []money.Currency{"KRW", "USD"} {
		all := money.Of(15000, currency)
		for _, part := range []money.Money{all, money.Of(9000, currency)} {
			g := s.authorized(t, all)
			tooMuch := g.capture(all, all.Plus(money.Of(100, currency)))
			if body, err := s.provider.Build(s.Connection, tooMuch); err == nil {
				_, err = s.provider.Do(t.Context(), s.Connection,
					ports.ProviderCall{Operation: ports.OpCapture, ProviderKey: "too-much-" + g.ref.PaymentID, Request: body, Attempt: 1})
				if !errors.Is(err, ports.ErrProviderRejected) {
					t.Errorf("more than is authorized: %v", err)
				}
			} else if !errors.Is(err, fault.ErrInternal) {
				t.Errorf("more than is authorized: %v", err)
			}
			s.wantState(t, g.Purchase, ports.ProviderAuthorized)
			for n := range 2 {
				if _, err := s.attempt(t, n+1, "capture-"+g.ref.PaymentID, g.capture(all, part)); err != nil && n == 0 {
					t.Errorf("capture: %v", err)
				}
			}
			_, err := s.send(t, "again-"+g.ref.PaymentID, g.capture(all, money.Of(1000, currency)))
			if err != nil && !errors.Is(err, ports.ErrProviderRejected) {
				t.Errorf("another capture: %v", err)
			}
			if _, err := s.send(t, "void-"+g.ref.PaymentID, ports.VoidRequest{PaymentRef: g.ref}); !errors.Is(err, ports.ErrProviderRejected) {
				t.Errorf("a captured payment is voided: %v", err)
			}
			if got := s.wantState(t, g.Purchase, ports.ProviderPaid); got.Amount != part || got.ProviderID != g.ref.ProviderPaymentID {
				t.Errorf("captured %v: %+v", part, got)
			}
			if b := s.Ledger(t, g.Purchase); b.Captured != part {
				t.Errorf("the provider took %v, want %v", b.Captured, part)
			}
			refund := ports.RefundRequest{
				PaymentRef: g.ref, Captured: part, Amount: money.Of(5000, currency), Remaining: part, Reason: "one returned",
			}
			if _, err := s.send(t, "refund-"+g.ref.PaymentID, refund); err != nil {
				t.Errorf("refund: %v", err)
			}
			if b := s.Ledger(t, g.Purchase); b.Refunded != refund.Amount {
				t.Errorf("the provider refunded %v", b.Refunded)
			}
		}
	}
}

// captureTaxFree: the provider keeps the tax-free part of what was captured, and a part that is none is not built.
func captureTaxFree(t *testing.T, s *suite) {
	if !s.provider.Describe().CapturesLater || !s.toldTaxFree() {
		return
	}
	taxFree := money.Of(6000, "KRW")
	g := s.authorizedWith(t, amountKRW, taxFree)
	r := g.capture(amountKRW, money.Of(9000, "KRW"))
	r.AuthorizedTaxFree = taxFree
	for _, wrong := range []struct{ amount, taxFree int64 }{{9000, -1}, {9000, 6001}, {3000, 3001}, {9001, 0}} {
		r.Amount, r.TaxFree = money.Of(wrong.amount, "KRW"), money.Of(wrong.taxFree, "KRW")
		if body, err := s.provider.Build(s.Connection, r); !errors.Is(err, fault.ErrInternal) {
			t.Errorf("%v of %v tax-free: %s, %v", r.TaxFree, r.Amount, body, err)
		}
	}
	r.TaxFree, r.Amount = money.Of(3600, "KRW"), money.Of(9000, "KRW")
	if _, err := s.send(t, "capture-"+g.ref.PaymentID, r); err != nil {
		t.Fatal(err)
	}
	if b := s.Ledger(t, g.Purchase); b.TaxFree != r.TaxFree || b.Captured != r.Amount {
		t.Errorf("the provider took %v, %v of it tax-free", b.Captured, b.TaxFree)
	}
}

// voidAuthorization: an authorized payment is released by a void, by the provider itself, and by nothing else; nothing can be
// captured then.
func voidAuthorization(t *testing.T, s *suite) {
	if !s.provider.Describe().CapturesLater {
		return
	}
	for name, release := range map[string]func(heldPayment){
		"by the shop": func(g heldPayment) {
			for n := range 2 {
				if _, err := s.attempt(t, n+1, "void-"+g.ref.PaymentID, ports.VoidRequest{PaymentRef: g.ref}); err != nil && n == 0 {
					t.Errorf("void: %v", err)
				}
			}
		},
		"by the provider": func(g heldPayment) { s.Release(t, g.Purchase) },
	} {
		g := s.authorized(t, amountKRW)
		_, _ = s.send(t, "close-"+g.ref.PaymentID, ports.CloseRequest{PaymentRef: g.ref}) // refused or without effect
		s.wantState(t, g.Purchase, ports.ProviderAuthorized)
		release(g)
		gone := []ports.ProviderState{ports.ProviderCanceled, ports.ProviderExpired, ports.ProviderFailed}
		if got, err := s.lookup(t, g.Ref()); err != nil || !slices.Contains(gone, got.State) {
			t.Errorf("released %s: %+v, %v", name, got, err)
		}
		if _, err := s.send(t, "capture-"+g.ref.PaymentID, g.capture(amountKRW, amountKRW)); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("released %s, captured: %v", name, err)
		}
		if b := s.Ledger(t, g.Purchase); !b.Captured.IsZero() {
			t.Errorf("released %s: the provider took %v", name, b.Captured)
		}
		hint, err := s.provider.Hint(s.Connection, s.Secrets, s.ReleaseWebhook(t, g.Purchase, s.signingSecret()))
		if err != nil || !hint.MayConcernBooked || len(hint.Payments) != 1 {
			t.Errorf("its webhook: %+v, %v", hint, err)
		}
	}
}
