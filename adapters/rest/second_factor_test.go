package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/cartwright-dev/cartwright/app/onboarding"
)

// staff is a user of a shop with the second factor that a test has added.
type staff struct {
	b               *harness
	email, password string
	bearer          string
	secret          string
	codes           []string
}

func (b *harness) staff(of onboarding.PreparedTenant) *staff {
	b.t.Helper()
	s := &staff{b: b, email: of.AdminEmail, password: of.AdminPassword}
	s.bearer = b.loginFrom("users", s.email, s.password, "first")
	return s
}

func (s *staff) do(method, path, body string) answer {
	s.b.t.Helper()
	return s.b.request(method, "/api"+path, body, "Authorization", s.bearer)
}

// must is do of a request that has to succeed.
func (s *staff) must(method, path, body string) answer {
	s.b.t.Helper()
	a := s.do(method, path, body)
	if a.status != 200 {
		s.b.t.Fatal(method, path, a.status, a.raw)
	}
	return a
}

// code is what the app shows now.
func (s *staff) code() string {
	s.b.t.Helper()
	code, err := totp.GenerateCode(s.secret, s.b.now())
	if err != nil {
		s.b.t.Fatal(err)
	}
	return code
}

// addTOTP adds an authenticator app; what the app shows afterwards is a code that was not used.
func (s *staff) addTOTP() {
	s.b.t.Helper()
	s.secret = fmt.Sprint(s.must("POST", "/users/totp/enroll", "{}").body["secret"])
	a := s.must("POST", "/users/totp/confirm", fmt.Sprintf(`{"code":%q}`, s.code()))
	s.bearer, s.codes = "Bearer "+fmt.Sprint(a.body["token"]), nil
	list, _ := a.body["recoveryCodes"].([]any)
	for _, code := range list {
		s.codes = append(s.codes, fmt.Sprint(code))
	}
	s.b.advance(time.Minute)
}

// challenge is the answer to the password alone.
func (s *staff) challenge() string {
	s.b.t.Helper()
	a := s.b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, s.email, s.password))
	if a.status != 200 || a.body["secondFactorRequired"] != true || a.body["token"] != nil || a.header.Get("Set-Cookie") != "" {
		s.b.t.Fatal(a.status, a.raw, a.header)
	}
	return fmt.Sprint(a.body["challenge"])
}

func (s *staff) prove(challenge, code string) answer {
	s.b.t.Helper()
	return s.b.request("POST", "/api/users/login/second-factor", fmt.Sprintf(`{"challenge":%q,"code":%q}`, challenge, code))
}

func TestLoginWithAuthenticatorApp(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		first := s.bearer
		if a := s.must("GET", "/users/second-factor", ""); a.body["active"] != false {
			t.Error(a.raw)
		}
		s.secret = fmt.Sprint(s.must("POST", "/users/totp/enroll", "").body["secret"])
		b.loginFrom("users", s.email, s.password, "not confirmed yet")
		if a := s.do("POST", "/users/totp/confirm", `{"code":"000000"}`); a.status != 400 || a.reason() != "code_wrong" {
			t.Error(a.status, a.raw)
		}
		s.addTOTP()
		if len(s.codes) != 10 {
			t.Error(s.codes)
		}
		if a := b.request("GET", "/api/gadgets", "", "Authorization", first); a.status != 401 {
			t.Error("a session without the second factor goes on:", a.status, a.raw)
		}
		if a := s.do("GET", "/gadgets", ""); a.status != 200 {
			t.Error("the session that added it ended:", a.status, a.raw)
		}
		challenge := s.challenge()
		if a := b.request("GET", "/api/gadgets", "", "Authorization", "Bearer "+challenge); a.status != 401 {
			t.Error("a challenge is no token:", a.status)
		}
		code := s.code()
		a := s.prove(challenge, code)
		if a.status != 200 || a.body["token"] == nil || !strings.HasPrefix(a.header.Get("Set-Cookie"), "cartwright-token=") {
			t.Fatal(a.status, a.raw)
		}
		if b.request("GET", "/api/gadgets", "", "Authorization", "Bearer "+fmt.Sprint(a.body["token"])).status != 200 {
			t.Error("the new session does not work")
		}
		if a := s.prove(s.challenge(), code); a.status != 401 || a.reason() != "second_factor_invalid" {
			t.Error("a code was accepted twice:", a.status, a.raw)
		}
		if raw := fmt.Sprint(b.count("SELECT count(*) FROM accounts WHERE second_factors LIKE '%" + s.secret + "%'")); raw != "0" {
			t.Error("the secret is stored as it is")
		}
	})
}

// Of parallel logins with one code, one is admitted.
func TestCodeOpensOneOfParallelLogins(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		s.addTOTP()
		code, challenges := s.code(), []string{s.challenge(), s.challenge(), s.challenge(), s.challenge()}
		answers := make([]answer, len(challenges))
		var all sync.WaitGroup
		for i, challenge := range challenges {
			all.Go(func() { answers[i] = s.prove(challenge, code) })
		}
		all.Wait()
		opened := 0
		for _, a := range answers {
			if a.status == http.StatusOK {
				opened++
			}
		}
		if opened != 1 {
			t.Errorf("%d sessions were opened", opened)
		}
	})
}

func TestSecondFactorAttemptsAreLimited(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	s.addTOTP()
	challenge := s.challenge()
	for range 5 {
		if a := s.prove(challenge, "000000"); a.status != 401 {
			t.Fatal(a.status, a.raw)
		}
	}
	if a := s.prove(challenge, s.code()); a.status != 429 || a.header.Get("Retry-After") == "" {
		t.Error(a.status, a.raw)
	}
	b.advance(15 * time.Minute)
	if a := s.prove(challenge, s.code()); a.status != 401 || a.reason() != "challenge_invalid" {
		t.Error("an old challenge:", a.status, a.raw)
	}
	if a := s.prove(s.challenge(), s.code()); a.status != 200 {
		t.Error(a.status, a.raw)
	}
	if a := s.prove("v1:invented", "000000"); a.status != 401 || a.reason() != "challenge_invalid" {
		t.Error(a.status, a.raw)
	}
}

func TestRecoveryCodesWorkOnce(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	s.addTOTP()
	if a := s.prove(s.challenge(), strings.ToUpper(s.codes[3])); a.status != 200 {
		t.Fatal(a.status, a.raw)
	}
	if a := s.prove(s.challenge(), s.codes[3]); a.status != 401 {
		t.Error("used twice:", a.status, a.raw)
	}
	if a := s.must("GET", "/users/second-factor", ""); a.body["recoveryCodesLeft"] != 9.0 || a.body["totp"] != true {
		t.Error(a.raw)
	}
	renewed, _ := s.must("POST", "/users/recovery-codes", "").body["recoveryCodes"].([]any)
	if len(renewed) != 10 || s.prove(s.challenge(), s.codes[4]).status != 401 || s.prove(s.challenge(), fmt.Sprint(renewed[0])).status != 200 {
		t.Error("the codes were not replaced:", renewed)
	}
	if n := b.count("SELECT count(*) FROM accounts WHERE second_factors LIKE '%" + strings.ReplaceAll(s.codes[5], "-", "") + "%'"); n != 0 {
		t.Error("a recovery code is stored as it is")
	}
}

func TestAuthenticatorAppIsDisabledWithACode(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	s.addTOTP()
	for body, want := range map[string]string{
		`{}`:                        "validation_failed",
		`{"code":"000000"}`:         "code_wrong",
		`{"code":"000000","x":1}`:   "validation_failed",
		`{"code":"abcd-efgh-ijkm"}`: "code_wrong",
	} {
		if a := s.do("POST", "/users/totp/disable", body); a.status != 400 || a.reason() != want {
			t.Error(want, a.status, a.raw)
		}
	}
	b.advance(11 * time.Minute)
	body := fmt.Sprintf(`{"code":%q}`, s.code())
	wantReason(t, "an old session", s.do("POST", "/users/totp/disable", body), 403, "reauthentication_required")
	s.must("POST", "/users/reauthenticate", fmt.Sprintf(`{"password":%q}`, s.password))
	s.must("POST", "/users/totp/disable", body)
	if a := s.must("GET", "/users/second-factor", ""); a.body["active"] != false || a.body["recoveryCodesLeft"] != 0.0 {
		t.Error(a.raw)
	}
	b.loginFrom("users", s.email, s.password, "password alone")
}

// A session that somebody left open adds no factor.
func TestOldSessionAddsAFactorOnceItIsProven(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	b.advance(11 * time.Minute)
	wantReason(t, "old", s.do("POST", "/users/totp/enroll", "{}"), 403, "reauthentication_required")
	s.must("POST", "/users/reauthenticate", fmt.Sprintf(`{"password":%q}`, s.password))
	s.must("POST", "/users/totp/enroll", "{}")
}

func TestTenantRequiresSecondFactor(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := b.staff(b.shop)
		shop := "/tenants/" + string(b.shop.Tenant.ID)
		if a := s.do("PATCH", shop, `{"settings":{"requireSecondFactor":true}}`); a.status != 200 {
			t.Fatal(a.raw)
		}
		for _, bearer := range []string{s.bearer, b.loginFrom("users", s.email, s.password, "new")} {
			for _, path := range []string{"/gadgets", "/users/me", "/users"} {
				if a := b.request("GET", "/api"+path, "", "Authorization", bearer); a.status != 403 || a.reason() != "second_factor_required" {
					t.Error(path, a.status, a.raw)
				}
			}
		}
		if a := b.graphql(403, document(`{ Gadgets { totalDocs } }`), "Authorization", s.bearer); a.reason() != "second_factor_required" {
			t.Error(a.raw)
		}
		if a := b.graphql(200, document(`{ userSecondFactor { required active } }`), "Authorization", s.bearer); !strings.Contains(a.raw, `"required":true`) {
			t.Error(a.raw)
		}
		s.addTOTP()
		s.must("GET", "/gadgets", "")
		if a := s.prove(s.challenge(), s.code()); a.status != 200 {
			t.Error(a.raw)
		}
		if a := b.adminOf(b.other)("GET", "/gadgets", ""); a.status != 200 {
			t.Error("another tenant:", a.raw)
		}
		other := b.loginFrom("users", b.other.AdminEmail, b.other.AdminPassword, "out")
		if a := b.request("POST", "/api/users/logout", "", "Authorization", other); a.status != 200 {
			t.Error(a.raw)
		}
	})
}

func TestWhoHasNoSecondFactorMayLogOut(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	s.do("PATCH", "/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"requireSecondFactor":true}}`)
	s.must("POST", "/users/logout", "")
	if a := s.do("GET", "/users/second-factor", ""); a.status != 401 {
		t.Error(a.status, a.raw)
	}
}

// withPasswordOfOneTenant logs in a member of two tenants with a password for which only one of them vouches.
func (b *harness) withPasswordOfOneTenant() *staff {
	b.t.Helper()
	eve := b.provenUser("eve@shop.example", `"role":"tenant-admin"`)
	b.joinOther("eve@shop.example", "tenant-viewer", eve)
	b.post("/users/forgot-password", `{"email":"eve@shop.example"}`)
	if a := b.resetPassword("users", b.emailToken("eve@shop.example"), "known to the shop"); a.status != 200 {
		b.t.Fatal(a.raw)
	}
	s := &staff{b: b, email: "eve@shop.example", password: "known to the shop"}
	s.bearer = b.loginFrom("users", s.email, s.password, "here", "X-Tenant-Id", string(b.shop.Tenant.ID))
	return s
}

// A password that a tenant vouches for changes nothing that counts in others.
func TestPasswordOfOneTenantChangesNoFactorOfThePerson(t *testing.T) {
	s := newSQLiteHarness(t).withPasswordOfOneTenant()
	if a := s.do("POST", "/users/totp/enroll", ""); a.status != 403 || a.reason() != "second_factor_of_person" {
		t.Error(a.status, a.raw)
	}
}

// A reset password is no way around the second factor.
func TestResetPasswordNeedsTheSecondFactor(t *testing.T) {
	b := newSQLiteHarness(t)
	s := b.staff(b.shop)
	s.addTOTP()
	b.post("/users/forgot-password", fmt.Sprintf(`{"email":%q}`, s.email))
	a := b.resetPassword("users", b.emailToken(s.email), "a brand new horse")
	if a.status != 200 || a.body["token"] != nil || a.body["secondFactorRequired"] != true {
		t.Fatal(a.status, a.raw)
	}
	old := fmt.Sprint(a.body["challenge"])
	if a := s.prove(old, s.code()); a.status != 200 {
		t.Error(a.status, a.raw)
	}
}

func TestAdminResetsSecondFactorsOfOwnAccountsOnly(t *testing.T) {
	b := newSQLiteHarness(t)
	admin := b.adminOf(b.shop)
	id := fmt.Sprint(admin("POST", "/users", `{"email":"kim@shop.example","password":"correct horse","role":"tenant-viewer"}`).doc()["id"])
	kim := &staff{b: b, email: "kim@shop.example", password: "correct horse"}
	kim.bearer = b.loginFrom("users", kim.email, kim.password, "kim")
	kim.addTOTP()
	if a := admin("POST", "/users/"+id+"/reset-second-factor", ""); a.status != 200 {
		t.Fatal(a.status, a.raw)
	}
	if a := kim.do("GET", "/gadgets", ""); a.status != 401 {
		t.Error("the sessions go on:", a.status)
	}
	b.loginFrom("users", kim.email, kim.password, "password alone")

	eve := b.provenUser("eve@shop.example", `"role":"tenant-viewer"`)
	b.joinOther("eve@shop.example", "tenant-viewer", eve)
	me, _ := eve("GET", "/users/me", "").body["user"].(map[string]any)
	reset := fmt.Sprint("/users/", me["id"], "/reset-second-factor")
	if a := admin("POST", reset, ""); a.status != 403 || a.reason() != "account_of_several_tenants" {
		t.Error(a.status, a.raw)
	}
	if a := eve("POST", reset, ""); a.status != 403 {
		t.Error("a viewer:", a.status, a.raw)
	}
	if a := b.platformAdmin()("POST", reset, ""); a.status != 200 {
		t.Error(a.status, a.raw)
	}
	self, _ := admin("GET", "/users/me", "").body["user"].(map[string]any)
	if a := admin("POST", fmt.Sprint("/users/", self["id"], "/reset-second-factor"), ""); a.status != 403 {
		t.Error("one's own:", a.status, a.raw)
	}
}

// What somebody added who had the password of a tenant's making is gone when the person proves the address.
func TestProvenAddressLosesFactorsFromBefore(t *testing.T) {
	b := newSQLiteHarness(t)
	b.adminOf(b.shop)("POST", "/users", `{"email":"eve@shop.example","password":"correct horse","role":"tenant-viewer"}`)
	s := &staff{b: b, email: "eve@shop.example", password: "correct horse"}
	s.bearer = b.loginFrom("users", s.email, s.password, "stranger")
	s.addTOTP()
	var err error
	if s.password, err = b.access.SetRandomPassword(t.Context(), s.email, ""); err != nil {
		t.Fatal(err)
	}
	b.loginFrom("users", s.email, s.password, "the person")
}
