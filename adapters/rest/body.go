package rest

import (
	"bytes"
	"mime"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// readObject reads the body as one JSON object. Errors: fault.ErrMalformed, read.ErrMediaType, read.ErrTooLarge.
func readObject(c *fiber.Ctx) (map[string]any, error) {
	body, err := rawBody(c, fiber.MIMEApplicationJSON)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, fault.ErrMalformed.WithMessage("The body is empty; a JSON object is expected.")
	}
	return read.Object(body)
}

// readOptional is readObject for operations whose body is optional.
func readOptional(c *fiber.Ctx) (map[string]any, error) {
	body, err := bodyOf(c).whole()
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return map[string]any{}, nil
	}
	return readObject(c)
}

// rawBody is the body as sent, if it has the media type and is within the limit. It is valid until the handler returns.
func rawBody(c *fiber.Ctx, want string) ([]byte, error) {
	if given := c.Request().Header.ContentType(); len(given) > 0 && string(given) != want {
		kind, params, err := mime.ParseMediaType(string(given))
		if err != nil || kind != want && !(want == fiber.MIMEApplicationJSON && isJSON(c)) {
			return nil, read.ErrMediaType
		}
		if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "us-ascii") {
			return nil, read.ErrMediaType.WithMessage("The body must be UTF-8, not %s.", charset)
		}
	}
	return bodyOf(c).whole()
}

// isJSON reports whether the body is declared as JSON.
func isJSON(c *fiber.Ctx) bool {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	return err == nil && (kind == fiber.MIMEApplicationJSON || strings.HasSuffix(kind, "+json"))
}

// isForm reports whether the body is declared as multipart/form-data.
func isForm(c *fiber.Ctx) bool {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	return err == nil && kind == fiber.MIMEMultipartForm
}
