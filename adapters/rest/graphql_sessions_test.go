package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// at is the value at a path of the data, as text.
func (a answer) at(path string) string {
	v := a.body["data"]
	for step := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[step]
	}
	return fmt.Sprint(v)
}

func TestUserSessionOverGraphQL(t *testing.T) {
	b := newSQLiteHarness(t)
	const person = `user { id email role tenants { id name } memberships { role } }`
	login := document(`mutation($e: String!, $p: String!) { loginUser(email: $e, password: $p) { message token exp `+person+` } }`,
		"variables", map[string]any{"e": strings.ToUpper(b.shop.AdminEmail), "p": b.shop.AdminPassword})
	a := b.graphql(200, login, "Authorization", "Bearer invalid") // an invalid token does not prevent it
	want := fmt.Sprintf(`"email":%q,"role":"tenant-admin","tenants":[{"id":%q,"name":"Mine"}],"memberships":[{"role":"tenant-admin"}]`,
		b.shop.AdminEmail, b.shop.Tenant.ID)
	if a.at("loginUser.message") != "Authentication Passed" || a.at("loginUser.exp") != fmt.Sprint(float64(b.clock.Load()/1000+604800)) ||
		!strings.Contains(a.raw, want) {
		t.Error(a.raw)
	}
	cookie := a.header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "cartwright-token="+a.at("loginUser.token")+";") || !strings.Contains(cookie, "HttpOnly") ||
		!strings.Contains(cookie, "SameSite=Lax") {
		t.Error(cookie)
	}
	bearer := []string{"Authorization", "Bearer " + a.at("loginUser.token")}
	me := b.graphql(200, document(`{ meUser { token exp `+person+` } meCustomer { customer { id } } Users { totalDocs } }`), bearer...)
	if !strings.Contains(me.raw, want) || me.at("meUser.exp") != a.at("loginUser.exp") || me.at("meCustomer.customer") != "<nil>" ||
		me.at("Users.totalDocs") != "1" {
		t.Error(me.raw)
	}
	fresh := b.graphql(200, document(`mutation { refreshTokenUser { message refreshedToken refreshedAt exp user { email } } }`), bearer...)
	if fresh.at("refreshTokenUser.user.email") != b.shop.AdminEmail ||
		fresh.at("refreshTokenUser.refreshedToken") == a.at("loginUser.token") {
		t.Error(fresh.raw)
	}
	out := b.graphql(200, document(`mutation { logoutUser }`), "Authorization", "Bearer "+fresh.at("refreshTokenUser.refreshedToken"))
	if !strings.Contains(out.at("logoutUser"), "logged out") || !strings.HasPrefix(out.header.Get("Set-Cookie"), "cartwright-token=;") {
		t.Error(out.raw, out.header)
	}
	for query, status := range map[string]int{
		`{ meUser { user { id } } }`: 200, `{ Users { totalDocs } }`: 401, `mutation { logoutUser }`: 401,
	} {
		gone := b.graphql(status, document(query), "Authorization", "Bearer "+fresh.at("refreshTokenUser.refreshedToken"))
		if status == 200 && gone.raw != `{"data":{"meUser":{"user":null}}}` {
			t.Error(gone.raw)
		}
	}
}

// Every aliased login counts, and the number of logins in a document is limited.
func TestLoginsOfOneDocumentAreCounted(t *testing.T) {
	b := newSQLiteHarness(t)
	many := func(n int) string {
		text := ""
		for i := range n {
			text += fmt.Sprintf(` l%d: loginUser(email: %q, password: "wrong %d") { token }`, i, b.shop.AdminEmail, i)
		}
		return document("mutation {" + text + "}")
	}
	a := b.graphql(200, many(6))
	if strings.Count(a.raw, `"code":"UNAUTHENTICATED"`) != 5 || strings.Count(a.raw, `"code":"RATE_LIMITED"`) != 1 ||
		!strings.Contains(a.raw, `"path":["l5"]`) || !strings.Contains(a.raw, `"retryAfter"`) {
		t.Error(a.raw)
	}
	right := b.graphql(200,
		document(fmt.Sprintf(`mutation { loginUser(email: %q, password: %q) { token } }`, b.shop.AdminEmail, b.shop.AdminPassword)))
	if !strings.Contains(right.raw, "RATE_LIMITED") {
		t.Error(right.raw)
	}
	if a := b.graphql(200, many(11)); a.reason() != "graphql_limit" {
		t.Error(a.raw)
	}
}

func TestCustomerSessionOverGraphQL(t *testing.T) {
	b := newSQLiteHarness(t)
	key := []string{"X-Client-Key", b.shop.ClientKey}
	register := document(
		`mutation($d: mutationRegisterCustomerInput!) { registerCustomer(data: $d) { customer { id email isVerified name } verificationRequired } }`,
		"variables", map[string]any{"d": map[string]any{"email": "Ann@example.com", "password": "correct horse battery", "name": "Ann"}})
	a := b.graphql(200, register, key...)
	if a.at("registerCustomer.customer.email") != "ann@example.com" || a.at("registerCustomer.customer.name") != "Ann" ||
		a.at("registerCustomer.verificationRequired") != "false" {
		t.Fatal(a.raw)
	}
	if a := b.graphql(200, register); !strings.Contains(a.raw, `"UNAUTHENTICATED"`) {
		t.Error("without the key of a shop: " + a.raw)
	}
	login := func(password string) answer {
		return b.graphql(200, document(
			fmt.Sprintf(`mutation { loginCustomer(email: "ann@example.com", password: %q) { token customer { name } user { email } } }`,
				password)), key...)
	}
	in := login("correct horse battery")
	if in.at("loginCustomer.customer.name") != "Ann" || in.at("loginCustomer.user.email") != "ann@example.com" ||
		in.header.Get("Set-Cookie") != "" {
		t.Fatal(in.raw, in.header)
	}
	bearer := append([]string{"Authorization", "Bearer " + in.at("loginCustomer.token")}, key...)
	id := a.at("registerCustomer.customer.id")
	if me := b.graphql(200, document(`{ meCustomer { customer { id } } meUser { user { id } } }`), bearer...); me.at("meCustomer.customer.id") != id ||
		me.at("meUser.user") != "<nil>" {
		t.Error(me.raw)
	}
	change := b.graphql(200, document(fmt.Sprintf(`mutation { updateCustomer(id: %q, data: {name: "Anna"}) { name } }`, id)), bearer...)
	if change.at("updateCustomer.name") != "Anna" {
		t.Error(change.raw)
	}
	if sent := b.graphql(200, document(`mutation { sendVerificationCustomer(email: "ann@example.com") }`),
		key...); sent.at("sendVerificationCustomer") != "true" {
		t.Error(sent.raw)
	}
	proof := b.emailToken("ann@example.com")
	if v := b.graphql(200, document(fmt.Sprintf(`mutation { verifyEmailCustomer(token: %q) }`, proof)), key...); v.at("verifyEmailCustomer") != "true" {
		t.Error(v.raw)
	}
	for _, email := range []string{"ann@example.com", "nobody@example.com"} {
		if f := b.graphql(200, document(fmt.Sprintf(`mutation { forgotPasswordCustomer(email: %q) }`, email)),
			key...); f.at("forgotPasswordCustomer") != "true" {
			t.Error(f.raw)
		}
	}
	b.access.Wait()
	reset := b.graphql(200,
		document(fmt.Sprintf(`mutation { resetPasswordCustomer(token: %q, password: "another long password") { token customer { name } } }`,
			b.emailToken("ann@example.com"))),
		key...)
	if reset.at("resetPasswordCustomer.customer.name") != "Anna" {
		t.Error(reset.raw)
	}
	if again := login("another long password"); again.at("loginCustomer.customer.name") != "Anna" {
		t.Error(again.raw)
	}
	if old := b.graphql(401, document(`{ Customers { totalDocs } }`), bearer...); old.reason() != "unauthenticated" {
		t.Error(old.raw)
	}
}
