package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

const maxNesting = 64

// readTree reads the body as one JSON object, numbers as exact text. Anything else is refused: broken JSON, a key given
// twice, something after the object, deep nesting, invalid UTF-8. Errors: fault.ErrMalformed, ErrMediaType, ErrTooLarge.
func readTree(c *fiber.Ctx) (map[string]any, error) {
	body, err := rawBody(c, fiber.MIMEApplicationJSON)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, fault.ErrMalformed.Saying("The body is empty; a JSON object is expected.")
	}
	return parseObject(body)
}

// readOptional is readTree for operations that can do without a body.
func readOptional(c *fiber.Ctx) (map[string]any, error) {
	body, err := bodyOf(c).whole()
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return map[string]any{}, nil
	}
	return readTree(c)
}

// rawBody is the body as sent, when it has the media type and stays within the limit. It is valid until the handler ends.
func rawBody(c *fiber.Ctx, want string) ([]byte, error) {
	if given := c.Get(fiber.HeaderContentType); given != "" {
		kind, _, err := mime.ParseMediaType(given)
		if err != nil || kind != want && !(want == fiber.MIMEApplicationJSON && strings.HasSuffix(kind, "+json")) {
			return nil, ErrMediaType
		}
	}
	return bodyOf(c).whole()
}

// parseObject reads one JSON object. Errors: fault.ErrMalformed.
func parseObject(body []byte) (map[string]any, error) {
	v, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fault.ErrMalformed.Saying("A JSON object is expected.")
	}
	return m, nil
}

// parseJSON reads one JSON value as a Tree. Errors: fault.ErrMalformed.
func parseJSON(body []byte) (collection.Tree, error) {
	if !utf8.Valid(body) {
		return nil, fault.ErrMalformed.Saying("The body is not valid UTF-8.")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	v, err := readValue(dec, 0)
	if err != nil {
		if f, ok := errors.AsType[*fault.Error](err); ok {
			return nil, f
		}
		return nil, fault.ErrMalformed.Saying("The body is not valid JSON near byte %d.", dec.InputOffset()).Because(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.ErrMalformed.Saying("Something follows the JSON value at byte %d.", dec.InputOffset())
	}
	return v, nil
}

func readValue(dec *json.Decoder, depth int) (collection.Tree, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxNesting {
		return nil, fault.ErrMalformed.Saying("The JSON nests deeper than %d levels.", maxNesting)
	}
	switch token {
	case json.Delim('{'):
		return readObject(dec, depth)
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := readValue(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	switch v := token.(type) {
	case json.Number:
		return collection.Numeral(v), nil
	case string:
		return readText(v)
	}
	return token, nil // true, false, nil
}

func readObject(dec *json.Decoder, depth int) (collection.Tree, error) {
	m := map[string]any{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, ok := token.(string)
		if !ok {
			return nil, fault.ErrMalformed
		}
		if _, twice := m[key]; twice {
			return nil, fault.ErrMalformed.Saying("The key %q is given twice.", key)
		}
		if _, err := readText(key); err != nil {
			return nil, err
		}
		if m[key], err = readValue(dec, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := dec.Token()
	return m, err
}

// readText refuses the NUL character, which no database text can hold.
func readText(s string) (collection.Tree, error) {
	if strings.ContainsRune(s, 0) {
		return nil, fault.ErrMalformed.Saying("Text must not contain the NUL character.")
	}
	return s, nil
}
