package rest

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/library"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
)

// uploadLimit bounds a form with a file: the file, its fields, and the lines between.
const uploadLimit = media.MaxSize + read.MaxFormText + 1<<20

// The fields of an upload. Spec 4.2.
const (
	fileField = "file"
	altField  = "alt"
)

// Media registers uploads and the addresses of their bytes; everything else about the collection is generic, so
// Collections follows it. Without a form, creating and updating are generic, too.
type Media struct {
	Library *library.Library
	Content *content.Content
}

// Mount implements Area.
func (a Media) Mount(r fiber.Router) {
	g := r.Group("/" + media.Schema.Slug)
	g.Get("/file/:tenant/:id/:name", a.file)
	g.Post("", a.create)
	g.Patch("/:id", a.update)
}

func (a Media) create(c *fiber.Ctx) error {
	if !isForm(c) {
		return c.Next()
	}
	return a.write(c, collection.Create, func(call once.Call, u filing, show content.Show) (once.Answer, error) {
		if u.staged == nil {
			return once.Answer{}, media.ErrNoFile
		}
		return a.Library.Create(c.UserContext(), call, u.staged, u.input, show)
	})
}

func (a Media) update(c *fiber.Ctx) error {
	if !isForm(c) {
		return c.Next()
	}
	return a.write(c, collection.Update, func(call once.Call, u filing, show content.Show) (once.Answer, error) {
		if u.staged == nil {
			return a.Content.Update(c.UserContext(), call, media.Schema, c.Params("id"), u.input, show)
		}
		return a.Library.Replace(c.UserContext(), call, c.Params("id"), u.staged, u.input, show)
	})
}

func (a Media) write(c *fiber.Ctx, verb collection.Verb, do func(once.Call, filing, content.Show) (once.Answer, error)) error {
	show, err := records{a.Content, media.Schema}.shown(c)
	if err != nil {
		return err
	}
	u, err := a.receive(c, verb)
	if err != nil {
		return err
	}
	body := map[string]any{"input": u.input}
	if u.staged != nil {
		body["file"] = u.staged.Fingerprint()
	}
	call, err := keyed(c, media.Schema.Slug+"."+string(verb), body)
	if err != nil {
		u.discard(a.Library, call)
		return err
	}
	answer, err := do(call, u, show)
	if err != nil {
		return err
	}
	return reply(c, answer)
}

// filing is what a form brought: the fields of the record, and a file if there was one.
type filing struct {
	input  map[string]any
	staged *library.Staged
}

func (u filing) discard(l *library.Library, call once.Call) {
	if u.staged != nil {
		l.Discard(context.Background(), call.Principal, u.staged)
	}
}

// receive reads the form, storing the file as it comes in. The time it takes is the client's.
func (a Media) receive(c *fiber.Ctx, verb collection.Verb) (u filing, err error) {
	call, err := caller(c)
	if err != nil {
		return u, err
	}
	if _, err := access.Allowed(call.Principal, media.Schema, verb); err != nil {
		return u, err // nobody else's time is ours to give
	}
	in := bodyOf(c)
	in.atLeisure(uploadLimit)
	if in.length > uploadLimit {
		return u, media.ErrTooLarge
	}
	f, err := read.NewForm(c.Get(fiber.HeaderContentType), in)
	if err != nil {
		return u, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), uploadTotal)
	defer cancel()
	u.input = map[string]any{}
	p, err := f.Next()
	for p != nil && err == nil {
		if err = a.take(ctx, call, verb, p, &u); err == nil {
			p, err = f.Next()
		}
	}
	if err != nil {
		u.discard(a.Library, call)
		return filing{}, err
	}
	in.restart()
	return u, nil
}

// take puts one part of the form into u.
func (a Media) take(ctx context.Context, call once.Call, verb collection.Verb, p *read.Part, u *filing) (err error) {
	switch {
	case p.File && p.Name == fileField:
		return a.stage(ctx, call, verb, p, u)
	case p.File || p.Name == fileField:
		return media.ErrNoFile.Saying("The file goes into the field file, as a file.")
	case p.Name == payloadField:
		document, err := p.Object()
		for name, v := range document {
			if _, given := u.input[name]; !given {
				u.input[name] = v
			}
		}
		return err
	case p.Name == altField:
		u.input[altField], err = p.Value()
		return err
	}
	return fault.Invalidf(p.Name, "This field does not exist. Fields of the record go into alt, or as JSON into _payload.")
}

// stage stores the file. A form in which nothing was chosen has a part without a name and content.
func (a Media) stage(ctx context.Context, call once.Call, verb collection.Verb, p *read.Part, u *filing) (err error) {
	from := bufio.NewReaderSize(p, 32<<10)
	if _, end := from.Peek(1); p.Filename == "" && errors.Is(end, io.EOF) {
		return nil
	}
	if u.staged != nil {
		return read.ErrForm.Saying("The form has two files.")
	}
	u.staged, err = a.Library.Stage(ctx, call.Principal, verb, library.Upload{Filename: p.Filename, Content: from})
	return err
}
