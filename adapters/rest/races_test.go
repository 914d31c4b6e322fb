package rest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// atOnce runs all of calls at the same moment and counts their statuses.
func atOnce(calls ...func() answer) map[int]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	told := map[int]int{}
	for _, call := range calls {
		wg.Go(func() {
			a := call()
			mu.Lock()
			defer mu.Unlock()
			told[a.status]++
		})
	}
	wg.Wait()
	return told
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
		told := atOnce(
			func() answer { return one("DELETE", "/users/"+made.doc()["id"].(string), "") },
			func() answer { return two("PATCH", "/users/"+me, `{"role":"tenant-viewer"}`) },
			func() answer { return one("PATCH", "/users/"+me, `{"role":"tenant-editor"}`) },
		)
		if left := b.platformAdmin()("GET", "/users/count?where[role][equals]=tenant-admin", "", "X-Tenant-Id", string(b.shop.Tenant.ID)); left.body["totalDocs"] != 1.0 {
			t.Errorf("%v left %s", told, left.raw)
		}
	})
}

// Of resets by one token at the same moment one counts.
func TestEmailTokenIsUsedOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.customer("kim@shop.example")
		for kind, email := range map[string]string{"users": b.shop.AdminEmail, "customers": "kim@shop.example"} {
			b.post("/"+kind+"/forgot-password", fmt.Sprintf(`{"email":%q}`, email))
			token := b.letter(email)
			reset := func(n int) func() answer {
				return func() answer { return b.resetPassword(kind, token, fmt.Sprintf("horse number %d", n)) }
			}
			if told := atOnce(reset(1), reset(2), reset(3), reset(4)); told[200] != 1 || told[400] != 3 {
				t.Errorf("%s: %v", kind, told)
			}
		}
	})
}

// Two shops that make the same new person a member at the same moment share one person.
func TestConcurrentCreatesMakeOneAccount(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mine, theirs := b.adminOf(b.shop), b.adminOf(b.other)
		const eve = `{"email":"eve@shop.example","password":"correct horse","role":"tenant-viewer"}`
		told := atOnce(func() answer { return mine("POST", "/users", eve) }, func() answer { return theirs("POST", "/users", eve) })
		if told[201]+told[400] != 2 || told[201] == 0 {
			t.Fatal(told)
		}
		account, err := b.store.Accounts().ByEmail(t.Context(), "eve@shop.example")
		if err != nil || len(account.Memberships) != told[201] {
			t.Errorf("%v made %+v, %v", told, account.Memberships, err)
		}
	})
}

// Whoever writes a person at the same moment as others is shown the shops behind them, too: no answer waits for a second
// connection while its transaction holds the first.
func TestConcurrentMembershipWritesDoNotDeadlock(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mine, theirs := b.adminOf(b.shop), b.adminOf(b.other)
		var calls []func() answer
		for n := range 4 {
			email := fmt.Sprintf("p%d@shop.example", n)
			person := fmt.Sprintf(`{"email":%q,"password":"correct horse","role":"tenant-admin"}`, email)
			id := mine("POST", "/users", person).doc()["id"].(string)
			theirs("POST", "/users", person)
			self := b.user(email, "correct horse")
			calls = append(calls, func() answer {
				a := self("PATCH", "/users/"+id+"?depth=1", `{"firstName":"Kim"}`)
				if !strings.Contains(a.raw, `"name":"Mine"`) || !strings.Contains(a.raw, `"name":"Theirs"`) {
					t.Error(a.raw)
				}
				return a
			})
		}
		if told := atOnce(calls...); told[200] != len(calls) {
			t.Error(told)
		}
	})
}
