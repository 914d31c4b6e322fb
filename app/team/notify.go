package team

import (
	"context"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/ports"
)

// notificationHooks let nobody mark what others are told.
func notificationHooks() records.Hooks {
	return records.Hooks{
		BeforeWrite: func(_ context.Context, _ ports.Tx, w *records.Write) error {
			return team.CheckRecipient(w.Before, w.Principal)
		},
		Reasons: []*fault.Error{team.ErrNotRecipient},
	}
}

// notify tells users of a cause, together with the record of w: each of them once, and not who did it. Who is no user of the
// shop any more is not told. Rule team-9.
func notify(ctx context.Context, tx ports.Tx, w *records.Write, c team.Cause, users []string) error {
	c.By = w.Principal.Actor()
	if users = c.Recipients(users); len(users) == 0 {
		return nil
	}
	found, err := tx.Records.GetMany(ctx, identity.Users, users, nil)
	if err != nil {
		return err
	}
	mail, err := mailedAbout(ctx, tx.Records, c.Kind, users)
	if err != nil {
		return err
	}
	told, err := toldOf(ctx, tx.Records, c, users)
	if err != nil {
		return err
	}
	for _, id := range users {
		if found[id] == nil || told[id] {
			continue
		}
		address := ""
		if mail(id) {
			address = found[id].Text("email")
		}
		n := w.NewRecord(team.Notifications)
		c.Put(n, id, address)
		w.AddChange(team.Notifications, nil, n)
	}
	return nil
}

// mailedAbout reports of users whether they want mail about a kind.
func mailedAbout(ctx context.Context, r ports.Reader, kind string, users []string) (func(user string) bool, error) {
	s := team.UserPreferences
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Where: collection.FieldIn(s, "user", users), Limit: collection.MaxLimit, Page: 1, SkipCount: true,
	})
	return func(user string) bool {
		i := slices.IndexFunc(page.Docs, func(p collection.Record) bool { return p.Text("user") == user })
		return i < 0 || team.PreferencesFrom(page.Docs[i]).Mail[kind]
	}, err
}

// toldOf are those of users who were told of c before, as of a comment that mentioned them in an earlier text.
func toldOf(ctx context.Context, r ports.Reader, c team.Cause, users []string) (map[string]bool, error) {
	s := team.Notifications
	where := collection.And{s.Where("record", collection.Equals, c.Record), s.Where("key", collection.Equals, c.Key)}
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Where: append(where, collection.FieldIn(s, "recipient", users)), Limit: collection.MaxLimit, Page: 1, SkipCount: true,
	})
	told := map[string]bool{}
	for _, n := range page.Docs {
		told[n.Text("recipient")] = true
	}
	return told, err
}

// WithAssignee are the hooks of a collection whose records have somebody who is on them: a new one is told.
func WithAssignee(h records.Hooks) records.Hooks {
	before := h.BeforeWrite
	h.BeforeWrite = func(ctx context.Context, tx ports.Tx, w *records.Write) error {
		if before != nil {
			if err := before(ctx, tx, w); err != nil {
				return err
			}
		}
		assignee := w.After.Text("assignee")
		if assignee == "" || assignee == w.Before.Text("assignee") {
			return nil
		}
		return notify(ctx, tx, w, team.Cause{
			Kind: team.Assigned, Collection: w.Schema.Slug, Record: w.ID,
			Key: team.Assigned + " " + w.ID + " " + strconv.FormatInt(w.Before.Revision(), 10),
		}, []string{assignee})
	}
	return h
}
