package steps

import (
	"context"
	"fmt"
)

// memberSteps gives people roles in shops.
type memberSteps struct {
	*client

	ids map[string]string // of users by name
}

func newMemberSteps(c *client) *memberSteps {
	return &memberSteps{client: c, ids: map[string]string{}}
}

func (s *memberSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^"([^"]*)" becomes a "([^"]*)" of the shop$`, func(ctx context.Context, name, role string) error {
			return s.create(ctx, s.shop, name, role)
		}},
		{`^"([^"]*)" becomes a "([^"]*)" of another shop$`, s.createInOtherShop},
		{`^"([^"]*)" opens the shop$`, func(ctx context.Context, name string) error { return s.readShop(ctx, name, s.shop) }},
		{`^"([^"]*)" opens the other shop$`, s.readOtherShop},
		{`^"([^"]*)" has the role "([^"]*)" there$`, s.wantRole},
		{`^the admin renames "([^"]*)"$`, func(ctx context.Context, name string) error {
			return s.changeMember(ctx, "PATCH", s.ids[name], object{"name": "Somebody Else"})
		}},
		{`^the admin removes "([^"]*)"$`, func(ctx context.Context, name string) error {
			return s.changeMember(ctx, "DELETE", s.ids[name], nil)
		}},
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

// memberPassword is the password that a shop sets for a new member; a user who exists already keeps the old one.
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

func (s *memberSteps) createInOtherShop(ctx context.Context, name, role string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	return s.create(ctx, other, name, role)
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

func (s *memberSteps) wantRole(name, role string) error {
	if err := equal("the user", valueAt(s.got.body, "user", "email"), s.emailOf(name)); err != nil {
		return err
	}
	return equal("the role", valueAt(s.got.body, "user", "role"), role)
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
