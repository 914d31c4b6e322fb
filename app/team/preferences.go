package team

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Preferences are what users set up for themselves. Rule team-8.
type Preferences struct {
	Store ports.Store
	Now   func() time.Time
	NewID func() string
}

// Change is what a user changes of their preferences.
type Change struct {
	Values   map[string]any  // merged into those that are there
	Mail     map[string]bool // by the kinds of team.Notifications
	Tell     map[string]bool // by the kinds of team.Notices
	Revision int64           // that the change is based on; 0: any
}

// Show are the preferences of p and their revision, 0 for somebody who set up nothing. Errors: fault.ErrForbidden for others
// than users of a shop.
func (s *Preferences) Show(ctx context.Context, p tenant.Principal) (team.Preferences, int64, error) {
	if p.Kind != tenant.User || p.Tenant.ID == "" {
		return team.Preferences{}, 0, fault.ErrForbidden
	}
	r, err := preferencesOf(ctx, s.Store.Read(ports.ForTenant(p.Tenant.ID)), p.ID)
	return team.PreferencesFrom(r), r.Revision(), err
}

// Change changes the preferences of p, and returns them with their revision. Changes of one user are made one after another.
// Errors: fault.ErrForbidden for others than users of the shop, fault.ErrValidation, collection.ErrChangedMeanwhile.
func (s *Preferences) Change(ctx context.Context, p tenant.Principal, c Change) (next team.Preferences, revision int64, err error) {
	if p.Kind != tenant.User || p.Tenant.ID == "" {
		return next, 0, fault.ErrForbidden
	}
	err = s.Store.Atomically(ctx, ports.ForTenant(p.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Records.Lock(ctx, identity.Users, p.ID); errors.Is(err, ports.ErrNotFound) {
			return fault.ErrForbidden
		} else if err != nil {
			return err
		}
		before, err := preferencesOf(ctx, tx.Records, p.ID)
		if err != nil {
			return err
		}
		if err := collection.CheckRevision(before.Revision(), c.Revision); err != nil {
			return err
		}
		if next, err = team.PreferencesFrom(before).Merge(c.Values, c.Mail, c.Tell); err != nil {
			return err
		}
		after := collection.Record{"id": s.NewID(), "tenant": string(p.Tenant.ID), "user": p.ID}
		if before != nil {
			after = before.Clone()
		}
		next.Put(after)
		revision = before.Revision() + 1
		return tx.Records.Write(ctx, collection.NewChange(team.UserPreferences, before, after, s.NewID(), s.Now()))
	})
	return next, revision, err
}

// preferencesOf is the record of a user; nil for none.
func preferencesOf(ctx context.Context, r ports.Reader, user string) (collection.Record, error) {
	s := team.UserPreferences
	page, err := r.Find(ctx, collection.Query{Schema: s, Where: s.Where("user", collection.Equals, user), Limit: 1, Page: 1, SkipCount: true})
	if err != nil || len(page.Docs) == 0 {
		return nil, err
	}
	return page.Docs[0], nil
}
