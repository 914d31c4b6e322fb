package migrate

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// syncMembersFunction is what the triggers run on Postgres: targets that went are deleted, those that came
// are inserted.
const syncMembersFunction = `CREATE OR REPLACE FUNCTION sync_relation_members() RETURNS trigger LANGUAGE plpgsql AS $do$
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
		DELETE FROM relation_members m WHERE m.tenant = OLD.tenant AND m.field = TG_ARGV[0] AND m.target = ANY (had) AND m.record = OLD.id AND m.target <> ALL (has);
	END IF;
	IF has <> '{}' THEN
		INSERT INTO relation_members (tenant, field, target, record) SELECT NEW.tenant, TG_ARGV[0], v, NEW.id FROM unnest(has) v ON CONFLICT (tenant, field, target, record) DO NOTHING;
	END IF;
	RETURN NULL;
END $do$`

// memberStatistics has Postgres learn which targets occur in which tenant: it would take a tenant and a
// target for independent of each other, and a large category for a small one.
const memberStatistics = "CREATE STATISTICS IF NOT EXISTS relation_member_targets (dependencies) ON tenant, field, target FROM relation_members"

// memberTriggers are the triggers, and what they run.
func (m *definer) memberTriggers(shapes []*table.Shape) (all []definition) {
	if there := m.existing[table.RelationMembersTable.Name] != nil; m.dialect.Postgres {
		known := there && !slices.ContainsFunc(shapes, func(sh *table.Shape) bool { return len(m.listsWithoutTriggers(sh)) > 0 })
		all = append(all, definition{syncMembersFunction, known}, definition{memberStatistics, there})
	}
	for _, sh := range shapes {
		for _, l := range m.listsWithoutTriggers(sh) {
			all = append(all, definitionsOf(listTriggers(l, m.dialect)...)...)
		}
	}
	return all
}

// listsWithoutTriggers are the lists that have no triggers yet.
func (m *definer) listsWithoutTriggers(sh *table.Shape) []table.RelationList {
	return slices.DeleteFunc(slices.Clone(sh.RelationLists),
		func(l table.RelationList) bool { return m.existingTriggers[triggerName(l, "delete")] })
}

// memberInserts are the statements that add the members of a row from before there were triggers. It is
// locked, or what its next change takes out of a list would come back.
func memberInserts(sh *table.Shape, d *db.Dialect, tenant, id string) (all []db.Stmt) {
	for _, l := range sh.RelationLists {
		all = append(all, db.Stmt{
			SQL: insertMembers(l, d, db.Quote(l.Table)+" r, ", "r", "r.tenant = $1 AND r.id = $2"), Args: []any{tenant, id},
		})
	}
	return all
}

// triggerName is a name that no other trigger of the database has.
func triggerName(l table.RelationList, verb string) string {
	return table.IndexName("m", l.Table, db.Snake(strings.Join(l.Path, "_"))) + "_" + verb
}

// listTriggers are the definitions of the triggers of l. A document names its list only where it holds
// something.
func listTriggers(l table.RelationList, d *db.Dialect) []string {
	name := `'"` + l.Path[len(l.Path)-1] + `":['`
	had, has := d.Contains("OLD.doc", name), d.Contains("NEW.doc", name)
	drop, add := "DELETE FROM relation_members WHERE tenant = OLD.tenant AND field = '"+l.Key()+"' AND target IN (SELECT v.value FROM "+
		listValues(l, d, "OLD")+") AND record = OLD.id; ", insertMembers(l, d, "", "NEW", "TRUE")+"; "
	define := func(verb, when, work string) string {
		short, _, _ := strings.Cut(strings.ToLower(verb), " ")
		text := "CREATE TRIGGER " + db.Quote(triggerName(l, short)) + " AFTER " + verb + " ON " + db.Quote(l.Table) +
			" FOR EACH ROW WHEN (" + when + ") "
		if d.Postgres {
			return text + "EXECUTE FUNCTION sync_relation_members('" + l.Key() + "', '{" + strings.Join(l.Path, ",") + "}')"
		}
		return text + "BEGIN " + work + "END"
	}
	return []string{
		define("INSERT", has, add), define("DELETE", had, drop),
		define("UPDATE OF doc", "("+had+" OR "+has+") AND "+listChanged(l, d), drop+add),
	}
}

// listExpr is the list in the document of a row.
func listExpr(l table.RelationList, d *db.Dialect, row string) string {
	doc := row + ".doc"
	if d.Postgres {
		doc = "CAST(" + doc + " AS json)"
	}
	return doc + " -> '" + strings.Join(l.Path, "' -> '") + "'"
}

// listChanged says that an update changes the list.
func listChanged(l table.RelationList, d *db.Dialect) string {
	had, has := listExpr(l, d, "OLD"), listExpr(l, d, "NEW")
	if d.Postgres {
		return "CAST(" + had + " AS text) IS DISTINCT FROM CAST(" + has + " AS text)"
	}
	return "(" + had + ") IS NOT (" + has + ")"
}

// listValues is a FROM item with what the list of a row holds.
func listValues(l table.RelationList, d *db.Dialect, row string) string {
	if d.Postgres {
		return "json_array_elements_text(" + listExpr(l, d, row) + ") AS v(value)"
	}
	return "json_each(" + listExpr(l, d, row) + ") AS v"
}

// insertMembers adds the members of rows.
func insertMembers(l table.RelationList, d *db.Dialect, from, row, where string) string {
	return "INSERT INTO relation_members (tenant, field, target, record) SELECT " + row + ".tenant, '" + l.Key() + "', v.value, " + row +
		".id FROM " + from + listValues(l, d, row) + " WHERE " + where + " ON CONFLICT (tenant, field, target, record) DO NOTHING"
}

// triggers finds the triggers there are.
func (m *migrator) triggers(ctx context.Context) (map[string]bool, error) {
	text := "SELECT name, TRUE FROM sqlite_master WHERE type = 'trigger'"
	if m.dialect.Postgres {
		text = "SELECT t.tgname::text, TRUE FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND NOT t.tgisinternal"
	}
	return m.catalogNames(ctx, text)
}
