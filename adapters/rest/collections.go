package rest

import (
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Collections registers list, count, get, create, update and delete of every collection. Rule collections-1. It comes
// after all other areas, because its /:id matches any word.
type Collections struct{ Content *records.Service }

// Mount implements Area. Methods that a collection does not support are not registered, so that the router answers 405;
// those for which it has operations of its own are refused with that reason. Rule collections-17.
func (a Collections) Mount(r fiber.Router) {
	for _, s := range a.Content.Registry.All() {
		one := recordRoutes{a.Content, s}
		at := "/" + s.Slug
		r.Get(at+"/count", one.count)
		r.Get(at, one.list)
		if s.CommandOnly {
			r.Post(at, refuseWrite)
		} else {
			r.Post(at, one.create)
		}
		r.Get(at+"/:id", one.get)
		if records.HasNoPatchableField(s) {
			r.Patch(at+"/:id", refuseWrite)
			r.Patch(at, refuseWrite)
		} else {
			r.Patch(at+"/:id", one.update)
			r.Patch(at, one.updateMany)
		}
		if !s.NoDelete && !s.CommandOnly {
			r.Delete(at+"/:id", one.delete)
			r.Delete(at, one.deleteMany)
		}
	}
}

// refuseWrite refuses a write that the collection leaves to its operations.
func refuseWrite(c *fiber.Ctx) error {
	if _, err := caller(c); err != nil {
		return err
	}
	return records.ErrCommandOnly
}

// refused implements refuser.
func (a Collections) refused() (all []routeKey) {
	for _, s := range a.Content.Registry.All() {
		if s.CommandOnly {
			all = append(all, routeKey{fiber.MethodPost, "/" + s.Slug})
		}
		if records.HasNoPatchableField(s) {
			all = append(all, routeKey{fiber.MethodPatch, "/" + s.Slug}, routeKey{fiber.MethodPatch, "/" + s.Slug + "/:id"})
		}
	}
	return all
}

// recordRoutes are the routes of one collection.
type recordRoutes struct {
	content *records.Service
	schema  *collection.Schema
}

func (a recordRoutes) list(c *fiber.Ctx) error {
	call, params, err := readCall(c, listParams)
	if err != nil {
		return err
	}
	q, err := listQuery(params)
	if err != nil {
		return err
	}
	page, err := a.content.List(c.UserContext(), call.Principal, a.schema, q)
	if err != nil {
		return err
	}
	a.tellContent(c, call.Principal, q.Projection)
	return sendRead(c, call.Principal, page.Bytes())
}

// count takes the parameters of a list, although only where has an effect.
func (a recordRoutes) count(c *fiber.Ctx) error {
	call, params, err := readCall(c, countParams)
	if err != nil {
		return err
	}
	q, err := listQuery(params)
	if err != nil {
		return err
	}
	n, err := a.content.Count(c.UserContext(), call.Principal, a.schema, q.Where)
	if err != nil {
		return err
	}
	return sendRead(c, call.Principal, append(strconv.AppendInt([]byte(`{"totalDocs":`), n, 10), '}'))
}

func (a recordRoutes) get(c *fiber.Ctx) error {
	call, params, err := readCall(c, oneParams)
	if err != nil {
		return err
	}
	show, err := showParams(params)
	if err != nil {
		return err
	}
	body, tag, err := a.content.GetTagged(c.UserContext(), call.Principal, a.schema, c.Params("id"), show)
	if err != nil {
		return err
	}
	if tag != "" {
		c.Set(fiber.HeaderETag, tag)
	}
	a.tellContent(c, call.Principal, show)
	return sendRead(c, call.Principal, body.Bytes())
}

// tellContent says in which language the texts of an answer are, if its records may have any, or those that are embedded.
func (a recordRoutes) tellContent(c *fiber.Ctx, p tenant.Principal, how records.Projection) {
	if a.schema.IsTranslated() || how.Depth > 0 {
		tellContent(c, p)
	}
}

func (a recordRoutes) create(c *fiber.Ctx) error {
	return a.write(c, "create", func(call idempotency.Call, body map[string]any, show records.Projection) (idempotency.Response, error) {
		return a.content.Create(c.UserContext(), call, a.schema, body, show)
	})
}

func (a recordRoutes) update(c *fiber.Ctx) error {
	return a.write(c, "update", func(call idempotency.Call, body map[string]any, show records.Projection) (idempotency.Response, error) {
		call.IfMatch = c.Get(fiber.HeaderIfMatch)
		return a.content.Update(c.UserContext(), call, a.schema, c.Params("id"), body, show)
	})
}

func (a recordRoutes) write(
	c *fiber.Ctx, verb string, do func(idempotency.Call, map[string]any, records.Projection) (idempotency.Response, error),
) error {
	show, err := readProjection(c)
	if err != nil {
		return err
	}
	body, err := a.readDocument(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, a.schema.Slug+"."+verb, body)
	if err != nil {
		return err
	}
	answer, err := do(call, body, show)
	if err != nil {
		return err
	}
	return sendResponse(c, answer)
}

func (a recordRoutes) delete(c *fiber.Ctx) error {
	_, params, err := readCall(c, deleteParams)
	if err != nil {
		return err
	}
	show, err := showParams(params)
	if err != nil {
		return err
	}
	if _, err := noBody(c); err != nil {
		return err
	}
	call, err := keyed(c, a.schema.Slug+".delete", nil)
	if err != nil {
		return err
	}
	call.IfMatch = c.Get(fiber.HeaderIfMatch)
	if call.ExpectedRevision, err = expectedRevision(params); err != nil {
		return err
	}
	answer, err := a.content.Delete(c.UserContext(), call, a.schema, c.Params("id"), show)
	if err != nil {
		return err
	}
	return sendResponse(c, answer)
}

func (a recordRoutes) updateMany(c *fiber.Ctx) error {
	return a.writeMany(c, "Updated", a.readDocument,
		func(call idempotency.Call, many records.BulkSelection, body map[string]any) (records.BulkResult, error) {
			return a.content.UpdateMany(c.UserContext(), call, a.schema, many, body)
		})
}

func (a recordRoutes) deleteMany(c *fiber.Ctx) error {
	return a.writeMany(c, "Deleted", noBody,
		func(call idempotency.Call, many records.BulkSelection, _ map[string]any) (records.BulkResult, error) {
			return a.content.DeleteMany(c.UserContext(), call, a.schema, many)
		})
}

// writeMany answers {docs, errors, message}: 400 when a record failed, although others were written.
func (a recordRoutes) writeMany(
	c *fiber.Ctx, verb string, document func(*fiber.Ctx) (map[string]any, error),
	do func(idempotency.Call, records.BulkSelection, map[string]any) (records.BulkResult, error),
) error {
	_, params, err := readCall(c, bulkParams)
	if err != nil {
		return err
	}
	many, err := manyParams(params)
	if err == nil {
		err = checkNoTag(c)
	}
	if err != nil {
		return err
	}
	body, err := document(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, a.schema.Slug+".many", map[string]any{"query": params, "body": body})
	if err != nil {
		return err
	}
	done, err := do(call, many, body)
	if err != nil {
		return err
	}
	if done.Replayed {
		c.Set(headerReplayed, "true")
	}
	return a.sendMany(c, verb, done)
}

func (a recordRoutes) sendMany(c *fiber.Ctx, verb string, done records.BulkResult) error {
	status := fiber.StatusOK
	docs, failed := make(reply.List, len(done.Docs)), make([]any, len(done.Failed))
	for i, doc := range done.Docs {
		docs[i] = doc
	}
	for i, f := range done.Failed {
		status = fiber.StatusBadRequest
		one := errorObject(f.Fault, f.RequestID)
		one["id"] = f.ID
		failed[i] = one
	}
	what := a.schema.Plural
	if len(done.Docs) == 1 {
		what = a.schema.Singular
	}
	message := fmt.Sprintf("%s %d %s successfully.", verb, len(done.Docs), what)
	body := reply.Object{{Name: "docs", Value: docs}, {Name: "errors", Value: failed}, {Name: "message", Value: message}}
	return send(c, status, body.Append(nil, collection.Everyone))
}

// readCall is the call and its query parameters, which must be known.
func readCall(c *fiber.Ctx, known []string) (idempotency.Call, map[string]any, error) {
	call, err := caller(c)
	if err != nil {
		return call, nil, err
	}
	params, err := queryOf(c, known)
	if err == nil {
		err = setContent(c, &call.Principal, params)
	}
	return call, params, err
}

// readProjection reads which fields and relations of a record to return.
func readProjection(c *fiber.Ctx) (records.Projection, error) {
	_, params, err := readCall(c, oneParams)
	if err != nil {
		return records.Projection{}, err
	}
	return showParams(params)
}

// noBody reads no body: what a delete sends in one is ignored, as proxies may drop it. But a revision is refused, whose sender
// relies on it. Errors: fault.ErrValidation.
func noBody(c *fiber.Ctx) (map[string]any, error) {
	if body, err := readOptional(c); err == nil && body[collection.ExpectedRevision] != nil {
		return nil, fault.Invalidf(collection.ExpectedRevision, "The body of a delete is not read: send this as a parameter, or as If-Match.")
	}
	return nil, nil
}

// readDocument reads a record from a JSON body, or from the form field _payload as the Payload client sends it;
// other fields of the form may name the acting tenant.
func (a recordRoutes) readDocument(c *fiber.Ctx) (map[string]any, error) {
	if !isForm(c) {
		return readObject(c)
	}
	f, err := read.NewForm(c.Get(fiber.HeaderContentType), bodyOf(c))
	if err != nil {
		return nil, err
	}
	f.Reserve = bodyOf(c).memory.Take
	var document map[string]any
	names, fields := tenantNames{}, a.schema.TenantNames()
	for {
		p, err := f.Next()
		switch {
		case err != nil:
			return nil, err
		case p == nil && document == nil:
			return nil, read.ErrForm.WithMessage("The form needs one field _payload with the record as JSON.")
		case p == nil:
			return document, names.addTo(document)
		case p.File:
			return nil, read.ErrMediaType.WithMessage("This endpoint takes no files.")
		case p.Name != payloadField:
			if _, err := names.take(fields, p); err != nil { // other fields are ignored, as Payload does
				return nil, err
			}
			continue
		case document != nil:
			return nil, read.ErrForm.WithMessage("The form has two fields _payload.")
		}
		if document, err = p.Object(); err != nil {
			return nil, err
		}
	}
}

// payloadField is the form field in which the Payload client sends a record.
const payloadField = "_payload"
