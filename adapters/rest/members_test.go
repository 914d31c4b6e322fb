package rest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestTenantMembers(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		bearer, _ := b.login()
		admin := func(method, path, body string) answer { return b.request(method, path, body, "Authorization", bearer) }
		made := admin("POST", "/api/users", `{"email":"eve@shop.example","password":"correct horse","role":"tenant-viewer","name":"Eve"}`)
		if made.status != 201 || strings.Contains(made.raw, "horse") || made.doc()["memberships"] == nil {
			t.Fatal(made.status, made.raw)
		}
		id := made.doc()["id"].(string)
		if a := admin("POST", "/api/users", `{"email":"eve@shop.example","password":"correct horse","role":"tenant-editor"}`); a.status != 400 ||
			!strings.Contains(a.raw, `"field":"email"`) {
			t.Error(a.status, a.raw)
		}
		if a := admin("POST", "/api/users", `{"email":"x@shop.example","password":"correct horse","role":"platform-admin"}`); a.status != 403 {
			t.Error(a.status, a.raw)
		}
		login := func(password string) answer {
			return b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":"eve@shop.example","password":%q}`, password))
		}
		eve := "Bearer " + login("correct horse").body["token"].(string)
		write := func() int {
			return b.request("POST", "/api/gadgets", `{"name":"E"}`, "Authorization", eve).status
		}
		if write() != 403 {
			t.Error("a viewer writes nothing")
		}
		if a := admin("PATCH", "/api/users/"+id, `{"role":"tenant-editor"}`); a.status != 200 || write() != 201 {
			t.Error("the new role must apply at once", a.raw)
		}
		if a := b.request("GET", "/api/gadgets", "", "Authorization", eve, "X-Tenant-Id", string(b.other.Tenant.ID)); a.status != 403 ||
			a.reason() != "tenant_not_joined" {
			t.Error(a.status, a.raw)
		}
		if a := admin("PATCH", "/api/users/"+id, `{"password":"another horse"}`); a.status != 200 || write() != 401 ||
			login("another horse").status != 200 {
			t.Error("a new password ends all sessions", a.raw)
		}
		if a := admin("DELETE", "/api/users/"+id, ""); a.status != 200 || login("another horse").status == 200 {
			t.Error(a.status, a.raw)
		}
		if a := admin("POST", "/api/users", `{"email":"eve@shop.example","role":"tenant-viewer"}`); a.status != 202 ||
			a.raw != `{"invited":true,"mailed":false}` {
			t.Error("without a password the person is invited", a.raw)
		}
		if a := admin("POST", "/api/users", `{"email":"eve@shop.example","role":"tenant-viewer","password":"third horse"}`); a.status != 201 ||
			a.doc()["id"] == id || login("third horse").status != 200 {
			t.Error("a deleted user who is created again is a new user", a.raw)
		}
	})
}

// adminOf logs the first admin of a shop in, and returns a function that sends requests as that admin.
func (b *harness) adminOf(f onboarding.PreparedTenant) func(method, path, body string, headers ...string) answer {
	b.t.Helper()
	return b.user(f.AdminEmail, f.AdminPassword)
}

// user logs a user in, and returns a function that sends requests as that user.
func (b *harness) user(email, password string) func(method, path, body string, headers ...string) answer {
	b.t.Helper()
	a := b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password))
	if a.status != 200 {
		b.t.Fatal(a.raw)
	}
	bearer := "Bearer " + a.body["token"].(string)
	return func(method, path, body string, headers ...string) answer {
		b.t.Helper()
		return b.request(method, "/api"+path, body, append(headers, "Authorization", bearer)...)
	}
}

// platformAdmin creates a platform admin with a membership in the other shop.
func (b *harness) platformAdmin() func(method, path, body string, headers ...string) answer {
	b.t.Helper()
	root, err := b.onboarding.AddMember(b.t.Context(), b.other.Tenant.ID,
		onboarding.MemberInput{Email: "root@platform.example", Role: tenant.PlatformAdmin})
	if err != nil {
		b.t.Fatal(err)
	}
	return b.user("root@platform.example", root.Password)
}

// events lists the operations and data of the events of a record in a tenant.
func (b *harness) events(t tenant.ID, record string) (list []string) {
	b.t.Helper()
	db, err := b.database()
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(b.t.Context(),
		fmt.Sprintf("SELECT operation, %s FROM events e WHERE tenant = '%s' AND record = '%s' ORDER BY record_sequence",
			table.EventText, t, record))
	if err != nil {
		b.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var operation string
		var text []byte
		if err := rows.Scan(&operation, &text); err != nil {
			b.t.Fatal(err)
		}
		data, _, _ := strings.Cut(strings.TrimPrefix(string(table.PublishedBody(text)), `{"data":`), `,"doc":`)
		if operation != "update" {
			data = ""
		}
		list = append(list, operation+data)
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return list
}

// A person belongs to two shops: each admin changes the membership in their own shop and what this shop entered.
func TestAccountWithTwoTenants(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mine, theirs, root := b.adminOf(b.shop), b.adminOf(b.other), b.platformAdmin()
		ours, others := string(b.shop.Tenant.ID), string(b.other.Tenant.ID)
		eve := b.provenUser("eve@shop.example", `"role":"tenant-editor","firstName":"Eve","lastName":"Kim"`)
		id := eve("GET", "/users/me", "").body["user"].(map[string]any)["id"].(string)
		b.joinOther("eve@shop.example", "tenant-viewer", eve)
		if me := eve("GET", "/users/me", ""); !strings.Contains(me.raw, `"role":"tenant-editor","tenants":["`+ours+`","`+others+`"]`) {
			t.Error("users see all of their own memberships", me.raw)
		}
		for name, c := range map[string]struct {
			request func(string, string, string, ...string) answer
			others  bool
		}{"an admin of one shop": {mine, false}, "a platform admin": {root, true}} {
			raw := c.request("GET", "/users/"+id, "").raw + c.request("GET", "/users?where[email][equals]=eve@shop.example", "").raw
			if c.others != (strings.Contains(raw, ours) && strings.Contains(raw, others)) {
				t.Errorf("%s sees %s", name, raw)
			}
		}
		for name, c := range map[string]struct {
			request func(string, string, string, ...string) answer
			shops   string
		}{
			"an admin of one shop": {mine, "Mine"}, "a platform admin": {root, "Mine Theirs"}, "the admin of the other": {theirs, "Theirs"},
		} {
			var names []string
			shops, _ := c.request("GET", "/users/"+id+"?depth=1", "").body["tenants"].([]any)
			for _, shop := range shops {
				name, _ := shop.(map[string]any)["name"].(string)
				names = append(names, name)
			}
			if got := strings.Join(names, " "); got != c.shops {
				t.Errorf("%s sees the shops %q", name, got)
			}
		}
		for field, value := range map[string]string{"memberships.tenant": others, "tenants": others} {
			if a := mine("GET", "/users/count?where["+field+"][equals]="+value, ""); a.body["totalDocs"] == 1.0 {
				t.Errorf("a filter on %s reveals other memberships", field)
			}
		}
		for _, body := range []string{`{"password":"stolen horse"}`, `{"email":"mine@shop.example"}`} {
			if a := theirs("PATCH", "/users/"+id, body); a.status != 403 || a.reason() != "account_proven" {
				t.Errorf("%s: %d %s", body, a.status, a.raw)
			}
		}
		for name, c := range map[string]struct {
			request func(string, string, string, ...string) answer
			role    string // in the shop that the caller acts in
		}{"an admin of one shop": {mine, "tenant-editor"}, "a platform admin": {root, "tenant-viewer"}} {
			read := c.request("GET", "/users/"+id, "")
			shown := strings.Replace(read.raw, fmt.Sprintf(`"revision":%v,`, read.body["revision"]), "", 1) // sent back several times
			was, admin := `"role":"`+c.role+`"`, `"role":"tenant-admin"`
			for what, body := range map[string]string{
				"as read": shown, "with another role": strings.Replace(shown, was, admin, 1), "with another role, twice": strings.ReplaceAll(shown, was, admin),
			} {
				if a := c.request("PATCH", "/users/"+id, body); a.status != 200 {
					t.Errorf("%s sends a user back %s: %d %s", name, what, a.status, a.raw)
				}
			}
			if a := c.request("PATCH", "/users/"+id, shown); a.status != 200 {
				t.Fatal(a.raw)
			}
		}
		shown := root("GET", "/users/"+id, "").raw
		if a := root("PATCH", "/users/"+id, strings.Replace(shown, "tenant-editor", "tenant-admin", 1)); a.status != 400 {
			t.Errorf("a role in another shop is changed: %d %s", a.status, a.raw)
		}
		before := len(b.events(b.shop.Tenant.ID, id))
		if a := theirs("PATCH", "/users/"+id, `{"role":"tenant-editor","name":"Adam"}`); a.status != 200 || a.doc()["role"] != "tenant-editor" ||
			!strings.Contains(a.raw, `"memberships":[{"tenant":"`+others+`","role":"tenant-editor"}]`) {
			t.Error(a.raw)
		}
		if a := eve("GET", "/users/me", ""); !strings.Contains(a.raw, `{"tenant":"`+others+`","role":"tenant-editor"}`) {
			t.Error(a.raw)
		}
		if a := mine("GET", "/users/"+id, ""); a.body["name"] != "Eve Kim" || a.body["email"] != "eve@shop.example" {
			t.Error("what another shop entered is shown", a.raw)
		}
		if got := b.events(b.shop.Tenant.ID, id)[before:]; len(got) > 0 {
			t.Errorf("the shop got events of changes in another one: %s", got)
		}
		if a := mine("DELETE", "/users/"+id, ""); a.status != 200 {
			t.Error(a.raw)
		}
		if me := eve("GET", "/users/me", ""); !strings.Contains(me.raw, `"tenants":["`+others+`"]`) {
			t.Error("the person must keep the other membership", me.raw)
		}
		if a := mine("POST", "/users", `{"email":"eve@shop.example","role":"tenant-viewer"}`); a.status != 202 {
			t.Error(a.raw)
		}
		if a := eve("POST", "/invitations/"+b.emailToken("eve@shop.example")+"/accept", ""); a.status != 200 ||
			a.body["user"].(map[string]any)["id"] != id {
			t.Error("the person can be invited again", a.raw)
		}
	})
}

func TestPrivilegeEscalationIsRefused(t *testing.T) {
	b := newSQLiteHarness(t)
	mine, root := b.adminOf(b.shop), b.platformAdmin()
	me := mine("GET", "/users/me", "").body["user"].(map[string]any)["id"].(string)
	chief := root("GET", "/users/me", "").body["user"].(map[string]any)["id"].(string)
	theirs := b.adminOf(b.other)
	for name, c := range map[string]struct {
		request            func(string, string, string, ...string) answer
		method, path, body string
		status             int
		reason             string
	}{
		"an admin makes a platform admin": {
			mine, "POST", "/users", `{"email":"x@shop.example","password":"correct horse","role":"platform-admin"}`, 403,
			"role_not_grantable",
		},
		"an admin becomes one": {mine, "PATCH", "/users/" + me, `{"role":"platform-admin"}`, 403, "role_not_grantable"},
		"an admin takes a platform admin's login": {
			theirs, "PATCH", "/users/" + chief, `{"password":"stolen horse"}`, 403, "role_not_grantable",
		},
		"or their role":             {theirs, "PATCH", "/users/" + chief, `{"role":"tenant-viewer"}`, 403, "role_not_grantable"},
		"or removes them":           {theirs, "DELETE", "/users/" + chief, "", 403, "role_not_grantable"},
		"the last admin leaves":     {mine, "DELETE", "/users/" + me, "", 409, "last_admin"},
		"the last admin steps down": {mine, "PATCH", "/users/" + me, `{"role":"tenant-viewer"}`, 409, "last_admin"},
		"the platform makes a platform admin": {
			root, "POST", "/users", `{"email":"y@shop.example","password":"correct horse","role":"platform-admin"}`, 201, "",
		},
	} {
		if a := c.request(c.method, c.path, c.body); a.status != c.status || a.reason() != c.reason {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	b.post("/users/forgot-password", `{"email":"root@platform.example"}`)
	b.access.Wait()
	if sent, _ := b.emailTokens.Load("root@platform.example"); sent.(access.EmailToken).Tenant != "" {
		t.Error("a tenant got a platform admin's token")
	}
	if a := b.resetPassword("users", b.emailToken("root@platform.example"), "platform horse"); a.status != 200 {
		t.Error("the token that the installation passes on", a.raw)
	}
	if a := mine("POST", "/users", `{"email":"two@shop.example","password":"correct horse","role":"tenant-admin"}`); a.status != 201 {
		t.Fatal(a.raw)
	}
	if a := mine("PATCH", "/users/"+me, `{"role":"tenant-viewer"}`); a.status != 200 {
		t.Error("with a second admin the first may step down", a.raw)
	}
	if a := mine("GET", "/users", ""); a.status != 200 {
		t.Error(a.raw)
	}
	if a := mine("PATCH", "/users/"+me, `{"role":"tenant-admin"}`); a.status != 403 {
		t.Error("the former admin must not become admin again", a.raw)
	}
}

// A user's account, record, membership and receipt are written in one transaction: a failure leaves nothing behind.
func TestUserIsCreatedAtomically(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		bearer, _ := b.login()
		const wanted = `{"email":"eve@shop.example","password":"correct horse","role":"tenant-viewer"}`
		first := b.request("POST", "/api/users", wanted, "Authorization", bearer, "Idempotency-Key", "0123456789abcdef")
		again := b.request("POST", "/api/users", wanted, "Authorization", bearer, "Idempotency-Key", "0123456789abcdef")
		if first.status != 201 || first.raw != again.raw || again.header.Get("Idempotency-Replayed") != "true" {
			t.Error(first.raw, again.raw)
		}
		if a := b.request("POST", "/api/users", `{"password":"x"}`, "Authorization", bearer); a.status != 400 ||
			!strings.Contains(a.raw, `"field":"password"`) {
			t.Error(a.raw)
		}
		if a := b.request("POST", "/api/users", `{}`, "Authorization", bearer); a.status != 400 ||
			!strings.Contains(a.raw, `"field":"email"`) || !strings.Contains(a.raw, `"field":"role"`) {
			t.Error("all problems must be reported at once", a.raw)
		}
		failing := b.content.Hooks["users"]
		broken := failing
		broken.AfterWrite = func(ctx context.Context, tx ports.Tx, w *records.Write) error {
			if err := failing.AfterWrite(ctx, tx, w); err != nil {
				return err
			}
			return collection.ErrQuery // any refusal, after everything was written
		}
		b.content.Hooks["users"] = broken
		b.request("POST", "/api/users", `{"email":"adam@shop.example","password":"correct horse","role":"tenant-viewer"}`,
			"Authorization", bearer)
		b.content.Hooks["users"] = failing
		if found, err := b.store.Accounts().ByAddress(t.Context(), "adam@shop.example"); err != nil || len(found) > 0 {
			t.Error("the account outlived the transaction that failed")
		}
	})
}

// A shop is created with its admin's account or not at all.
func TestTenantIsCreatedAtomically(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		draft, err := b.onboarding.Prepare(onboarding.TenantInput{Name: "Third", Plan: "free"})
		if err != nil {
			t.Fatal(err)
		}
		broken := b.onboarding
		broken.SandboxSecrets, broken.RecordWriter = func(string) (string, string) { return "secret", "" }, failingRecords{}
		if err := broken.Create(t.Context(), draft); err == nil {
			t.Fatal("the tenant was created")
		}
		if found, err := b.store.Accounts().ByAddress(t.Context(), draft.AdminEmail); err != nil || len(found) > 0 {
			t.Error("an account without a shop")
		}
		if err := b.onboarding.Create(t.Context(), draft); err != nil {
			t.Error("the same again:", err)
		}
		if err := b.onboarding.Create(t.Context(), draft); !errors.Is(err, onboarding.ErrTenantExists) {
			t.Error(err)
		}
	})
}

// failingRecords makes onboarding fail at its last step.
type failingRecords struct{}

// Create implements onboarding.RecordWriter.
func (failingRecords) Create(context.Context, ports.Tx, tenant.Principal, *collection.Schema, map[string]any) (collection.Record, error) {
	return nil, collection.ErrQuery
}
