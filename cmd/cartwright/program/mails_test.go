package program

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/smtpserver"
)

// mailStatus is what a server says becomes of the mails that a key sees.
func mailStatus(t *testing.T, url, key string) (status struct {
	Sends, Down bool
	From, Page  string
},
) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/api/mail/status", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&status); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%d %v", res.StatusCode, err)
	}
	return status
}

// Rule mail-19: what is so is said by the status, the doctor and the start, and a mail goes where they say.
func TestMailsSayWhatBecomesOfThem(t *testing.T) {
	t.Parallel()
	mailServer := smtpserver.Start(t, smtpserver.Options{User: "u", Password: "secret-of-mail"})
	m := newDemoEnv(t).with("CARTWRIGHT_SMTP_URL", "smtp://u:secret-of-mail@"+mailServer.Host+":"+mailServer.Port).
		with("CARTWRIGHT_MAIL_FROM", "Server <no-reply@server.example>")
	s := m.serve(t)
	shop, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	if live := mailStatus(t, s.url, shop.SecretKey); !live.Sends || live.From != "no-reply@server.example" || live.Page != "" || live.Down {
		t.Errorf("live: %+v", live)
	}
	if test := mailStatus(t, s.url, shop.TestSecretKey); test.Sends || test.Page != "/mailbox" {
		t.Errorf("test: %+v", test)
	}
	if status, _ := requestJSON(t, "POST", s.url+"/api/users/forgot-password", `{"email":"`+shop.AdminEmail+`"}`); status != http.StatusOK {
		t.Fatal(status)
	}
	waitUntil(t, func() bool { return len(mailServer.Mails()) > 0 })
	if got := mailServer.Mails()[0]; got.To[0] != shop.AdminEmail || !strings.Contains(got.Data, "/console/reset?") {
		t.Errorf("%+v", got)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if out, err := m.command(t, "doctor"); strings.Contains(out, "secret-of-mail") || !strings.Contains(out, "from Server <no-reply@server.example>") {
		t.Errorf("%v\n%s", err, out)
	}
	mailServer.Close()
	if out, err := m.command(t, "doctor"); err == nil || !strings.Contains(out, "CARTWRIGHT_SMTP_URL: the mail server cannot be reached") {
		t.Errorf("%v\n%s", err, out)
	}
	for mode, want := range map[Mode]string{Development: "/mailbox", Production: "webhook endpoints"} {
		if text := (Config{Mode: mode}).describeMails(); !strings.Contains(text, "not sent") || !strings.Contains(text, want) {
			t.Errorf("%s: %s", mode, text)
		}
	}
}

// A mail server needs a sender, and both have to be what they are called.
func TestSettingsOfMailsAreChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ url, from, want string }{
		"no sender":        {"smtps://mail.example", "", "CARTWRIGHT_MAIL_FROM: a mail server needs a sender"},
		"a wrong sender":   {"smtps://mail.example", "shop", `CARTWRIGHT_MAIL_FROM: "shop" is no address`},
		"another protocol": {"https://u:secret@mail.example", "a@b.example", "CARTWRIGHT_SMTP_URL: must be a URL that starts with smtp://"},
	} {
		_, err := newCommandEnv(t).with("CARTWRIGHT_SMTP_URL", c.url).with("CARTWRIGHT_MAIL_FROM", c.from).config()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
