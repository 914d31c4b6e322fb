package static_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/static"
)

var plain = []byte(strings.Repeat("A file that says the same again. ", 40))

// compressed is plain as an encoding has it.
func compressed(t *testing.T, encoding string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := map[string]func() io.WriteCloser{
		"br":   func() io.WriteCloser { return brotli.NewWriter(&b) },
		"gzip": func() io.WriteCloser { return gzip.NewWriter(&b) },
	}[encoding]()
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// decompressed is what a client reads.
func decompressed(t *testing.T, encoding string, body io.Reader) string {
	t.Helper()
	var err error
	switch encoding {
	case "br":
		body = brotli.NewReader(body)
	case "gzip":
		body, err = gzip.NewReader(body)
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// served answers requests for a folder of one file.
func served(t *testing.T, name string, content []byte) func(header ...string) *http.Response {
	t.Helper()
	files, err := static.LoadFolder(fstest.MapFS{name: {Data: content}})
	if err != nil {
		t.Fatal(err)
	}
	file, there := files["page.js"]
	if !there {
		t.Fatal(files)
	}
	server := fiber.New()
	server.Get("/", file.Send)
	return func(header ...string) *http.Response {
		t.Helper()
		req := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		res, err := server.Test(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
}

// A client gets the encoding that it prefers, of equals the smallest, and the file as it is where it accepts no other.
func TestEncodings(t *testing.T) {
	files := map[string][]byte{"page.js": plain, "page.js.gz": compressed(t, "gzip"), "page.js.br": compressed(t, "br")}
	for accepted, want := range map[string]struct{ ofPlain, ofGzip, ofBrotli string }{
		"":                          {"", "", ""},
		"br":                        {"", "", "br"},
		"gzip":                      {"gzip", "gzip", "gzip"},
		"gzip, deflate, br, zstd":   {"gzip", "gzip", "br"},
		"GZip;q=1.0, BR ; Q=1":      {"gzip", "gzip", "br"},
		"gzip;q=1, br;q=0.5":        {"gzip", "gzip", "gzip"},
		"gzip;q=0.5, br;q=0.001":    {"gzip", "gzip", "gzip"},
		"br;q=0, gzip":              {"gzip", "gzip", "gzip"},
		"br;q=0.000, gzip;q=0":      {"", "", ""},
		"*":                         {"gzip", "gzip", "br"},
		"*;q=0":                     {"", "", ""},
		"br;q=0, *":                 {"gzip", "gzip", "gzip"},
		"gzip;q=0, *;q=0.1":         {"", "", "br"},
		"identity":                  {"", "", ""},
		"deflate, zstd":             {"", "", ""},
		"br;q=nonsense, gzip;q=0.1": {"gzip", "gzip", "gzip"},
		"brotli, xgzip":             {"", "", ""},
		"identity;q=1, gzip;q=0.1":  {"", "", ""},
		"identity, *;q=0.5":         {"", "", ""},
		"identity;q=0.5, gzip":      {"gzip", "gzip", "gzip"},
		"identity, gzip":            {"gzip", "gzip", "gzip"},
		"identity;q=0, br;q=0.1":    {"", "", "br"},
		"*, gzip;q=0.1":             {"gzip", "gzip", "br"},
	} {
		for name, encoding := range map[string]string{"page.js": want.ofPlain, "page.js.gz": want.ofGzip, "page.js.br": want.ofBrotli} {
			res := served(t, name, files[name])("Accept-Encoding", accepted)
			if got := res.Header.Get("Content-Encoding"); got != encoding {
				t.Errorf("%s for %q has the encoding %q instead of %q", name, accepted, got, encoding)
			}
			if decompressed(t, res.Header.Get("Content-Encoding"), res.Body) != string(plain) {
				t.Errorf("%s for %q says something else", name, accepted)
			}
			if res.Header.Get("Vary") != "Accept-Encoding" || res.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
				t.Errorf("%s for %q: %v", name, accepted, res.Header)
			}
		}
	}
}

// What a cache has in one encoding is not what another one is asked for.
func TestEachEncodingHasItsTag(t *testing.T) {
	get := served(t, "page.js.br", compressed(t, "br"))
	tags := map[string]string{}
	for _, encoding := range []string{"br", "gzip", "identity"} {
		tag := get("Accept-Encoding", encoding).Header.Get("ETag")
		if other, taken := tags[tag]; taken || tag == "" {
			t.Errorf("%s has the tag %s of %q", encoding, tag, other)
		}
		tags[tag] = encoding
	}
	for tag, of := range tags {
		for _, encoding := range []string{"br", "gzip", "identity"} {
			want := http.StatusOK
			if encoding == of {
				want = http.StatusNotModified
			}
			res := get("Accept-Encoding", encoding, "If-None-Match", tag)
			if res.StatusCode != want || res.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s for who has %s: %d %v", encoding, of, res.StatusCode, res.Header)
			}
		}
	}
}

// A file that is damaged is an error, and no empty page.
func TestDamagedFile(t *testing.T) {
	for _, name := range []string{"page.js.br", "page.js.gz"} {
		if res := served(t, name, []byte("damaged"))(); res.StatusCode != http.StatusInternalServerError {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
}

// A file that gzip makes no smaller is sent as it is.
func TestSmallFile(t *testing.T) {
	if res := served(t, "page.js", []byte("1"))("Accept-Encoding", "gzip"); res.Header.Get("Content-Encoding") != "" {
		t.Error(res.Header)
	}
}

// Which of two files a visitor would get is no matter of chance.
func TestTwoFilesOfOneAddress(t *testing.T) {
	for _, name := range []string{"page.js.br", "page.js.gz"} {
		if files, err := static.LoadFolder(fstest.MapFS{"page.js": {Data: plain}, name: {Data: plain}}); err == nil {
			t.Errorf("page.js and %s: %d files and no error", name, len(files))
		}
	}
}
