package records

import (
	"context"
	"maps"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// PendingUpdate is the update of one record before its transaction, which it may share with updates of others. It goes by
// the rules of Service.Update, but that an update which changes nothing is no change: it makes no event and no revision.
type PendingUpdate struct {
	service *Service
	write   Write
	request writeRequest
	done    Write // as the last Store left it
	wrote   bool  // the last Store came as far as writing
}

// CheckAccess refuses callers who may not do each of verbs to every record of s: those who may only to some, as customers to
// their own, too. Errors: ErrCommandOnly, fault.ErrForbidden, fault.ErrUnauthenticated.
func (c *Service) CheckAccess(p tenant.Principal, s *collection.Schema, verbs ...collection.Verb) error {
	for _, verb := range verbs {
		filter, err := c.accessFilter(p, s, verb)
		switch {
		case err != nil:
			return err
		case filter != nil:
			return fault.ErrForbidden
		case verb == collection.Update && HasNoPatchableField(s), verb == collection.Create && s.CommandOnly:
			return ErrCommandOnly
		}
	}
	return nil
}

// NewUpdate prepares the update of a record of s by a caller whom CheckAccess admits. call has the caller and the
// expected revision; input may name one too. Errors: fault.ErrValidation, those of the collection's hooks.
func (c *Service) NewUpdate(
	ctx context.Context, call idempotency.Call, s *collection.Schema, id string, input map[string]any,
) (*PendingUpdate, error) {
	on, input, err := takeBasis(call, input)
	if err != nil {
		return nil, err
	}
	u := &PendingUpdate{service: c, request: writeRequest{schema: s, verb: collection.Update, id: id}, write: Write{
		Principal: call.Principal, Schema: s, ID: id, Input: input, Now: collection.TruncateTime(c.Now()), NewID: c.NewID, basis: on,
		slugAttempts: NewSlugAttempts(), sparing: !c.Hooks[s.Slug].NeedsAccounts,
	}}
	if prepare := c.Hooks[s.Slug].Prepare; prepare != nil {
		return u, prepare(ctx, &u.write)
	}
	return u, nil
}

// Scope is the scope of a transaction that updates records of s.
func (c *Service) Scope(p tenant.Principal, s *collection.Schema) ports.Scope {
	scope := ports.ForPrincipal(p)
	scope.System = c.Hooks[s.Slug].NeedsAccounts
	return scope
}

// Store makes the update in the transaction. It answers the record's revision and whether it changed. Errors: those of
// Service.Update.
func (u *PendingUpdate) Store(ctx context.Context, tx ports.Tx) (revision int64, changed bool, err error) {
	u.done = u.write
	u.done.Input = maps.Clone(u.write.Input)
	err = u.service.store(ctx, tx, &u.done, u.request, u.service.Hooks[u.done.Schema.Slug])
	if u.wrote = u.done.EventID != ""; err != nil {
		return 0, false, err
	}
	if !u.wrote {
		return u.done.Before.Revision(), false, nil
	}
	return u.done.After.Revision(), true, nil
}

// Wrote reports whether the last Store came as far as writing. An update that was refused before that leaves its
// transaction as it was, which others may go on with.
func (u *PendingUpdate) Wrote() bool { return u.wrote }

// Again reports whether the update has to be stored again in another transaction: another record took the slug that was
// made for this one.
func (u *PendingUpdate) Again(err error) bool { return u.write.slugAttempts.Again(err, u.write.Input) }

// Committed says that the transaction of the last Store was committed.
func (u *PendingUpdate) Committed() {
	if after := u.service.Hooks[u.done.Schema.Slug].AfterCommit; after != nil && u.wrote {
		after(&u.done)
	}
}

// changesNothing reports whether w leaves every field as it is and changes no other record.
func (w *Write) changesNothing() bool {
	if w.Before == nil || w.After == nil || len(w.RelatedChanges) > 0 {
		return false
	}
	for i := range w.Schema.Fields {
		if f := &w.Schema.Fields[i]; !collection.Equal(w.Before[f.Name], w.After[f.Name]) {
			return false
		}
	}
	return true
}
