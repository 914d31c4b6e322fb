package team

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// reader is a user who may be told something.
type reader struct {
	tenant.Principal

	email string
	wants team.Preferences
}

// readers are the users of a shop with what they want to be told; none if there is nothing to tell.
func (t *Teller) readers(ctx context.Context, id tenant.ID, all occasions) ([]reader, error) {
	if len(all) == 0 {
		return nil, nil
	}
	from := t.Store.Read(ports.ForTenant(id))
	users, err := allOf(ctx, from, identity.Users)
	if err != nil {
		return nil, err
	}
	roles, err := allOf(ctx, from, identity.Roles)
	if err != nil {
		return nil, err
	}
	preferences, err := allOf(ctx, from, team.UserPreferences)
	if err != nil {
		return nil, err
	}
	permissions, wants := map[string][]tenant.Permission{}, map[string]collection.Record{}
	for _, r := range roles {
		for _, one := range r.Texts("permissions") {
			permissions[r.Text("slug")] = append(permissions[r.Text("slug")], tenant.Permission(one))
		}
	}
	for _, p := range preferences {
		wants[p.Text("user")] = p
	}
	list := make([]reader, len(users))
	for i, u := range users {
		list[i] = reader{
			tenant.Principal{Kind: tenant.User, ID: u.ID(), Role: tenant.Role(u.Text("role")), Permissions: permissions[u.Text("role")]},
			u.Text("email"), team.PreferencesFrom(wants[u.ID()]),
		}
	}
	return list, nil
}

func allOf(ctx context.Context, from ports.Reader, s *collection.Schema) ([]collection.Record, error) {
	return ports.FindAll(ctx, from, collection.Query{
		Schema: s, Sort: s.SortBy("id"), LeaveOutDamaged: true,
	})
}

// writing is the notifications of one transaction.
type writing struct {
	*Teller

	tx      ports.Tx
	shop    tenant.ID
	to      int64 // number of the last event
	changes []collection.Change
}

// tellOf tells everybody who is reached by occasions of one kind.
func (w *writing) tellOf(ctx context.Context, n team.Notice, env tenant.Environment, some map[string]occasion, readers []reader) error {
	readers = slices.DeleteFunc(slices.Clone(readers), func(r reader) bool { return !n.Reaches(r.Principal, r.wants) })
	unseen, err := w.unseen(ctx, n.Kind, env, readers)
	if err != nil {
		return err
	}
	records := slices.SortedFunc(maps.Keys(some), func(a, b string) int { return int(some[a].sequence - some[b].sequence) })
	for _, r := range readers {
		own := slices.DeleteFunc(slices.Clone(records), func(id string) bool {
			by := some[id].actor
			return by.Kind == tenant.User && by.ID == r.ID
		})
		if len(own) == 0 {
			continue
		}
		plan := team.PlanTelling(unseen[r.ID], own)
		for _, id := range plan.Singly {
			w.add(n.Kind, env, r, id, some[id], 0)
		}
		if plan.Together == 0 {
			continue
		}
		if err := w.count(ctx, plan, n.Kind, env, r, some[own[len(own)-1]]); err != nil {
			return err
		}
	}
	return nil
}

// unseen are the notifications of a kind that readers did not see, by reader.
func (w *writing) unseen(ctx context.Context, kind string, env tenant.Environment, readers []reader) (map[string][]collection.Record, error) {
	ids := make([]string, len(readers))
	for i, r := range readers {
		ids[i] = r.ID
	}
	s, by := team.Notifications, map[string][]collection.Record{}
	if len(ids) == 0 {
		return by, nil
	}
	found, err := ports.FindAll(ctx, w.tx.Records, collection.Query{
		Schema: s, Environment: string(env), Sort: s.SortBy("id"),
		Where: collection.And{
			collection.FieldIn(s, "recipient", ids), s.Where("seen", collection.Equals, false), s.Where("kind", collection.Equals, kind),
		},
	})
	for _, n := range found {
		by[n.Text("recipient")] = append(by[n.Text("recipient")], n)
	}
	return by, err
}

// add makes a notification of a record, or of several, which together counts.
func (w *writing) add(kind string, env tenant.Environment, r reader, record string, o occasion, together int64) {
	c := team.Cause{Kind: kind, Collection: o.collection, Record: record, By: o.actor, Key: keyOf(kind, record, o.sequence)}
	if together > 0 {
		c.Key = keyOf(kind, "", w.to)
	}
	if o.actor.Kind != tenant.User && o.actor.Kind != tenant.SecretKey {
		c.By = tenant.Server
	}
	address := ""
	if r.wants.Mail[kind] {
		address = r.email
	}
	n := collection.Record{"id": w.NewID(), "tenant": string(w.shop), "environment": string(env)}
	c.Put(n, r.ID, address)
	if together > 0 {
		n["count"] = together
	}
	w.changes = append(w.changes, collection.NewChange(team.Notifications, nil, n, w.NewID(), w.Now()))
}

// count has more occasions counted together: in the notification that is there, unless it was seen meanwhile.
func (w *writing) count(ctx context.Context, plan team.Telling, kind string, env tenant.Environment, r reader, last occasion) error {
	if plan.Counted != nil {
		before, err := w.tx.Records.Lock(ctx, team.Notifications, plan.Counted.ID())
		if err != nil {
			return err
		}
		if !before.Bool("seen") {
			after := before.Clone()
			after["count"], after["collection"] = before.Int("count")+plan.Together, last.collection
			w.changes = append(w.changes, collection.NewChange(team.Notifications, before, after, w.NewID(), w.Now()))
			return nil
		}
	}
	w.add(kind, env, r, "", last, plan.Together)
	return nil
}
