package rest

import (
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/adapters/rest/static"
	"github.com/cartwright-dev/cartwright/adapters/rest/ui"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// docs is the documentation of the server itself: the OpenAPI document and a page that shows it. Both are public in every
// mode: what can be called is no secret, and who may call it is checked there.
type docs struct{ options Options }

// assets are the files of the page, by the name they are asked for.
var assets = sync.OnceValues(func() (map[string]static.File, error) {
	entries, err := ui.Files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	all := map[string]static.File{}
	for _, e := range entries {
		if all[strings.TrimSuffix(e.Name(), ".gz")], err = static.Load(ui.Files, e.Name()); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// Mount registers the document, which is made when the first client asks for it, and the page.
func (d docs) Mount(r fiber.Router) {
	document := sync.OnceValues(func() (static.File, error) { return static.Pack(fiber.MIMEApplicationJSON, Document(d.options)) })
	r.Get("/openapi.json", func(c *fiber.Ctx) error {
		s, err := document()
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
		return s.Send(c)
	})
	r.Get("/docs", func(c *fiber.Ctx) error { return sendAsset(c, "page.html") })
	r.Get("/docs/:file", func(c *fiber.Ctx) error { return sendAsset(c, c.Params("file")) })
}

func sendAsset(c *fiber.Ctx, name string) error {
	all, err := assets()
	if err != nil {
		return err
	}
	s, ok := all[name]
	if !ok {
		return ErrNoRoute
	}
	return s.SendPage(c)
}

// Describe implements Describer.
func (docs) Describe() []openapi.Route {
	describe := func(name, summary, path string, gives ...string) openapi.Route {
		return openapi.Route{Open: true, Plain: true, Gives: gives, Statuses: []int{200, 304}, Operation: operation.Operation{
			Name: name, Summary: summary, Method: "GET", Path: path, Cached: true,
		}}
	}
	file := describe("docs.file", "Show a file of the documentation's page", "/api/docs/{file}", "text/html", "text/css", "text/javascript", "text/plain")
	file.Params = []collection.Field{{Name: "file", Kind: collection.Text, Doc: "Its name."}}
	file.Plain = false
	return []openapi.Route{
		describe("docs.openapi", "Show this document", "/api/openapi.json", fiber.MIMEApplicationJSON),
		describe("docs.page", "Show the documentation", "/api/docs", "text/html"),
		file,
	}
}
