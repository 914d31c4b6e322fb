package rest_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// pngImage is a PNG of this size.
func pngImage(t testing.TB, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// entry is a part of a form: a file when it has a filename.
type entry struct{ name, filename, content string }

func form(t testing.TB, entries ...entry) (contentType, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, e := range entries {
		var part io.Writer
		var err error
		if e.filename != "" {
			part, err = w.CreateFormFile(e.name, e.filename)
		} else {
			part, err = w.CreateFormField(e.name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}

// sendForm sends a form with the acting shop's secret key.
func (b *harness) sendForm(method, path string, entries []entry, headers ...string) answer {
	b.t.Helper()
	kind, body := form(b.t, entries...)
	return b.request(method, path, body, append([]string{"X-API-Key", b.shop.SecretKey, "Content-Type", kind}, headers...)...)
}

// upload sends a file that must be accepted.
func (b *harness) upload(filename, content string) map[string]any {
	b.t.Helper()
	a := b.sendForm("POST", "/api/media", []entry{{"file", filename, content}})
	if a.status != 201 {
		b.t.Fatalf("%d %s", a.status, a.raw)
	}
	return a.doc()
}

// sweepBlobs waits until blobs without a record have expired, removes them, and returns their number.
func (b *harness) sweepBlobs() (n int) {
	b.t.Helper()
	b.advance(2 * time.Hour)
	var before []ports.ExpiredBlob
	counting := *b.uploads
	counting.BlobSweep = recordingBlobSweep{b.store.BlobSweep(), &before}
	if _, err := counting.Sweep(context.Background()); err != nil {
		b.t.Fatal(err)
	}
	return len(before)
}

type recordingBlobSweep struct {
	ports.BlobSweep

	seen *[]ports.ExpiredBlob
}

func (o recordingBlobSweep) ClaimExpired(ctx context.Context, now, again time.Time, limit int) ([]ports.ExpiredBlob, error) {
	all, err := o.BlobSweep.ClaimExpired(ctx, now, again, limit)
	*o.seen = append(*o.seen, all...)
	return all, err
}

func TestUploadCreatesRecordAndBlob(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		content := pngImage(t, 30, 20)
		a := b.sendForm("POST", "/api/media", []entry{{"file", "한글 컵.PNG", content}, {"alt", "", "A cup"}})
		doc := a.doc()
		if a.status != 201 || doc["filename"] != "한글-컵.png" || doc["mimeType"] != "image/png" || doc["filesize"] != float64(len(content)) ||
			doc["width"] != 30.0 || doc["height"] != 20.0 || doc["alt"] != "A cup" {
			t.Fatalf("%d %s", a.status, a.raw)
		}
		if strings.Contains(a.raw, "blob") || strings.Contains(a.raw, "checksum") {
			t.Errorf("shown: %s", a.raw)
		}
		url := doc["url"].(string)
		got := b.request("GET", url, "")
		if got.status != 200 || got.raw != content {
			t.Fatalf("%s: %d, %d bytes", url, got.status, len(got.raw))
		}
		for name, want := range map[string]string{
			"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=31536000, immutable",
			"Accept-Ranges":           "bytes",
			"Content-Disposition":     `inline; filename="__-_.png"; filename*=UTF-8''%ED%95%9C%EA%B8%80-%EC%BB%B5.png`,
			"Content-Length":          fmt.Sprint(len(content)),
			"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox", "Access-Control-Allow-Origin": "*",
		} {
			if got := got.header.Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		if n := b.sweepBlobs(); n != 0 {
			t.Errorf("%d were removed", n)
		}
		if b.request("GET", url, "").status != 200 {
			t.Error("the bytes are gone")
		}
		if a := b.request("GET", "/api/media/"+doc["id"].(string), "", "X-Client-Key", b.shop.ClientKey); a.status != 200 ||
			a.body["url"] != url {
			t.Errorf("a visitor sees %d %s", a.status, a.raw)
		}
	})
}

func TestMediaReplaceAndDeleteRemoveBlobs(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		first := b.upload("a.png", pngImage(t, 30, 20))
		at := "/api/media/" + first["id"].(string)
		a := b.sendForm("PATCH", at, []entry{{"alt", "", "Only words"}})
		if a.status != 200 || a.doc()["url"] != first["url"] || a.doc()["alt"] != "Only words" {
			t.Fatalf("%d %s", a.status, a.raw)
		}
		a = b.sendForm("PATCH", at, []entry{{"file", "b.png", pngImage(t, 3, 2)}, {"_payload", "", `{"alt":"Smaller"}`}})
		second := a.doc()
		if a.status != 200 || second["width"] != 3.0 || second["filename"] != "b.png" || second["alt"] != "Smaller" ||
			second["url"] == first["url"] {
			t.Fatalf("%d %s", a.status, a.raw)
		}
		if got := b.request("GET", second["url"].(string), ""); got.raw != pngImage(t, 3, 2) {
			t.Errorf("%d bytes", len(got.raw))
		}
		if got := b.request("GET", first["url"].(string), ""); got.raw != pngImage(t, 3, 2) ||
			got.header.Get("Cache-Control") != "public, max-age=60" {
			t.Errorf("the old address: %d %v", got.status, got.header)
		}
		if n := b.sweepBlobs(); n != 1 {
			t.Errorf("%d were removed after replacing", n)
		}
		if got := b.request("GET", second["url"].(string), ""); got.status != 200 {
			t.Errorf("%d", got.status)
		}
		b.secret(200, "DELETE", at, "")
		if got := b.request("GET", second["url"].(string), ""); got.status != 404 || got.reason() != "not_found" {
			t.Errorf("deleted: %d %s", got.status, got.raw)
		}
		if n := b.sweepBlobs(); n != 1 {
			t.Errorf("%d were removed after deleting", n)
		}
	})
}

func TestInvalidFilesAreRefused(t *testing.T) {
	b := newSQLiteHarness(t)
	large := "\x89PNG\r\n\x1a\n" + strings.Repeat("x", media.MaxSize)
	const huge = "IHDR\x00\x00\xff\xff\x00\x00\xff\xff\x08\x00\x00\x00\x00"
	bomb := "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d" + huge + string(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(huge))))
	for name, c := range map[string]struct {
		entries []entry
		status  int
		reason  string
	}{
		"no file":                 {[]entry{{"alt", "", "x"}}, 400, "file_missing"},
		"a file that is none":     {[]entry{{"file", "", "hello"}}, 400, "file_missing"},
		"a file in another field": {[]entry{{"image", "a.png", "x"}}, 400, "file_missing"},
		"two files": {
			[]entry{{"file", "a.png", pngImage(t, 1, 1)}, {"file", "b.png", pngImage(t, 1, 1)}}, 400, "form_malformed",
		},
		"an empty file": {[]entry{{"file", "a.png", ""}}, 400, "file_empty"},
		"a page": {
			[]entry{{"file", "a.png", "<!DOCTYPE html><script>alert(1)</script>"}}, 415, "file_type_not_supported",
		},
		"a page behind spaces":        {[]entry{{"file", "a.txt", " \n\t <html>"}}, 415, "file_type_not_supported"},
		"a program":                   {[]entry{{"file", "a.png", "MZ\x90\x00\x03\x00\x00\x00"}}, 415, "file_type_not_supported"},
		"an archive":                  {[]entry{{"file", "a.zip", "PK\x03\x04\x14\x00"}}, 415, "file_type_not_supported"},
		"more than 25 MiB":            {[]entry{{"file", "a.png", large}}, 413, "file_too_large"},
		"an image of too many pixels": {[]entry{{"file", "a.png", bomb}}, 413, "image_too_large"},
		"a damaged image":             {[]entry{{"file", "a.png", "\x89PNG\r\n\x1a\nhello"}}, 400, "image_unreadable"},
		"an unknown field":            {[]entry{{"file", "a.png", pngImage(t, 1, 1)}, {"surprise", "", "x"}}, 400, "validation_failed"},
		"a malformed record":          {[]entry{{"file", "a.png", pngImage(t, 1, 1)}, {"_payload", "", "{"}}, 400, "malformed_request"},
		"a type given by the client": {
			[]entry{{"file", "a.png", pngImage(t, 1, 1)}, {"_payload", "", `{"mimeType":"text/html"}`}}, 400, "validation_failed",
		},
		"a blob of another record": {
			[]entry{{"file", "a.png", pngImage(t, 1, 1)}, {"_payload", "", `{"blob":"x/y"}`}}, 400, "validation_failed",
		},
		"an address given by the client": {
			[]entry{{"file", "a.png", pngImage(t, 1, 1)}, {"_payload", "", `{"url":"https://evil.example"}`}}, 400, "validation_failed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.sendForm("POST", "/api/media", c.entries)
			if a.status != c.status || a.reason() != c.reason {
				t.Errorf("%d %.300s", a.status, a.raw)
			}
		})
	}
	if n := b.secret(200, "GET", "/api/media/count", "").body["totalDocs"]; n != 0.0 {
		t.Errorf("%v records were created", n)
	}
	if b.sweepBlobs() == 0 {
		t.Error("nothing was stored before the refusals, so the test proves nothing")
	}
	if n := b.sweepBlobs(); n != 0 {
		t.Errorf("%d blobs are left", n)
	}
	if a := b.secret(400, "POST", "/api/media", `{"alt":"x"}`); a.reason() != "file_missing" {
		t.Errorf("%s", a.raw)
	}
}

func TestUploadPermissions(t *testing.T) {
	b := newSQLiteHarness(t)
	doc := b.upload("x.txt", "mine")
	kind, body := form(t, entry{"file", "x.txt", "hello"})
	for name, c := range map[string]struct {
		method, path string
		headers      []string
		status       int
	}{
		"nobody":                        {"POST", "/api/media", nil, 401},
		"a visitor":                     {"POST", "/api/media", []string{"X-Client-Key", b.shop.ClientKey}, 403},
		"another shop, over this one's": {"PATCH", "/api/media/" + doc["id"].(string), []string{"X-API-Key", b.other.SecretKey}, 404},
		"another shop, its own":         {"POST", "/api/media", []string{"X-API-Key", b.other.SecretKey}, 201},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.request(c.method, c.path, body, append(c.headers, "Content-Type", kind)...)
			if a.status != c.status {
				t.Errorf("%d %s", a.status, a.raw)
			}
		})
	}
	if got := b.request("GET", doc["url"].(string), ""); got.raw != "mine" {
		t.Errorf("the file is %q now", got.raw)
	}
	theirs := b.request("GET", "/api/media/"+doc["id"].(string), "", "X-API-Key", b.other.SecretKey)
	if theirs.status != 404 {
		t.Errorf("another shop sees %d", theirs.status)
	}
}

// An interrupted upload leaves nothing behind, and the client gets the cause, if it is still connected.
func TestAbortedUploadLeavesNothing(t *testing.T) {
	b := newSQLiteHarness(t)
	kind, body := form(t, entry{"file", "x.txt", strings.Repeat("hello ", 100_000)})
	a := b.request("POST", "/api/media", body[:300_000], "X-API-Key", b.shop.SecretKey, "Content-Type", kind)
	if a.status != 400 || a.reason() != "form_malformed" {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if n := b.sweepBlobs(); n != 1 {
		t.Errorf("%d were removed", n)
	}
}

// A repeated request creates no second record, and its blob is removed.
func TestUploadIsIdempotent(t *testing.T) {
	b := newSQLiteHarness(t)
	key := []string{"Idempotency-Key", "upload-0123456789"}
	first := b.sendForm("POST", "/api/media", []entry{{"file", "x.txt", "hello"}}, key...)
	second := b.sendForm("POST", "/api/media", []entry{{"file", "x.txt", "hello"}}, key...)
	if first.status != 201 || second.status != 201 || second.raw != first.raw || second.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d %s %d %s", first.status, first.raw, second.status, second.raw)
	}
	if other := b.sendForm("POST", "/api/media", []entry{{"file", "x.txt", "HELLO"}}, key...); other.reason() != "idempotency_key_reused" {
		t.Errorf("%d %s", other.status, other.raw)
	}
	if n := b.sweepBlobs(); n != 2 {
		t.Errorf("%d were removed", n)
	}
	if got := b.request("GET", first.doc()["url"].(string), ""); got.raw != "hello" {
		t.Errorf("%d %s", got.status, got.raw)
	}
}

// A blob that expired before its record was written makes no record.
func TestUploadTimesOut(t *testing.T) {
	b := newSQLiteHarness(t)
	slow := *b.uploads
	slow.ImageSizer = slowSizer{func() { b.sweepBlobs() }}
	b.uploads.ImageSizer = slow.ImageSizer
	a := b.sendForm("POST", "/api/media", []entry{{"file", "x.txt", "hello"}})
	if a.status != 409 || a.reason() != "upload_expired" {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if n := b.secret(200, "GET", "/api/media/count", "").body["totalDocs"]; n != 0.0 {
		t.Errorf("%v records", n)
	}
}

type slowSizer struct{ pass func() }

func (l slowSizer) Measure(string, interface {
	io.Reader
	io.ReaderAt
},
) (width, height int, err error) {
	l.pass()
	return 0, 0, nil
}

// A process that dies between storing a blob and its record leaves a blob without a record.
func TestPendingBlobsOfDeadProcessAreRemoved(t *testing.T) {
	b := newSQLiteHarness(t)
	p := tenant.Principal{Kind: tenant.SecretKey, Tenant: b.shop.Tenant, CanRead: true, CanWrite: true}
	staged, err := b.uploads.Stage(t.Context(), p, collection.Create,
		uploads.Upload{Filename: "x.txt", Content: strings.NewReader("hello")})
	if err != nil {
		t.Fatal(err)
	}
	there := func() error {
		r, err := b.uploads.Open(t.Context(), staged.File, 0, -1)
		if err == nil {
			err = r.Close()
		}
		return err
	}
	if more, err := b.uploads.Sweep(t.Context()); more || err != nil || there() != nil {
		t.Errorf("%v %v: a pending blob was removed too early", err, there())
	}
	if n := b.sweepBlobs(); n != 1 || !errors.Is(there(), ports.ErrNotFound) {
		t.Errorf("%d %v", n, there())
	}
}

// While the blob store is unavailable, nothing is lost.
func TestBlobStoreOutage(t *testing.T) {
	b := newSQLiteHarness(t)
	doc := b.upload("x.txt", "hello")
	up := b.uploads.Blobs
	b.uploads.Blobs = failingBlobs{}
	if a := b.sendForm("POST", "/api/media", []entry{{"file", "x.txt", "hello"}}); a.status != http.StatusServiceUnavailable {
		t.Errorf("upload: %d %s", a.status, a.raw)
	}
	if a := b.request("GET", doc["url"].(string), ""); a.status != http.StatusServiceUnavailable ||
		a.header.Get("Cache-Control") != "private, no-store" || a.header.Get("ETag") != "" {
		t.Errorf("read: %d %s %v", a.status, a.raw, a.header)
	}
	b.secret(200, "DELETE", "/api/media/"+doc["id"].(string), "")
	b.advance(time.Hour)
	if _, err := b.uploads.Sweep(t.Context()); err == nil {
		t.Error("the sweep removed something")
	}
	b.uploads.Blobs = up
	if n := b.sweepBlobs(); n != 2 {
		t.Errorf("%d were removed in the end", n)
	}
}

var errDown = errors.New("down")

type failingBlobs struct{}

func (failingBlobs) Put(context.Context, string, string, io.Reader) error {
	return unavailable(errDown)
}
func (failingBlobs) Open(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return nil, unavailable(errDown)
}
func (failingBlobs) Delete(context.Context, string) error { return unavailable(errDown) }

func unavailable(err error) error { return fault.ErrUnavailable.WithCause(err) }
