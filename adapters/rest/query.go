package rest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

const (
	maxPairs    = 1000
	maxBrackets = 40
)

// parseQuery reads a query string with brackets, as qs writes it: a[b][c]=1, a[0]=1, a[]=1, repeated keys, gaps and any
// order. Values are strings, lists and objects; keys that are all indices make a list. Errors: fault.ErrMalformed.
func parseQuery(raw string) (map[string]any, error) {
	root := &node{}
	pairs := 0
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		if pairs++; pairs > maxPairs {
			return nil, fault.ErrMalformed.Saying("The query has more than %d parameters.", maxPairs)
		}
		key, value, _ := strings.Cut(pair, "=")
		key, err := unescape(key)
		if err != nil {
			return nil, err
		}
		if value, err = unescape(value); err != nil {
			return nil, err
		}
		path, err := splitKey(key)
		if err != nil {
			return nil, err
		}
		root.add(path, value)
	}
	out := map[string]any{}
	for _, name := range root.order {
		v, err := root.kids[name].tree(name)
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	return out, nil
}

func unescape(s string) (string, error) {
	out, err := url.QueryUnescape(s)
	if err != nil || !utf8.ValidString(out) || strings.ContainsRune(out, 0) {
		return "", fault.ErrMalformed.Saying("The query is not valid text.")
	}
	return out, nil
}

// splitKey cuts "a[b][c]" into a, b, c.
func splitKey(key string) ([]string, error) {
	name, rest, nested := strings.Cut(key, "[")
	path := []string{name}
	for nested {
		var part string
		var closed bool
		part, rest, closed = strings.Cut(rest, "]")
		if !closed || len(path) > maxBrackets || strings.Contains(part, "[") || rest != "" && rest[0] != '[' {
			return nil, fault.ErrMalformed.Saying("The brackets of the parameter %q do not match or nest too deeply.", key)
		}
		path = append(path, part)
		nested = rest != ""
		rest = strings.TrimPrefix(rest, "[")
	}
	return path, nil
}

// node is a parameter under construction.
type node struct {
	values []string
	kids   map[string]*node
	order  []string
}

func (n *node) add(path []string, value string) {
	for i, part := range path {
		if part == "" && i > 0 { // a[]: the next index
			part = strconv.Itoa(len(n.order))
		}
		if n.kids == nil {
			n.kids = map[string]*node{}
		}
		if n.kids[part] == nil {
			n.kids[part] = &node{}
			n.order = append(n.order, part)
		}
		n = n.kids[part]
	}
	n.values = append(n.values, value)
}

func (n *node) tree(name string) (collection.Tree, error) {
	switch {
	case len(n.values) > 0 && n.kids != nil:
		return nil, fault.ErrMalformed.Saying("The parameter %q is both a value and an object.", name)
	case len(n.values) == 1:
		return n.values[0], nil
	case n.kids == nil:
		list := make([]any, len(n.values))
		for i, v := range n.values {
			list[i] = v
		}
		return list, nil
	}
	values := make(map[string]any, len(n.kids))
	for key, kid := range n.kids {
		v, err := kid.tree(key)
		if err != nil {
			return nil, err
		}
		values[key] = v
	}
	if slices.ContainsFunc(n.order, func(key string) bool { return !index(key) }) {
		return values, nil
	}
	slices.SortFunc(n.order, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
	list := make([]any, len(n.order))
	for i, key := range n.order {
		list[i] = values[key]
	}
	return list, nil
}

func index(key string) bool {
	n, err := strconv.Atoi(key)
	return err == nil && n >= 0 && len(key) <= 6
}

// listQuery reads the parameters of a list. Errors: fault.ErrMalformed, fault.ErrValidation.
func listQuery(params map[string]any) (q content.Query, err error) {
	if q.Where, err = whereParam(params); err != nil {
		return q, err
	}
	if q.Sort, err = wordsParam(params, "sort"); err != nil {
		return q, err
	}
	if q.Limit, err = intParam(params, "limit", collection.DefaultLimit); err != nil {
		return q, err
	}
	if q.Page, err = intParam(params, "page", 1); err != nil {
		return q, err
	}
	q.Show, err = showParams(params)
	return q, err
}

func showParams(params map[string]any) (show content.Show, err error) {
	if show.Depth, err = intParam(params, "depth", 0); err != nil {
		return show, err
	}
	sel, given := params["select"]
	if !given {
		return show, nil
	}
	fields, ok := sel.(map[string]any)
	if !ok {
		return show, fault.Invalidf("select", "select is written select[field]=true.")
	}
	show.Select = []string{}
	for name, v := range fields {
		if v != "true" {
			return show, fault.Invalidf("select", "select is written select[field]=true.")
		}
		show.Select = append(show.Select, name)
	}
	slices.Sort(show.Select)
	return show, nil
}

// whereParam is the condition, in brackets or as JSON text; nil when there is none.
func whereParam(params map[string]any) (collection.Tree, error) {
	text, ok := params["where"].(string)
	switch {
	case !ok:
		return params["where"], nil
	case strings.TrimSpace(text) == "":
		return nil, nil
	}
	tree, err := parseJSON([]byte(text))
	if err != nil {
		return nil, fault.ErrMalformed.Saying("where is not valid JSON.").Because(err)
	}
	return tree, nil
}

func wordsParam(params map[string]any, name string) (string, error) {
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

func intParam(params map[string]any, name string, absent int) (int, error) {
	v, given := params[name]
	if !given || v == "" {
		return absent, nil
	}
	text, _ := v.(string)
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fault.Invalidf(name, "%s takes a whole number.", name)
	}
	return int(n), nil
}
