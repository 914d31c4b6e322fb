package rest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The parameters that name the language of a shop's texts, as Payload's clients send them.
const (
	paramLocale   = "locale"
	paramFallback = "fallback-locale"
)

// setContent has the rest of the request read and write the shop's texts in the language that its parameters name. Shoppers who name none
// read the one that their browser prefers; operators never do, who would save one language over another. Errors: fault.ErrValidation.
// Rules languages-1, languages-3.
func setContent(c *fiber.Ctx, p *tenant.Principal, params map[string]any) (err error) {
	locale, err := languageParam(params, paramLocale)
	if err != nil {
		return err
	}
	fallback, err := languageParam(params, paramFallback)
	if err != nil {
		return err
	}
	if locale == "" && !p.IsStaff() {
		p.Content = p.Tenant.ContentFor(acceptedLanguages(c))
	} else if p.Content, err = p.Tenant.ContentIn(locale, fallback); err != nil {
		return err
	}
	if p.Content.All && !p.IsStaff() {
		return fault.Invalidf(paramLocale, "locale=all is for users and secret keys.")
	}
	requestInfoOf(c).auth.principal.Content = p.Content
	return nil
}

// acceptedLanguages is the header Accept-Language, of which several lines are one list.
func acceptedLanguages(c *fiber.Ctx) string {
	return string(bytes.Join(c.Request().Header.PeekAll(fiber.HeaderAcceptLanguage), []byte(",")))
}

// languageParam reads a parameter; "" where it is missing or null.
func languageParam(params map[string]any, name string) (string, error) {
	switch v := params[name].(type) {
	case nil:
		return "", nil
	case string:
		return strings.TrimSpace(v), nil
	case bool:
		if !v && name == paramFallback {
			return tenant.NoFallback, nil
		}
	case []any: // Payload's clients send a list of one
		if len(v) == 1 {
			return languageParam(map[string]any{name: v[0]}, name)
		}
	case collection.JSONNumber:
	}
	return "", fault.Invalidf(name, "%s takes the tag of a language.", name)
}

// tellContent says in which language the texts of an answer are, where the shop has several.
func tellContent(c *fiber.Ctx, p tenant.Principal) {
	if len(p.Tenant.Locales) < 2 {
		return
	}
	if !p.Content.All {
		c.Set(fiber.HeaderContentLanguage, p.Content.Tag(p.Tenant))
	}
	if !p.IsStaff() {
		c.Vary(fiber.HeaderAcceptLanguage)
	}
}

// tellContentOf is tellContent for an answer of o, if it has texts of the shop.
func tellContentOf(c *fiber.Ctx, o *operation.Operation, p tenant.Principal) {
	if o.Translated {
		tellContent(c, p)
	}
}

// operationContent is setContent for a call of o. Errors: also for a language where o has no texts of the shop, or has them in the default
// one only: a client would else save one language over another.
func operationContent(c *fiber.Ctx, o *operation.Operation, p *tenant.Principal) error {
	if o.Upload != nil && o.Upload.Writes != nil {
		return nil // readProjection has set it
	}
	params, err := allParams(c)
	if err != nil {
		return err
	}
	if o.Translated {
		return setContent(c, p, params)
	}
	for _, name := range []string{paramLocale, paramFallback} {
		own := !o.HasBody() && slices.ContainsFunc(o.Input, func(f collection.Field) bool { return f.Name == name })
		if _, given := params[name]; given && !own {
			return fault.Invalidf(name, "This call reads and writes the shop's texts in its default language; translations has the others.")
		}
	}
	return nil
}
