package rest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// concurrently runs all calls at the same time, and counts their statuses.
func concurrently(calls ...func() answer) map[int]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	statuses := map[int]int{}
	for _, call := range calls {
		wg.Go(func() {
			a := call()
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
		})
	}
	wg.Wait()
	return statuses
}

// Of two admins who remove each other at the same time, one remains.
func TestLastAdminCannotBeRemovedConcurrently(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		one := b.adminOf(b.shop)
		made := one("POST", "/users", `{"email":"two@shop.example","password":"correct horse","role":"tenant-admin"}`)
		if made.status != 201 {
			t.Fatal(made.raw)
		}
		two := b.user("two@shop.example", "correct horse")
		me := one("GET", "/users/me", "").body["user"].(map[string]any)["id"].(string)
		statuses := concurrently(
			func() answer { return one("DELETE", "/users/"+made.doc()["id"].(string), "") },
			func() answer { return two("PATCH", "/users/"+me, `{"role":"tenant-viewer"}`) },
			func() answer { return one("PATCH", "/users/"+me, `{"role":"tenant-editor"}`) },
		)
		if left := b.platformAdmin()("GET", "/users/count?where[role][equals]=tenant-admin",
			"", "X-Tenant-Id", string(b.shop.Tenant.ID)); left.body["totalDocs"] != 1.0 {
			t.Errorf("%v left %s", statuses, left.raw)
		}
	})
}

// Of concurrent resets with one token, one succeeds.
func TestEmailTokenIsUsedOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.customer("kim@shop.example")
		for kind, email := range map[string]string{"users": b.shop.AdminEmail, "customers": "kim@shop.example"} {
			b.post("/"+kind+"/forgot-password", fmt.Sprintf(`{"email":%q}`, email))
			token := b.emailToken(email)
			reset := func(n int) func() answer {
				return func() answer { return b.resetPassword(kind, token, fmt.Sprintf("horse number %d", n)) }
			}
			if statuses := concurrently(reset(1), reset(2), reset(3), reset(4)); statuses[200] != 1 || statuses[400] != 3 {
				t.Errorf("%s: %v", kind, statuses)
			}
		}
	})
}

// Two shops that add the same new person at the same time get an account each, or an invitation: no password
// that one of them chose opens the other.
func TestConcurrentCreatesShareNothing(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mine, theirs := b.adminOf(b.shop), b.adminOf(b.other)
		eve := func(password string) string {
			return fmt.Sprintf(`{"email":"eve@shop.example","password":%q,"role":"tenant-viewer"}`, password)
		}
		statuses := concurrently(func() answer { return mine("POST", "/users", eve("first horse")) },
			func() answer { return theirs("POST", "/users", eve("other horse")) })
		if statuses[201]+statuses[202] != 2 || statuses[201] == 0 {
			t.Fatal(statuses)
		}
		accounts, err := b.store.Accounts().ByAddress(t.Context(), "eve@shop.example")
		if err != nil || len(accounts) != statuses[201] {
			t.Errorf("%v made %+v, %v", statuses, accounts, err)
		}
		for password, foreign := range map[string]tenant.ID{"first horse": b.other.Tenant.ID, "other horse": b.shop.Tenant.ID} {
			if a := b.loginEve(password, foreign); a.status == 200 {
				t.Errorf("%q opens another shop", password)
			}
		}
	})
}

// Of tenants that are created at once for one new address, the first makes the account and the others invite.
func TestConcurrentTenantsOfOneAdmin(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		create := func(name string) func() answer {
			draft, err := b.onboarding.Prepare(onboarding.TenantInput{Name: name, Plan: tenant.Free, AdminEmail: "eve@shop.example"})
			if err != nil {
				t.Fatal(err)
			}
			return func() answer {
				switch invitation, err := b.onboarding.CreateOrInvite(t.Context(), draft); {
				case err != nil:
					t.Error(err)
					return answer{}
				case invitation.Token != "":
					return answer{status: 202}
				}
				return answer{status: 201}
			}
		}
		if made := concurrently(create("One"), create("Two"), create("Three")); made[201] != 1 || made[202] != 2 {
			t.Error(made)
		}
	})
}

// An invitation that is accepted many times at once makes one member.
func TestInvitationIsAcceptedOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.adminOf(b.shop)("POST", "/users", `{"email":"eve@shop.example","role":"tenant-viewer"}`)
		path := "/invitations/" + b.emailToken("eve@shop.example") + "/accept"
		accept := func() answer { return b.post(path, `{"password":"correct horse"}`) }
		if statuses := concurrently(accept, accept, accept, accept); statuses[200] != 1 || statuses[400] != 3 {
			t.Error(statuses)
		}
	})
}

// Responses of concurrent writes of people embed their shops: none waits for a second connection while its
// transaction holds the first.
func TestConcurrentMembershipWritesDoNotDeadlock(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		var calls []func() answer
		for n := range 4 {
			email := fmt.Sprintf("p%d@shop.example", n)
			self := b.provenUser(email, `"role":"tenant-admin"`)
			id := self("GET", "/users/me", "").body["user"].(map[string]any)["id"].(string)
			b.joinOther(email, "tenant-admin", self)
			calls = append(calls, func() answer {
				a := self("PATCH", "/users/"+id+"?depth=1", `{"firstName":"Kim"}`)
				if !strings.Contains(a.raw, `"name":"Mine"`) || !strings.Contains(a.raw, `"name":"Theirs"`) {
					t.Error(a.raw)
				}
				return a
			})
		}
		if statuses := concurrently(calls...); statuses[200] != len(calls) {
			t.Error(statuses)
		}
	})
}
