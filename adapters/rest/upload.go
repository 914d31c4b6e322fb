package rest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
)

// uploadLimit bounds a form with a file: the file, its fields, and the lines between.
const uploadLimit = media.MaxSize + read.MaxFormText + 1<<20

// serveUpload answers a call of an operation that takes a file. A caller that may not send one is refused
// before the body is read. The time that the client takes to send it does not count towards the timeout of
// the request.
func serveUpload(c *fiber.Ctx, o *operation.Operation, at operation.Surface, route string) error {
	transport := &operation.Transport{}
	if o.Upload.Writes != nil {
		if !isForm(c) {
			return c.Next() // the generic write of the collection
		}
		var err error
		if transport.Projection, err = readProjection(c); err != nil {
			return err
		}
	}
	call, err := caller(c)
	if err == nil {
		err = operationContent(c, o, &call.Principal)
	}
	if err != nil {
		return err
	}
	if o.Upload.Writes != nil && len(o.Params) > 0 {
		call.IfMatch = c.Get(fiber.HeaderIfMatch)
	} else if err := checkNoTag(c); err != nil {
		return err
	}
	if err := o.Upload.Authorize(call.Principal); err != nil {
		return err
	}
	form, err := openUpload(c, o)
	if err != nil {
		return err
	}
	input, err := form.receive(c.UserContext(), call)
	if err != nil {
		return err
	}
	if form.file != nil {
		transport.Received = form.file
	}
	bodyOf(c).restartTimeout()
	answer, err := o.Do(c.UserContext(), operation.Request{
		Call: call, Surface: at, Route: route, Params: pathParams(c, o), Body: input, Transport: transport,
	})
	if err != nil {
		return err
	}
	tellLanguageOf(c, o, call.Language, answer)
	return sendResponse(c, answer)
}

// uploadForm is a form with a file, while it arrives.
type uploadForm struct {
	*read.Form

	operation *operation.Operation
	input     map[string]any
	names     tenantNames
	file      operation.ReceivedFile
}

// openUpload begins to read the form. Errors: Upload.TooLarge, those of read.NewForm.
func openUpload(c *fiber.Ctx, o *operation.Operation) (*uploadForm, error) {
	body := bodyOf(c)
	body.allowUpload(uploadLimit)
	if o.Slow {
		body.timeout = uploadTotal
		body.restartTimeout()
	}
	if body.length > uploadLimit {
		return nil, o.Upload.TooLarge
	}
	f, err := read.NewForm(c.Get(fiber.HeaderContentType), body)
	if err != nil {
		return nil, err
	}
	f.Reserve = body.memory.Take
	return &uploadForm{Form: f, operation: o, input: map[string]any{}, names: tenantNames{}}, nil
}

// receive reads the form to its end: the input, and the file as it arrives. A received file is discarded when
// another part is refused. Errors: read.ErrForm, media.ErrNoFile, fault.ErrValidation, those of
// Upload.Receive.
func (u *uploadForm) receive(ctx context.Context, call idempotency.Call) (map[string]any, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), uploadTotal)
	defer cancel()
	p, err := u.Next()
	for p != nil && err == nil {
		if err = u.take(ctx, call, p); err == nil {
			p, err = u.Next()
		}
	}
	if err == nil {
		err = u.names.addTo(u.input)
	}
	if err == nil && u.file == nil && u.operation.Upload.Required && !u.operation.Upload.EmptyIsNone {
		err = media.ErrNoFile
	}
	if err != nil && u.file != nil {
		err = errors.Join(err, u.file.Discard())
	}
	return u.input, err
}

// take reads one part of the form.
func (u *uploadForm) take(ctx context.Context, call idempotency.Call, p *read.Part) (err error) {
	fields := len(u.operation.Input) > 0
	switch {
	case p.File && p.Name == operation.FileField:
		return u.takeFile(ctx, call, p)
	case p.Name == operation.FileField, p.File && fields:
		return media.ErrNoFile.WithMessage("Send the file in the form field file.")
	case p.Name == payloadField && fields:
		document, err := p.Object()
		for name, v := range document {
			if _, given := u.input[name]; !given {
				u.input[name] = v
			}
		}
		return err
	}
	if taken, err := u.names.take(u.operation.TenantNames(), p); taken {
		return err
	}
	for _, f := range u.operation.Input {
		if p.Name == f.Name {
			u.input[f.Name], err = p.Value()
			return err
		}
	}
	if fields {
		return fault.Invalidf(p.Name, "This field does not exist. Fields of the record go into %s, or as JSON into _payload.",
			fieldNames(u.operation.Input))
	}
	return fault.Invalidf(p.Name, "This field does not exist.")
}

// takeFile receives the file.
func (u *uploadForm) takeFile(ctx context.Context, call idempotency.Call, p *read.Part) (err error) {
	r := bufio.NewReaderSize(p, 32<<10)
	if u.operation.Upload.EmptyIsNone && p.Filename == "" {
		if _, end := r.Peek(1); errors.Is(end, io.EOF) {
			return nil
		}
	}
	if u.file != nil {
		return read.ErrForm.WithMessage("The form has two files.")
	}
	u.file, err = u.operation.Upload.Receive(ctx, call.Principal, operation.File{Reader: r, Name: p.Filename})
	return err
}

func fieldNames(fields []collection.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}
