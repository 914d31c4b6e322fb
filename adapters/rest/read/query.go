package read

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

const (
	maxPairs    = 1000
	maxBrackets = 40
	maxIndex    = 999_999
)

// Query reads a query string. Values are strings, lists and objects. An object whose keys are all indices is
// a list in the order of the indices, without gaps. Errors: fault.ErrMalformed.
func Query(raw string) (map[string]any, error) {
	root := &node{}
	pairs := 0
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		if pairs++; pairs > maxPairs {
			return nil, fault.ErrMalformed.At("query").WithMessage("The query has more than %d parameters.", maxPairs)
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
	out := make(map[string]any, len(root.children))
	for name, child := range root.children {
		v, err := child.tree(name)
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
		return "", fault.ErrMalformed.At("query").WithMessage("The query is not valid text.")
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
			return nil, fault.ErrMalformed.At(key).WithMessage("The brackets of the parameter %q do not match or nest too deeply.", key)
		}
		path = append(path, part)
		nested = rest != ""
		rest = strings.TrimPrefix(rest, "[")
	}
	return path, nil
}

// node is a parameter under construction: values, or children by key.
type node struct {
	values   []string
	children map[string]*node
	next     int  // one above the highest index among children
	named    bool // some child's key is not an index
}

func (n *node) add(path []string, value string) {
	for i, part := range path {
		if n.children == nil {
			n.children = map[string]*node{}
		}
		if part == "" && i > 0 { // a[] appends
			if i == len(path)-1 && value == "" {
				return // a[]= without a value is an empty list
			}
			part = strconv.Itoa(n.next)
		}
		if n.children[part] == nil {
			n.children[part] = &node{}
			if at, ok := index(part); ok {
				n.next = max(n.next, at+1)
			} else {
				n.named = true
			}
		}
		n = n.children[part]
	}
	n.values = append(n.values, value)
}

func (n *node) tree(name string) (collection.JSONValue, error) {
	switch {
	case len(n.values) > 0 && n.children != nil:
		return nil, fault.ErrMalformed.At(name).WithMessage("The parameter %q is both a value and an object.", name)
	case len(n.values) == 1:
		return n.values[0], nil
	case n.children == nil:
		list := make([]any, len(n.values))
		for i, v := range n.values {
			list[i] = v
		}
		return list, nil
	}
	values := make(map[string]any, len(n.children))
	for key, child := range n.children {
		v, err := child.tree(key)
		if err != nil {
			return nil, err
		}
		values[key] = v
	}
	if n.named {
		return values, nil
	}
	list := make([]any, 0, len(values))
	for _, key := range slices.SortedFunc(maps.Keys(values), byIndex) {
		list = append(list, values[key])
	}
	return list, nil
}

func byIndex(a, b string) int {
	x, _ := index(a)
	y, _ := index(b)
	return x - y
}

// index parses an index as qs writes it: digits without a leading zero.
func index(key string) (int, bool) {
	n, err := strconv.Atoi(key)
	return n, err == nil && n >= 0 && n <= maxIndex && strconv.Itoa(n) == key
}
