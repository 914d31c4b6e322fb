package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// TestOlderTextsOfRowsAreFound asks for texts of rows that a program wrote which kept none of them in a column.
func TestOlderTextsOfRowsAreFound(t *testing.T) {
	t.Parallel()
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, fields := options(t), collection.WithTranslations(collection.Field{Name: "lines", Kind: collection.Array, Fields: []collection.Field{
				{Name: "id", Kind: collection.Text, ReadOnly: true}, {Name: "label", Kind: collection.Text, MaxLength: 100, Translatable: true},
			}})
			older := openVersion(t, o, fields)
			older.write(nil, collection.Record{
				"id": "s1", "tenant": "a", "lines": []collection.Record{{"id": "l1", "label": "red"}},
				collection.TranslationsName: map[string]any{"ko": map[string]any{"lines.l1.label": "빨강"}},
			})
			for _, sql := range []string{
				"UPDATE notes SET translated_texts = NULL", "UPDATE shape_versions SET signature = replace(signature, '\ntexts lines[].label', '')",
			} {
				if err := older.ExecSystem(t.Context(), sql); err != nil {
					t.Fatal(err)
				}
			}
			newer := openVersion(t, o, fields)
			p := collection.QueryParser{Schema: newer.notes, Audience: collection.Staff, Content: tenant.Content{Locale: "ko"}}
			where, err := p.Where(map[string]any{"lines.label": map[string]any{"equals": "빨강"}})
			if err != nil {
				t.Fatal(err)
			}
			page, err := newer.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{Schema: newer.notes, Where: where, Limit: 9, Page: 1})
			if err != nil || len(page.Docs) != 1 || page.TotalDocs != 1 {
				t.Error(page, err)
			}
		})
	}
}

// Words in rows are looked for in their folded twins. SQLite would pair each row with every twin, and compare 500 rows 250,000 times.
func TestRowsAreNotComparedWithAllTwins(t *testing.T) {
	t.Parallel()
	s := openVersion(t, both["sqlite"](t), []collection.Field{{Name: "lines", Kind: collection.Array, Fields: []collection.Field{
		{Name: "id", Kind: collection.Text, ReadOnly: true}, {Name: "label", Kind: collection.Text, MaxLength: 100},
	}}})
	p := collection.QueryParser{Schema: s.notes, Audience: collection.Staff, Fold: strings.ToLower}
	for _, operator := range []string{"like", "contains", "equals"} {
		where, err := p.Where(map[string]any{"lines.label": map[string]any{operator: "red"}})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.PlanOfWhere(t.Context(), s.notes, where)
		if lists := strings.Count(strings.Join(plan, "\n"), "VIRTUAL TABLE"); err != nil || lists != 1 {
			t.Errorf("%s reads %d lists: %s, %v", operator, lists, strings.Join(plan, "\n"), err)
		}
	}
}
