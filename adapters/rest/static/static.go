// Package static serves files that do not change while the server runs. They are compressed once and
// revalidated by ETag.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// File is ready to be sent, compressed or not.
type File struct {
	kind    string // media type
	gzipped []byte // gzip; nil where it would be no smaller
	plain   []byte // if there is no gzipped
	tag     string // without quotes
}

// Tag tells the file from any other, also from another version of it.
func (f File) Tag() string { return f.tag }

// NewFile makes a File of plain.
func NewFile(kind string, plain []byte) (File, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err == nil {
		err = w.Close()
	}
	if b.Len() >= len(plain) {
		return File{kind: kind, plain: plain, tag: tagOf(plain)}, err
	}
	return gzippedFile(kind, b.Bytes()), err
}

func gzippedFile(kind string, gz []byte) File {
	return File{kind: kind, gzipped: gz, tag: tagOf(gz)}
}

func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:12])
}

var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".woff2": "font/woff2",
}

// Load reads a File, whose extension says its media type: plain text if it is unknown. Names with .gz at the end are of
// compressed files.
func Load(from fs.FS, name string) (File, error) {
	body, err := fs.ReadFile(from, name)
	if err != nil {
		return File{}, err
	}
	plain, compressed := strings.CutSuffix(name, ".gz")
	kind := kinds[path.Ext(plain)]
	if kind == "" {
		kind = "text/plain; charset=utf-8"
	}
	if compressed {
		return gzippedFile(kind, body), nil
	}
	return NewFile(kind, body)
}

// Folder is the files of one page, by their names in the URL: paths with slashes.
type Folder map[string]File

// LoadFolder reads all files of from, as Load does.
func LoadFolder(from fs.FS) (Folder, error) {
	all := Folder{}
	err := fs.WalkDir(from, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		all[strings.TrimSuffix(name, ".gz")], err = Load(from, name)
		return err
	})
	return all, err
}

// pagePolicy restricts a page to scripts, styles and requests of this server. Inline styles are allowed,
// because the libraries on these pages write them.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// SendPage is Send for a page that is built with a third-party library, and for the files of such a page.
func (f File) SendPage(c *fiber.Ctx) error { return f.SendWithPolicy(c, pagePolicy) }

// SendWithPolicy is Send for a page with its own content security policy, and for the files of such a page.
func (f File) SendWithPolicy(c *fiber.Ctx, policy string) error {
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	return f.Send(c)
}

// SendForGood is SendWithPolicy for a file whose address changes when it does: nobody asks for it twice.
func (f File) SendForGood(c *fiber.Ctx, policy string) error {
	err := f.SendWithPolicy(c, policy)
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	return err
}

// Send answers with f, or with 304 if the client has it. Each encoding is a representation with its own tag.
func (f File) Send(c *fiber.Ctx) error {
	compressed := f.gzipped != nil && acceptsGzip(c.Get(fiber.HeaderAcceptEncoding))
	tag := `"` + f.tag + `"`
	if compressed {
		tag = `"` + f.tag + `-gzip"`
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	if Matches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	c.Set(fiber.HeaderContentType, f.kind)
	switch {
	case compressed:
		c.Set(fiber.HeaderContentEncoding, "gzip")
		c.Response().SetBodyRaw(f.gzipped)
		return nil
	case f.gzipped == nil:
		c.Response().SetBodyRaw(f.plain)
		return nil
	}
	r, err := gzip.NewReader(bytes.NewReader(f.gzipped))
	if err != nil {
		return err
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	c.Response().SetBodyRaw(plain)
	return nil
}

// acceptsGzip reports whether an Accept-Encoding names gzip without refusing it.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			_, q, weighted := strings.Cut(weight, "=")
			return !weighted || strings.Trim(strings.TrimSpace(q), "0.") != ""
		}
	}
	return false
}

// Matches reports whether an If-None-Match names tag.
func Matches(header, tag string) bool {
	for given := range strings.SplitSeq(header, ",") {
		if given = strings.TrimPrefix(strings.TrimSpace(given), "W/"); given == tag || given == "*" {
			return true
		}
	}
	return false
}
