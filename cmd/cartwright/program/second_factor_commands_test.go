package program

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
)

func TestUserResetSecondFactorCommand(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	s := m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	login := func() map[string]any {
		_, body := requestJSON(t, "POST", s.url+"/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, keys.AdminEmail, keys.AdminPassword))
		return body
	}
	addAuthenticatorApp(t, s.url, login()["token"].(string))
	if login()["secondFactorRequired"] != true {
		t.Fatal(login())
	}
	m.must(t, "user", "reset-second-factor", strings.ToUpper(keys.AdminEmail))
	if login()["token"] == nil {
		t.Error(login())
	}
	if out, err := m.command(t, "user", "reset-second-factor", "nobody@shop.example"); err == nil {
		t.Error(out)
	}
}

// addAuthenticatorApp gives the user of a token a second factor.
func addAuthenticatorApp(t *testing.T, url, token string) (secret string) {
	t.Helper()
	bearer := "Authorization: Bearer " + token
	_, enrolled := requestJSON(t, "POST", url+"/api/users/totp/enroll", "", bearer)
	secret, _ = enrolled["secret"].(string)
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if status, a := requestJSON(t, "POST", url+"/api/users/totp/confirm", fmt.Sprintf(`{"code":%q}`, code), bearer); status != 200 {
		t.Fatal(status, a)
	}
	return secret
}

// An app that was added with the first secret of the server works after the rotation, without that secret.
func TestRotateResealsAuthenticatorApps(t *testing.T) {
	t.Parallel()
	const first, second = "1:the first secret of thirty-two bytes", "2:the second secret of thirty-two bytes"
	m := newCommandEnv(t).with("CARTWRIGHT_SECRETS", first)
	s := m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	login := func() map[string]any {
		_, body := requestJSON(t, "POST", s.url+"/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, keys.AdminEmail, keys.AdminPassword))
		return body
	}
	secret := addAuthenticatorApp(t, s.url, login()["token"].(string))
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	m = m.with("CARTWRIGHT_SECRETS", first+","+second)
	for range 2 {
		if out := m.must(t, "secrets", "rotate"); !strings.Contains(out, "of 1 authenticator apps of users re-encrypted") {
			t.Error(out)
		}
	}
	m = m.with("CARTWRIGHT_SECRETS", second)
	s = m.serve(t)
	code, err := totp.GenerateCode(secret, time.Now().Add(30*time.Second)) // the next one: this one was used
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"challenge":%q,"code":%q}`, login()["challenge"], code)
	if status, a := requestJSON(t, "POST", s.url+"/api/users/login/second-factor", body); status != 200 {
		t.Error(status, a)
	}
}
