package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/adapters/rest/static"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Console serves the operators' console below /console. It is a Root area.
//
// Its files are below /console/files/ and the fingerprint of all of them, so browsers keep them for good and ask for nothing on the
// next visit; a new version of the server has other addresses. Every other address is a screen, for which the page itself is sent.
type Console struct {
	Files fs.FS // index.html and all that it loads, in one folder; nil serves nothing
}

// consolePolicy allows the console its own files, images of this server and those that it makes itself, and the API. The
// markup has no inline scripts or styles, and no text becomes markup.
const consolePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// Mount registers /console.
func (s Console) Mount(r fiber.Router) {
	if s.Files == nil {
		return
	}
	site := sync.OnceValues(func() (consoleSite, error) { return loadConsole(s.Files) })
	r.Get("/console/files/:tag/:file", func(c *fiber.Ctx) error {
		site, err := site()
		if err != nil {
			return err
		}
		file, there := site.files[c.Params("file")]
		if !there || c.Params("tag") != site.tag {
			return ErrNoRoute
		}
		return file.SendForGood(c, consolePolicy)
	})
	page := func(c *fiber.Ctx) error {
		site, err := site()
		if err != nil {
			return err
		}
		return site.page.SendWithPolicy(c, consolePolicy)
	}
	for _, screen := range consoleScreens() {
		r.Get(strings.NewReplacer("{", ":", "}", "").Replace(screen.path), page)
	}
}

// consoleScreen is a form that the addresses of screens have.
type consoleScreen struct {
	name   string // of the route
	path   string
	params []collection.Field
}

// consoleScreens lists the forms, from the console itself to a part of a record.
func consoleScreens() (screens []consoleScreen) {
	next := consoleScreen{name: "page", path: "/console"}
	screens = append(screens, next)
	for _, f := range []collection.Field{
		{Name: "environment", Kind: collection.Text, Doc: "live or test; or a page for those who are not signed in: forgot, reset, invitation."},
		{Name: "screen", Kind: collection.Text, Doc: "The screen, such as orders."},
		{Name: "record", Kind: collection.Text, Doc: "Id of the record that it shows, or its own name for a part."},
		{Name: "part", Kind: collection.Text, Doc: "What it shows of the record, or the record of a part."},
	} {
		next = consoleScreen{name: f.Name, path: next.path + "/{" + f.Name + "}", params: append(slices.Clone(next.params), f)}
		screens = append(screens, next)
	}
	return screens
}

// consoleSite is the files of the console, ready to be sent.
type consoleSite struct {
	page  static.File
	files static.Folder
	tag   string // names this version of the files
}

// loadConsole reads the files, and completes the addresses in the page.
func loadConsole(from fs.FS) (site consoleSite, err error) {
	if site.files, err = static.LoadFolder(from); err != nil {
		return site, err
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(site.files)) {
		sum.Write([]byte(name + "\x00" + site.files[name].Tag() + "\x00"))
	}
	site.tag = hex.EncodeToString(sum.Sum(nil)[:8])
	page, err := fs.ReadFile(from, "index.html")
	if err != nil {
		return site, err
	}
	page = bytes.ReplaceAll(page, []byte("{{files}}"), []byte("/console/files/"+site.tag))
	site.page, err = static.NewFile("text/html; charset=utf-8", page)
	return site, err
}

// Describe implements Describer.
func (s Console) Describe() []openapi.Route {
	if s.Files == nil {
		return nil
	}
	var routes []openapi.Route
	for _, screen := range consoleScreens() {
		route := fileRoute("Console", "console."+screen.name, "Show a screen of the operators' console", screen.path, "text/html")
		route.Params = screen.params
		routes = append(routes, route)
	}
	file := fileRoute("Console", "console.file", "Show a file of the operators' console", "/console/files/{tag}/{file}", "text/css", "text/javascript",
		"image/svg+xml", "text/plain")
	file.Params = []collection.Field{
		{Name: "tag", Kind: collection.Text, Doc: "Fingerprint of the files."}, {Name: "file", Kind: collection.Text, Doc: "Name of the file."},
	}
	file.PlainErrors = false
	return append(routes, file)
}
