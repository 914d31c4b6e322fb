package rest

import (
	"context"
	"encoding/json"
	"io/fs"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/adapters/rest/static"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// DemoStorefront serves an example shop below /demo. It is a Root area, for installations with the sandbox
// provider, where no payment is real.
type DemoStorefront struct {
	Files fs.FS // index.html and the files it loads, in one folder; nil serves nothing
	// Shop is the shop to show. It is called at every visit, because a shop may be created at any time.
	Shop func(context.Context) (DemoShop, error)
}

// DemoShop is the shop that the storefront shows. With the zero value the page asks its visitor for one.
type DemoShop struct {
	Name      string `json:"name,omitempty"`
	ClientKey string `json:"clientKey,omitempty"` // of the test environment; public
}

// demoPolicy allows the page its own files, images of this server and the API, and nothing else. The markup
// has no inline scripts or styles.
const demoPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// Mount registers /demo.
func (s DemoStorefront) Mount(r fiber.Router) {
	if s.Files == nil {
		return
	}
	files := sync.OnceValues(func() (static.Folder, error) { return static.LoadFolder(s.Files) })
	send := func(c *fiber.Ctx, name string) error {
		f, err := fileOf(files, name)
		if err != nil {
			return err
		}
		return f.SendWithPolicy(c, demoPolicy)
	}
	r.Get("/demo", func(c *fiber.Ctx) error {
		if c.Path() == "/demo" {
			return c.Redirect("/demo/", fiber.StatusPermanentRedirect) // the page refers to its files by relative URLs
		}
		return send(c, "index.html")
	})
	r.Get("/demo/shop.json", s.shop)
	r.Get("/demo/:file", func(c *fiber.Ctx) error { return send(c, c.Params("file")) })
}

func (s DemoStorefront) shop(c *fiber.Ctx) error {
	shop, err := s.Shop(c.UserContext())
	if err != nil {
		return err
	}
	body, err := json.Marshal(shop) //nolint:gosec // client keys are public
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return send(c, fiber.StatusOK, body)
}

// Describe implements Describer.
func (s DemoStorefront) Describe() []openapi.Route {
	if s.Files == nil {
		return nil
	}
	file := fileRoute("Demo", "demo.file", "Show a file of the example storefront", "/demo/{file}", "text/css", "text/javascript",
		"image/svg+xml", "font/woff2", "text/plain")
	file.Params = []collection.Field{{Name: "file", Kind: collection.Text, Doc: "Name of the file."}}
	file.PlainErrors = false
	page := fileRoute("Demo", "demo.page", "Show the example storefront", "/demo", "text/html")
	page.Statuses = []int{200, 304, 308}
	shop := fileRoute("Demo", "demo.shop", "Show which shop the example storefront uses", "/demo/shop.json", fiber.MIMEApplicationJSON)
	shop.Cacheable, shop.Statuses = false, []int{200}
	return []openapi.Route{page, shop, file}
}
