package records

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Create makes a record from input. The response is {message, doc}. Errors: fault.ErrValidation,
// fault.ErrForbidden, ErrCommandOnly, ports.ErrDuplicate, idempotency.ErrKeyReused.
func (c *Service) Create(
	ctx context.Context, call idempotency.Call, s *collection.Schema, input map[string]any, show Projection,
) (idempotency.Response, error) {
	return c.CreateWithData(ctx, call, s, input, show, nil)
}

// CreateWithData is Create with HookData for the collection's hooks: data that is not a field.
func (c *Service) CreateWithData(
	ctx context.Context, call idempotency.Call, s *collection.Schema, input map[string]any, show Projection, note any,
) (idempotency.Response, error) {
	if s.CommandOnly {
		return idempotency.Response{}, ErrCommandOnly
	}
	return c.execute(ctx, call, writeRequest{
		schema: s, verb: collection.Create, id: c.NewID(), input: input, projection: show, hookData: note,
	})
}

// Update merges input into the record. The response is {message, doc}. Of command-only collections only
// Patchable fields can be changed. Errors: as Create, and fault.ErrNotFound.
func (c *Service) Update(
	ctx context.Context, call idempotency.Call, s *collection.Schema, id string, input map[string]any, show Projection,
) (idempotency.Response, error) {
	return c.UpdateWithData(ctx, call, s, id, input, show, nil)
}

// UpdateWithData is Update with HookData, as CreateWithData.
func (c *Service) UpdateWithData(
	ctx context.Context, call idempotency.Call, s *collection.Schema, id string, input map[string]any, show Projection, note any,
) (idempotency.Response, error) {
	if HasNoPatchableField(s) {
		return idempotency.Response{}, ErrCommandOnly
	}
	return c.execute(ctx, call, writeRequest{schema: s, verb: collection.Update, id: id, input: input, projection: show, hookData: note})
}

// HasNoPatchableField reports whether no field of s can be written by a client: its operations write them all.
func HasNoPatchableField(s *collection.Schema) bool {
	return s.CommandOnly && !slices.ContainsFunc(s.Fields, func(f collection.Field) bool { return f.Patchable })
}

// Delete deletes the record. The response is {id, message, doc}, doc being the last state. Errors:
// fault.ErrNotFound, fault.ErrForbidden, ErrCommandOnly, ErrDeleteNotSupported.
func (c *Service) Delete(
	ctx context.Context, call idempotency.Call, s *collection.Schema, id string, show Projection,
) (idempotency.Response, error) {
	switch {
	case s.CommandOnly:
		return idempotency.Response{}, ErrCommandOnly
	case s.NoDelete:
		return idempotency.Response{}, ErrDeleteNotSupported
	}
	return c.execute(ctx, call, writeRequest{schema: s, verb: collection.Delete, id: id, projection: show})
}

// writeRequest is one requested write.
type writeRequest struct {
	schema     *collection.Schema
	verb       collection.Verb
	id         string
	input      map[string]any
	projection Projection
	hookData   any
	docOnly    bool // respond with the record alone
	filter     collection.Cond
}

func (c *Service) execute(ctx context.Context, call idempotency.Call, j writeRequest) (response idempotency.Response, err error) {
	if err := j.requireProof(call.Principal); err != nil {
		return response, err
	}
	if err := c.checkQuery(j.schema, call.Principal, 0, j.projection); err != nil {
		return response, err
	}
	if j.filter, err = c.accessFilter(call.Principal, j.schema, j.verb); err != nil {
		return response, err
	}
	var on basis
	if j.verb != collection.Create {
		if on, j.input, err = takeBasis(call, j.input); err != nil {
			return response, err
		}
	}
	if call.Principal.Kind == tenant.Customer && j.filter != nil { // only the fields the collection lists as theirs
		if err := c.checkCustomerFields(j); err != nil {
			return response, err
		}
	}
	if j.schema.CommandOnly && call.Key != "" {
		if err := call.CheckKey(j.id); err != nil {
			return response, err
		}
	}
	if done, err := c.replay(ctx, call); done != nil || err != nil {
		return orZero(done), err
	}
	w := Write{
		Principal: call.Principal, Schema: j.schema, ID: j.id, Create: j.verb == collection.Create, Input: maps.Clone(j.input),
		HookData: j.hookData, Now: collection.TruncateTime(c.Now()), NewID: c.NewID, basis: on,
	}
	if shape := c.Hooks[j.schema.Slug].Prepare; shape != nil {
		if err := shape(ctx, &w); err != nil {
			return response, err
		}
	}
	response, err = c.commit(ctx, call, w, j)
	if err != nil && call.Key != "" {
		return c.keepRefusal(ctx, call, w, err)
	}
	return response, err
}

// commit stores w and its receipt in one transaction. A create shares it with other writes where its hooks
// allow. Decision 5.
func (c *Service) commit(ctx context.Context, call idempotency.Call, w Write, j writeRequest) (response idempotency.Response, err error) {
	hooks, hooked := c.Hooks[j.schema.Slug]
	w.slugAttempts = NewSlugAttempts()
	if c.Committer != nil && w.Create && (!hooked || hooks.Batchable) {
		response, err = c.commitShared(ctx, call, w, j, hooks)
		if !errors.Is(err, errNeedsTransaction) && !slugTaken(err, w.Input) {
			return response, err
		}
	}
	for tries := 0; ; tries++ {
		if slugTaken(err, w.Input) {
			w.slugAttempts.rejectLast()
		}
		response, err = c.commitAlone(ctx, call, w, j, hooks)
		if tries == maxSlugAttempts || !slugTaken(err, w.Input) {
			return response, err
		}
	}
}

// maxSlugAttempts is how often a write with a generated slug is retried because the slug was taken
// concurrently.
const maxSlugAttempts = 50

// slugTaken reports whether a write failed only because of a generated slug; the next attempt generates
// another one.
func slugTaken(err error, input map[string]any) bool {
	f := fault.From(err)
	return errors.Is(err, ports.ErrDuplicate) && len(f.Fields) == 1 && f.Fields[0].Field == "slug" &&
		(input["slug"] == nil || input["slug"] == "")
}

// commitAlone stores w and its receipt in a transaction of its own.
func (c *Service) commitAlone(
	ctx context.Context, call idempotency.Call, w Write, j writeRequest, hooks Hooks,
) (response idempotency.Response, err error) {
	scope := ports.ForPrincipal(w.Principal)
	scope.System = hooks.NeedsAccounts
	var attempt Write
	err = c.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		attempt = w
		attempt.Input = maps.Clone(w.Input)
		if err := c.store(ctx, tx, &attempt, j, hooks); err != nil {
			return err
		}
		body, err := c.storedBody(ctx, tx, &attempt, j, scope.System)
		if err != nil {
			return err
		}
		response = newAnswer(call, &attempt, body)
		if call.Key == "" {
			return nil
		}
		return tx.Receipts.Save(ctx, newReceipt(call, response, &attempt), 0)
	})
	if err == nil && hooks.AfterCommit != nil {
		hooks.AfterCommit(&attempt)
	}
	return response, err
}

// storedBody is the body of the response to a write in its transaction; across reads records of other tenants.
func (c *Service) storedBody(ctx context.Context, tx ports.Tx, w *Write, j writeRequest, across bool) (*reply.Body, error) {
	if w.Accepted != nil {
		return w.Accepted, nil
	}
	record, err := c.currentRecord(ctx, tx.Records, w, j)
	if err != nil {
		return nil, err
	}
	from := readSource{Reader: tx.Records, room: newRoom()}
	if across {
		from.openTx = &tx
	}
	return c.writeBody(ctx, from, w, j, record)
}

func newAnswer(call idempotency.Call, w *Write, body *reply.Body) idempotency.Response {
	response := idempotency.Response{Result: ports.ReceiptOK, Body: body, RequestID: call.RequestID, Sequence: w.After.Sequence()}
	switch {
	case w.Schema.NoEvents: // which no event tells
		response.Sequence = 0
		if w.Create {
			response.Result = ports.ReceiptCreated
		}
	case w.Accepted != nil:
		response.Result, response.Sequence = ports.ReceiptAccepted, 0
	case w.Create:
		response.Result = ports.ReceiptCreated
	case w.After == nil: // deleted, which is a change too
		response.Sequence = w.Before.Sequence() + 1
	}
	return response
}

// checkCustomerFields refuses changes a customer may not make to their own record. Errors:
// fault.ErrForbidden, fault.ErrValidation.
func (c *Service) checkCustomerFields(j writeRequest) error {
	own := c.Hooks[j.schema.Slug].CustomerFields
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
		return fault.ErrValidation.WithFields(bad...)
	}
	return nil
}

// store stores the record and the changes its hooks add.
func (c *Service) store(ctx context.Context, tx ports.Tx, w *Write, j writeRequest, hooks Hooks) error {
	if hooks.BeforeLock != nil {
		if err := hooks.BeforeLock(ctx, tx, w); err != nil {
			return err
		}
	}
	if err := c.loadAndAccept(ctx, tx, w, j); err != nil {
		return err
	}
	if hooks.BeforeWrite != nil {
		if err := hooks.BeforeWrite(ctx, tx, w); err != nil {
			return err
		}
	}
	if w.Accepted != nil || w.sparing && w.changesNothing() {
		return nil
	}
	w.EventID = w.NewID()
	change := collection.NewChange(w.Schema, w.Before, w.After, w.EventID, w.Now)
	if err := tx.Records.Write(ctx, append([]collection.Change{change}, w.RelatedChanges...)...); err != nil {
		return err
	}
	w.family.note(append(w.RelatedChanges, change)...)
	if hooks.AfterWrite != nil {
		return hooks.AfterWrite(ctx, tx, w)
	}
	return nil
}

// lockPresent locks the record that w changes and answers it as it is.
func (c *Service) lockPresent(ctx context.Context, tx ports.Tx, w *Write, j writeRequest) (collection.Record, error) {
	if known := w.family.find(w.Schema, w.ID); known != nil && j.filter == nil {
		return known, nil
	}
	if _, err := tx.Records.Lock(ctx, w.Schema, w.ID); err != nil {
		return nil, err
	}
	return c.findRecord(ctx, tx.Records, w.Schema, w.Principal.Environment, w.ID, j.filter)
}

// loadAndAccept fills Before and After.
func (c *Service) loadAndAccept(ctx context.Context, tx ports.Tx, w *Write, j writeRequest) error {
	if err := j.requireProof(w.Principal); err != nil {
		return err
	}
	if !w.Create {
		before, err := c.lockPresent(ctx, tx, w, j)
		if err != nil {
			return err
		}
		w.Before = before
		if err := w.basis.check(before); err != nil {
			return err
		}
	}
	if j.verb == collection.Delete {
		return nil
	}
	if err := c.accept(ctx, tx.Records, w); err != nil || w.Create {
		return err
	}
	if w.Schema.GuardsChange(w.Before, w.After) {
		return w.Principal.RequireProof()
	}
	return nil
}

// requireProof refuses a guarded write by a person whose session was not proven lately.
// Errors: tenant.ErrReauthenticate.
func (j *writeRequest) requireProof(p tenant.Principal) error {
	if j.schema.Guards(j.verb) {
		return p.RequireProof()
	}
	return nil
}

// accept reads the input into After, and checks its size and its links.
func (c *Service) accept(ctx context.Context, r ports.Reader, w *Write) error {
	after, err := w.writer().Merge(w.Before, w.Input)
	if err != nil {
		return err
	}
	if w.Create {
		maps.Copy(after, newRecord(w.Principal, w.Schema, w.ID))
	}
	w.After = after
	if err := w.Schema.CheckSize(w.Before, w.After); err != nil {
		return err
	}
	if err := checkErased(ctx, r, w); err != nil {
		return err
	}
	return checkLinks(ctx, r, c.Registry, w)
}

// writer reads the input of w.
func (w *Write) writer() collection.InputParser {
	p := w.Principal
	reads := collection.InputParser{
		Schema: w.Schema, Currency: p.Tenant.Currency, NewID: w.NewID, Now: w.Now, Trusted: p.Kind == tenant.System,
		Content: p.Content, Locales: p.Tenant.OtherLocales(),
	}
	if w.Create {
		reads.Preset = newRecord(p, w.Schema, w.ID)
		for _, own := range w.NamesTenant {
			maps.Copy(reads.Preset, own)
		}
	} else {
		reads.Own = w.NamesTenant
	}
	return reads
}

// currentRecord is what the response to a write shows: the current record with its computed fields, or the
// last state of a deleted one.
func (c *Service) currentRecord(ctx context.Context, r ports.Reader, w *Write, j writeRequest) (collection.Record, error) {
	switch {
	case j.verb == collection.Delete:
		return w.Before, nil
	case hasComputedFields(w.Schema) && w.After != nil:
		return c.findRecord(ctx, r, w.Schema, w.Principal.Environment, w.ID, nil)
	}
	return w.After, nil
}

// writeBody is the body of the response to a write that shows record.
func (c *Service) writeBody(ctx context.Context, r readSource, w *Write, j writeRequest, record collection.Record) (*reply.Body, error) {
	if w.Shown != nil {
		record = w.Shown
	}
	record = w.Schema.Localized(w.Schema.AsOf(record, c.Now()), w.Principal.Content)
	shown, err := c.newRenderer(ctx, r, w.Principal, w.Schema, []collection.Record{record}, j.projection)
	if err != nil {
		return nil, err
	}
	doc := shown.member(record)
	if j.docOnly {
		return shown.body(doc)
	}
	doc.Name = "doc"
	message := reply.Member{Name: "message", Value: w.Schema.Singular + " successfully created."}
	switch j.verb {
	case collection.Update:
		message.Value = "Updated successfully."
	case collection.Delete:
		message.Value = "Deleted successfully."
		return shown.body(reply.Member{Name: "id", Value: w.ID}, message, doc)
	default: // a create
	}
	return shown.body(message, doc)
}
