// Package static serves files that do not change while the server runs, in the encoding that the client asks for: each is made once,
// and revalidated by ETag.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"
)

// File is ready to be sent, compressed or not.
type File struct {
	kind   string // media type
	tag    string // without quotes
	bodies []body // the smallest first, the last as it is
}

// body is a file in one encoding.
type body struct {
	encoding string // content coding, such as gzip; empty as it is
	content  func() ([]byte, error)
}

// Tag tells the file from any other, also from another version of it.
func (f File) Tag() string { return f.tag }

// NewFile makes a File of plain, and keeps it in one encoding alone: the smallest.
func NewFile(kind string, plain []byte) (File, error) {
	small, err := gzipped(plain)
	bodies := []body{{"gzip", ready(small)}, {"", func() ([]byte, error) { return gunzipped(small) }}}
	if len(small) >= len(plain) {
		bodies = []body{{"", ready(plain)}}
	}
	return File{kind: kind, tag: tagOf(plain), bodies: bodies}, err
}

// ready is content that is there.
func ready(content []byte) func() ([]byte, error) {
	return func() ([]byte, error) { return content, nil }
}

// brotliFile is a File of what brotli made. Its other bodies are made when somebody asks for one; that of gzip, which many do, is kept.
func brotliFile(kind string, br []byte) File {
	plain := func() ([]byte, error) { return io.ReadAll(brotli.NewReader(bytes.NewReader(br))) }
	small := sync.OnceValues(func() ([]byte, error) {
		content, err := plain()
		if err != nil {
			return nil, err
		}
		return gzipped(content)
	})
	return File{kind: kind, tag: tagOf(br), bodies: []body{{"br", ready(br)}, {"gzip", small}, {"", plain}}}
}

// gzipFile is a File of what gzip made. The plain content is made when somebody asks for it.
func gzipFile(kind string, gz []byte) File {
	return File{kind: kind, tag: tagOf(gz), bodies: []body{{"gzip", ready(gz)}, {"", func() ([]byte, error) { return gunzipped(gz) }}}}
}

func gunzipped(gz []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func gzipped(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

func tagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:12])
}

var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".woff2": "font/woff2",
}

// Load reads a File, whose extension says its media type: plain text if it is unknown. Names that end in .br or .gz are of
// compressed files.
func Load(from fs.FS, name string) (File, error) {
	content, err := fs.ReadFile(from, name)
	if err != nil {
		return File{}, err
	}
	kind := kinds[path.Ext(addressOf(name))]
	if kind == "" {
		kind = "text/plain; charset=utf-8"
	}
	switch path.Ext(name) {
	case ".br":
		return brotliFile(kind, content), nil
	case ".gz":
		return gzipFile(kind, content), nil
	}
	return NewFile(kind, content)
}

// addressOf is the name of a file in its URL.
func addressOf(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".br"), ".gz")
}

// Folder is the files of one page, by their names in the URL: paths with slashes.
type Folder map[string]File

// LoadFolder reads all files of from, as Load does. Two that have one address, such as x.js and x.js.br, are an error.
func LoadFolder(from fs.FS) (Folder, error) {
	all := Folder{}
	err := fs.WalkDir(from, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		address := addressOf(name)
		if _, taken := all[address]; taken {
			return fmt.Errorf("two files have the address %s: one of them is %s", address, name)
		}
		all[address], err = Load(from, name)
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
	asked := f.bodyFor(c.Get(fiber.HeaderAcceptEncoding))
	tag := `"` + f.tag + `"`
	if asked.encoding != "" {
		tag = `"` + f.tag + "-" + asked.encoding + `"`
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	if Matches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	content, err := asked.content()
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, f.kind)
	if asked.encoding != "" {
		c.Set(fiber.HeaderContentEncoding, asked.encoding)
	}
	c.Response().SetBodyRaw(content)
	return nil
}

// bodyFor is the body that an Accept-Encoding prefers: of equals the smallest, and the file as it is where no other is accepted.
func (f File) bodyFor(accepted string) body {
	last := len(f.bodies) - 1
	best, most := f.bodies[last], 0.0
	if weight, named := weightOf("identity", accepted); named {
		most = weight
	}
	for i := last - 1; i >= 0; i-- {
		if weight, _ := weightOf(f.bodies[i].encoding, accepted); weight > 0 && weight >= most {
			best, most = f.bodies[i], weight
		}
	}
	return best
}

// weightOf is the weight from 0, not acceptable, to 1 that an Accept-Encoding gives an encoding, and whether it does so by name, and
// not by *. Source: RFC 9110, sections 12.4.2 and 12.5.3.
func weightOf(encoding, accepted string) (weight float64, named bool) {
	others := 0.0
	for part := range strings.SplitSeq(accepted, ",") {
		name, param, _ := strings.Cut(part, ";")
		weight := 1.0
		if key, q, there := strings.Cut(param, "="); there && strings.EqualFold(strings.TrimSpace(key), "q") {
			weight, _ = strconv.ParseFloat(strings.TrimSpace(q), 64) // what is no number accepts nothing
		}
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, encoding):
			return weight, true
		case name == "*":
			others = weight
		}
	}
	return others, false
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
