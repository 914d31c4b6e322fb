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
	r := request{operation: operation{name: "media.upload", method: http.MethodPost, path: "/media"}}
	return out, c.Reader.on.core.upload(ctx, r, in.File, in.Filename, [][2]string{{"alt", in.Alt}}, &out, opts)
}

// upload sends a file with fields as a form, and reads the answer into out. The same bytes go with every attempt, under one key.
func (c *core) upload(ctx context.Context, r request, file io.Reader, filename string, fields [][2]string, out any, opts []Option) (err error) {
	if r.body, r.form, err = formOf(file, filename, fields); err != nil {
		return invalid(r.name, err)
	}
	set := options{timeout: c.timeout, key: NewIdempotencyKey()}
	for _, change := range opts {
		change(&set)
	}
	if !isKey(set.key) {
		return badKey(r.name)
	}
	if ctx.Err() != nil {
		return aborted(ctx, r.name)
	}
	a, failed := c.send(ctx, r, set.key, set.timeout, func(*Error) {})
	if failed != nil {
		return failed
	}
	return a.read(r.name, out)
}

// formOf is a form with a file, and the type of its content.
func formOf(file io.Reader, filename string, fields [][2]string) (body []byte, kind string, err error) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	part, err := w.CreateFormFile("file", filename)
	if err == nil {
		_, err = io.Copy(part, file)
	}
	for _, f := range fields {
		err = errors.Join(err, w.WriteField(f[0], f[1]))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, "", err
	}
	return out.Bytes(), w.FormDataContentType(), nil
}
