package team

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/ports"
)

// ViewHooks are what writing a saved view does besides what its schema says. The registry has the collections of which there are
// views. Rules team-6, team-7.
func ViewHooks(registry *collection.Registry, fold collection.Fold) records.Hooks {
	v := viewHooks{registry, &records.Service{Registry: registry, Fold: fold}}
	return records.Hooks{
		BeforeWrite: v.beforeWrite,
		Reasons: []*fault.Error{
			team.ErrNotOwner, team.ErrNoOwner, team.ErrNotSharing, team.ErrManyViews, collection.ErrQuery,
		},
	}
}

type viewHooks struct {
	registry *collection.Registry
	lists    *records.Service // reads queries, as lists do
}

func (v viewHooks) beforeWrite(ctx context.Context, tx ports.Tx, w *records.Write) (err error) {
	if w.After == nil {
		return team.CheckOwner(w.Before, w.Principal)
	}
	var check team.QueryCheck
	if of := v.registry.Get(w.After.Text("collection")); of != nil {
		if _, err := access.Allowed(w.Principal, of, collection.Read); err == nil {
			check = func(where collection.JSONValue, sort string) error {
				return v.lists.CheckQuery(w.Principal, of, where, sort)
			}
		}
	}
	if w.After, err = team.WriteView(w.Before, w.After, w.Principal, check); err != nil || !w.Create {
		return err
	}
	return checkRoom(ctx, tx, w)
}

// checkRoom refuses one view too many. The lock on the owner makes the number exact. Errors: team.ErrManyViews, team.ErrNoOwner
// for a platform admin who is no user of the shop.
func checkRoom(ctx context.Context, tx ports.Tx, w *records.Write) error {
	owner := w.After.Text("owner")
	if _, err := tx.Records.Lock(ctx, identity.Users, owner); errors.Is(err, ports.ErrNotFound) {
		return team.ErrNoOwner
	} else if err != nil {
		return err
	}
	s := team.SavedViews
	page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Where: s.Where("owner", collection.Equals, owner), Page: 1})
	if err == nil && page.TotalDocs >= team.MaxViews {
		err = team.ErrManyViews.WithData("limit", int64(team.MaxViews))
	}
	return err
}
