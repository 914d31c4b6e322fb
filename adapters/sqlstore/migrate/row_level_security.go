package migrate

import (
	"context"
	"fmt"

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
			all = append(all, definitionsOf(policy(t, boundPolicy, db.AppRole, boundTest))...)
		}
	}
	for _, t := range m.systemTables {
		if t.Only != db.SQLite {
			protect(t.Name, t.Global, t.Grants())
		}
		if t.AppendOnly && t.Only != db.SQLite {
			all = append(all, m.erasable(t)...)
		}
	}
	for _, sh := range shapes {
		protect(sh.Table, false, table.AllGrants)
	}
	return all
}

// erasable lets the system role delete the rows of an append-only table that belong to a deleted tenant, and no others.
func (m *definer) erasable(t table.SystemTable) []definition {
	there := m.existing[t.Name] != nil && m.existing[table.TenantDeletions] != nil
	name := db.Quote(t.Name)
	erased := createPolicy("CREATE POLICY erased ON " + name + " AS RESTRICTIVE FOR DELETE TO " + db.SystemRole +
		" USING (" + table.BeingErased(name) + ")")
	return []definition{{"GRANT DELETE ON " + name + " TO " + db.SystemRole, there}, {erased, there}}
}

// The policy of the app role: rows of the tenants that are bound. Nearly every statement is bound to one, with which a
// row is compared plainly; the list is a hashed subplan, which is made when the first row is of another one, and costs
// three times as much for each. Neither is a reason to prefer an index.
const (
	boundPolicy = "bound"
	boundTest   = "tenant = (SELECT current_setting('cartwright.tenants', true)) OR " +
		"tenant IN (SELECT unnest(string_to_array(current_setting('cartwright.tenants', true), ',')))"
)

// updatePolicies runs olderPolicies. Each locks its table, so each is a transaction of its own: traffic takes these
// locks in any order.
func (m Migration) updatePolicies(ctx context.Context, run migrationTx, owner db.Owner) error {
	var steps []string
	err := run(ctx, func(in *migrator) (err error) {
		steps, err = in.olderPolicies(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("read the policies: %w", err)
	}
	for _, text := range steps {
		if err := owner.Exec(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// olderPolicies are the statements that bring the policies of older versions, which only looked into the list, to
// boundTest.
func (m *migrator) olderPolicies(ctx context.Context) (steps []string, err error) {
	err = db.Query(ctx, m.session, func(r db.Row) error {
		var table string
		err := r.Scan(&table)
		steps = append(steps, "ALTER POLICY "+boundPolicy+" ON "+db.Quote(table)+" USING ("+boundTest+") WITH CHECK ("+boundTest+")")
		return err
	}, "SELECT c.relname::text FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE c.relnamespace = current_schema()::regnamespace "+
		"AND p.polname = '"+boundPolicy+"' AND pg_get_expr(p.polqual, p.polrelid) NOT LIKE '% OR %' ORDER BY c.relname")
	return steps, err
}

// policy makes a policy for everything that a role does.
func policy(t, name, role, test string) string {
	return createPolicy("CREATE POLICY " + name + " ON " + t + " TO " + role + " USING (" + test + ") WITH CHECK (" + test + ")")
}

// createPolicy makes a policy unless there is one of that name.
func createPolicy(text string) string {
	return "DO $do$ BEGIN " + text + "; EXCEPTION WHEN duplicate_object THEN NULL; END $do$"
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
