package search_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/search"
)

func TestProductsAreFoundInEveryLanguage(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(search.Sources, func(s search.Source) bool { return s.Schema == catalog.Products })
	e := search.Sources[i].Entry(collection.Record{"id": "p", "name": "Mug", "translations": map[string]any{
		"de": map[string]any{"name": "Tasse", "description": "Wort"}, "ko": map[string]any{"slug": "x"},
	}}, nil, strings.ToLower)
	var texts []string
	for _, term := range e.Terms {
		texts = append(texts, term.Text)
	}
	if !slices.Contains(texts, "mug") || !slices.Contains(texts, "tasse") || slices.Contains(texts, "wort") {
		t.Error(texts)
	}
}
