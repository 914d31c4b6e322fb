// Package playground serves GraphiQL, an editor that runs GraphQL documents. It is part of the binary: pages
// load nothing from other servers, and building the product needs no Node. assets.sh generates the files.
package playground

import (
	"cmp"
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/adapters/rest/static"
	"github.com/cartwright-dev/cartwright/app/operation"
)

//go:embed index.html page.js page.css assets/graphiql.js.gz assets/graphiql.css.gz assets/LICENSES.txt
var files embed.FS

// Playground registers the page and its files. Rule graphql-10: in development only.
type Playground struct{}

// assetPaths are the paths of the embedded files by their names in the URL.
var assetPaths = map[string]string{
	"": "index.html", "page.js": "page.js", "page.css": "page.css",
	"graphiql.js": "assets/graphiql.js.gz", "graphiql.css": "assets/graphiql.css.gz", "LICENSES.txt": "assets/LICENSES.txt",
}

func address(name string) string { return strings.TrimSuffix("/graphql-playground/"+name, "/") }

// Mount registers the page below /api. Its files are compressed when they are first asked for.
func (Playground) Mount(r fiber.Router) {
	for name, path := range assetPaths {
		load := sync.OnceValues(func() (static.File, error) { return static.Load(files, path) })
		r.Get(address(name), func(c *fiber.Ctx) error {
			f, err := load()
			if err != nil {
				return err
			}
			return f.SendPage(c)
		})
	}
}

// Describe describes the routes for the OpenAPI document.
func (Playground) Describe() (routes []openapi.Route) {
	for _, name := range slices.Sorted(maps.Keys(assetPaths)) {
		kind := map[bool]string{true: "text/html", false: "text/plain"}[name == ""]
		switch {
		case strings.HasSuffix(name, ".js"):
			kind = "text/javascript"
		case strings.HasSuffix(name, ".css"):
			kind = "text/css"
		}
		words := "Show GraphiQL, an editor that runs GraphQL documents"
		if name != "" {
			words = "Show a file of GraphiQL: " + name
		}
		routes = append(routes, openapi.Route{
			Tag: "GraphQL", NoAuth: true, PlainErrors: true, ResponseTypes: []string{kind}, Statuses: []int{200, 304},
			Operation: operation.Operation{
				Name: "playground." + strings.ReplaceAll(cmp.Or(name, "page"), ".", "-"), Summary: words, Method: "GET",
				Path: "/api" + address(name), Cacheable: true,
			},
		})
	}
	return routes
}
