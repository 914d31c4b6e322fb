package rest

import (
	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/browsing"
)

// Catalog registers the storefront reads of products. Contract 4.
type Catalog struct{ Browsing *browsing.Browsing }

// Mount implements Area.
func (a Catalog) Mount(r fiber.Router) {
	commerce(r, func(r fiber.Router) {
		r.Get("/products/detail", a.detail)
	})
}

func (a Catalog) detail(c *fiber.Ctx) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	wanted := browsing.Wanted{Slug: c.Query("slug"), ID: c.Query("id"), Market: c.Query("market"), Quantities: call.Server}
	found, body, err := a.Browsing.Detail(c.UserContext(), call.Principal, wanted)
	if err != nil {
		return err
	}
	if !found {
		return send(c, fiber.StatusNotFound, body)
	}
	return sendRead(c, call.Principal, body)
}
