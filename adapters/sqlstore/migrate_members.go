package sqlstore

import (
	"context"
	"slices"
	"strings"
)

// keepMembers is what the triggers run on Postgres: targets that went are deleted, those that came are inserted.
const keepMembers = `CREATE OR REPLACE FUNCTION keep_members() RETURNS trigger LANGUAGE plpgsql AS $do$
DECLARE
	had text[] := '{}';
	has text[] := '{}';
BEGIN
	IF TG_OP <> 'INSERT' THEN
		had := ARRAY(SELECT json_array_elements_text(OLD.doc::json #> TG_ARGV[1]::text[]));
	END IF;
	IF TG_OP <> 'DELETE' THEN
		has := ARRAY(SELECT json_array_elements_text(NEW.doc::json #> TG_ARGV[1]::text[]));
	END IF;
	IF had <> '{}' THEN
		DELETE FROM members m WHERE m.tenant = OLD.tenant AND m.field = TG_ARGV[0] AND m.target = ANY (had) AND m.record = OLD.id AND m.target <> ALL (has);
	END IF;
	IF has <> '{}' THEN
		INSERT INTO members (tenant, field, target, record) SELECT NEW.tenant, TG_ARGV[0], v, NEW.id FROM unnest(has) v ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END $do$`

// correlate has Postgres learn which targets occur in which tenant: it would take a tenant and a target for independent of
// each other, and a large category for a small one.
const correlate = "CREATE STATISTICS IF NOT EXISTS members_targets (dependencies) ON tenant, field, target FROM members"

// keepers are the triggers, and what they run.
func (m *migrator) keepers(shapes []*shape) (all []definition) {
	if there := m.had[membersTable.name] != nil; m.d.postgres {
		all = append(all, definition{keepMembers, there}, definition{correlate, there})
	}
	for _, sh := range shapes {
		for _, l := range m.unkept(sh) {
			all = append(all, define(l.triggers(m.d)...)...)
		}
	}
	return all
}

// unkept are the lists that have no triggers yet.
func (m *migrator) unkept(sh *shape) []list {
	return slices.DeleteFunc(slices.Clone(sh.lists), func(l list) bool { return m.kept[l.trigger("delete")] })
}

// members are the statements that add the members of a row from before there were triggers. It is locked, or what its next
// change takes out of a list would come back.
func (sh *shape) members(d *dialect, tenant, id string) (all []stmt) {
	for _, l := range sh.lists {
		all = append(all, stmt{sql: l.insert(d, quote(l.table)+" r, ", "r", "r.tenant = $1 AND r.id = $2"), args: []any{tenant, id}})
	}
	return all
}

// trigger is a name that no other trigger of the database has.
func (l list) trigger(verb string) string {
	return indexName("m", l.table, snake(strings.Join(l.path, "_"))) + "_" + verb
}

// triggers are the definitions of the triggers of l. A document names its list only where it holds something.
func (l list) triggers(d *dialect) []string {
	name := `'"` + l.path[len(l.path)-1] + `":['`
	had, has := d.holds("OLD.doc", name), d.holds("NEW.doc", name)
	drop, add := "DELETE FROM members WHERE tenant = OLD.tenant AND field = '"+l.field()+"' AND target IN (SELECT v.value FROM "+l.values(d, "OLD")+") AND record = OLD.id; ", l.insert(d, "", "NEW", "TRUE")+"; "
	define := func(verb, when, work string) string {
		short, _, _ := strings.Cut(strings.ToLower(verb), " ")
		text := "CREATE TRIGGER " + quote(l.trigger(short)) + " AFTER " + verb + " ON " + quote(l.table) + " FOR EACH ROW WHEN (" + when + ") "
		if d.postgres {
			return text + "EXECUTE FUNCTION keep_members('" + l.field() + "', '{" + strings.Join(l.path, ",") + "}')"
		}
		return text + "BEGIN " + work + "END"
	}
	return []string{
		define("INSERT", has, add), define("DELETE", had, drop),
		define("UPDATE OF doc", "("+had+" OR "+has+") AND "+l.moved(d), drop+add),
	}
}

// in is the list in the document of a row.
func (l list) in(d *dialect, row string) string {
	doc := row + ".doc"
	if d.postgres {
		doc = "CAST(" + doc + " AS json)"
	}
	return doc + " -> '" + strings.Join(l.path, "' -> '") + "'"
}

// moved says that an update changes the list.
func (l list) moved(d *dialect) string {
	had, has := l.in(d, "OLD"), l.in(d, "NEW")
	if d.postgres {
		return "CAST(" + had + " AS text) IS DISTINCT FROM CAST(" + has + " AS text)"
	}
	return "(" + had + ") IS NOT (" + has + ")"
}

// values is a FROM item with what the list of a row holds.
func (l list) values(d *dialect, row string) string {
	if d.postgres {
		return "json_array_elements_text(" + l.in(d, row) + ") AS v(value)"
	}
	return "json_each(" + l.in(d, row) + ") AS v"
}

// insert adds the members of rows.
func (l list) insert(d *dialect, from, row, where string) string {
	return "INSERT INTO members (tenant, field, target, record) SELECT " + row + ".tenant, '" + l.field() + "', v.value, " + row + ".id FROM " + from + l.values(d, row) + " WHERE " + where + " ON CONFLICT DO NOTHING"
}

// triggers finds the triggers there are.
func (m *migrator) triggers(ctx context.Context) (map[string]bool, error) {
	text := "SELECT name, TRUE FROM sqlite_master WHERE type = 'trigger'"
	if m.d.postgres {
		text = "SELECT t.tgname::text, TRUE FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND NOT t.tgisinternal"
	}
	return m.there(ctx, text)
}
