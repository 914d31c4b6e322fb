package cartwright

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
)

// Upload is a file for the media collection. What it is the server finds out from its bytes.
type Upload struct {
	File     io.Reader
	Filename string
	Alt      string // what the picture shows, for those who cannot see it
}

// Upload stores a file. It is sent again under one key while the call lasts, so that it is stored once; but a
// file is nothing to be written down for later, and so an upload that is given up is not among the pending
// operations: call again with a key of your own, or find out whether it is there.
func (c MediaCollection) Upload(ctx context.Context, in Upload, opts ...Option) (out Written[Media], err error) {
	s := c.Reader.on.core
	r := request{operation: operation{name: "media.upload", method: http.MethodPost, path: "/media"}}
	if r.body, r.form, err = in.form(); err != nil {
		return out, invalid(r.name, err)
	}
	set := options{timeout: s.timeout, key: NewIdempotencyKey()}
	for _, change := range opts {
		change(&set)
	}
	if !isKey(set.key) {
		return out, badKey(r.name)
	}
	if ctx.Err() != nil {
		return out, aborted(ctx, r.name)
	}
	a, failed := s.send(ctx, r, set.key, set.timeout, func(*Error) {})
	if failed != nil {
		return out, failed
	}
	return out, a.read(r.name, &out)
}

// form is the upload as a form, and the type of its content.
func (u Upload) form() (body []byte, kind string, err error) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	part, err := w.CreateFormFile("file", u.Filename)
	if err == nil {
		_, err = io.Copy(part, u.File)
	}
	if err = errors.Join(err, w.WriteField("alt", u.Alt), w.Close()); err != nil {
		return nil, "", err
	}
	return out.Bytes(), w.FormDataContentType(), nil
}
