package rest

import (
	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/words"
)

// languageOf is the language in which the caller of a request is told things. Several lines of the header are one list. Rule api-27.
func languageOf(c *fiber.Ctx) words.Language {
	return words.Preferred(acceptedLanguages(c))
}

// tellLanguage says in which language an answer tells people things, and that it is another answer in another one.
func tellLanguage(c *fiber.Ctx, l words.Language) {
	c.Set(fiber.HeaderContentLanguage, l.Tag())
	c.Vary(fiber.HeaderAcceptLanguage)
}

// tellLanguageOf is tellLanguage for a successful answer of o, if it has words. A replayed one has those of the first answer, whose
// language nothing says any more.
func tellLanguageOf(c *fiber.Ctx, o *operation.Operation, l words.Language, a idempotency.Response) {
	if o.Localized && !a.Replayed {
		tellLanguage(c, l)
	}
}
