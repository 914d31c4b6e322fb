package rest

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// The parameters of collections. Parameters of Payload that do not apply here (drafts, trash) are
// accepted and ignored. There are no join fields either, so joins is accepted only as false. Any other
// parameter is refused, so that a misspelled filter is not ignored.
var (
	ignoredParams = []string{"draft", "trash", "joins"}
	oneParams     = append([]string{"depth", "select", "populate", paramLocale, paramFallback}, ignoredParams...)
	deleteParams  = append([]string{collection.ExpectedRevision}, oneParams...)
	bulkParams    = append([]string{"where", "sort", "limit"}, oneParams...)
	countParams   = append([]string{"page", "pagination"}, bulkParams...)
	listParams    = append([]string{"q"}, countParams...)
	boolParams    = []string{"draft", "trash", "pagination"}
)

// queryOf reads the parameters of the request: those of its URL and, for a query sent in the body because it
// is too long for a URL, those of its body, as a form or as JSON. Errors: fault.ErrMalformed,
// fault.ErrValidation for unknown parameters.
func queryOf(c *fiber.Ctx, known []string) (map[string]any, error) {
	params, err := allParams(c)
	if err != nil {
		return nil, err
	}
	var bad []fault.Field
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch v := params[name]; {
		case !slices.Contains(known, name):
			bad = append(bad, fault.Field{Field: name, Message: "This parameter does not exist here."})
		case slices.Contains(boolParams, name) && !isOneOf(v, "true", "false"):
			bad = append(bad, fault.Field{Field: name, Message: name + " is true or false."})
		case name == "joins" && !isOneOf(v, "false"):
			bad = append(bad, fault.Field{Field: name, Message: "There are no join fields."})
		}
	}
	if len(bad) > 0 {
		return nil, fault.ErrValidation.WithFields(bad...)
	}
	return params, nil
}

// allParams are the parameters of the address, and of the body of a POST that stands for a GET.
func allParams(c *fiber.Ctx) (map[string]any, error) {
	params, err := read.Query(string(c.Request().URI().QueryString()))
	if err == nil && isOverridden(c) {
		err = addQuery(c, params)
	}
	return params, err
}

// addQuery adds the parameters in the body to those in the URL.
func addQuery(c *fiber.Ctx, params map[string]any) (err error) {
	var more map[string]any
	if isJSON(c) {
		more, err = readOptional(c)
	} else {
		var form []byte
		if form, err = rawBody(c, fiber.MIMEApplicationForm); err == nil {
			more, err = read.Query(string(form))
		}
	}
	if err != nil {
		return err
	}
	for name, v := range more {
		if _, twice := params[name]; twice {
			return fault.ErrMalformed.At(name).WithMessage("The parameter %q is in the address and in the body.", name)
		}
		params[name] = v
	}
	return nil
}

// isOneOf reports whether v is one of words, as text or as the JSON value that the word spells.
func isOneOf(v any, words ...string) bool {
	if b, ok := v.(bool); ok {
		v = strconv.FormatBool(b)
	}
	text, ok := v.(string)
	return ok && slices.Contains(words, text)
}

// listQuery reads the parameters of a list. pagination=false returns the largest page. Errors:
// fault.ErrMalformed, fault.ErrValidation.
func listQuery(params map[string]any) (q records.Query, err error) {
	limit := collection.DefaultLimit
	if isOneOf(params["pagination"], "false") {
		limit = collection.MaxLimit
	}
	if q.Where, err = whereParam(params); err != nil {
		return q, err
	}
	if q.Sort, err = textListParam(params, "sort"); err != nil {
		return q, err
	}
	if q.Search, err = searchParam(params); err != nil {
		return q, err
	}
	if q.Limit, err = intParam(params, "limit", limit); err != nil {
		return q, err
	}
	if q.Page, err = intParam(params, "page", 1); err != nil {
		return q, err
	}
	q.Projection, err = showParams(params)
	return q, err
}

// searchParam is the text that records are found by; "" without one.
func searchParam(params map[string]any) (string, error) {
	switch v := params["q"].(type) {
	case nil:
		return "", nil
	case string:
		return strings.TrimSpace(v), nil
	case collection.JSONNumber:
		return string(v), nil
	}
	return "", fault.Invalidf("q", "q takes a text.")
}

// manyParams reads which records a bulk write applies to. A limit of 0 is refused, since it would write
// nothing.
func manyParams(params map[string]any) (records.BulkSelection, error) {
	q, err := listQuery(params)
	if err != nil {
		return records.BulkSelection{}, err
	}
	if _, given := params["limit"]; !given {
		q.Limit = 0
	} else if q.Limit < 1 {
		return records.BulkSelection{}, fault.Invalidf("limit", "limit is 1 to %d.", collection.MaxLimit)
	}
	return records.BulkSelection{Where: q.Where, Sort: q.Sort, Limit: q.Limit, Projection: q.Projection}, nil
}

func showParams(params map[string]any) (show records.Projection, err error) {
	if show.Depth, err = intParam(params, "depth", 0); err != nil {
		return show, err
	}
	if show.Select, err = selection("select", "field", params["select"]); err != nil {
		return show, err
	}
	bySlug, ok := params["populate"].(map[string]any)
	if _, given := params["populate"]; given && !ok {
		return show, fault.Invalidf("populate", "populate is written populate[collection][field]=true.")
	}
	for slug, tree := range bySlug {
		if show.Populate == nil {
			show.Populate = map[string]*collection.Selection{}
		}
		if show.Populate[slug], err = selection("populate", "collection][field", tree); err != nil {
			return show, err
		}
	}
	return show, err
}

// selection reads {field: true, group: {field: true}}: only the named fields or, with false, all others. A
// nil tree gives nil.
func selection(param, example string, tree collection.JSONValue) (*collection.Selection, error) {
	if tree == nil {
		return nil, nil
	}
	fields, ok := tree.(map[string]any)
	modes := map[bool]bool{}
	s, valid := parseSelection(fields, modes)
	if !ok || !valid {
		return nil, fault.Invalidf(param, "%s is written %s[%s]=true, or false for all fields but some.", param, param, example)
	}
	if len(modes) > 1 {
		return nil, fault.Invalidf(param, "%s takes either true or false, not both at once.", param)
	}
	if modes[false] {
		markExcept(s)
	}
	return s, nil
}

func parseSelection(fields map[string]any, modes map[bool]bool) (_ *collection.Selection, ok bool) {
	s := &collection.Selection{Fields: make(map[string]*collection.Selection, len(fields))}
	for name, v := range fields {
		switch below, nested := v.(map[string]any); {
		case nested && len(below) > 0:
			if s.Fields[name], ok = parseSelection(below, modes); !ok {
				return nil, false
			}
		case isOneOf(v, "true", "false"):
			s.Fields[name] = nil
			modes[isOneOf(v, "true")] = true
		default:
			return nil, false
		}
	}
	return s, true
}

func markExcept(s *collection.Selection) {
	s.Exclude = true
	for _, below := range s.Fields {
		if below != nil {
			markExcept(below)
		}
	}
}

// whereParam is the condition, in brackets or as JSON text; nil without one.
func whereParam(params map[string]any) (collection.JSONValue, error) {
	text, ok := params["where"].(string)
	switch {
	case !ok:
		return params["where"], nil
	case strings.TrimSpace(text) == "":
		return nil, nil
	}
	tree, err := read.JSON([]byte(text))
	if err != nil {
		return nil, fault.ErrMalformed.At("where").WithMessage("where is not valid JSON.").WithCause(err)
	}
	return tree, nil
}

func textListParam(params map[string]any, name string) (string, error) {
	switch v := params[name].(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case []any:
		words := make([]string, len(v))
		for i, x := range v {
			word, ok := x.(string)
			if !ok {
				return "", fault.Invalidf(name, "%s takes a list of field names.", name)
			}
			words[i] = word
		}
		return strings.Join(words, ","), nil
	}
	return "", fault.Invalidf(name, "%s takes a list of field names.", name)
}

// expectedRevision reads the revision that a delete is based on; 0: not stated.
func expectedRevision(params map[string]any) (int64, error) {
	given, ok := params[collection.ExpectedRevision]
	if text, isText := given.(string); isText {
		given = collection.JSONNumber(text)
	}
	if !ok {
		return 0, nil
	}
	return collection.ReadRevision(collection.ExpectedRevision, given)
}

func intParam(params map[string]any, name string, missing int) (int, error) {
	v := params[name]
	if n, ok := v.(collection.JSONNumber); ok {
		v = string(n)
	}
	if v == nil || v == "" {
		return missing, nil
	}
	text, _ := v.(string)
	n, err := strconv.ParseInt(text, 10, 32)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fault.Invalidf(name, "%s is too large.", name)
	}
	if err != nil {
		return 0, fault.Invalidf(name, "%s takes a whole number.", name)
	}
	return int(n), nil
}
