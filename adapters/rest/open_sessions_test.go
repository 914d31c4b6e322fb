package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// sessionsOf are the sessions that a token lists, by what their client called itself.
func (b *harness) sessionsOf(path, bearer string, headers ...string) map[string]map[string]any {
	b.t.Helper()
	a := b.request("GET", path, "", append([]string{"Authorization", bearer}, headers...)...)
	if a.status != 200 {
		b.t.Fatal(a.status, a.raw)
	}
	found := map[string]map[string]any{}
	list, _ := a.body["sessions"].([]any)
	for _, one := range list {
		session, _ := one.(map[string]any)
		found[fmt.Sprint(session["userAgent"])] = session
	}
	return found
}

// loginFrom logs a user or customer in with a client that calls itself so.
func (b *harness) loginFrom(kind, email, password, client string, headers ...string) (bearer string) {
	b.t.Helper()
	a := b.request("POST", "/api/"+kind+"/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password),
		append([]string{"User-Agent", client}, headers...)...)
	if a.status != 200 {
		b.t.Fatal(a.status, a.raw)
	}
	return "Bearer " + fmt.Sprint(a.body["token"])
}

func TestPeopleListAndEndTheirSessions(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.customer("ann@example.com")
		for _, kind := range []string{"users", "customers"} {
			key := []string{}
			email, password := b.shop.AdminEmail, b.shop.AdminPassword
			if kind == "customers" {
				key, email, password = []string{"X-Client-Key", b.shop.ClientKey}, "ann@example.com", "correct horse"
			}
			path := "/api/" + kind + "/sessions"
			from := func(client string) string { return b.loginFrom(kind, email, password, client, key...) }
			here, phone, tablet := from("here"), from("phone"), from("tablet")
			all := b.sessionsOf(path, here, key...)
			if len(all) != 3 || all["here"]["current"] != true || all["phone"]["current"] != false {
				t.Fatal(all)
			}
			works := func(bearer string) bool {
				a := b.request("GET", "/api/"+kind+"/me", "", append([]string{"Authorization", bearer}, key...)...)
				return a.status == 200 && a.body[strings.TrimSuffix(kind, "s")] != nil
			}
			end := func(bearer, id string) answer {
				return b.request("DELETE", path+"/"+id, "", append([]string{"Authorization", bearer}, key...)...)
			}
			if a := end(here, fmt.Sprint(all["phone"]["id"])); a.status != 200 || works(phone) || !works(here) {
				t.Error("one session was to end:", a.status, a.raw)
			}
			if a := end(here, fmt.Sprint(all["phone"]["id"])); a.status != 404 {
				t.Error("an ended session:", a.status, a.raw)
			}
			others := append([]string{"Authorization", here}, key...)
			if a := b.request("POST", path+"/end-others", "", others...); a.status != 200 || a.body["ended"] != 1.0 || works(tablet) || !works(here) {
				t.Error("all other sessions were to end:", a.status, a.raw)
			}
			if left := b.sessionsOf(path, here, key...); len(left) != 1 {
				t.Error(left)
			}
			if a := b.request("POST", "/api/"+kind+"/logout", "", others...); a.status != 200 {
				t.Error(a.raw)
			}
			if left := b.sessionsOf(path, from("again"), key...); len(left) != 1 {
				t.Error("a session that was logged out is listed:", left)
			}
		}
	})
}

func TestNobodyEndsSessionsOfOthers(t *testing.T) {
	b := newSQLiteHarness(t)
	mine := b.loginFrom("users", b.shop.AdminEmail, b.shop.AdminPassword, "mine")
	theirs := b.loginFrom("users", b.other.AdminEmail, b.other.AdminPassword, "theirs")
	id := fmt.Sprint(b.sessionsOf("/api/users/sessions", theirs)["theirs"]["id"])
	if a := b.request("DELETE", "/api/users/sessions/"+id, "", "Authorization", mine); a.status != 404 {
		t.Error(a.status, a.raw)
	}
	if left := b.sessionsOf("/api/users/sessions", theirs); len(left) != 1 {
		t.Error(left)
	}
}

// A refreshed token belongs to the same session, which its next use keeps current.
func TestUseOfSessionIsNotedEveryFewMinutes(t *testing.T) {
	b := newSQLiteHarness(t)
	bearer := b.loginFrom("users", b.shop.AdminEmail, b.shop.AdminPassword, "here")
	seen := func() string {
		all := b.sessionsOf("/api/users/sessions", bearer)
		b.access.Wait()
		if len(all) != 1 {
			t.Fatal(all)
		}
		return fmt.Sprint(all["here"]["lastSeenAt"])
	}
	first := seen()
	b.advance(4 * time.Minute)
	if seen(); seen() != first {
		t.Error("noted within five minutes")
	}
	b.advance(time.Minute)
	if seen(); seen() == first {
		t.Error("not noted after five minutes")
	}
	a := b.request("POST", "/api/users/refresh-token", "", "Authorization", bearer)
	bearer = "Bearer " + fmt.Sprint(a.body["token"])
	b.advance(6 * 24 * time.Hour)
	if seen(); len(b.sessionsOf("/api/users/sessions", bearer)) != 1 {
		t.Error("a refreshed session")
	}
}

func TestNewPasswordLeavesNoOtherSessionListed(t *testing.T) {
	b := newSQLiteHarness(t)
	as := b.adminOf(b.shop)
	id := fmt.Sprint(as("POST", "/users", `{"email":"eve@shop.example","password":"correct horse","role":"tenant-viewer"}`).doc()["id"])
	b.loginFrom("users", "eve@shop.example", "correct horse", "old")
	if a := as("PATCH", "/users/"+id, `{"password":"another horse"}`); a.status != 200 {
		t.Fatal(a.raw)
	}
	fresh := b.loginFrom("users", "eve@shop.example", "another horse", "new")
	if all := b.sessionsOf("/api/users/sessions", fresh); len(all) != 1 || all["new"] == nil {
		t.Error(all)
	}
}

// A tenant ends the sessions of its members in itself: what they do in another one is not its business.
func TestTenantEndsSessionsOfItsMembers(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		eve := b.provenUser("eve@shop.example", `"role":"tenant-editor"`)
		b.joinOther("eve@shop.example", "tenant-viewer", eve)
		mine, other := string(b.shop.Tenant.ID), string(b.other.Tenant.ID)
		read := func(t string) int { return eve("GET", "/gadgets", "", "X-Tenant-Id", t).status }
		if read(mine) != 200 || read(other) != 200 {
			t.Fatal(read(mine), read(other))
		}
		id := fmt.Sprint(eve("GET", "/users/me", "").body["user"].(map[string]any)["id"])
		b.advance(time.Second)
		if a := b.adminOf(b.shop)("POST", "/users/"+id+"/end-sessions", ""); a.status != 200 {
			t.Fatal(a.status, a.raw)
		}
		if read(mine) != 401 || read(other) != 200 {
			t.Error("ended in one tenant:", read(mine), read(other))
		}
		if a := eve("GET", "/gadgets", ""); a.status != 200 {
			t.Error("a session that names no tenant acts in one where it is open:", a.status, a.raw)
		}
		if a := eve("GET", "/users/sessions", ""); !strings.Contains(a.raw, `"current":true`) {
			t.Error(a.raw)
		}
		b.advance(time.Second)
		password, err := b.access.SetRandomPassword(t.Context(), "eve@shop.example", "")
		if err != nil {
			t.Fatal(err)
		}
		again := b.user("eve@shop.example", password)
		if a := again("GET", "/gadgets", "", "X-Tenant-Id", mine); a.status != 200 {
			t.Error("a new login:", a.status, a.raw)
		}
		if a := again("POST", "/users/"+id+"/end-sessions", "", "X-Tenant-Id", mine); a.status != 403 {
			t.Error("an editor ended sessions:", a.status, a.raw)
		}
		if a := b.adminOf(b.shop)("POST", "/users/"+newID()+"/end-sessions", ""); a.status != 404 {
			t.Error("of nobody:", a.status, a.raw)
		}
	})
}

func TestStaffEndSessionsOfCustomer(t *testing.T) {
	b := newSQLiteHarness(t)
	b.customer("ann@example.com")
	ann := b.loginFrom("customers", "ann@example.com", "correct horse", "phone", "X-Client-Key", b.shop.ClientKey)
	id := fmt.Sprint(b.request("GET", "/api/customers/me", "", "Authorization", ann).body["customer"].(map[string]any)["id"])
	if a := b.secret(200, "POST", "/api/customers/"+id+"/end-sessions", ""); a.body["message"] == nil {
		t.Error(a.raw)
	}
	if a := b.request("GET", "/api/customers/me", "", "Authorization", ann); strings.Contains(a.raw, id) {
		t.Error(a.raw)
	}
	if a := b.request("POST", "/api/customers/"+id+"/end-sessions", "", "X-Client-Key", b.shop.ClientKey); a.status != 403 {
		t.Error(a.status, a.raw)
	}
}

func TestSessionsOverGraphQL(t *testing.T) {
	b := newSQLiteHarness(t)
	here := b.loginFrom("users", b.shop.AdminEmail, b.shop.AdminPassword, "here")
	b.loginFrom("users", b.shop.AdminEmail, b.shop.AdminPassword, "phone")
	a := b.graphql(200, document(`{ userSessions { sessions { id current userAgent createdAt lastSeenAt } } }`), "Authorization", here)
	if strings.Count(a.raw, `"userAgent"`) != 2 || strings.Count(a.raw, `"current":true`) != 1 {
		t.Error(a.raw)
	}
	if a := b.graphql(200, document(`mutation { userSessionsEndOthers { ended message } }`), "Authorization", here); !strings.Contains(a.raw, `"ended":1`) {
		t.Error(a.raw)
	}
}
