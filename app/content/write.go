package content

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// keepFor is how long the receipt of a generic write is kept.
const keepFor = 7 * 24 * time.Hour

// Create makes a record from input. The answer is {message, doc}. Errors: fault.ErrValidation, fault.ErrForbidden,
// ErrOperated, ports.ErrDuplicate, once.ErrKeyReused.
func (c *Content) Create(ctx context.Context, call once.Call, s *collection.Schema, input map[string]any, show Show) (once.Answer, error) {
	return c.CreateWith(ctx, call, s, input, show, nil)
}

// CreateWith is Create with a note for the hooks of the collection: what came along that is no field.
func (c *Content) CreateWith(ctx context.Context, call once.Call, s *collection.Schema, input map[string]any, show Show, note any) (once.Answer, error) {
	if s.Operated {
		return once.Answer{}, ErrOperated
	}
	return c.write(ctx, call, job{schema: s, verb: collection.Create, id: c.NewID(), input: input, show: show, note: note})
}

// Update merges input into the record. The answer is {message, doc}. Of operated collections only Free fields change.
// Errors: as Create, and fault.ErrNotFound.
func (c *Content) Update(ctx context.Context, call once.Call, s *collection.Schema, id string, input map[string]any, show Show) (once.Answer, error) {
	return c.UpdateWith(ctx, call, s, id, input, show, nil)
}

// UpdateWith is Update with a note, as CreateWith.
func (c *Content) UpdateWith(ctx context.Context, call once.Call, s *collection.Schema, id string, input map[string]any, show Show, note any) (once.Answer, error) {
	if fixed(s) {
		return once.Answer{}, ErrOperated
	}
	return c.write(ctx, call, job{schema: s, verb: collection.Update, id: id, input: input, show: show, note: note})
}

// fixed reports whether no field of s can be written by a client.
func fixed(s *collection.Schema) bool {
	return s.Operated && !slices.ContainsFunc(s.Fields, func(f collection.Field) bool { return f.Free })
}

// Delete removes the record. The answer is {id, message, doc}, doc being the last state. Errors: fault.ErrNotFound,
// fault.ErrForbidden, ErrOperated, ErrNoDelete.
func (c *Content) Delete(ctx context.Context, call once.Call, s *collection.Schema, id string, show Show) (once.Answer, error) {
	switch {
	case s.Operated:
		return once.Answer{}, ErrOperated
	case s.NoDelete:
		return once.Answer{}, ErrNoDelete
	}
	return c.write(ctx, call, job{schema: s, verb: collection.Delete, id: id, show: show})
}

// job is one generic write as asked for.
type job struct {
	schema *collection.Schema
	verb   collection.Verb
	id     string
	input  map[string]any
	show   Show
	note   any
	bare   bool // answer with the record alone
	reach  collection.Cond
}

func (c *Content) write(ctx context.Context, call once.Call, j job) (answer once.Answer, err error) {
	if err := c.check(j.schema, call.Principal, 0, j.show); err != nil {
		return answer, err
	}
	if j.reach, err = c.reach(call.Principal, j.schema, j.verb); err != nil {
		return answer, err
	}
	if j.reach != nil { // a customer: only what the collection leaves to them
		if err := c.ownOnly(j); err != nil {
			return answer, err
		}
	}
	if j.schema.Operated && call.Key != "" {
		if err := call.Check(j.id); err != nil {
			return answer, err
		}
	}
	if done, err := c.replay(ctx, call); done != nil || err != nil {
		return orEmpty(done), err
	}
	w := Write{
		Principal: call.Principal, Schema: j.schema, ID: j.id, Create: j.verb == collection.Create, Input: maps.Clone(j.input), Note: j.note,
		Now: collection.Instant(c.Now()), NewID: c.NewID,
	}
	if shape := c.Hooks[j.schema.Slug].Shape; shape != nil {
		if err := shape(ctx, &w); err != nil {
			return answer, err
		}
	}
	answer, err = c.commit(ctx, call, w, j)
	if err != nil && call.Key != "" {
		return c.refused(ctx, call, w, err)
	}
	return answer, err
}

// commit stores w and its receipt in one transaction. A new record shares it with other writes where its hooks allow.
// Engineering 4.
func (c *Content) commit(ctx context.Context, call once.Call, w Write, j job) (answer once.Answer, err error) {
	hooks, hooked := c.Hooks[j.schema.Slug]
	w.slugs = &made{refused: map[string]bool{}}
	if c.Committer != nil && w.Create && (!hooked || hooks.Apart) {
		answer, err = c.commitShared(ctx, call, w, j, hooks)
		if !errors.Is(err, errOwnTransaction) && !slugTaken(err, w.Input) {
			return answer, err
		}
	}
	for tries := 0; ; tries++ {
		if slugTaken(err, w.Input) {
			w.slugs.refuse()
		}
		answer, err = c.commitOwn(ctx, call, w, j, hooks)
		if tries == slugTries || !slugTaken(err, w.Input) {
			return answer, err
		}
	}
}

// slugTries is how often a write with a made slug starts again because others were faster with the same name.
const slugTries = 50

// slugTaken reports whether a write failed for nothing but a slug that we made; the next try makes another one.
func slugTaken(err error, input map[string]any) bool {
	f := fault.From(err)
	return errors.Is(err, ports.ErrDuplicate) && len(f.Fields) == 1 && f.Fields[0].Field == "slug" && (input["slug"] == nil || input["slug"] == "")
}

// commitOwn stores w and its receipt in a transaction of its own.
func (c *Content) commitOwn(ctx context.Context, call once.Call, w Write, j job, hooks Hooks) (answer once.Answer, err error) {
	scope := ports.For(w.Principal)
	scope.System = hooks.Accounts
	err = c.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		attempt := w
		attempt.Input = maps.Clone(w.Input)
		if err := c.keep(ctx, tx, &attempt, j, hooks); err != nil {
			return err
		}
		record, err := c.stands(ctx, tx.Records, &attempt, j)
		if err != nil {
			return err
		}
		from := source{Reader: tx.Records}
		if scope.System {
			from.open = &tx
		}
		body, err := c.written(ctx, from, &attempt, j, record)
		if err != nil {
			return err
		}
		answer = answerTo(call, &w, body)
		if call.Key == "" {
			return nil
		}
		return tx.Receipts.Keep(ctx, receipt(call, answer, &w), 0)
	})
	return answer, err
}

func answerTo(call once.Call, w *Write, body []byte) once.Answer {
	answer := once.Answer{Result: ports.OK, Body: body, RequestID: call.RequestID}
	if w.Create {
		answer.Result = ports.Created
	}
	return answer
}

// ownOnly refuses what a customer may not change in an own record. Errors: fault.ErrForbidden, fault.ErrValidation.
func (c *Content) ownOnly(j job) error {
	own := c.Hooks[j.schema.Slug].Own
	if len(own) == 0 {
		return fault.ErrForbidden
	}
	var bad []fault.Field
	for _, name := range slices.Sorted(maps.Keys(j.input)) {
		if !slices.Contains(own, name) {
			bad = append(bad, fault.Field{Field: name, Message: "You cannot change this field."})
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.In(bad...)
	}
	return nil
}

// keep stores the record and whatever its hooks add.
func (c *Content) keep(ctx context.Context, tx ports.Tx, w *Write, j job, hooks Hooks) error {
	if hooks.Enter != nil {
		if err := hooks.Enter(ctx, tx, w); err != nil {
			return err
		}
	}
	if err := c.step(ctx, tx, w, j); err != nil {
		return err
	}
	if hooks.Within != nil {
		if err := hooks.Within(ctx, tx, w); err != nil {
			return err
		}
	}
	w.EventID = w.NewID()
	change := collection.NewChange(w.Schema, w.Before, w.After, w.EventID, w.Now)
	if w.Create && w.ID != j.id { // a person's id, who may have been here before
		gone, err := tx.Records.Gone(ctx, []string{w.ID})
		if err != nil {
			return err
		}
		change = change.Following(gone[w.ID])
	}
	if err := tx.Records.Write(ctx, append([]collection.Change{change}, w.Also...)...); err != nil {
		return err
	}
	if hooks.Then != nil {
		return hooks.Then(ctx, tx, w)
	}
	return nil
}

// step fills Before and After.
func (c *Content) step(ctx context.Context, tx ports.Tx, w *Write, j job) error {
	if !w.Create {
		if _, err := tx.Records.Lock(ctx, w.Schema, w.ID); err != nil {
			return err
		}
		before, err := c.find(ctx, tx.Records, w.Schema, w.Principal.Environment, w.ID, j.reach)
		if err != nil {
			return err
		}
		w.Before = before
	}
	if j.verb == collection.Delete {
		return nil
	}
	return c.accept(ctx, tx.Records, w)
}

// accept reads the input into After and checks its links.
func (c *Content) accept(ctx context.Context, r ports.Reader, w *Write) error {
	after, err := w.writer().Accept(w.Before, w.Input)
	if err != nil {
		return err
	}
	if w.Create {
		maps.Copy(after, newRecord(w.Principal, w.Schema, w.ID))
	}
	w.After = after
	return c.checkLinks(ctx, r, w)
}

// writer reads the input of w.
func (w *Write) writer() collection.Writer {
	p := w.Principal
	reads := collection.Writer{Schema: w.Schema, Currency: p.Tenant.Currency, NewID: w.NewID, Now: w.Now, Trusted: p.Kind == tenant.System}
	if w.Create {
		reads.Born = newRecord(p, w.Schema, w.ID)
	}
	return reads
}

// checkLinks refuses new links to records that are not there for this tenant and environment. A foreign record and a
// missing one read the same. Errors: fault.ErrValidation.
func (c *Content) checkLinks(ctx context.Context, r ports.Reader, w *Write) error {
	old := map[collection.Link]bool{}
	for _, l := range w.Schema.Links(w.Before) {
		old[collection.Link{Slug: l.Slug, ID: l.ID}] = true
	}
	wanted := map[string][]string{}
	links := w.Schema.Links(w.After)
	for _, l := range links {
		if !old[collection.Link{Slug: l.Slug, ID: l.ID}] {
			wanted[l.Slug] = append(wanted[l.Slug], l.ID)
		}
	}
	there, err := c.standing(ctx, r, w, wanted)
	if err != nil {
		return err
	}
	var bad []fault.Field
	for _, l := range links {
		if at := (collection.Link{Slug: l.Slug, ID: l.ID}); !old[at] && !there[at] {
			bad = append(bad, fault.Field{Field: l.Path, Message: "There is no such record."})
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.In(bad...)
	}
	return nil
}

// standing finds which of the wanted ids, by collection, are records that w may name. Ahead of a transaction all
// collections are asked at once.
func (c *Content) standing(ctx context.Context, r ports.Reader, w *Write, wanted map[string][]string) (map[collection.Link]bool, error) {
	slugs := slices.Sorted(maps.Keys(wanted))
	found, errs := make([]map[string]collection.Record, len(slugs)), make([]error, len(slugs))
	ask := func(i int) { found[i], errs[i] = r.GetMany(ctx, c.Registry.Get(slugs[i]), wanted[slugs[i]]) }
	var others sync.WaitGroup
	for i := range slugs {
		if w.ahead && i < len(slugs)-1 {
			others.Go(func() { ask(i) })
		} else {
			ask(i)
		}
	}
	others.Wait()
	there := map[collection.Link]bool{}
	for i, slug := range slugs {
		environmented := c.Registry.Get(slug).Environmented
		for id, record := range found[i] {
			there[collection.Link{Slug: slug, ID: id}] = !environmented || record.Text("environment") == string(w.Principal.Environment)
		}
	}
	return there, errors.Join(errs...)
}

// stands is what the answer to a write shows: the record as it is now, with its computed fields, or as it was before its
// delete.
func (c *Content) stands(ctx context.Context, r ports.Reader, w *Write, j job) (collection.Record, error) {
	switch {
	case j.verb == collection.Delete:
		return w.Before, nil
	case computed(w.Schema) && w.After != nil:
		return c.find(ctx, r, w.Schema, w.Principal.Environment, w.ID, nil)
	}
	return w.After, nil
}

// written is the body of the answer to a write that shows record.
func (c *Content) written(ctx context.Context, r source, w *Write, j job, record collection.Record) ([]byte, error) {
	dst, message := []byte(`{"message":`), w.Schema.Singular+" successfully created."
	switch j.verb {
	case collection.Update:
		message = "Updated successfully."
	case collection.Delete:
		message = "Deleted successfully."
		dst = append(collection.AppendString([]byte(`{"id":`), w.ID), `,"message":`...)
	default: // a creation, as prepared above
	}
	if w.Seen != nil {
		record = w.Seen
	}
	record = w.Schema.AsOf(record, c.Now())
	shown, err := c.show(ctx, r, w.Principal, w.Schema, []collection.Record{record}, j.show)
	if err != nil {
		return nil, err
	}
	if j.bare {
		return shown.append(nil, record)
	}
	dst = append(collection.AppendString(dst, message), `,"doc":`...)
	dst, err = shown.append(dst, record)
	return append(dst, '}'), err
}
