package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"

	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// passkeyOrigin is where browsers reach the server of a harness.
const passkeyOrigin = "https://shop.example"

func wantReason(t testing.TB, name string, a answer, status int, reason string) {
	t.Helper()
	if a.status != status || a.reason() != reason {
		t.Errorf("%s: %d %s", name, a.status, a.raw)
	}
}

func TestPasskeyLogsInBothWays(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		before := b.loginFrom("users", s.email, s.password, "before")
		p := s.addPasskey("  phone ")
		if len(p.codes) != 10 {
			t.Error(p.codes)
		}
		if a := b.request("GET", "/api/gadgets", "", "Authorization", before); a.status != 401 {
			t.Error("a session from before goes on:", a.status)
		}
		p.must("GET", "/gadgets", "")
		first := b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, s.email, s.password))
		if fmt.Sprint(first.body["methods"]) != "[passkey recovery-code]" {
			t.Error(first.raw)
		}
		for path, body := range map[string]func() string{secondStep: p.secondFactor, passkeyOnly: p.login} {
			b.advance(time.Minute)
			sent := body()
			a := b.request("POST", path, sent)
			if a.status != 200 || !strings.HasPrefix(a.header.Get("Set-Cookie"), "cartwright-token=") {
				t.Fatal(path, a.status, a.raw)
			}
			if used := b.request("GET", "/api/gadgets", "", "Authorization", "Bearer "+fmt.Sprint(a.body["token"])); used.status != 200 {
				t.Error(path, used.status, used.raw)
			}
			wantReason(t, path+" again", b.request("POST", path, sent), 401, "challenge_invalid")
		}
		list := p.must("GET", "/users/passkeys", "")
		if keys, _ := list.body["passkeys"].([]any); len(keys) != 1 || !strings.Contains(list.raw, `"name":"phone"`) || strings.Contains(list.raw, "ublicKey") {
			t.Error(list.raw)
		}
		if a := p.prove(p.challenge(), p.codes[0]); a.status != 200 {
			t.Error("a recovery code:", a.raw)
		}
		if a := p.must("GET", "/users/second-factor", ""); a.body["active"] != true || a.body["totp"] != false || a.body["passkeys"] != 1.0 {
			t.Error(a.raw)
		}
	})
}

// Of any number of uses of one answer, on several instances, one opens a session.
func TestPasskeyChallengeOpensOneSession(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p := b.staff(b.shop).addPasskey("phone")
		var sent struct {
			Challenge  string
			Credential json.RawMessage
		}
		if err := json.Unmarshal([]byte(p.login()), &sent); err != nil {
			t.Fatal(err)
		}
		instances := [4]*access.Service{}
		for i := range instances { // which share the database alone
			a := b.access
			instances[i] = &access.Service{
				Store: a.Store, Keys: a.Keys, Accounts: a.Accounts, Revocations: a.Revocations, Logins: a.Logins, Tokens: a.Tokens, Vault: a.Vault,
				Passkeys: a.Passkeys, Attempts: token.NewAttemptLimiter(15 * time.Minute), TokenLifetime: a.TokenLifetime, Now: a.Now, NewID: a.NewID,
			}
		}
		opened := make(chan access.Session, 64)
		var all sync.WaitGroup
		for i := range cap(opened) {
			all.Go(func() {
				session, err := instances[i%len(instances)].LoginPasskey(t.Context(), access.PasskeyLogin{Challenge: sent.Challenge, Answer: sent.Credential})
				if err == nil {
					opened <- session
				}
			})
		}
		all.Wait()
		if len(opened) != 1 {
			t.Errorf("%d sessions were opened", len(opened))
		}
	})
}

func TestWrongPasskeysAreRefused(t *testing.T) {
	b := newSQLiteHarness(t)
	mine := b.staff(b.shop).addPasskey("phone")
	theirs := b.staff(b.other).addPasskey("phone")
	for name, change := range map[string]func(p *passkeyHolder){
		"another origin":         func(p *passkeyHolder) { p.party.Origin = "https://evil.example" },
		"another relying party":  func(p *passkeyHolder) { p.party.ID = "evil.example" },
		"no check of the person": func(p *passkeyHolder) { p.device.Options.UserNotVerified = true },
		"another's passkey":      func(p *passkeyHolder) { p.key = theirs.key },
		"another's account":      func(p *passkeyHolder) { p.device.Options.UserHandle = theirs.device.Options.UserHandle },
		"nobody's account":       func(p *passkeyHolder) { p.device.Options.UserHandle = []byte("nobody") },
		"no account":             func(p *passkeyHolder) { p.device.Options.UserHandle = nil },
	} {
		b.advance(15 * time.Minute)
		wrong := *mine
		change(&wrong)
		wantReason(t, name, b.request("POST", passkeyOnly, wrong.login()), 401, "passkey_invalid")
		if name != "no account" { // which the first step has named
			wantReason(t, name+", as a second factor", b.request("POST", secondStep, wrong.secondFactor()), 401, "passkey_invalid")
		}
		mine.key.Counter = max(mine.key.Counter, wrong.key.Counter)
	}
	if a := b.request("POST", passkeyOnly, mine.login()); a.status != 200 {
		t.Error("the right one:", a.status, a.raw)
	}
	b.advance(15 * time.Minute)
	late := mine.login()
	b.advance(5 * time.Minute)
	wantReason(t, "after five minutes", b.request("POST", passkeyOnly, late), 401, "challenge_invalid")
	wantReason(t, "a challenge of ours of another kind", b.request("POST", passkeyOnly, mine.secondFactor()), 401, "challenge_invalid")
	wantReason(t, "both", b.request("POST", secondStep, strings.Replace(mine.secondFactor(), "{", `{"code":"1",`, 1)), 400, "validation_failed")
	wantReason(t, "none", b.request("POST", secondStep, `{"challenge":"x"}`), 400, "validation_failed")
}

func TestGarbageIsNoPasskey(t *testing.T) {
	b := newSQLiteHarness(t)
	p := b.staff(b.shop).addPasskey("phone")
	begun := fmt.Sprint(b.request("POST", "/api/users/login/passkey/begin", "").body["challenge"])
	for credential, reason := range map[string]string{
		`{}`: "passkey_malformed", `{"id":1}`: "passkey_malformed", `{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{}}`: "passkey_malformed",
		`"text"`: "validation_failed", `[]`: "validation_failed", `null`: "validation_failed",
		fmt.Sprintf(`{"id":%q}`, strings.Repeat("a", 16<<10)): "validation_failed",
	} {
		body := fmt.Sprintf(`{"challenge":%q,"credential":%s}`, begun, credential)
		wantReason(t, credential[:min(len(credential), 60)], b.request("POST", passkeyOnly, body), 400, reason)
		body = fmt.Sprintf(`{"challenge":%q,"credential":%s}`, p.challenge(), credential)
		if a := b.request("POST", secondStep, body); a.status != 400 {
			t.Error(a.status, a.raw)
		}
	}
	for body, reason := range map[string]string{
		p.creation(strings.Repeat("x", 101)):                              "validation_failed",
		p.creation("   "):                                                 "validation_failed",
		p.creation("phone"):                                               "passkey_taken",
		`{"challenge":"x","credential":{},"name":"x"}`:                    "passkey_challenge_invalid",
		fmt.Sprintf(`{"challenge":%q,"credential":{},"name":"x"}`, begun): "passkey_challenge_invalid",
		strings.Replace(p.creation("x"), `"credential":{`, `"credential":{"id":"AAAA",`, 1): "malformed_request",
	} {
		if a := p.do("POST", "/users/passkeys", body); a.reason() != reason {
			t.Errorf("%.80s: %d %s", body, a.status, a.raw)
		}
	}
	wantReason(t, "an unknown parameter", b.request("POST", passkeyOnly, `{"challenge":"x","credential":{},"code":"1"}`), 400, "validation_failed")
}

func TestPasskeyWhoseCountGoesBackwardsIsRefused(t *testing.T) {
	b := newSQLiteHarness(t)
	var log bytes.Buffer
	b.access.Log = slog.New(slog.NewJSONHandler(&log, nil))
	p := b.staff(b.shop).addPasskey("key")
	at := func(count uint32, login func() string) string {
		p.key.Counter = count - 1
		return login()
	}
	if a := b.request("POST", passkeyOnly, at(11, p.login)); a.status != 200 {
		t.Fatal(a.raw)
	}
	for _, count := range []uint32{11, 3} {
		wantReason(t, "alone", b.request("POST", passkeyOnly, at(count, p.login)), 401, "passkey_invalid")
		wantReason(t, "as a second factor", b.request("POST", secondStep, at(count, p.secondFactor)), 401, "passkey_invalid")
	}
	if a := b.request("POST", passkeyOnly, at(12, p.login)); a.status != 200 {
		t.Error("the right one:", a.raw)
	}
	if told := log.String(); strings.Count(told, p.id) != 4 || !strings.Contains(told, `"before":11,"now":3`) || strings.Contains(told, p.email) {
		t.Error(told)
	}
}

func TestWrongPasskeysAreLimited(t *testing.T) {
	b := newSQLiteHarness(t)
	p := b.staff(b.shop).addPasskey("phone")
	wrong := *p
	wrong.key = portstest.NewPasskey(virtualwebauthn.KeyTypeEC2)
	for path, body := range map[string]func(*passkeyHolder) string{passkeyOnly: (*passkeyHolder).login, secondStep: (*passkeyHolder).secondFactor} {
		for range 5 {
			wantReason(t, path, b.request("POST", path, body(&wrong)), 401, "passkey_invalid")
		}
		if a := b.request("POST", path, body(p)); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" {
			t.Error(path, a.status, a.raw)
		}
		b.advance(15 * time.Minute)
		if a := b.request("POST", path, body(p)); a.status != 200 {
			t.Error(path, a.status, a.raw)
		}
	}
}

func TestPasskeysAreRenamedAndRemoved(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		p := s.addPasskey("phone")
		second := s.device()
		if added := second.add("key"); !strings.Contains(added.raw, `"recoveryCodes":[]`) {
			t.Error("codes again:", added.raw)
		}
		other := b.staff(b.other)
		stolen := other.device()
		stolen.key = p.key
		wantReason(t, "a passkey of another account", other.do("POST", "/users/passkeys", stolen.creation("mine")), 409, "passkey_taken")
		path := "/users/passkeys/" + p.id
		if a := s.must("PATCH", path, `{"name":"old phone"}`); !strings.Contains(a.raw, `"name":"old phone"`) {
			t.Error(a.raw)
		}
		for name, a := range map[string]answer{
			"another's, to rename": other.do("PATCH", path, `{"name":"x"}`),
			"another's, to remove": other.do("POST", path+"/remove", ""),
		} {
			wantReason(t, name, a, 404, "not_found")
		}
		b.advance(11 * time.Minute)
		wantReason(t, "in an old session", s.do("POST", path+"/remove", ""), 403, "reauthentication_required")
		s.must("POST", "/users/reauthenticate", fmt.Sprintf(`{"password":%q}`, s.password))
		s.must("POST", path+"/remove", "")
		wantReason(t, "removed", b.request("POST", passkeyOnly, p.login()), 401, "passkey_invalid")
		if a := b.request("POST", passkeyOnly, second.login()); a.status != 200 {
			t.Error("the other one:", a.raw)
		}
		s.must("POST", "/users/passkeys/"+second.id+"/remove", "")
		if a := s.must("GET", "/users/second-factor", ""); a.body["active"] != false || a.body["recoveryCodesLeft"] != 0.0 {
			t.Error(a.raw)
		}
		b.loginFrom("users", s.email, s.password, "password alone")
		other.must("POST", "/users/reauthenticate", fmt.Sprintf(`{"password":%q}`, other.password))
		stolen.add("free now")
	})
}

func TestPasskeysOfAnAccountAreBounded(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	for i := range 20 {
		s.addPasskey(fmt.Sprint("key ", i))
	}
	wantReason(t, "the 21st", s.do("POST", "/users/passkeys/begin", "{}"), 409, "too_many_passkeys")
	b.advance(11 * time.Minute)
	wantReason(t, "an old session", s.do("POST", "/users/passkeys/begin", "{}"), 403, "reauthentication_required")
}

// A passkey of an account that no installation vouches for opens the tenant that does, and goes when the address is proven.
func TestPasskeyOfBoundAccount(t *testing.T) {
	b := newSQLiteHarness(t)
	b.adminOf(b.shop)("POST", "/users", `{"email":"eve@shop.example","password":"correct horse","role":"tenant-viewer"}`)
	s := &staff{b: b, email: "eve@shop.example", password: "correct horse"}
	s.bearer = b.loginFrom("users", s.email, s.password, "stranger")
	p := s.addPasskey("phone")
	here, elsewhere := string(b.shop.Tenant.ID), string(b.other.Tenant.ID)
	if a := b.request("POST", passkeyOnly, p.login(), "X-Tenant-Id", here); a.status != 200 {
		t.Error(a.status, a.raw)
	}
	wantReason(t, "another tenant", b.request("POST", passkeyOnly, p.login(), "X-Tenant-Id", elsewhere), 403, "tenant_not_joined")
	if _, err := b.access.SetRandomPassword(b.t.Context(), s.email, ""); err != nil {
		t.Fatal(err)
	}
	wantReason(t, "of a proven address", b.request("POST", passkeyOnly, p.login()), 401, "passkey_invalid")
}

// A passkey opens what the person's own password does: any tenant of theirs that is not suspended.
func TestPasskeyOpensTheTenantsOfThePerson(t *testing.T) {
	b := newSQLiteHarness(t)
	eve := b.provenUser("eve@shop.example", `"role":"tenant-admin"`)
	b.joinOther("eve@shop.example", "tenant-viewer", eve)
	s := &staff{b: b, email: "eve@shop.example"}
	var err error
	if s.password, err = b.access.SetRandomPassword(t.Context(), s.email, ""); err != nil {
		t.Fatal(err)
	}
	s.bearer = b.loginFrom("users", s.email, s.password, "eve")
	p := s.addPasskey("phone")
	here, elsewhere := string(b.shop.Tenant.ID), string(b.other.Tenant.ID)
	role := func(a answer) string { return fmt.Sprint(a.status, strings.Contains(a.raw, `"role":"tenant-viewer"`)) }
	if a := b.request("POST", passkeyOnly, p.login(), "X-Tenant-Id", elsewhere); a.status != 200 || role(a) != "200 true" {
		t.Error(a.raw)
	}
	unknown := b.request("POST", passkeyOnly, p.login(), "X-Tenant-Id", "019a0000-0000-7000-8000-000000000000")
	wantReason(t, "a tenant of others", unknown, 403, "tenant_not_joined")
	if a := b.platformAdmin()("POST", "/tenants/"+here+"/suspend", `{"reason":"unpaid"}`); a.status != 200 {
		t.Fatal(a.raw)
	}
	wantReason(t, "a suspended tenant", b.request("POST", passkeyOnly, p.login(), "X-Tenant-Id", here), 403, "tenant_suspended")
	if a := b.request("POST", passkeyOnly, p.login()); a.status != 200 {
		t.Error("the other one:", a.raw)
	}
}

func TestResetRemovesPasskeys(t *testing.T) {
	b := newSQLiteHarness(t)
	admin := b.adminOf(b.shop)
	id := fmt.Sprint(admin("POST", "/users", `{"email":"kim@shop.example","password":"correct horse","role":"tenant-viewer"}`).doc()["id"])
	for name, reset := range map[string]func() error{
		"by an admin": func() error {
			if a := admin("POST", "/users/"+id+"/reset-second-factor", ""); a.status != 200 {
				return fmt.Errorf("%d %s", a.status, a.raw)
			}
			return nil
		},
		"by the operator": func() error { return b.access.RemoveSecondFactors(t.Context(), "kim@shop.example", "") },
	} {
		kim := &staff{b: b, email: "kim@shop.example", password: "correct horse"}
		kim.bearer = b.loginFrom("users", kim.email, kim.password, "kim")
		p := kim.addPasskey("phone")
		begun := p.creation("again")
		if err := reset(); err != nil {
			t.Fatal(name, err)
		}
		if a := kim.do("GET", "/gadgets", ""); a.status != 401 {
			t.Error(name, "the sessions go on:", a.status)
		}
		wantReason(t, name, b.request("POST", passkeyOnly, p.login()), 401, "passkey_invalid")
		kim.bearer = b.loginFrom("users", kim.email, kim.password, "password alone")
		wantReason(t, name+", begun before", kim.do("POST", "/users/passkeys", begun), 400, "passkey_challenge_invalid")
	}
}

func TestPasskeySatisfiesTheTenant(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	s.must("PATCH", "/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"requireSecondFactor":true}}`)
	wantReason(t, "without one", s.do("GET", "/gadgets", ""), 403, "second_factor_required")
	p := s.addPasskey("phone")
	s.must("GET", "/gadgets", "")
	a := b.request("POST", passkeyOnly, p.login())
	if used := b.request("GET", "/api/gadgets", "", "Authorization", "Bearer "+fmt.Sprint(a.body["token"])); used.status != 200 {
		t.Error(used.status, used.raw)
	}
}

// The password of one tenant adds no passkey that counts in others.
func TestPasswordOfOneTenantAddsNoPasskey(t *testing.T) {
	s := newSQLiteHarness(t).withPasswordOfOneTenant()
	for method, path := range map[string]string{"POST": "/users/passkeys/begin", "GET": "/users/passkeys"} {
		wantReason(t, path, s.do(method, path, ""), 403, "second_factor_of_person")
	}
}

func TestPasskeysOverGraphQL(t *testing.T) {
	b := newSQLiteHarness(t)
	p := b.staff(b.shop).addPasskey("phone")
	begun := b.graphql(200, document(`mutation { userPasskeyLoginBegin { options challenge } }`))
	data, _ := begun.body["data"].(map[string]any)
	step, _ := data["userPasskeyLoginBegin"].(map[string]any)
	text, err := json.Marshal(step["options"])
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{
		"query":     `mutation ($input: UserPasskeyLoginInput!) { userPasskeyLogin(input: $input) { token } }`,
		"variables": map[string]any{"input": map[string]any{"challenge": step["challenge"], "credential": json.RawMessage(p.use(string(text)))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := b.graphql(200, string(body)); !strings.Contains(a.raw, `"token":"`) {
		t.Error(a.raw)
	}
	if a := b.graphql(200, document(`{ userPasskeys { passkeys { name } } }`), "Authorization", p.bearer); !strings.Contains(a.raw, `"name":"phone"`) {
		t.Error(a.raw)
	}
}
