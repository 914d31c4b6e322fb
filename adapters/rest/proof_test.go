package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// stale is a session that began longer ago than it counts as proven.
func (s *staff) stale() *staff {
	s.b.t.Helper()
	s.b.advance(11 * time.Minute)
	return s
}

const aKey = `{"name":"K","kind":"secret","environment":"test"}`

// makesKey reports whether the session makes an API key; if not, it has to be asked for a proof.
func (s *staff) makesKey(headers ...string) bool {
	s.b.t.Helper()
	keys := func() int { return s.b.count(`SELECT count(*) FROM api_keys`) }
	before := keys()
	a := s.b.request("POST", "/api/api-keys", aKey, append([]string{"Authorization", s.bearer}, headers...)...)
	if a.status == 201 {
		return true
	}
	wantReason(s.b.t, "a key", a, 403, "reauthentication_required")
	if keys() != before {
		s.b.t.Error("a refused call made a key")
	}
	return false
}

func (s *staff) reauthenticate(body string) answer {
	s.b.t.Helper()
	return s.do("POST", "/users/reauthenticate", body)
}

func TestSessionsAreProvenByPassword(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		other := &staff{b: b, bearer: b.loginFrom("users", s.email, s.password, "other")}
		if !s.makesKey() {
			t.Error("a login is a proof")
		}
		key := []string{"Idempotency-Key", "0123456789abcdef0123"}
		if s.stale().makesKey(key...) {
			t.Fatal("a stale session made a key")
		}
		for body, reason := range map[string]string{
			`{}`:                                  "validation_failed",
			`{"password":""}`:                     "validation_failed",
			`{"password":"wrong"}`:                "password_wrong",
			`{"code":"000000"}`:                   "code_wrong",
			`{"password":"a","code":"000000"}`:    "validation_failed",
			`{"challenge":"a","credential":{}}`:   "passkey_challenge_invalid",
			`{"password":"wrong","unknown":true}`: "validation_failed",
		} {
			wantReason(t, body, s.reauthenticate(body), 400, reason)
		}
		if s.makesKey(key...) {
			t.Fatal("a wrong proof counted")
		}
		right := fmt.Sprintf(`{"password":%q}`, s.password)
		a := s.reauthenticate(right)
		if until := b.now().Add(10 * time.Minute).UTC().Format("2006-01-02T15:04"); a.status != 200 || fmt.Sprint(a.body["provenUntil"])[:16] != until {
			t.Error(a.status, a.raw)
		}
		if !s.makesKey(key...) {
			t.Error("the call that was refused goes through under its key")
		}
		if other.makesKey() {
			t.Error("another session of the person was proven, too")
		}
		if s.stale().makesKey(key...) {
			t.Error("an answer with a secret is kept for whoever has the key")
		}
	})
}

func TestSessionsAreProvenByCodeAndPasskey(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	s.addTOTP()
	p := s.addPasskey("phone")
	begun := s.stale().must("POST", "/users/reauthenticate/begin", "")
	if fmt.Sprint(begun.body["methods"]) != "[password totp passkey recovery-code]" {
		t.Error(begun.raw)
	}
	challenge := ""
	passkey := func() string {
		begun := s.must("POST", "/users/reauthenticate/begin", "")
		challenge = fmt.Sprintf(`{"challenge":%q,"credential":%s}`, begun.body["challenge"], p.use(p.optionsOf(begun)))
		return challenge
	}
	for name, proof := range map[string]func() string{
		"passkey": passkey, "code": func() string { return fmt.Sprintf(`{"code":%q}`, s.code()) },
		"recovery code": func() string { return fmt.Sprintf(`{"code":%q}`, s.codes[2]) },
	} {
		if s.makesKey() {
			t.Fatal(name, "was not needed")
		}
		body := proof()
		if a := s.reauthenticate(body); a.status != 200 || !s.makesKey() {
			t.Error(name, a.status, a.raw)
		}
		if a := s.reauthenticate(body); a.status != 400 {
			t.Error(name, "counts again:", a.status, a.raw)
		}
		s.stale()
	}
	passkey()
	other := b.staff(b.other)
	wantReason(t, "another's passkey", other.reauthenticate(challenge), 400, "passkey_challenge_invalid")
	if begun := other.must("POST", "/users/reauthenticate/begin", ""); fmt.Sprint(begun.body["methods"]) != "[password]" || begun.body["options"] != nil {
		t.Error(begun.raw)
	}
}

func TestGuessesAtProofsAreLimited(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	s.addTOTP()
	for name, wrong := range map[string]string{"passwords": `{"password":"wrong"}`, "codes": `{"code":"000000"}`} {
		for range 5 {
			if a := s.reauthenticate(wrong); a.status != 400 {
				t.Fatal(name, a.status, a.raw)
			}
		}
		wantReason(t, name, s.reauthenticate(wrong), 429, "rate_limited")
	}
	wantReason(t, "the right one", s.reauthenticate(fmt.Sprintf(`{"password":%q}`, s.password)), 429, "rate_limited")
	if s.stale().makesKey() {
		t.Error("a stale session made a key")
	}
}

// A session that names a password of one tenant is proven by that password.
func TestPasswordOfOneTenantProvesItsSessions(t *testing.T) {
	s := newSQLiteHarness(t).withPasswordOfOneTenant()
	if s.stale().makesKey() {
		t.Fatal("a stale session made a key")
	}
	if a := s.reauthenticate(fmt.Sprintf(`{"password":%q}`, s.password)); a.status != 200 || !s.makesKey() {
		t.Error(a.status, a.raw)
	}
}

func TestPeopleChangeTheirOwnPassword(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		before, next := s.bearer, "a better password"
		change := func(current, next string) answer {
			return s.do("POST", "/users/change-password", fmt.Sprintf(`{"currentPassword":%q,"password":%q}`, current, next))
		}
		wantReason(t, "a wrong one", change("wrong", next), 400, "password_wrong")
		wantReason(t, "a short one", change(s.password, "short"), 400, "validation_failed")
		a := change(s.password, next)
		if a.status != 200 || !strings.HasPrefix(a.header.Get("Set-Cookie"), "cartwright-token=") {
			t.Fatal(a.status, a.raw)
		}
		if a := s.do("GET", "/gadgets", ""); a.status != 401 {
			t.Error("a session of the old password goes on:", a.status)
		}
		s.bearer = "Bearer " + fmt.Sprint(a.body["token"])
		if list := b.sessionsOf("/api/users/sessions", s.bearer); len(list) != 1 || s.bearer == before {
			t.Error("sessions:", list)
		}
		b.loginFrom("users", s.email, next, "later")
		wantReason(t, "the old one", b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, s.email, s.password)),
			401, "credentials_invalid")
	})
	s := newSQLiteHarness(t).withPasswordOfOneTenant()
	if a := s.do("POST", "/users/change-password", fmt.Sprintf(`{"currentPassword":%q,"password":"of this shop alone"}`, s.password)); a.status != 200 {
		t.Error("a password of one tenant:", a.status, a.raw)
	}
}

// What a member of staff may change of records in a stale session: nothing by which a thief of it would stay.
func TestGuardedFieldsTakeAProof(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		me, _ := s.must("GET", "/users/me", "").body["user"].(map[string]any)
		path, shop := "/users/"+fmt.Sprint(me["id"]), "/tenants/"+string(b.shop.Tenant.ID)
		role := s.do("POST", "/roles", `{"slug":"helper","name":"Helper","permissions":["orders:read"]}`)
		if role.status != 201 {
			t.Fatal(role.raw)
		}
		helper := "/roles/" + fmt.Sprint(role.doc()["id"])
		s.stale()
		guarded := []struct{ method, path, body string }{
			{"POST", "/users", `{"email":"new@example.com","role":"tenant-admin"}`},
			{"PATCH", path, `{"role":"tenant-viewer"}`},
			{"PATCH", path, `{"password":"a long new password"}`},
			{"DELETE", path, ""},
			{"PATCH", "/users?where[id][equals]=" + fmt.Sprint(me["id"]), `{"role":"tenant-viewer"}`},
			{"POST", "/users/bulk", fmt.Sprintf(`{"patches":[{"id":%q,"data":{"role":"tenant-viewer"}}]}`, me["id"])},
			{"POST", "/users/bulk", fmt.Sprintf(`{"atomic":true,"patches":[{"id":%q,"data":{"role":"tenant-viewer"}}]}`, me["id"])},
			{"POST", "/roles", `{"slug":"all","name":"All","permissions":["orders:refund"]}`},
			{"PATCH", helper, `{"permissions":["orders:refund"]}`},
			{"PATCH", shop, `{"settings":{"requireSecondFactor":true}}`},
			{"PATCH", shop, `{"settings":{"proofAbove":[{"amount":1,"currency":"KRW"}]}}`},
		}
		for _, one := range guarded {
			a := s.do(one.method, one.path, one.body)
			wantReason(t, one.method+" "+one.path+" "+one.body, a, 403, "reauthentication_required")
		}
		if n := b.count(`SELECT count(*) FROM users WHERE role <> 'tenant-admin'`); n != 0 {
			t.Error("a role was changed")
		}
		for _, open := range []struct{ method, path, body string }{
			{"PATCH", path, `{"name":"Ann"}`}, {"PATCH", path, `{"name":"Ann","role":"tenant-admin"}`},
			{"PATCH", shop, `{"settings":{"autoConfirmDays":3,"requireSecondFactor":false}}`}, {"DELETE", helper, ""},
		} {
			s.must(open.method, open.path, open.body)
		}
		answered := b.request("POST", "/api/graphql", `{"query":"mutation { createRole(data: {slug: \"x\", name: \"X\", permissions: [\"orders:read\"]}) { id } }"}`,
			"Authorization", s.bearer)
		made := b.request("POST", "/api/graphql", `{"query":"mutation { apiKeyCreate(input: {name: \"K\", kind: secret, environment: test}) { key } }"}`,
			"Authorization", s.bearer)
		for _, a := range []answer{answered, made} {
			if a.reason() != "reauthentication_required" {
				t.Error(a.raw)
			}
		}
	})
}

// A proof is asked of whoever changes many records, and not told of each; then the same call goes through under its key.
func TestBulkChangesTakeAProofOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		id := s.do("POST", "/roles", `{"slug":"helper","name":"Helper","permissions":["orders:read"]}`).doc()["id"]
		s.stale()
		calls := []struct{ method, path, body string }{
			{"POST", "/roles/bulk", fmt.Sprintf(`{"patches":[{"id":%q,"data":{"permissions":["orders:refund"]}}]}`, id)},
			{"POST", "/roles/bulk", fmt.Sprintf(`{"atomic":true,"patches":[{"id":%q,"data":{"permissions":["orders:cancel"]}}]}`, id)},
			{"PATCH", fmt.Sprintf("/roles?where[id][equals]=%s", id), `{"permissions":["orders:read"]}`},
		}
		do := func(i int) answer {
			key := fmt.Sprintf("ik_proof_0123456789abcd%d", i)
			return b.request(calls[i].method, "/api"+calls[i].path, calls[i].body, "Authorization", s.bearer, "Idempotency-Key", key)
		}
		for i, c := range calls {
			wantReason(t, c.method+c.path, do(i), 403, "reauthentication_required")
			if a := s.reauthenticate(fmt.Sprintf(`{"password":%q}`, s.password)); a.status != 200 {
				t.Fatal(a.raw)
			}
			if a := do(i); a.status != 200 || strings.Contains(a.raw, "reauthentication_required") {
				t.Error(c.method, c.path, "proven:", a.status, a.raw)
			}
			s.stale()
		}
		if r := s.must("GET", fmt.Sprintf("/roles/%s", id), ""); r.body["revision"] != 4.0 {
			t.Error("each changes the role once:", r.raw)
		}
	})
}
