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

// fileSteps uploads media files.
type fileSteps struct {
	*client

	file file // the one last uploaded
}

func newFileSteps(c *client) *fileSteps {
	return &fileSteps{client: c}
}

func (s *fileSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the editor uploads an image of (\d+) by (\d+) pixels as "([^"]*)" with the description "([^"]*)"$`, s.uploadImage},
		{`^the editor uploads a web page as "([^"]*)"$`, func(ctx context.Context, name string) error {
			return s.try(ctx, s.uploadRequest(name, "<!DOCTYPE html><html><script>alert(1)</script></html>", ""))
		}},
		{`^the editor uploads a description without a file$`, func(ctx context.Context) error {
			return s.try(ctx, s.uploadRequest("", "", "A cup"))
		}},
		{`^the editor uploads an SVG image that contains a script$`, s.uploadSVG},
		{`^the editor replaces it with an image of (\d+) by (\d+) pixels$`, s.replace},
		{`^the editor deletes the file$`, func(ctx context.Context) error {
			return s.try(ctx, request{"DELETE", "/api/media/" + s.file.id, nil, s.asServer()})
		}},
		{`^a visitor uploads an image$`, func(ctx context.Context) error {
			r := s.uploadRequest("cup.png", pngOfSize(3, 2), "")
			r.header = s.asVisitor()
			return s.try(ctx, r)
		}},
		{`^another shop tries to replace it$`, s.replaceAsOtherShop},
		{`^the editor uploads the same image twice with one idempotency key$`, s.uploadTwice},
		{`^the file "([^"]*)" is an image of (\d+) by (\d+) pixels with the description "([^"]*)"$`, s.wantImage},
		{`^a browser loads the image without a key$`, s.wantServed},
		{`^a browser no longer finds the image$`, s.wantGone},
		{`^a browser downloads the image instead of showing it$`, s.wantDownloaded},
		{`^the shop has (\d+) files?$`, s.wantCount},
	}
}

// file is an uploaded file.
type file struct{ id, url, content string }

// pngOfSize is a PNG image of this size in pixels.
func pngOfSize(width, height int) string {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))) // into memory
	return b.String()
}

// uploadRequest uploads a file and a description; either may be "".
func (s *fileSteps) uploadRequest(name, content, alt string) request {
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
	return request{"POST", "/api/media", form{m.FormDataContentType(), b.Bytes()}, s.asServer()}
}

func (s *fileSteps) uploadImage(ctx context.Context, width, height int, name, alt string) error {
	return s.uploadAndRemember(ctx, s.uploadRequest(name, pngOfSize(width, height), alt), pngOfSize(width, height))
}

func (s *fileSteps) uploadSVG(ctx context.Context) error {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	return s.uploadAndRemember(ctx, s.uploadRequest("cup.svg", svg, ""), svg)
}

func (s *fileSteps) replace(ctx context.Context, width, height int) error {
	r := s.uploadRequest("cup.png", pngOfSize(width, height), "")
	r.method, r.path = "PATCH", "/api/media/"+s.file.id
	return s.uploadAndRemember(ctx, r, pngOfSize(width, height))
}

// uploadAndRemember sends an upload that has to succeed, and remembers the file.
func (s *fileSteps) uploadAndRemember(ctx context.Context, r request, content string) error {
	if err := s.try(ctx, r); err != nil {
		return err
	}
	s.file = file{text(s.got.body, "doc", "id"), text(s.got.body, "doc", "url"), content}
	return s.wantSuccess()
}

func (s *fileSteps) replaceAsOtherShop(ctx context.Context) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	r := s.uploadRequest("theirs.png", pngOfSize(1, 1), "")
	r.method, r.path, r.header = "PATCH", "/api/media/"+s.file.id, withSecretKey(other.TestSecretKey)
	return s.try(ctx, r)
}

func (s *fileSteps) uploadTwice(ctx context.Context) error {
	r := s.uploadRequest("cup.png", pngOfSize(3, 2), "")
	r.header = keyed(r.header)
	for range 2 {
		if err := s.uploadAndRemember(ctx, r, pngOfSize(3, 2)); err != nil {
			return err
		}
	}
	return nil
}

func (s *fileSteps) wantImage(ctx context.Context, name, width, height, alt string) error {
	got, err := s.must(ctx, request{"GET", "/api/media/" + s.file.id, nil, s.asVisitor()})
	if err != nil {
		return err
	}
	for field, want := range map[string]string{
		"filename": name, "mimeType": "image/png", "width": width, "height": height, "alt": alt,
		"filesize": strconv.Itoa(len(s.file.content)),
	} {
		if err := equal(field, got.body[field], want); err != nil {
			return err
		}
	}
	return nil
}

// fetch reads an address as a browser does.
func (s *fileSteps) fetch(ctx context.Context, path string) (status int, header http.Header, body string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.baseURL()+path, nil)
	if err != nil {
		return 0, nil, "", err
	}
	res, err := s.httpClient().Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	raw, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header, string(raw), err
}

func (s *fileSteps) wantServed(ctx context.Context) error {
	status, header, body, err := s.fetch(ctx, s.file.url)
	if err != nil {
		return err
	}
	asImage := header.Get("Content-Type") == "image/png" && header.Get("X-Content-Type-Options") == "nosniff"
	if status != http.StatusOK || body != s.file.content || !asImage {
		return fmt.Errorf("it answered %d with %d bytes and %v", status, len(body), header)
	}
	return nil
}

func (s *fileSteps) wantGone(ctx context.Context) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	if status, _, body, err := s.fetch(ctx, s.file.url); err != nil || status != http.StatusNotFound {
		return fmt.Errorf("it answered %d %.100q %w", status, body, err)
	}
	return nil
}

func (s *fileSteps) wantDownloaded(ctx context.Context) error {
	status, header, _, err := s.fetch(ctx, s.file.url)
	if err != nil {
		return err
	}
	asDownload := strings.HasPrefix(header.Get("Content-Disposition"), "attachment")
	if status != http.StatusOK || !asDownload || !strings.Contains(header.Get("Content-Security-Policy"), "sandbox") {
		return fmt.Errorf("it answered %d %v", status, header)
	}
	return nil
}

func (s *fileSteps) wantCount(ctx context.Context, want string) error {
	got, err := s.must(ctx, request{"GET", "/api/media/count", nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the number of files", got.body["totalDocs"], want)
}
