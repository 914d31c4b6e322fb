package program

import (
	"encoding/json"
	"fmt"
	"net/http"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
)

// checkInvitations has the admin invite a person, who looks at the invitation and accepts it, once.
func (s *goShop) checkInvitations() {
	ctx := s.Context()
	const eve = "eve@gopher.example"
	_, login := requestJSON(s.T, http.MethodPost, s.url+"/api/users/login",
		fmt.Sprintf(`{"email":%q,"password":%q}`, s.credentials.AdminEmail, s.credentials.AdminPassword))
	bearer := textAt(login, "token")
	if status, said := requestJSON(s.T, http.MethodPost, s.url+"/api/users", `{"email":"`+eve+`","role":"tenant-editor"}`,
		"Authorization: Bearer "+bearer); status != http.StatusAccepted {
		s.Fatal(status, said)
	}
	token, err := waitForEmailToken(s.process)(ctx, "inv", eve)
	if err != nil {
		s.Fatal(err)
	}
	if shown := callResult(s.Invitations.Retrieve(ctx, token)).ok(s); shown.Email != eve || shown.Role != "tenant-editor" ||
		shown.TenantID != s.credentials.TenantID || shown.ExpiresAt.IsZero() {
		s.Errorf("%+v", shown)
	}
	callResult(s.Invitations.AcceptAs(ctx, token, bearer)).refused(s, cartwright.ReasonInvitationForAnother)
	in := cartwright.InvitationsAcceptInput{Token: token, Password: "short"}
	callResult(s.Invitations.Accept(ctx, in)).refused(s, cartwright.ReasonValidationFailed)
	in.Password = "correct horse battery"
	if session := callResult(s.Invitations.Accept(ctx, in)).ok(s); session.User.Email != eve || session.Token == "" {
		s.Errorf("%+v", session.User)
	}
	callResult(s.Invitations.Accept(ctx, in)).refused(s, cartwright.ReasonTokenInvalid)
	s.acceptAsUserOfAnotherShop(bearer)
}

// acceptAsUserOfAnotherShop has the admin of another shop, whose address is proven, accept as they are logged in.
func (s *goShop) acceptAsUserOfAnotherShop(bearer string) {
	text, err := s.process.createShop(s.Context(), "Elsewhere")
	if err != nil {
		s.Fatal(err)
	}
	var theirs credentials
	if err := json.Unmarshal(text, &theirs); err != nil {
		s.Fatal(err)
	}
	_, login := requestJSON(s.T, http.MethodPost, s.url+"/api/users/login",
		fmt.Sprintf(`{"email":%q,"password":%q}`, theirs.AdminEmail, theirs.AdminPassword))
	if status, said := requestJSON(s.T, http.MethodPost, s.url+"/api/users",
		fmt.Sprintf(`{"email":%q,"role":"tenant-viewer"}`, theirs.AdminEmail), "Authorization: Bearer "+bearer); status != http.StatusAccepted {
		s.Fatal(status, said)
	}
	token, err := waitForEmailToken(s.process)(s.Context(), "inv", theirs.AdminEmail)
	if err != nil {
		s.Fatal(err)
	}
	if session := callResult(s.Invitations.AcceptAs(s.Context(), token, textAt(login, "token"))).ok(s); session.User.Email != theirs.AdminEmail {
		s.Errorf("%+v", session.User)
	}
}
