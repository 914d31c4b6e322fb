package cartwright

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// An invitation is a person's: the shop's secret key does not go along, nothing is written down, and an acceptance whose
// answer is lost is not sent again.
func TestInvitationsAreSentAsThePerson(t *testing.T) {
	t.Parallel()
	var sent []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := r.Header
		sent = append(sent, strings.Join([]string{
			r.Method, r.URL.EscapedPath(), h.Get("X-Client-Key"), h.Get("X-Api-Key"), h.Get("Authorization"), h.Get("Idempotency-Key"),
		}, " "))
		if len(sent) > 3 {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprint(w, `{"email": "eve@shop.example", "token": "h.p.s"}`)
	}))
	server.Config.SetKeepAlivesEnabled(false)
	server.Start()
	t.Cleanup(server.Close)
	pending := NewMemoryStore()
	c, err := New(Config{BaseURL: server.URL, SecretKey: "sk_test_1", ClientKey: "pk_test_1", Pending: pending})
	if err != nil {
		t.Fatal(err)
	}
	if shown, err := c.Invitations.Retrieve(t.Context(), "inv/1"); err != nil || shown.Email != "eve@shop.example" {
		t.Error(shown, err)
	}
	if session, err := c.Invitations.Accept(t.Context(), InvitationsAcceptInput{Token: "inv/1", Password: "correct horse"}); err != nil ||
		session.Token != "h.p.s" {
		t.Error(err)
	}
	if _, err := c.Invitations.AcceptAs(t.Context(), "inv/1", "u.p.s"); err != nil {
		t.Error(err)
	}
	if _, err := c.Invitations.AcceptAs(t.Context(), "inv/1", "u.p.s"); !errors.Is(err, ReasonNetworkError) {
		t.Error(err)
	}
	if _, err := c.Invitations.Retrieve(t.Context(), ""); !errors.Is(err, ReasonInvalidInput) {
		t.Error(err)
	}
	const accept = "POST /api/invitations/inv%2F1/accept "
	want := "GET /api/invitations/inv%2F1 pk_test_1   |" + accept + "pk_test_1   |" + accept + "  Bearer u.p.s |" + accept + "  Bearer u.p.s "
	if got := strings.Join(sent, "|"); got != want {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
	if all, err := pending.List(t.Context()); err != nil || len(all) > 0 {
		t.Error("it was written down", all, err)
	}
}
