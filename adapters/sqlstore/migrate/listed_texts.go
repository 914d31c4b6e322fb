package migrate

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// listedTextTriggers are the triggers that keep table.ListedTextsTable, and on Postgres what they run.
func (m *definer) listedTextTriggers(shapes []*table.Shape) (all []definition) {
	for _, sh := range shapes {
		for _, l := range sh.ListedTexts {
			triggers := textTriggers{l, m.dialect}
			if !m.existingTriggers[triggers.name("delete")] {
				all = append(all, definitionsOf(triggers.definitions()...)...)
			}
		}
	}
	if m.dialect.Postgres {
		known := m.existing[table.ListedTextsTable.Name] != nil && len(all) == 0
		all = append([]definition{{syncListedTextsFunction, known}}, all...)
	}
	return all
}

// listedTextInserts are the statements that add the texts of a row from before there were triggers. It is locked.
func listedTextInserts(sh *table.Shape, d *db.Dialect, tenant, id string) (all []db.Stmt) {
	for _, l := range sh.ListedTexts {
		t := textTriggers{l, d}
		all = append(all, db.Stmt{
			SQL:  t.insert(db.Quote(l.Table)+" r CROSS JOIN "+t.languages("r"), "r", "r.tenant = $1 AND r.id = $2 AND "),
			Args: []any{tenant, id},
		})
	}
	return all
}

// syncListedTextsFunction is what the triggers run on Postgres. A text that stays is left alone.
const syncListedTextsFunction = `CREATE OR REPLACE FUNCTION sync_listed_texts() RETURNS trigger LANGUAGE plpgsql AS $do$
BEGIN
	IF TG_OP <> 'INSERT' AND OLD.translated_texts IS NOT NULL THEN
		DELETE FROM listed_texts t USING json_each(OLD.translated_texts::json) l WHERE t.tenant = OLD.tenant AND t.field = TG_ARGV[0]
			AND t.locale = l.key AND t.text = l.value->TG_ARGV[1]->>0 AND t.record = OLD.id;
	END IF;
	IF TG_OP <> 'DELETE' AND NEW.translated_texts IS NOT NULL THEN
		INSERT INTO listed_texts (tenant, field, locale, text, record, folded)
			SELECT NEW.tenant, TG_ARGV[0], l.key, l.value->TG_ARGV[1]->>0, NEW.id, l.value->TG_ARGV[1]->>1
			FROM json_each(NEW.translated_texts::json) l WHERE l.value->TG_ARGV[1] IS NOT NULL
			ON CONFLICT (tenant, field, locale, text, record) DO NOTHING;
	END IF;
	RETURN NULL;
END $do$`

// textTriggers makes the triggers of a field.
type textTriggers struct {
	of      table.ListedText
	dialect *db.Dialect
}

// name is a name that no other trigger of the database has.
func (t textTriggers) name(verb string) string {
	return table.IndexName("t", t.of.Table, t.of.Column) + "_" + verb
}

func (t textTriggers) definitions() []string {
	define := func(verb, on, when, work string) string {
		text := "CREATE TRIGGER " + db.Quote(t.name(verb)) + " AFTER " + on + " ON " + db.Quote(t.of.Table) + " FOR EACH ROW WHEN (" + when + ") "
		if t.dialect.Postgres {
			return text + "EXECUTE FUNCTION sync_listed_texts('" + t.of.Key() + "', '" + t.of.TextPath() + "')"
		}
		return text + "BEGIN " + work + "END"
	}
	drop, add := t.remove()+"; ", t.insert(t.languages("NEW"), "NEW", "")+"; "
	column, differs := table.TextsColumn, " IS NOT "
	if t.dialect.Postgres {
		differs = " IS DISTINCT FROM "
	}
	return []string{
		define("insert", "INSERT", "NEW."+column+" IS NOT NULL", add),
		define("delete", "DELETE", "OLD."+column+" IS NOT NULL", drop),
		define("update", "UPDATE OF "+column, "OLD."+column+differs+"NEW."+column, drop+add),
	}
}

// languages is a FROM item with the texts of a row by language.
func (t textTriggers) languages(row string) string {
	if t.dialect.Postgres {
		return "json_each(" + row + "." + table.TextsColumn + "::json) AS l"
	}
	return "json_each(" + row + "." + table.TextsColumn + ") AS l"
}

// insert adds the texts of rows.
func (t textTriggers) insert(from, row, where string) string {
	text := "l.value->'" + t.of.TextPath() + "'"
	return "INSERT INTO listed_texts (tenant, field, locale, text, record, folded) SELECT " + row + ".tenant, '" + t.of.Key() + "', l.key, " + text +
		"->>0, " + row + ".id, " + text + "->>1 FROM " + from + " WHERE " + where + text +
		" IS NOT NULL ON CONFLICT (tenant, field, locale, text, record) DO NOTHING"
}

// remove takes the texts away that a row of SQLite had.
func (t textTriggers) remove() string {
	return "DELETE FROM listed_texts WHERE tenant = OLD.tenant AND field = '" + t.of.Key() +
		"' AND record = OLD.id AND (locale, text) IN (SELECT l.key, l.value->'" + t.of.TextPath() + "'->>0 FROM " + t.languages("OLD") + ")"
}
