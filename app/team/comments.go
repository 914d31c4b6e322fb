package team

import (
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/ports"
)

// CommentHooks are what writing a comment does besides what its schema says. The registry has the collections that are
// commented on. Rules team-2, team-3.
func CommentHooks(registry *collection.Registry) records.Hooks {
	c := commentHooks{registry}
	return records.Hooks{
		BeforeLock: beforeLockComment, BeforeWrite: c.beforeWrite,
		Reasons: []*fault.Error{team.ErrNotCommented, team.ErrMention, team.ErrNotAuthor, team.ErrManyComments},
	}
}

type commentHooks struct{ registry *collection.Registry }

// beforeLockComment refuses mentions of nobody by their own reason, before they are refused as links that lead nowhere.
func beforeLockComment(ctx context.Context, tx ports.Tx, w *records.Write) error {
	items, _ := w.Input["mentions"].([]any)
	var ids []string
	for _, it := range items {
		if m, embedded := it.(map[string]any); embedded {
			it = m["id"]
		}
		if id, isText := it.(string); isText {
			ids = append(ids, id)
		}
	}
	if len(ids) > team.MaxMentions {
		return nil // which is refused by their number
	}
	return checkMentions(ctx, tx, ids)
}

// checkMentions refuses ids of whoever is no user of the shop. Errors: team.ErrMention.
func checkMentions(ctx context.Context, tx ports.Tx, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	found, err := tx.Records.GetMany(ctx, identity.Users, ids, nil)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if found[id] == nil {
			return team.ErrMention.WithData("user", id)
		}
	}
	return nil
}

func (c commentHooks) beforeWrite(ctx context.Context, tx ports.Tx, w *records.Write) (err error) {
	if w.After == nil {
		return team.CheckDelete(w.Before, w.Principal)
	}
	if w.After, err = team.WriteComment(w.Before, w.After, w.Principal.Actor(), w.Now); err != nil {
		return err
	}
	if w.Create {
		if err := c.checkRecord(ctx, tx, w); err != nil {
			return err
		}
	}
	known := w.Before.Texts("mentions")
	fresh := slices.DeleteFunc(slices.Clone(w.After.Texts("mentions")), func(id string) bool { return slices.Contains(known, id) })
	if err := checkMentions(ctx, tx, fresh); err != nil {
		return err
	}
	return notify(ctx, tx, w, team.Cause{
		Kind: team.Mentioned, Collection: w.After.Text("collection"), Record: w.After.Text("record"), Comment: w.ID,
		Key: team.Mentioned + " " + w.ID,
	}, fresh)
}

// checkRecord refuses a comment on what is not there, is of another environment or shop, or is not for its author to read. The
// record stays until the transaction ends: it cannot go without this comment. Errors: team.ErrNotCommented, team.ErrManyComments.
func (c commentHooks) checkRecord(ctx context.Context, tx ports.Tx, w *records.Write) error {
	schema := c.registry.Get(w.After.Text("collection"))
	if _, err := access.Allowed(w.Principal, schema, collection.Read); err != nil {
		return team.ErrNotCommented
	}
	r, err := tx.Records.LockShared(ctx, schema, w.After.Text("record"))
	switch {
	case errors.Is(err, ports.ErrNotFound):
		return team.ErrNotCommented
	case err != nil:
		return err
	case schema.PerEnvironment && r.Text("environment") != string(w.Principal.Environment):
		return team.ErrNotCommented
	}
	page, err := tx.Records.Find(ctx, collection.Query{Schema: team.Comments, Where: commentsOn(schema.Slug, r.ID()), Page: 1})
	if err == nil && page.TotalDocs >= team.MaxComments {
		err = team.ErrManyComments.WithData("limit", int64(team.MaxComments))
	}
	return err
}

// commentsOn is the condition of the comments on a record.
func commentsOn(slug, id string) collection.And {
	s := team.Comments
	return collection.And{s.Where("collection", collection.Equals, slug), s.Where("record", collection.Equals, id)}
}

// WithComments are the hooks of a collection whose records can be deleted: with a record go its comments, those of both
// environments, in the same transaction. Rule team-5.
func WithComments(h records.Hooks) records.Hooks {
	before := h.BeforeWrite
	h.BeforeWrite = func(ctx context.Context, tx ports.Tx, w *records.Write) error {
		if before != nil {
			if err := before(ctx, tx, w); err != nil {
				return err
			}
		}
		if w.After != nil || w.Before == nil {
			return nil
		}
		return deleteAll(ctx, tx, w, team.Comments, commentsOn(w.Schema.Slug, w.ID))
	}
	return h
}

// deleteAll deletes the records of s that match, together with that of w.
func deleteAll(ctx context.Context, tx ports.Tx, w *records.Write, s *collection.Schema, where collection.Cond) error {
	for page := 1; ; page++ {
		found, err := tx.Records.Find(ctx, collection.Query{Schema: s, Where: where, Limit: collection.MaxLimit, Page: page, SkipCount: true})
		if err != nil {
			return err
		}
		for _, r := range found.Docs {
			w.AddChange(s, r, nil)
		}
		if len(found.Docs) < collection.MaxLimit {
			return nil
		}
	}
}
