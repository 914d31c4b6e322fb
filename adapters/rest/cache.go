package rest

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/static"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// cachePrivate keeps an answer out of every cache.
const cachePrivate = "private, no-store"

// keepPrivate marks an answer that does not say whether it may be stored: a cache may store a 404 and what has no
// Authorization otherwise, and would answer it to other keys.
func keepPrivate(c *fiber.Ctx) {
	if len(c.Response().Header.Peek(fiber.HeaderCacheControl)) == 0 {
		c.Set(fiber.HeaderCacheControl, cachePrivate)
	}
}

// sendRead sends the response of a read. Responses to client keys may be cached, but must be revalidated each
// time, because prices and status must not lag. Rule api-9.
func sendRead(c *fiber.Ctx, p tenant.Principal, body []byte) error {
	if p.Kind != tenant.ClientKey || isOverridden(c) {
		c.Set(fiber.HeaderCacheControl, cachePrivate)
		return send(c, fiber.StatusOK, body)
	}
	c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
	c.Vary("X-Client-Key", fiber.HeaderAuthorization, "X-API-Key")
	return sendTagged(c, body)
}

// sendLocalized sends a read whose words are in a language. The client alone may keep it, and asks each time whether it is still right:
// the tag is of the words as they are for whoever asks. Rule api-9.
func sendLocalized(c *fiber.Ctx, l words.Language, body []byte) error {
	tellLanguage(c, l)
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	c.Vary(fiber.HeaderAuthorization, fiber.HeaderCookie, "X-API-Key", "X-Tenant-Id", "X-Environment")
	return sendTagged(c, body)
}

// sendTagged sends a body with the ETag of its bytes, or 304.
func sendTagged(c *fiber.Ctx, body []byte) error {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	c.Set(fiber.HeaderETag, tag)
	if static.Matches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	return send(c, fiber.StatusOK, body)
}
