package connections_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// accountProvider writes the account into its requests, and repeats what it is sent in its refusals.
type accountProvider struct {
	ports.Provider

	sent []string
}

func (p *accountProvider) Build(_ ports.Connection, r ports.ProviderRequest) ([]byte, error) {
	refund := r.(ports.RefundRequest)
	if refund.Account == nil {
		return []byte("plain"), nil
	}
	return []byte(refund.Account.Account + " of " + refund.Account.Holder), nil
}

func (p *accountProvider) Do(_ context.Context, _ ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	p.sent = append(p.sent, string(call.Request))
	number, _, _ := strings.Cut(string(call.Request), " ")
	return ports.Outcome{}, ports.ErrProviderRejected.WithData("providerCode", number).WithCause(errors.New("answered " + string(call.Request)))
}

func TestCallWithAnAccountIsSealedInTheLog(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		log := connections.CallLog{Store: b.Store, Vault: b.Vault, Now: b.Now, NewID: shops.NewID, Log: slog.New(slog.DiscardHandler)}
		p := &accountProvider{Provider: b.Providers["sandbox"]}
		opened := connections.Opened{Adapter: p}
		session := payment.Session{ID: shops.NewID(), Tenant: b.Shop.ID}
		attempt := func(a *payment.RefundAccount) (call connections.Call) {
			t.Helper()
			err := b.Store.Atomically(t.Context(), ports.ForTenant(b.Shop.ID), func(ctx context.Context, tx ports.Tx) (err error) {
				call, err = log.Begin(ctx, tx, opened, session, "r1", ports.RefundRequest{Account: a})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return call
		}
		stored := func() []byte {
			t.Helper()
			var logged ports.ProviderCall
			err := b.Store.Atomically(t.Context(), ports.ForTenant(b.Shop.ID), func(ctx context.Context, tx ports.Tx) (err error) {
				logged, err = tx.ProviderCalls.Begin(ctx, ports.ProviderCall{
					ID: shops.NewID(), Tenant: b.Shop.ID, Session: session.ID, Operation: "refund:r1", StartedAt: b.Now(),
				})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return logged.Request
		}
		kims := payment.RefundAccount{Bank: "88", Account: "110123456789", Holder: "김지우"}
		for i, a := range []*payment.RefundAccount{&kims, nil, {Bank: "20", Account: "9", Holder: "Lee"}} { // the first freezes it
			call := attempt(a)
			_, err := log.Send(t.Context(), opened, &call)
			if !call.Confidential() || p.sent[i] != "110123456789 of 김지우" {
				t.Errorf("attempt %d sends %q", i+1, p.sent[i])
			}
			shown := err.Error() + call.Detail
			if code := fault.From(err).Data["providerCode"]; code != nil || strings.Contains(shown, kims.Account) || strings.Contains(shown, kims.Holder) {
				t.Errorf("attempt %d shows %v, %s", i+1, code, shown)
			}
			if !errors.Is(err, ports.ErrProviderRejected) || !call.Declined() {
				t.Errorf("attempt %d: %v", i+1, err)
			}
		}
		if got := stored(); !bytes.HasPrefix(got, []byte("sealed:v1:")) || bytes.Contains(got, []byte(kims.Account)) {
			t.Errorf("the log has %s", got)
		}
		session.ID = shops.NewID()
		if call := attempt(nil); call.Confidential() || string(call.Request) != "plain" || string(stored()) != "plain" {
			t.Errorf("without an account the log has %s", stored())
		}
	})
}
