// Package playground serves GraphiQL, a page to write and try documents in. It is part of the binary: nothing is fetched
// from elsewhere, and building the product needs no Node. assets.sh makes the files anew.
package playground

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"strings"

	"github.com/gofiber/fiber/v2"
)

//go:embed index.html page.js page.css assets/graphiql.js.gz assets/graphiql.css.gz assets/LICENSES.txt
var files embed.FS

// Playground registers the page and its files. Spec 4.5: in development only.
type Playground struct{}

// policy lets the page run what comes with it and speak to this server. Its editor measures text with style attributes
// and rules made at run time.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// at is where the files stand, by their names in the address.
var at = map[string]struct{ path, kind string }{
	"":             {"index.html", "text/html; charset=utf-8"},
	"page.js":      {"page.js", "text/javascript; charset=utf-8"},
	"page.css":     {"page.css", "text/css; charset=utf-8"},
	"graphiql.js":  {"assets/graphiql.js.gz", "text/javascript; charset=utf-8"},
	"graphiql.css": {"assets/graphiql.css.gz", "text/css; charset=utf-8"},
	"LICENSES.txt": {"assets/LICENSES.txt", "text/plain; charset=utf-8"},
}

// Mount registers the page below /api.
func (Playground) Mount(r fiber.Router) {
	for name, f := range at {
		body, err := fs.ReadFile(files, f.path)
		if err != nil {
			panic(err) // it is embedded
		}
		r.Get(strings.TrimSuffix("/graphql-playground/"+name, "/"), serve(body, f.kind, strings.HasSuffix(f.path, ".gz")))
	}
}

// serve answers with body, which may be kept as long as its ETag stands. A compressed one is written out for clients
// that do not say they can read it.
func serve(body []byte, kind string, compressed bool) fiber.Handler {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	return func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentSecurityPolicy, policy)
		c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
		c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
		c.Set(fiber.HeaderCacheControl, "no-cache")
		c.Set(fiber.HeaderETag, tag)
		if c.Get(fiber.HeaderIfNoneMatch) == tag {
			return c.SendStatus(fiber.StatusNotModified)
		}
		c.Set(fiber.HeaderContentType, kind)
		if !compressed {
			return c.Send(body)
		}
		c.Vary(fiber.HeaderAcceptEncoding)
		if strings.Contains(c.Get(fiber.HeaderAcceptEncoding), "gzip") {
			c.Set(fiber.HeaderContentEncoding, "gzip")
			return c.Send(body)
		}
		plain, err := gzip.NewReader(strings.NewReader(string(body)))
		if err != nil {
			return err
		}
		text, err := io.ReadAll(plain)
		if err != nil {
			return err
		}
		return c.Send(text)
	}
}
