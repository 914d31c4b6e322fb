package catalogtransfer

import (
	"context"
	"maps"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
)

// nameCache caches the ids of brands, categories, tags and images between products.
type nameCache map[nameCacheKey]string

// nameCacheKey identifies something in a file: collection and name, or URL and alt text.
type nameCacheKey struct{ slug, name, alt string }

func (d nameCache) clone() nameCache { return maps.Clone(d) }

func (d nameCache) addAll(from nameCache) { maps.Copy(d, from) }

// findOrCreateNamed finds the brand, category or tag with this name, or creates it. The empty name is no
// record.
func (m *productImport) findOrCreateNamed(ctx context.Context, s *collection.Schema, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	key := nameCacheKey{slug: s.Slug, name: name}
	if id := m.cache[key]; id != "" {
		return id, nil
	}
	page, err := m.tx.Records.Find(ctx, collection.Query{
		Schema: s, Where: s.Where("name", collection.Equals, name), Sort: s.SortBy("id"), Limit: 1, Page: 1,
	})
	if err != nil {
		return "", err
	}
	if len(page.Docs) > 0 {
		m.cache[key] = page.Docs[0].ID()
		return m.cache[key], nil
	}
	made, err := m.records.Create(ctx, m.tx, m.actor, s, map[string]any{"name": name})
	if err != nil {
		return "", err
	}
	m.changed = true
	m.cache[key] = made.ID()
	return made.ID(), nil
}

// findOrCreateImage finds the media record of an image, or creates it. It is looked up by file name, which is
// indexed, and identified by its whole URL.
func (m *productImport) findOrCreateImage(ctx context.Context, img Image) (string, error) {
	key := nameCacheKey{slug: media.Schema.Slug, name: img.URL, alt: img.Alt}
	if id := m.cache[key]; id != "" {
		return id, nil
	}
	name := fileName(img.URL)
	query := collection.Query{
		Schema: media.Schema, Where: media.Schema.Where("filename", collection.Equals, name), Sort: media.Schema.SortBy("id"),
		Limit: collection.MaxLimit, Page: 1,
	}
	page, err := m.tx.Records.Find(ctx, query)
	if err != nil {
		return "", err
	}
	for _, r := range page.Docs {
		if r.Text("url") == img.URL && r.Text("alt") == img.Alt {
			m.cache[key] = r.ID()
			return r.ID(), nil
		}
	}
	made, err := m.records.Create(ctx, m.tx, m.actor, media.Schema, map[string]any{
		"url": img.URL, "filename": name, "alt": collection.TextOrNull(img.Alt),
	})
	if err != nil {
		return "", err
	}
	m.changed = true
	m.cache[key] = made.ID()
	return made.ID(), nil
}

func fileName(url string) string {
	url, _, _ = strings.Cut(url, "?")
	return url[strings.LastIndexByte(url, '/')+1:]
}

// childrenOf lists every record of s whose field refers to id, oldest first.
func (m *productImport) childrenOf(ctx context.Context, s *collection.Schema, field, id string) ([]collection.Record, error) {
	page, err := m.tx.Records.Find(ctx, collection.Query{
		Schema: s, Where: s.Where(field, collection.Equals, id), Sort: s.SortBy("id"), Limit: collection.MaxLimit, Page: 1,
	})
	return catalog.SortByPosition(page.Docs), err
}
