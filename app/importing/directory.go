package importing

import (
	"context"
	"maps"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
)

// directory remembers the ids of brands, categories, tags and images between products.
type directory map[entry]string

// entry is what names something in a file: the collection and its name, or address and description.
type entry struct{ slug, name, alt string }

func (d directory) clone() directory { return maps.Clone(d) }

func (d directory) learn(from directory) { maps.Copy(d, from) }

// named finds the brand, category or tag of this name, and makes it when there is none. The empty name is no record.
func (m *merge) named(ctx context.Context, s *collection.Schema, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	key := entry{slug: s.Slug, name: name}
	if id := m.names[key]; id != "" {
		return id, nil
	}
	page, err := m.tx.Records.Find(ctx, collection.Query{Schema: s, Where: s.Where("name", collection.Equals, name), Sort: oldestFirst(s), Limit: 1, Page: 1})
	if err != nil {
		return "", err
	}
	if len(page.Docs) > 0 {
		m.names[key] = page.Docs[0].ID()
		return m.names[key], nil
	}
	made, err := m.records.Create(ctx, m.tx, m.by, s, map[string]any{"name": name})
	if err != nil {
		return "", err
	}
	m.changed = true
	m.names[key] = made.ID()
	return made.ID(), nil
}

// pictured finds the media record of an image, and makes it when there is none. It is looked up by file name, which is
// indexed, and told apart by the whole address.
func (m *merge) pictured(ctx context.Context, img Image) (string, error) {
	key := entry{slug: media.Schema.Slug, name: img.URL, alt: img.Alt}
	if id := m.names[key]; id != "" {
		return id, nil
	}
	name := fileName(img.URL)
	query := collection.Query{Schema: media.Schema, Where: media.Schema.Where("filename", collection.Equals, name), Sort: oldestFirst(media.Schema), Limit: collection.MaxLimit, Page: 1}
	page, err := m.tx.Records.Find(ctx, query)
	if err != nil {
		return "", err
	}
	for _, r := range page.Docs {
		if r.Text("url") == img.URL && r.Text("alt") == img.Alt {
			m.names[key] = r.ID()
			return r.ID(), nil
		}
	}
	made, err := m.records.Create(ctx, m.tx, m.by, media.Schema, map[string]any{"url": img.URL, "filename": name, "alt": textOrNull(img.Alt)})
	if err != nil {
		return "", err
	}
	m.changed = true
	m.names[key] = made.ID()
	return made.ID(), nil
}

func fileName(url string) string {
	url, _, _ = strings.Cut(url, "?")
	return url[strings.LastIndexByte(url, '/')+1:]
}

// all lists every record of s whose field names id, oldest first.
func (m *merge) all(ctx context.Context, s *collection.Schema, field, id string) ([]collection.Record, error) {
	page, err := m.tx.Records.Find(ctx, collection.Query{
		Schema: s, Where: s.Where(field, collection.Equals, id), Sort: oldestFirst(s), Limit: collection.MaxLimit, Page: 1,
	})
	return catalog.Ordered(page.Docs), err
}

func oldestFirst(s *collection.Schema) []collection.Order {
	f, _ := s.Field("id")
	return []collection.Order{{Path: []collection.Field{f}}}
}
