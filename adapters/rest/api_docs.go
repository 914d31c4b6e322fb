package rest

import (
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/adapters/rest/static"
	"github.com/cartwright-dev/cartwright/adapters/rest/ui"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// docs serves the API documentation: the OpenAPI document and a page that shows it. Both are public: they contain no
// secrets, and every operation checks its caller.
type docs struct{ options Options }

// docsAssets are the files of the page.
var docsAssets = sync.OnceValues(func() (static.Folder, error) { return static.LoadFolder(ui.Files) })

// Mount registers the document, which is generated at the first request, and the page.
func (d docs) Mount(r fiber.Router) {
	document := sync.OnceValues(func() (static.File, error) { return static.NewFile(fiber.MIMEApplicationJSON, Document(d.options)) })
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
	f, err := fileOf(docsAssets, name)
	if err != nil {
		return err
	}
	return f.SendPage(c)
}

// fileOf is a file of a folder that is read at the first request. Errors: ErrNoRoute.
func fileOf(folder func() (static.Folder, error), name string) (static.File, error) {
	all, err := folder()
	if err != nil {
		return static.File{}, err
	}
	f, ok := all[name]
	if !ok {
		return f, ErrNoRoute
	}
	return f, nil
}

// fileRoute describes a file that is part of the server.
func fileRoute(tag, name, summary, path string, mediaTypes ...string) openapi.Route {
	return openapi.Route{
		Tag: tag, NoAuth: true, PlainErrors: true, ResponseTypes: mediaTypes, Statuses: []int{200, 304}, Operation: operation.Operation{
			Name: name, Summary: summary, Method: "GET", Path: path, Cacheable: true,
		},
	}
}

// Describe implements Describer.
func (docs) Describe() []openapi.Route {
	file := fileRoute("", "docs.file", "Show a file of the documentation page",
		"/api/docs/{file}", "text/html", "text/css", "text/javascript", "text/plain")
	file.Params = []collection.Field{{Name: "file", Kind: collection.Text, Doc: "Name of the file."}}
	file.PlainErrors = false
	return []openapi.Route{
		fileRoute("", "docs.openapi", "Show this document", "/api/openapi.json", fiber.MIMEApplicationJSON),
		fileRoute("", "docs.page", "Show the documentation", "/api/docs", "text/html"),
		file,
	}
}
