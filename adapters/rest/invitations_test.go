package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// loginEve logs a user in to a shop; "" is any.
func (b *harness) loginEve(password string, t tenant.ID) answer {
	b.t.Helper()
	var headers []string
	if t != "" {
		headers = []string{"X-Tenant-Id", string(t)}
	}
	return b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":"eve@shop.example","password":%q}`, password), headers...)
}

// provenUser makes a user of the shop whose address the installation vouches for, and returns a function that
// sends requests as that user.
func (b *harness) provenUser(email, fields string) func(method, path, body string, headers ...string) answer {
	b.t.Helper()
	body := fmt.Sprintf(`{"email":%q,"password":"first horse",%s}`, email, fields)
	if a := b.adminOf(b.shop)("POST", "/users", body); a.status != 201 {
		b.t.Fatal(a.raw)
	}
	password, err := b.access.SetRandomPassword(b.t.Context(), email, "")
	if err != nil {
		b.t.Fatal(err)
	}
	return b.user(email, password)
}

// joinOther has the other shop invite a user, who accepts logged in.
func (b *harness) joinOther(email, role string, as func(method, path, body string, headers ...string) answer) {
	b.t.Helper()
	if a := b.adminOf(b.other)("POST", "/users", fmt.Sprintf(`{"email":%q,"role":%q}`, email, role)); a.status != 202 {
		b.t.Fatal(a.status, a.raw)
	}
	if a := as("POST", "/invitations/"+b.emailToken(email)+"/accept", ""); a.status != 200 {
		b.t.Fatal(a.status, a.raw)
	}
}

// A stranger's shop makes a user of an address before the person's own shop does: the stranger's password opens
// the stranger's shop alone, also after the person has become an admin elsewhere. Rule access-34.
func TestPasswordOfAStrangerOpensNothingElse(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		stranger, mine := b.adminOf(b.other), b.adminOf(b.shop)
		ours := b.shop.Tenant.ID
		if a := stranger("POST", "/users", `{"email":"eve@shop.example","password":"stolen horse","role":"tenant-admin"}`); a.status != 201 {
			t.Fatal(a.raw)
		}
		invited := mine("POST", "/users", `{"email":"Eve@shop.example","password":"correct horse","role":"tenant-admin"}`)
		if invited.status != 202 || invited.raw != `{"invited":true,"mailed":false}` {
			t.Fatal(invited.status, invited.raw)
		}
		opens := func(password string, want bool) {
			t.Helper()
			if a := b.loginEve(password, ours); (a.status == 200) != want {
				t.Errorf("%q: %d %s", password, a.status, a.raw)
			}
		}
		opens("stolen horse", false)
		opens("correct horse", false)
		if a := mine("GET", "/users/count?where[email][equals]=eve@shop.example", ""); a.body["totalDocs"] != 0.0 {
			t.Error("an invitation makes no member", a.raw)
		}
		if a := b.post("/invitations/"+b.emailToken("eve@shop.example")+"/accept", `{"password":"correct horse"}`); a.status != 200 ||
			a.body["token"] == nil || strings.Contains(a.raw, string(b.other.Tenant.ID)) {
			t.Fatal(a.status, a.raw)
		}
		opens("stolen horse", false)
		opens("correct horse", true)
		squatter := b.user("eve@shop.example", "stolen horse")
		if a := squatter("GET", "/users", "", "X-Tenant-Id", string(ours)); a.status != 403 || a.reason() != "tenant_not_joined" {
			t.Error(a.status, a.raw)
		}
		id := squatter("GET", "/users/me", "").body["user"].(map[string]any)["id"].(string)
		if a := stranger("PATCH", "/users/"+id, `{"password":"third horse","name":"Mallory"}`); a.status != 200 {
			t.Error("a shop may still change the account that it made", a.raw)
		}
		opens("third horse", false)
		opens("correct horse", true)
	})
}

// Answers about known and unknown addresses are the same. Rule access-34.
func TestInvitationsTellNothingOfOtherShops(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mine := b.adminOf(b.shop)
		b.adminOf(b.other)("POST", "/users", `{"email":"eve@shop.example","password":"correct horse","role":"tenant-admin"}`)
		var seen []string
		for _, email := range []string{"eve@shop.example", "nobody@shop.example", b.other.AdminEmail} {
			asked := mine("POST", "/users", fmt.Sprintf(`{"email":%q,"role":"tenant-viewer","name":"Someone"}`, email))
			token := b.emailToken(email)
			shown := b.request("GET", "/api/invitations/"+token, "")
			listed := mine("GET", "/user-invitations?where[email][equals]="+email, "")
			patched := mine("PATCH", "/user-invitations/"+listed.docs()[0].(map[string]any)["id"].(string), `{"role":"tenant-admin"}`)
			without := b.post("/invitations/"+token+"/accept", "")
			accepted := b.post("/invitations/"+token+"/accept", `{"password":"correct horse"}`)
			seen = append(seen, strings.ReplaceAll(fmt.Sprint(asked.status, asked.raw, shown.status, len(listed.docs()), patched.status,
				without.status, without.reason(), accepted.status, len(accepted.body["user"].(map[string]any))), email, "?"))
		}
		if seen[0] != seen[1] || seen[0] != seen[2] {
			t.Errorf("the answers differ:\n%s", strings.Join(seen, "\n"))
		}
	})
}

func TestInvitationEnds(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mine := b.adminOf(b.shop)
		invite := func(email string) string {
			t.Helper()
			if a := mine("POST", "/users", fmt.Sprintf(`{"email":%q,"role":"tenant-viewer"}`, email)); a.status != 202 {
				t.Fatal(a.raw)
			}
			return b.emailToken(email)
		}
		refused := func(name, token string) {
			t.Helper()
			if a := b.request("GET", "/api/invitations/"+token, ""); a.status != 400 || a.reason() != "token_invalid" {
				t.Errorf("%s, read: %d %s", name, a.status, a.raw)
			}
			if a := b.post("/invitations/"+token+"/accept", `{"password":"correct horse"}`); a.status != 400 || a.reason() != "token_invalid" {
				t.Errorf("%s, accepted: %d %s", name, a.status, a.raw)
			}
		}
		first := invite("eve@shop.example")
		second := invite("eve@shop.example")
		refused("replaced", first)
		refused("prolonged", prolonged(second))
		refused("invented", "inv_1.zzzzzz.x.y")
		refused("of another purpose", strings.Replace(second, "inv_", "rst_", 1))
		if a := b.request("GET", "/api/invitations/"+second, ""); a.status != 200 || a.body["email"] != "eve@shop.example" ||
			a.body["tenantName"] != "Mine" || a.body["role"] != "tenant-viewer" {
			t.Error(a.status, a.raw)
		}
		if a := b.post("/invitations/"+second+"/accept", `{"password":"short"}`); a.status != 400 || !strings.Contains(a.raw, `"field":"password"`) {
			t.Error(a.status, a.raw)
		}
		if a := b.post("/invitations/"+second+"/accept", `{"password":"correct horse"}`); a.status != 200 {
			t.Fatal(a.raw)
		}
		refused("accepted", second)
		if a := mine("POST", "/users", `{"email":"eve@shop.example","role":"tenant-viewer"}`); a.status != 400 || !strings.Contains(a.raw, "already a member") {
			t.Error("a member is not invited", a.raw)
		}
		late := invite("late@shop.example")
		b.advance(7 * 24 * time.Hour)
		mine = b.adminOf(b.shop)
		refused("expired", late)
		third := invite("kim@shop.example")
		id := mine("GET", "/user-invitations?where[email][equals]=kim@shop.example", "").docs()[0].(map[string]any)["id"].(string)
		if a := b.adminOf(b.other)("DELETE", "/user-invitations/"+id, ""); a.status != 404 {
			t.Error("another shop revokes an invitation", a.raw)
		}
		for range 2 {
			if a := mine("DELETE", "/user-invitations/"+id, ""); a.status != 200 || a.doc()["revokedAt"] == nil {
				t.Error(a.status, a.raw)
			}
		}
		refused("revoked", third)
	})
}

// Who accepts logged in brings the account along, if its password counts everywhere. With a password of another
// shop, whose admin may know it, this login alone may act in the new one.
func TestInvitationAcceptedByLogin(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mine, others := b.adminOf(b.shop), b.other.Tenant.ID
		if a := mine("POST", "/users", `{"email":"eve@shop.example","password":"first horse","role":"tenant-admin"}`); a.status != 201 {
			t.Fatal(a.raw)
		}
		eve, adam := b.user("eve@shop.example", "first horse"), b.user("eve@shop.example", "first horse")
		here := func(as func(string, string, string, ...string) answer) answer {
			return as("GET", "/users", "", "X-Tenant-Id", string(others))
		}
		invite := func(email string) string {
			b.adminOf(b.other)("POST", "/users", fmt.Sprintf(`{"email":%q,"role":"tenant-editor"}`, email))
			return "/invitations/" + b.emailToken(email) + "/accept"
		}
		if a := eve("POST", invite("adam@shop.example"), ""); a.status != 403 || a.reason() != "invitation_for_another" {
			t.Error(a.status, a.raw)
		}
		path := invite("eve@shop.example")
		if a := here(eve); a.status != 403 || a.reason() != "tenant_not_joined" {
			t.Error("an invitation grants nothing", a.status, a.raw)
		}
		accepted := eve("POST", path, "")
		if accepted.status != 200 || accepted.body["user"].(map[string]any)["role"] != "tenant-editor" {
			t.Fatal(accepted.status, accepted.raw)
		}
		if a := b.request("GET", "/api/users", "", "Authorization", "Bearer "+accepted.body["token"].(string)); a.status != 200 {
			t.Error("the new session acts in the shop that invited", a.raw)
		}
		if a := here(eve); a.status != 200 {
			t.Error("the login that accepted may act in the shop", a.status, a.raw)
		}
		if a := eve("GET", "/users", ""); a.status != 200 {
			t.Error("the login keeps its own shop", a.raw)
		}
		if a := here(adam); a.status != 403 {
			t.Error("another login with a password that the first shop's admin knows", a.status, a.raw)
		}
		if a := b.loginEve("first horse", others); a.status == 200 {
			t.Error("the password of one shop opens another", a.raw)
		}
		b.request("POST", "/api/users/forgot-password", `{"email":"eve@shop.example"}`, "X-Tenant-Id", string(others))
		if a := b.resetPassword("users", b.emailToken("eve@shop.example"), "second horse"); a.status != 200 {
			t.Fatal(a.raw)
		}
		if a := b.loginEve("second horse", others); a.status != 200 {
			t.Error("a password for the shop that sent the token", a.raw)
		}
		if a := b.loginEve("second horse", b.shop.Tenant.ID); a.status == 200 {
			t.Error("a token of one shop opens another", a.raw)
		}
		if a := here(eve); a.status == 200 {
			t.Error("a new password ends earlier sessions", a.raw)
		}
	})
}

// A member of two shops recovers in each. What one shop sends opens this shop alone. Rule access-35.
func TestRecoveryOfAMemberOfTwoShops(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		ours, others := b.shop.Tenant.ID, b.other.Tenant.ID
		eve := b.provenUser("eve@shop.example", `"role":"tenant-admin"`)
		b.joinOther("eve@shop.example", "tenant-editor", eve)
		forgot := func(t tenant.ID) string {
			b.request("POST", "/api/users/forgot-password", `{"email":"eve@shop.example"}`, "X-Tenant-Id", string(t))
			return b.emailToken("eve@shop.example")
		}
		reset := b.resetPassword("users", forgot(others), "other horse")
		if reset.status != 200 || strings.Contains(reset.raw, string(ours)) {
			t.Fatal("a session for the shop that sent the token", reset.status, reset.raw)
		}
		token := "Bearer " + reset.body["token"].(string)
		if a := b.request("GET", "/api/users", "", "Authorization", token, "X-Tenant-Id", string(ours)); a.status != 403 {
			t.Error("a token of one shop opens another", a.status, a.raw)
		}
		if a := b.request("GET", "/api/users/me?depth=1", "", "Authorization", token); a.status != 200 || strings.Contains(a.raw, string(ours)) {
			t.Error("a session of one shop shows another", a.raw)
		}
		for name, c := range map[string]struct {
			password string
			shop     tenant.ID
			want     int
		}{
			"the new one, there": {"other horse", others, 200}, "the new one, here": {"other horse", ours, 401},
			"the new one, anywhere": {"other horse", "", 200},
		} {
			if a := b.loginEve(c.password, c.shop); a.status != c.want {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
		if a := eve("GET", "/users", ""); a.status != 200 {
			t.Error("another shop's reset ended a session", a.raw)
		}
		if a := eve("GET", "/users", "", "X-Tenant-Id", string(others)); a.status != 403 {
			t.Error("the password that was replaced still opens the shop", a.status, a.raw)
		}
		if a := b.resetPassword("users", forgot(ours), "our own horse"); a.status != 200 {
			t.Error(a.raw)
		}
		if a := eve("GET", "/users", ""); a.status == 200 {
			t.Error("a reset ends the sessions of its shop", a.raw)
		}
		password, err := b.access.SetRandomPassword(t.Context(), "eve@shop.example", "")
		if err != nil {
			t.Fatal(err)
		}
		again := b.user("eve@shop.example", password)
		for _, shop := range []tenant.ID{ours, others} {
			if a := again("GET", "/users", "", "X-Tenant-Id", string(shop)); a.status != 200 {
				t.Error("what the installation sets opens every shop", a.raw)
			}
		}
	})
}

// Who may invite passes the link on by hand; it opens what the mailed one would, as long as the invitation is open. Rule access-34.
func TestLinksOfInvitationsAreShown(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin, other, root := b.adminOf(b.shop), b.adminOf(b.other), b.platformAdmin()
		_, editor := b.member("ed", "tenant-editor")
		invite := func(as func(method, path, body string, headers ...string) answer, email, role string) (id string) {
			t.Helper()
			if a := as("POST", "/users", fmt.Sprintf(`{"email":%q,"role":%q}`, email, role)); a.status != 202 {
				t.Fatal(a.status, a.raw)
			}
			docs := as("GET", "/user-invitations?where[email][equals]="+email, "").body["docs"].([]any)
			return docs[0].(map[string]any)["id"].(string)
		}
		id := invite(admin, "eve@shop.example", "tenant-editor")
		shown := admin("POST", "/user-invitations/"+id+"/link", "")
		token := b.emailToken("eve@shop.example")
		if link, _ := shown.body["link"].(string); shown.status != 200 || token == "" || link != "https://shop.example/console/invitation?token="+token {
			t.Errorf("%d %s, want the token %s", shown.status, shown.raw, token)
		}
		if told := admin("GET", "/user-invitations/"+id+"/timeline", ""); !strings.Contains(told.raw, "linkShownAt") || strings.Contains(told.raw, token) {
			t.Errorf("who was shown it: %d %s", told.status, told.raw)
		}
		if a := other("POST", "/user-invitations/"+id+"/link", ""); a.status != 404 {
			t.Errorf("another shop: %d %s", a.status, a.raw)
		}
		if a := editor("POST", "/user-invitations/"+id+"/link", ""); a.status != 403 {
			t.Errorf("who may not invite: %d %s", a.status, a.raw)
		}
		boss := invite(root, "boss@shop.example", "platform-admin")
		if a := root("POST", "/user-invitations/"+boss+"/link", ""); a.status != 403 || a.reason() != "invitation_mailed_only" {
			t.Errorf("of a platform admin: %d %s", a.status, a.raw)
		}
		b.advance(tenant.ProofLasts + time.Minute)
		wantReason(t, "in an old session", admin("POST", "/user-invitations/"+id+"/link", ""), 403, "reauthentication_required")
		admin = b.adminOf(b.shop)
		if a := b.request("POST", "/api/invitations/"+token+"/accept", `{"password":"correct horse"}`); a.status != 200 {
			t.Fatal(a.status, a.raw)
		}
		if a := admin("POST", "/user-invitations/"+id+"/link", ""); a.status != 409 || a.reason() != "invitation_closed" {
			t.Errorf("after it was accepted: %d %s", a.status, a.raw)
		}
	})
}
