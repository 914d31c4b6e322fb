package tenant

import (
	"strings"
	"testing"
)

func TestMayKnowsEveryRole(t *testing.T) {
	for name, c := range map[string]struct {
		p    Principal
		asks Permission
		want bool
	}{
		"an admin refunds":                  {Principal{Kind: User, Role: Admin}, RefundOrders, true},
		"an admin's records are not asked":  {Principal{Kind: User, Role: Admin}, "orders:read", false},
		"an editor fulfills":                {Principal{Kind: User, Role: Editor}, FulfillOrders, true},
		"an editor refunds nothing":         {Principal{Kind: User, Role: Editor}, RefundReturns, false},
		"a viewer does nothing":             {Principal{Kind: User, Role: Viewer, Permissions: []Permission{AdjustStock}}, AdjustStock, false},
		"a packer fulfills":                 {Principal{Kind: User, Role: Packer}, FulfillOrders, true},
		"an own role":                       {Principal{Kind: User, Role: "night", Permissions: []Permission{AdjustStock}}, AdjustStock, true},
		"an own role without it":            {Principal{Kind: User, Role: "night", Permissions: []Permission{AdjustStock}}, FulfillOrders, false},
		"a role that is gone":               {Principal{Kind: User, Role: "night"}, FulfillOrders, false},
		"no role":                           {Principal{Kind: User}, FulfillOrders, false},
		"a customer whose role was made up": {Principal{Kind: Customer, Role: Admin}, RefundOrders, false},
	} {
		if got := c.p.May(c.asks); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestValidRoleSlug(t *testing.T) {
	for slug, want := range map[string]bool{
		"night-shift": true, "a": true, "9": true, strings.Repeat("a", MaxRoleSlug): true,
		"": false, "A": false, "-a": false, "a-": false, "a b": false, "a_b": false, "야간": false, strings.Repeat("a", MaxRoleSlug+1): false,
		"tenant-admin": false, "platform-admin": false, "packer": false,
	} {
		if ValidRoleSlug(slug) != want {
			t.Errorf("%q: %t", slug, !want)
		}
	}
}
