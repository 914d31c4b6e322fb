package steps

import (
	"context"
	"fmt"
)

// memberSteps gives people roles in shops.
type memberSteps struct {
	*client

	ids        map[string]string // of users by name
	invitation string            // the token last mailed
	login      map[string]string // headers of the login that accepted it
}

func newMemberSteps(c *client) *memberSteps {
	return &memberSteps{client: c, ids: map[string]string{}}
}

func (s *memberSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^"([^"]*)" becomes a "([^"]*)" of the shop$`, func(ctx context.Context, name, role string) error {
			return s.create(ctx, s.shop, name, role)
		}},
		{`^another shop invites "([^"]*)" as a "([^"]*)"$`, s.inviteToOtherShop},
		{`^"([^"]*)" accepts the invitation with the password "([^"]*)"$`, func(ctx context.Context, _, password string) error {
			return s.try(ctx, request{"POST", "/api/invitations/" + s.invitation + "/accept", object{"password": password}, nil})
		}},
		{`^"([^"]*)" logs in and accepts the invitation$`, s.acceptLoggedIn},
		{`^this login has the role "([^"]*)" in the other shop$`, s.wantRoleOfLogin},
		{`^"([^"]*)" has the role "([^"]*)" in the other shop with the password "([^"]*)"$`, s.wantRoleInOtherShop},
		{`^the first password of "([^"]*)" does not open the other shop$`, s.wantOtherShopClosed},
		{`^the first password of "([^"]*)" opens nothing$`, s.wantLoginRefused},
		{`^the other shop does not know the new name of "([^"]*)"$`, s.wantNameUnknown},
		{`^"([^"]*)" opens the other shop$`, s.readOtherShop},
		{`^the admin renames "([^"]*)"$`, func(ctx context.Context, name string) error {
			return s.changeMember(ctx, "PATCH", s.ids[name], object{"name": "Somebody Else"})
		}},
		{`^the admin removes "([^"]*)"$`, func(ctx context.Context, name string) error {
			return s.changeMember(ctx, "DELETE", s.ids[name], nil)
		}},
		{`^"([^"]*)" logs in to the shop$`, func(ctx context.Context, name string) (err error) {
			s.login, err = s.logIn(ctx, name)
			return err
		}},
		{`^the admin ends the sessions of "([^"]*)"$`, s.endSessions},
		{`^"([^"]*)" is logged out$`, s.wantLoggedOut},
		{`^the admin removes their own membership$`, func(ctx context.Context) error { return s.changeSelf(ctx, "DELETE", nil) }},
		{`^the admin changes their own role to "([^"]*)"$`, func(ctx context.Context, role string) error {
			return s.changeSelf(ctx, "PATCH", object{"role": role})
		}},
	}
}

// adminOf are the headers of the first admin of a shop.
func (s *memberSteps) adminOf(ctx context.Context, shop Credentials) (map[string]string, error) {
	return s.logInWith(ctx, shop.AdminEmail, shop.AdminPassword)
}

// memberPassword is the password that a shop sets for a new member.
func memberPassword(shop Credentials) string { return "made up by " + shop.TenantID }

// logIn are the headers of a member of the scenario's shop.
func (s *memberSteps) logIn(ctx context.Context, name string) (map[string]string, error) {
	return s.logInWith(ctx, s.emailOf(name), memberPassword(s.shop))
}

// logInToTest are the headers of a member who acts in the test environment; members act in live unless they
// say otherwise.
func (s *memberSteps) logInToTest(ctx context.Context, name string) (map[string]string, error) {
	member, err := s.logIn(ctx, name)
	return with(member, "X-Tenant-Id", s.shop.TenantID, "X-Environment", "test"), err
}

func (s *memberSteps) logInWith(ctx context.Context, email, password string) (map[string]string, error) {
	got, err := s.must(ctx, request{"POST", "/api/users/login", object{"email": email, "password": password}, nil})
	return withToken(text(got.body, "token")), err
}

func (s *memberSteps) create(ctx context.Context, shop Credentials, name, role string) error {
	admin, err := s.adminOf(ctx, shop)
	if err != nil {
		return err
	}
	made, err := s.must(ctx, request{"POST", "/api/users", object{
		"email": s.emailOf(name), "password": memberPassword(shop), "role": role,
	}, admin})
	s.ids[name] = text(made.body, "doc", "id")
	return err
}

func (s *memberSteps) inviteToOtherShop(ctx context.Context, name, role string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	admin, err := s.adminOf(ctx, other)
	if err != nil {
		return err
	}
	made, err := s.must(ctx, request{"POST", "/api/users", object{"email": s.emailOf(name), "role": role}, admin})
	if err != nil {
		return err
	}
	if valueAt(made.body, "invited") != true {
		return fmt.Errorf("nobody was invited: %s", made)
	}
	s.invitation, err = s.target.Mail(ctx, "inv", s.emailOf(name))
	return err
}

func (s *memberSteps) acceptLoggedIn(ctx context.Context, name string) (err error) {
	if s.login, err = s.logIn(ctx, name); err != nil {
		return err
	}
	_, err = s.must(ctx, request{"POST", "/api/invitations/" + s.invitation + "/accept", nil, s.login})
	return err
}

func (s *memberSteps) wantRoleOfLogin(ctx context.Context, role string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	got, err := s.must(ctx, request{"GET", "/api/users/me", nil, with(s.login, "X-Tenant-Id", other.TenantID)})
	if err != nil {
		return err
	}
	return equal("the role", valueAt(got.body, "user", "role"), role)
}

func (s *memberSteps) wantRoleInOtherShop(ctx context.Context, name, role, password string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	got, err := s.must(ctx, s.loginTo(other, name, password))
	if err != nil {
		return err
	}
	return equal("the role", valueAt(got.body, "user", "role"), role)
}

// loginTo is a login to one shop.
func (s *memberSteps) loginTo(shop Credentials, name, password string) request {
	return request{"POST", "/api/users/login", object{"email": s.emailOf(name), "password": password}, map[string]string{
		"X-Tenant-Id": shop.TenantID,
	}}
}

func (s *memberSteps) wantOtherShopClosed(ctx context.Context, name string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	if err := s.try(ctx, s.loginTo(other, name, memberPassword(s.shop))); err != nil {
		return err
	}
	return equal("the reason", s.got.reason(), "credentials_invalid")
}

func (s *memberSteps) wantLoginRefused(ctx context.Context, name string) error {
	if err := s.try(ctx, request{"POST", "/api/users/login", object{
		"email": s.emailOf(name), "password": memberPassword(s.shop),
	}, nil}); err != nil {
		return err
	}
	return equal("the reason", s.got.reason(), "credentials_invalid")
}

func (s *memberSteps) wantNameUnknown(ctx context.Context, name string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	admin, err := s.adminOf(ctx, other)
	if err != nil {
		return err
	}
	found, err := s.must(ctx, request{"GET", "/api/users/count?where[name][equals]=Somebody%20Else", nil, admin})
	if err != nil {
		return err
	}
	return equal("the number of users of that name", fmt.Sprint(valueAt(found.body, "totalDocs")), "0")
}

func (s *memberSteps) readShop(ctx context.Context, name string, shop Credentials) error {
	member, err := s.logIn(ctx, name)
	if err != nil {
		return err
	}
	member = with(member, "X-Tenant-Id", shop.TenantID)
	if err := s.try(ctx, request{"GET", "/api/brands", nil, member}); err != nil || !s.got.ok() {
		return err
	}
	return s.try(ctx, request{"GET", "/api/users/me", nil, member})
}

func (s *memberSteps) readOtherShop(ctx context.Context, name string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	return s.readShop(ctx, name, other)
}

func (s *memberSteps) changeMember(ctx context.Context, method, id string, body any) error {
	admin, err := s.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	return s.try(ctx, request{method, "/api/users/" + id, body, admin})
}

func (s *memberSteps) changeSelf(ctx context.Context, method string, body any) error {
	admin, err := s.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	me, err := s.must(ctx, request{"GET", "/api/users/me", nil, admin})
	if err != nil {
		return fmt.Errorf("read the admin: %w", err)
	}
	return s.try(ctx, request{method, "/api/users/" + text(me.body, "user", "id"), body, admin})
}

func (s *memberSteps) endSessions(ctx context.Context, name string) error {
	admin, err := s.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/users/" + s.ids[name] + "/end-sessions", nil, admin})
}

func (s *memberSteps) wantLoggedOut(ctx context.Context, _ string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	got, err := s.send(ctx, request{"GET", "/api/brands", nil, s.login})
	if err == nil && got.status != 401 {
		err = fmt.Errorf("the session still works: it %s", got)
	}
	return err
}
