package steps

import (
	"context"
	"fmt"
)

func (w *world) memberSteps() []definition {
	return []definition{
		{`^"([^"]*)" is made a "([^"]*)" of the shop$`, func(ctx context.Context, name, role string) error { return w.makeMember(ctx, w.shop, name, role) }},
		{`^"([^"]*)" is made a "([^"]*)" of another shop$`, w.makeMemberElsewhere},
		{`^"([^"]*)" enters the shop$`, func(ctx context.Context, name string) error { return w.enter(ctx, name, w.shop) }},
		{`^"([^"]*)" enters the other shop$`, w.enterOther},
		{`^"([^"]*)" is a "([^"]*)" there$`, w.wantRole},
		{`^the admin renames "([^"]*)"$`, func(ctx context.Context, name string) error {
			return w.byAdmin(ctx, "PATCH", w.records[name], object{"name": "Somebody Else"})
		}},
		{`^the admin removes "([^"]*)"$`, func(ctx context.Context, name string) error { return w.byAdmin(ctx, "DELETE", w.records[name], nil) }},
		{`^the admin removes themselves$`, func(ctx context.Context) error { return w.bySelf(ctx, "DELETE", nil) }},
		{`^the admin makes themselves a "([^"]*)"$`, func(ctx context.Context, role string) error { return w.bySelf(ctx, "PATCH", object{"role": role}) }},
	}
}

// adminOf logs the first admin of a shop in.
func (w *world) adminOf(ctx context.Context, shop Credentials) (map[string]string, error) {
	got, err := w.must(ctx, request{"POST", "/api/users/login", object{"email": shop.AdminEmail, "password": shop.AdminPassword}, nil})
	return map[string]string{"Authorization": "Bearer " + text(got.body, "token")}, err
}

// makeMember: every shop makes up a password; only that of the first one counts.
func (w *world) makeMember(ctx context.Context, shop Credentials, name, role string) error {
	admin, err := w.adminOf(ctx, shop)
	if err != nil {
		return err
	}
	made, err := w.must(ctx, request{"POST", "/api/users", object{"email": w.emailOf(name), "password": "made up by " + shop.TenantID, "role": role}, admin})
	w.records[name] = text(made.body, "doc", "id")
	return err
}

func (w *world) makeMemberElsewhere(ctx context.Context, name, role string) (err error) {
	if w.other, err = w.target.Shop(ctx); err != nil {
		return err
	}
	return w.makeMember(ctx, w.other, name, role)
}

func (w *world) enter(ctx context.Context, name string, shop Credentials) error {
	got, err := w.must(ctx, request{"POST", "/api/users/login", object{"email": w.emailOf(name), "password": "made up by " + w.shop.TenantID}, nil})
	if err != nil {
		return err
	}
	entering := map[string]string{"Authorization": "Bearer " + text(got.body, "token"), "X-Tenant-Id": shop.TenantID}
	if err := w.try(ctx, request{"GET", "/api/brands", nil, entering}); err != nil || !w.got.ok() {
		return err
	}
	return w.try(ctx, request{"GET", "/api/users/me", nil, entering})
}

func (w *world) enterOther(ctx context.Context, name string) (err error) {
	if w.other.TenantID == "" {
		if w.other, err = w.target.Shop(ctx); err != nil {
			return err
		}
	}
	return w.enter(ctx, name, w.other)
}

func (w *world) wantRole(name, role string) error {
	if err := equal("the person", dig(w.got.body, "user", "email"), w.emailOf(name)); err != nil {
		return err
	}
	return equal("the role", dig(w.got.body, "user", "role"), role)
}

func (w *world) byAdmin(ctx context.Context, method, id string, body any) error {
	admin, err := w.adminOf(ctx, w.shop)
	if err != nil {
		return err
	}
	return w.try(ctx, request{method, "/api/users/" + id, body, admin})
}

func (w *world) bySelf(ctx context.Context, method string, body any) error {
	admin, err := w.adminOf(ctx, w.shop)
	if err != nil {
		return err
	}
	me, err := w.must(ctx, request{"GET", "/api/users/me", nil, admin})
	if err != nil {
		return fmt.Errorf("who the admin is: %w", err)
	}
	return w.try(ctx, request{method, "/api/users/" + text(me.body, "user", "id"), body, admin})
}
