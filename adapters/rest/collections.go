package rest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Collections registers list, count, get, create, update and delete of every collection. Spec 4.1. It comes after all
// other areas: its /:id catches any word.
type Collections struct{ Content *content.Content }

// Mount implements Area. Methods that a collection never takes are not registered, so that the router answers 405.
func (a Collections) Mount(r fiber.Router) {
	for _, s := range a.Content.Registry.All() {
		one := records{a.Content, s}
		at := "/" + s.Slug
		r.Get(at+"/count", one.count)
		r.Get(at, one.list)
		r.Post(at, one.create)
		r.Get(at+"/:id", one.get)
		r.Patch(at+"/:id", one.update)
		r.Patch(at, one.updateMany)
		if !s.NoDelete && !s.Operated {
			r.Delete(at+"/:id", one.delete)
			r.Delete(at, one.deleteMany)
		}
	}
}

// records is the routes of one collection.
type records struct {
	content *content.Content
	schema  *collection.Schema
}

func (a records) list(c *fiber.Ctx) error {
	call, params, err := a.asked(c, forList)
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
	body, err := page.Append(nil)
	if err != nil {
		return err
	}
	return sendRead(c, call.Principal, body)
}

// count reads the parameters of a list, although only where makes a difference.
func (a records) count(c *fiber.Ctx) error {
	call, params, err := a.asked(c, forList)
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

func (a records) get(c *fiber.Ctx) error {
	call, params, err := a.asked(c, forOne)
	if err != nil {
		return err
	}
	show, err := showParams(params)
	if err != nil {
		return err
	}
	body, err := a.content.Get(c.UserContext(), call.Principal, a.schema, c.Params("id"), show)
	if err != nil {
		return err
	}
	return sendRead(c, call.Principal, body)
}

func (a records) create(c *fiber.Ctx) error {
	return a.write(c, "create", func(call once.Call, body map[string]any, show content.Show) (once.Answer, error) {
		return a.content.Create(c.UserContext(), call, a.schema, body, show)
	})
}

func (a records) update(c *fiber.Ctx) error {
	return a.write(c, "update", func(call once.Call, body map[string]any, show content.Show) (once.Answer, error) {
		return a.content.Update(c.UserContext(), call, a.schema, c.Params("id"), body, show)
	})
}

func (a records) write(c *fiber.Ctx, verb string, do func(once.Call, map[string]any, content.Show) (once.Answer, error)) error {
	show, err := a.shown(c)
	if err != nil {
		return err
	}
	body, err := readDocument(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, a.schema.Slug+"."+verb, body)
	if err != nil {
		return err
	}
	answer, err := do(call, body, show)
	if err != nil {
		return a.allowing(c, err)
	}
	return reply(c, answer)
}

// allowing names what a collection takes whose records are written by their own operations. Contract 13, "errors".
func (a records) allowing(c *fiber.Ctx, err error) error {
	if errors.Is(err, content.ErrOperated) {
		allow := "GET, HEAD"
		if slices.ContainsFunc(a.schema.Fields, func(f collection.Field) bool { return f.Free }) {
			allow += ", PATCH"
		}
		c.Set(fiber.HeaderAllow, allow)
	}
	return err
}

func (a records) delete(c *fiber.Ctx) error {
	show, err := a.shown(c)
	if err != nil {
		return err
	}
	call, err := keyed(c, a.schema.Slug+".delete", nil)
	if err != nil {
		return err
	}
	answer, err := a.content.Delete(c.UserContext(), call, a.schema, c.Params("id"), show)
	if err != nil {
		return err
	}
	return reply(c, answer)
}

func (a records) updateMany(c *fiber.Ctx) error {
	return a.many(c, "Updated", readDocument, func(call once.Call, many content.Many, body map[string]any) (content.Bulk, error) {
		return a.content.UpdateMany(c.UserContext(), call, a.schema, many, body)
	})
}

func (a records) deleteMany(c *fiber.Ctx) error {
	return a.many(c, "Deleted", noDocument, func(call once.Call, many content.Many, _ map[string]any) (content.Bulk, error) {
		return a.content.DeleteMany(c.UserContext(), call, a.schema, many)
	})
}

// many answers {docs, errors, message}: 400 when a record failed, although others were written.
func (a records) many(c *fiber.Ctx, verb string, document func(*fiber.Ctx) (map[string]any, error), do func(once.Call, content.Many, map[string]any) (content.Bulk, error)) error {
	_, params, err := a.asked(c, forMany)
	if err != nil {
		return err
	}
	many, err := manyParams(params)
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
		return a.allowing(c, err)
	}
	if done.Replayed {
		c.Set(headerReplayed, "true")
	}
	return a.sendMany(c, verb, done)
}

func (a records) sendMany(c *fiber.Ctx, verb string, done content.Bulk) error {
	status := fiber.StatusOK
	answer := append([]byte(`{"docs":[`), bytes.Join(done.Docs, []byte(","))...)
	answer = append(answer, `],"errors":`...)
	failed := make([]any, len(done.Failed))
	for i, f := range done.Failed {
		status = fiber.StatusBadRequest
		one := errorTree(f.Fault, f.RequestID)
		one["id"] = f.ID
		failed[i] = one
	}
	what := a.schema.Plural
	if len(done.Docs) == 1 {
		what = a.schema.Singular
	}
	answer = append(collection.AppendTree(answer, failed), `,"message":`...)
	return send(c, status, append(collection.AppendString(answer, fmt.Sprintf("%s %d %s successfully.", verb, len(done.Docs), what)), '}'))
}

// asked is who calls and the parameters, which are among known.
func (a records) asked(c *fiber.Ctx, known []string) (once.Call, map[string]any, error) {
	call, err := caller(c)
	if err != nil {
		return call, nil, err
	}
	params, err := queryOf(c, known)
	return call, params, err
}

// shown is how the caller wants one record to look.
func (a records) shown(c *fiber.Ctx) (content.Show, error) {
	_, params, err := a.asked(c, forOne)
	if err != nil {
		return content.Show{}, err
	}
	return showParams(params)
}

func noDocument(*fiber.Ctx) (map[string]any, error) { return nil, nil }

// readDocument reads a record from a JSON body, or from the form field _payload as the Payload client sends it.
func readDocument(c *fiber.Ctx) (map[string]any, error) {
	if !isForm(c) {
		return readTree(c)
	}
	f, err := read.NewForm(c.Get(fiber.HeaderContentType), bodyOf(c))
	if err != nil {
		return nil, err
	}
	var document map[string]any
	for {
		p, err := f.Next()
		switch {
		case err != nil:
			return nil, err
		case p == nil && document == nil:
			return nil, read.ErrForm.Saying("The form needs one field _payload with the record as JSON.")
		case p == nil:
			return document, nil
		case p.File:
			return nil, read.ErrMediaType.Saying("This address takes no files.")
		case p.Name != payloadField:
			continue // the Payload client's users may send more, and Payload does not look at it
		case document != nil:
			return nil, read.ErrForm.Saying("The form has two fields _payload.")
		}
		if document, err = p.Object(); err != nil {
			return nil, err
		}
	}
}

// payloadField is where the Payload client puts a record into a form.
const payloadField = "_payload"
