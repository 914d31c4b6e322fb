package steps

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func (w *world) fileSteps() []definition {
	return []definition{
		{`^the editor uploads a picture of (\d+) by (\d+) pixels as "([^"]*)", described as "([^"]*)"$`, w.uploadPicture},
		{`^the editor uploads a web page as "([^"]*)"$`, func(ctx context.Context, name string) error {
			return w.try(ctx, w.upload(name, "<!DOCTYPE html><html><script>alert(1)</script></html>", ""))
		}},
		{`^the editor uploads nothing but a description$`, func(ctx context.Context) error {
			return w.try(ctx, w.upload("", "", "A cup"))
		}},
		{`^the editor uploads a drawing with a program inside$`, w.uploadDrawing},
		{`^the editor replaces it with a picture of (\d+) by (\d+) pixels$`, w.replacePicture},
		{`^the editor deletes the file$`, func(ctx context.Context) error {
			return w.try(ctx, request{"DELETE", "/api/media/" + w.file.id, nil, w.asOwner()})
		}},
		{`^a visitor uploads a picture$`, func(ctx context.Context) error {
			r := w.upload("cup.png", pictureOf(3, 2), "")
			r.header = w.asVisitor()
			return w.try(ctx, r)
		}},
		{`^another shop replaces it with a picture of its own$`, w.otherReplaces},
		{`^the editor uploads the same picture twice under one key$`, w.uploadTwice},
		{`^the file "([^"]*)" is known as a picture of (\d+) by (\d+) pixels, described as "([^"]*)"$`, w.wantPicture},
		{`^a browser shows the picture without any key$`, w.wantShownPicture},
		{`^a browser finds nothing where the picture was$`, w.wantNoPicture},
		{`^a browser that opens the drawing saves it instead of running it$`, w.wantSaved},
		{`^the shop has (\d+) files?$`, w.wantFiles},
	}
}

// file is an uploaded file as the scenario knows it.
type file struct{ id, url, content string }

// form is a body that is no JSON.
type form struct {
	contentType string
	body        []byte
}

// pictureOf is a PNG of this size.
func pictureOf(width, height int) string {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))) // into memory
	return b.String()
}

// upload is a request with a file, and a description if there is one.
func (w *world) upload(name, content, alt string) request {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	if name != "" {
		part, _ := m.CreateFormFile("file", name) // into memory
		_, _ = io.WriteString(part, content)
	}
	if alt != "" {
		_ = m.WriteField("alt", alt)
	}
	_ = m.Close()
	return request{"POST", "/api/media", form{m.FormDataContentType(), b.Bytes()}, w.asOwner()}
}

func (w *world) uploadPicture(ctx context.Context, width, height int, name, alt string) error {
	return w.keep(ctx, w.upload(name, pictureOf(width, height), alt), pictureOf(width, height))
}

func (w *world) uploadDrawing(ctx context.Context) error {
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	return w.keep(ctx, w.upload("cup.svg", drawing, ""), drawing)
}

func (w *world) replacePicture(ctx context.Context, width, height int) error {
	r := w.upload("cup.png", pictureOf(width, height), "")
	r.method, r.path = "PATCH", "/api/media/"+w.file.id
	return w.keep(ctx, r, pictureOf(width, height))
}

// keep makes a call that has to succeed, and remembers the file.
func (w *world) keep(ctx context.Context, r request, content string) error {
	if err := w.try(ctx, r); err != nil {
		return err
	}
	w.file = file{text(w.got.body, "doc", "id"), text(w.got.body, "doc", "url"), content}
	return w.succeeded()
}

func (w *world) otherReplaces(ctx context.Context) (err error) {
	if w.other, err = w.target.Shop(ctx); err != nil {
		return err
	}
	r := w.upload("theirs.png", pictureOf(1, 1), "")
	r.method, r.path, r.header = "PATCH", "/api/media/"+w.file.id, w.asOther()
	return w.try(ctx, r)
}

func (w *world) uploadTwice(ctx context.Context) error {
	r := w.upload("cup.png", pictureOf(3, 2), "")
	r.header = keyed(r.header)
	for range 2 {
		if err := w.keep(ctx, r, pictureOf(3, 2)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) wantPicture(ctx context.Context, name, width, height, alt string) error {
	got, err := w.must(ctx, request{"GET", "/api/media/" + w.file.id, nil, w.asVisitor()})
	if err != nil {
		return err
	}
	for field, want := range map[string]string{"filename": name, "mimeType": "image/png", "width": width, "height": height, "alt": alt, "filesize": strconv.Itoa(len(w.file.content))} {
		if err := equal(field, got.body[field], want); err != nil {
			return err
		}
	}
	return nil
}

// fetch gets what is behind an address, as a browser does.
func (w *world) fetch(ctx context.Context, path string) (status int, header http.Header, body string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base()+path, nil)
	if err != nil {
		return 0, nil, "", err
	}
	res, err := w.client().Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	raw, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header, string(raw), err
}

func (w *world) wantShownPicture(ctx context.Context) error {
	status, header, body, err := w.fetch(ctx, w.file.url)
	if err != nil {
		return err
	}
	if status != http.StatusOK || body != w.file.content || header.Get("Content-Type") != "image/png" || header.Get("X-Content-Type-Options") != "nosniff" {
		return fmt.Errorf("it answered %d with %d bytes and %v", status, len(body), header)
	}
	return nil
}

func (w *world) wantNoPicture(ctx context.Context) error {
	if err := w.succeeded(); err != nil {
		return err
	}
	if status, _, body, err := w.fetch(ctx, w.file.url); err != nil || status != http.StatusNotFound {
		return fmt.Errorf("it answered %d %.100q %w", status, body, err)
	}
	return nil
}

func (w *world) wantSaved(ctx context.Context) error {
	status, header, _, err := w.fetch(ctx, w.file.url)
	if err != nil {
		return err
	}
	if status != http.StatusOK || !strings.HasPrefix(header.Get("Content-Disposition"), "attachment") || !strings.Contains(header.Get("Content-Security-Policy"), "sandbox") {
		return fmt.Errorf("it answered %d %v", status, header)
	}
	return nil
}

func (w *world) wantFiles(ctx context.Context, want string) error {
	got, err := w.must(ctx, request{"GET", "/api/media/count", nil, w.asOwner()})
	if err != nil {
		return err
	}
	return equal("the number of files", got.body["totalDocs"], want)
}
