package rest

import (
	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/words"
)

// languageOf is the language in which the caller of a request is told things. Rule api-27.
func languageOf(c *fiber.Ctx) words.Language {
	return words.Preferred(c.Get(fiber.HeaderAcceptLanguage))
}

// tellLanguage says in which language an answer tells people things, and that it is another answer in another one.
func tellLanguage(c *fiber.Ctx, l words.Language) {
	c.Set(fiber.HeaderContentLanguage, l.Tag())
	c.Vary(fiber.HeaderAcceptLanguage)
}
