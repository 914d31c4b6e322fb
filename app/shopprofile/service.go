// Package shopprofile is what a shop tells about itself: the checks of its profile, and what everybody may read of it.
// Rules: features/shop/RULES.md.
package shopprofile

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service reads profiles.
type Service struct {
	Store ports.Store
}

// Hooks check the profile of a shop. Rule shop-3.
func Hooks() records.Hooks { return records.Hooks{BeforeWrite: beforeWrite} }

func beforeWrite(_ context.Context, _ ports.Tx, w *records.Write) (err error) {
	w.After, err = shop.Complete(w.Before, w.After, w.Principal.Tenant.Country, w.Principal.Tenant.Currency)
	return err
}

// Find returns the profile of r's tenant. Errors: ports.ErrNotFound.
func Find(ctx context.Context, r ports.Reader) (collection.Record, error) {
	page, err := r.Find(ctx, collection.Query{Schema: shop.Profiles, Limit: 1, Page: 1, SkipCount: true})
	if err == nil && len(page.Docs) == 0 {
		err = ports.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return page.Docs[0], nil
}

// Public are the members of what everybody may read of p's shop: its name and locale, the public fields of its profile,
// which are null without one, and the record of its logo. Rule shop-4. Errors: fault.ErrUnauthenticated, fault.ErrForbidden.
func (s *Service) Public(ctx context.Context, p tenant.Principal) ([]reply.Member, error) {
	switch {
	case p.Tenant.ID == "":
		return nil, fault.ErrUnauthenticated
	case p.Kind == tenant.SecretKey && !p.CanRead:
		return nil, fault.ErrForbidden
	}
	r := s.Store.Read(ports.ForPrincipal(p))
	own, err := r.Get(ctx, identity.Tenants, string(p.Tenant.ID))
	if err != nil {
		return nil, err
	}
	profile, err := Find(ctx, r)
	if err != nil && !errors.Is(err, ports.ErrNotFound) {
		return nil, err
	}
	logo, err := r.GetMany(ctx, media.Schema, []string{profile.Text("logo")}, nil)
	if err != nil {
		return nil, err
	}
	members := []reply.Member{{Name: "name", Value: own.Text("name")}, {Name: "locale", Value: own.Group("settings").Text("locale")}}
	for _, f := range shop.PublicFields {
		if f.Kind == collection.Upload {
			members = append(members, reply.Member{Name: f.Name, Schema: media.Schema, Record: logo[profile.Text(f.Name)]})
			continue
		}
		members = append(members, reply.Member{Fields: []collection.Field{f}, Record: collection.Record{f.Name: profile[f.Name]}})
	}
	return members, nil
}
