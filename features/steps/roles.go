package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// roleSteps makes roles of the shop's own and tries what people with a role can do.
type roleSteps struct {
	*client

	members *memberSteps
	catalog *catalogSteps
	ids     map[string]string // of roles by slug
}

func newRoleSteps(c *client, members *memberSteps, catalog *catalogSteps) *roleSteps {
	return &roleSteps{client: c, members: members, catalog: catalog, ids: map[string]string{}}
}

func (s *roleSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^"([^"]*)" becomes an "([^"]*)" of the shop$`, func(ctx context.Context, name, role string) error {
			return s.members.create(ctx, s.shop, name, role)
		}},
		{`^the admin gives "([^"]*)" the role "([^"]*)"$`, func(ctx context.Context, name, role string) error {
			return s.asAdmin(ctx, "POST", "/api/users", object{"email": s.emailOf(name), "password": memberPassword(s.shop), "role": role})
		}},
		{`^the admin makes the role "([^"]*)" of "([^"]*)"$`, s.makeRole},
		{`^the admin changes the role "([^"]*)" to "([^"]*)"$`, func(ctx context.Context, slug, permissions string) error {
			return s.asAdmin(ctx, "PATCH", "/api/roles/"+s.ids[slug], object{"permissions": strings.Split(permissions, ", ")})
		}},
		{`^the admin deletes the role "([^"]*)"$`, func(ctx context.Context, slug string) error {
			return s.asAdmin(ctx, "DELETE", "/api/roles/"+s.ids[slug], nil)
		}},
		{`^"([^"]*)" (can|cannot) read "([^"]*)"$`, func(ctx context.Context, name, can, slug string) error {
			return s.wantOutcome(ctx, name, can, "GET", "/api/"+slug, nil)
		}},
		{`^"([^"]*)" (can|cannot) add a brand$`, func(ctx context.Context, name, can string) error {
			return s.wantOutcome(ctx, name, can, "POST", "/api/brands", object{"name": "Brand of " + name})
		}},
		{`^"([^"]*)" (can|cannot) raise the (price|stock) of "([^"]*)"$`, s.raise},
	}
}

func (s *roleSteps) makeRole(ctx context.Context, slug, permissions string) error {
	err := s.asAdmin(ctx, "POST", "/api/roles", object{"slug": slug, "name": slug, "permissions": strings.Split(permissions, ", ")})
	s.ids[slug] = text(s.got.body, "doc", "id")
	return err
}

func (s *roleSteps) asAdmin(ctx context.Context, method, path string, body any) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	return s.try(ctx, request{method, path, body, admin})
}

// raise tries to change a number of a product's only variant as forms do.
func (s *roleSteps) raise(ctx context.Context, name, can, what, product string) error {
	p, err := s.catalog.product(product)
	if err != nil {
		return err
	}
	member, err := s.members.logIn(ctx, name)
	if err != nil {
		return err
	}
	path := "/api/product-variants/" + p.variant
	read, err := s.must(ctx, request{"GET", path, nil, member})
	if err != nil {
		return err
	}
	change := object{"price": 99000}
	if what == "stock" {
		there, _ := read.body["stock"].(json.Number)
		n, err := there.Int64()
		if err != nil {
			return err
		}
		change = object{"stock": n + 1, "expectedStock": n}
	}
	return s.wantOutcome(ctx, name, can, "PATCH", path, change)
}

// wantOutcome tries what a member can do, or cannot.
func (s *roleSteps) wantOutcome(ctx context.Context, name, can, method, path string, body any) error {
	member, err := s.members.logIn(ctx, name)
	if err != nil {
		return err
	}
	if err := s.try(ctx, request{method, path, body, member}); err != nil {
		return err
	}
	if s.got.ok() == (can == "can") && (s.got.ok() || s.got.reason() == "forbidden") {
		return nil
	}
	return fmt.Errorf("it %s", s.got)
}
