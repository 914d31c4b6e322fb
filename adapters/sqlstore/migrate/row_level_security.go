package migrate

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// security puts every table behind row-level security, its owner too: the app role sees and writes the
// tenants bound to its transaction, the system role all. A table that was there before came with its
// policies, in one transaction; to give them again would only lock it.
func (m *definer) security(shapes []*table.Shape) (all []definition) {
	protect := func(table string, global bool, verbs string) {
		t, there := db.Quote(table), m.existing[table] != nil
		all = append(all, definition{"GRANT " + verbs + " ON " + t + " TO " + db.SystemRole, there})
		if !global {
			all = append(all, definition{"GRANT " + verbs + " ON " + t + " TO " + db.AppRole, there})
		}
		if there {
			return
		}
		all = append(all, definitionsOf("ALTER TABLE "+t+" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
			policy(t, "across", db.SystemRole, "true"))...)
		if !global {
			// The list is a hashed subplan: made once per statement, probed per row, and no reason to prefer
			// an index.
			all = append(all, definitionsOf(policy(t, "bound", db.AppRole,
				"tenant IN (SELECT unnest(string_to_array(current_setting('cartwright.tenants', true), ',')))"))...)
		}
	}
	for _, t := range m.systemTables {
		if t.Only != db.SQLite {
			protect(t.Name, t.Global, t.Grants())
		}
	}
	for _, sh := range shapes {
		protect(sh.Table, false, table.AllGrants)
	}
	return all
}

// policy makes a policy unless there is one of that name.
func policy(table, name, role, test string) string {
	return "DO $do$ BEGIN CREATE POLICY " + name + " ON " + table + " TO " + role + " USING (" + test + ") WITH CHECK (" + test +
		"); EXCEPTION WHEN duplicate_object THEN NULL; END $do$"
}

// roles makes the two roles and lets the migrating user take them on. Roles belong to the whole server, and
// another database may be making them at this moment.
func roles() (steps []string) {
	for _, r := range []string{db.AppRole, db.SystemRole} {
		steps = append(steps,
			"DO $do$ BEGIN CREATE ROLE "+r+
				" NOLOGIN NOSUPERUSER NOBYPASSRLS; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $do$",
			"DO $do$ BEGIN IF NOT pg_has_role(current_user, '"+r+"', 'MEMBER') THEN EXECUTE format('GRANT "+r+
				" TO %I', current_user); END IF; END $do$",
			"DO $do$ BEGIN IF NOT has_schema_privilege('"+r+
				"', current_schema(), 'USAGE') THEN EXECUTE format('GRANT USAGE ON SCHEMA %I TO "+r+
				"', current_schema()); END IF; END $do$")
	}
	return steps
}
