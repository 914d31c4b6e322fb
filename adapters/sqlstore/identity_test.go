package sqlstore_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestIdentityContract(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registry, err := collection.NewRegistry(portstest.IdentitySchemas()...)
			if err != nil {
				t.Fatal(err)
			}
			o := options(t)
			o.Now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
			s := open(t, o, registry)
			portstest.APIKeys(t, s, s.APIKeys())
			portstest.Accounts(t, s, s.Accounts())
			portstest.SealedTokens(t, s)
			portstest.Revocations(t, s.Revocations())
			portstest.TenantErasure(t, func(t *testing.T) portstest.TenantErasureFixture {
				return portstest.TenantErasureFixture{
					Store: s, Erasure: s.TenantErasure(), Accounts: s.Accounts(), Sweep: s.BlobSweep(), Number: func(t *testing.T) {
						t.Helper()
						if _, err := s.Sequence(t.Context()); err != nil {
							t.Fatal(err)
						}
					},
				}
			})
			portstest.Logins(t, portstest.LoginsFixture{Logins: s.Logins(), Revocations: s.Revocations()})
		})
	}
}
