package tenant_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestIsStaff(t *testing.T) {
	t.Parallel()
	for kind, want := range map[tenant.Kind]bool{
		tenant.SecretKey: true, tenant.User: true, tenant.System: true, tenant.ClientKey: false, tenant.Customer: false,
		tenant.Anonymous: false, "": false,
	} {
		if (tenant.Principal{Kind: kind}).IsStaff() != want {
			t.Errorf("%q: want %v", kind, want)
		}
	}
}
