package connections_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// demanding is a provider whose hosted sessions need one more credential.
type demanding struct{ ports.Provider }

func (d demanding) Describe() payment.Provider {
	p := d.Provider.Describe()
	p.Credentials = append(slices.Clone(p.Credentials), payment.Credential{Name: "profileKey", For: []payment.Kind{payment.Hosted}})
	return p
}

// formal is a provider whose secret keys have a form that those of the sandbox do not have.
type formal struct{ ports.Provider }

func (d formal) Describe() payment.Provider {
	p := d.Provider.Describe()
	p.Credentials = slices.Clone(p.Credentials)
	p.Credentials[0].Form = regexp.MustCompile(`^acct_[0-9]$`)
	return p
}

func TestSessionsNeedTheCredentialsOfTheirKind(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Providers["sandbox"] = demanding{b.Providers["sandbox"]}
		id := b.Checkout("mug").Text("checkout.id")
		hosted := paymentbed.WidgetSession(id)
		hosted.Kind, hosted.Method = payment.Hosted, "PAY_PAL"
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""), hosted)
		paymentbed.Refused(t, "a hosted session", a, err, payment.ErrNotConfigured)
		if n := len(b.All(payment.Sessions)); n != 0 {
			t.Errorf("%d sessions hold the slot", n)
		}
		if _, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(id)); err != nil {
			t.Errorf("a widget session: %v", err)
		}
	})
}

func TestCredentialsAreThoseOfTheProvider(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		before := b.All(payment.Connections)
		for given, field := range map[string]string{`{"secret":"x"}`: "credentials.secret", `{}`: "credentials.secretKey"} {
			_, err := b.Records.Update(t.Context(), idempotency.Call{Principal: b.Owner()}, payment.Connections, b.Connection,
				map[string]any{"credentials": shops.ParseObject(t, given)}, records.Projection{})
			if f := fault.From(err); !errors.Is(err, fault.ErrValidation) || len(f.Fields) == 0 || f.Fields[0].Field != field {
				t.Errorf("%s: %v", given, err)
			}
		}
		if after := b.All(payment.Connections); after[0].Text("credentials") != before[0].Text("credentials") {
			t.Error("refused credentials were stored")
		}
	})
}

func TestCaptureModeNeedsAProviderThatCan(t *testing.T) {
	for _, p := range []payment.Provider{{Title: "Toss"}, {Title: "Stripe", CapturesLater: true}} {
		for _, m := range []checkout.CaptureMode{checkout.CaptureAtOnce, checkout.CaptureOnShipping, checkout.CaptureByHand} {
			if err := p.CheckCapture(m); (err == nil) != (p.CapturesLater || m == checkout.CaptureAtOnce) {
				t.Errorf("%s, %s: %v", p.Title, m, err)
			}
		}
	}
	onBothDatabases(t, func(t *testing.T, b *bed) {
		atOnce := payment.Provider{Name: "sandbox", Title: "The sandbox"}
		for _, c := range []struct {
			providers []payment.Provider
			want      error
		}{{[]payment.Provider{atOnce}, fault.ErrValidation}, {[]payment.Provider{b.Providers["sandbox"].Describe()}, nil}} {
			b.Records.Hooks[payment.Connections.Slug] = connections.Hooks(b.Vault, c.providers, nil)
			_, err := b.Records.Update(t.Context(), idempotency.Call{Principal: b.Owner()}, payment.Connections, b.Connection,
				map[string]any{"capture": "manual"}, records.Projection{})
			if !errors.Is(err, c.want) {
				t.Errorf("%+v: %v", c.providers, err)
			}
			if stored := b.Get(payment.Connections, b.Connection).Text("capture"); (stored == "manual") != (err == nil) {
				t.Errorf("stored: %s", stored)
			}
		}
	})
}

func TestDoctorIsToldWhatConnectionsLack(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opener := connections.Opener{Vault: b.Vault, Providers: b.Providers}
		problems := func() string {
			t.Helper()
			all, err := opener.Problems(t.Context(), b.Store)
			if err != nil {
				t.Fatal(err)
			}
			mine := slices.DeleteFunc(all, func(s string) bool { return !strings.Contains(s, b.Connection) })
			return strings.Join(mine, "; ")
		}
		if got := problems(); got != "" {
			t.Errorf("nothing is missing: %s", got)
		}
		b.Providers["sandbox"] = demanding{b.Providers["sandbox"]}
		if got := problems(); !strings.HasSuffix(got, "at sandbox opens no hosted_v2 sessions: it has no profileKey") {
			t.Errorf("a credential is missing: %s", got)
		}
		b.Providers["sandbox"] = formal{b.Providers["sandbox"].(demanding).Provider}
		if got := problems(); !strings.Contains(got, "at sandbox fails at its provider: credentials.secretKey: ") {
			t.Errorf("a credential is malformed: %s", got)
		}
		if _, err := b.Records.Update(t.Context(), idempotency.Call{Principal: b.Owner()}, payment.Connections, b.Connection,
			map[string]any{"webhookSecrets": []any{}}, records.Projection{}); err != nil {
			t.Fatal(err)
		}
		if got := problems(); !strings.HasSuffix(got, "it has no webhookSecrets") {
			t.Errorf("webhook secrets are missing: %s", got)
		}
		delete(b.Providers, "sandbox")
		if got := problems(); !strings.HasSuffix(got, "cannot be used: this server has no adapter for it") {
			t.Errorf("the adapter is missing: %s", got)
		}
	})
}
