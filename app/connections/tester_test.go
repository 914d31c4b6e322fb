package connections_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// testing tests the connection of the bed at its bank, of which it awaits answers for as long as limits say.
func (b *bed) testing(limits providers.Limits) (wire *paymentbed.Wire, tester *connections.Tester, test func() connections.TestResult) {
	wire = &paymentbed.Wire{}
	adapters := map[string]ports.Provider{"sandbox": sandbox.New(b.BankURL, "", providers.NewClient(limits, wire))}
	tester = &connections.Tester{Store: b.Store, Opener: connections.Opener{Vault: b.Vault, Providers: adapters}, Now: b.Now}
	return wire, tester, func() connections.TestResult {
		b.T.Helper()
		r, err := tester.Test(b.T.Context(), b.Owner(), b.Connection)
		if err != nil {
			b.T.Fatal(err)
		}
		return r
	}
}

func TestConnectionIsTestedAtItsProvider(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		wire, tester, test := b.testing(providers.Limits{LookupTimeout: paymentbed.Patience})
		if r := test(); r != (connections.TestResult{CheckedAt: b.Now()}) {
			t.Errorf("a connection that works: %+v", r)
		}
		b.Change(payment.Connections, b.Connection, `{"enabled":false}`)
		if r := test(); r.Problem != "" {
			t.Errorf("one that is switched off: %+v", r)
		}
		b.BankFaults(`{"failNext":1}`)
		if r := test(); r.Problem != connections.ProviderUnreachable {
			t.Errorf("a provider that fails: %+v", r)
		}
		sealed, err := connections.SealCredentials(b.Vault, b.Connection, map[string]string{"secretKey": "of nobody"})
		if err != nil {
			t.Fatal(err)
		}
		b.Rewrite(payment.Connections, b.Connection, "credentials", sealed)
		if r := test(); r.Problem != connections.CredentialsRefused || r.ProviderCode == "" {
			t.Errorf("other credentials: %+v", r)
		}
		if sealed, err = connections.SealCredentials(b.Vault, b.Connection, map[string]string{"secretKey": "two\nlines"}); err != nil {
			t.Fatal(err)
		}
		b.Rewrite(payment.Connections, b.Connection, "credentials", sealed)
		if r, err := tester.Test(t.Context(), b.Owner(), b.Connection); !errors.Is(err, fault.ErrValidation) ||
			fault.From(err).Fields[0].Field != "credentials.secretKey" {
			t.Errorf("a key of two lines: %+v %v", r, err)
		}
		b.Rewrite(payment.Connections, b.Connection, "credentials", "sealed by nobody")
		if r := test(); r != (connections.TestResult{CheckedAt: b.Now(), Problem: connections.CredentialsUnreadable}) {
			t.Errorf("credentials that nobody can open: %+v", r)
		}
		if asked := wire.Calls(http.MethodGet); asked != 4 || len(wire.Requests) != asked {
			t.Errorf("4 tests made the calls %v", wire.Requests)
		}
	})
}

func TestTestOfAConnectionEndsWithTheTimeOfALookUp(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		wire, _, test := b.testing(providers.Limits{LookupTimeout: 50 * time.Millisecond, MaxFailures: 2})
		b.BankFaults(`{"hangNext":2}`)
		for range 2 {
			if r := test(); r.Problem != connections.ProviderUnreachable {
				t.Errorf("a provider that hangs: %+v", r)
			}
		}
		if r := test(); r.Problem != connections.CallsPaused || wire.Calls(http.MethodGet) != 2 {
			t.Errorf("with an open circuit: %+v, %d calls", r, wire.Calls(http.MethodGet))
		}
	})
}

func TestWhoTestsAConnection(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		tester := &connections.Tester{Store: b.Store, Opener: connections.Opener{Vault: b.Vault, Providers: map[string]ports.Provider{}}, Now: b.Now}
		viewer := b.Owner()
		viewer.Kind, viewer.Role = tenant.User, tenant.Viewer
		key := tenant.Principal{Kind: tenant.SecretKey, ID: "key", Tenant: viewer.Tenant, Environment: tenant.Test}
		reading, writing := key, key
		reading.CanRead, writing.CanWrite = true, true
		stranger := b.Owner()
		stranger.Tenant.ID = "another-shop"
		for name, c := range map[string]struct {
			by   tenant.Principal
			want error
		}{
			"a viewer": {viewer, fault.ErrForbidden}, "a key that reads": {reading, fault.ErrForbidden},
			"a key that writes": {writing, fault.ErrForbidden}, "another shop": {stranger, ports.ErrNotFound},
			"an admin, where there is no adapter for it": {b.Owner(), payment.ErrNotConfigured},
		} {
			if _, err := tester.Test(t.Context(), c.by, b.Connection); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
	})
}
