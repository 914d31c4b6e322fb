package sqlstore

// security puts every table behind row-level security, its owner too: the app role sees and writes the tenants bound to
// its transaction, the system role all. A table that was there before came with its policies, in one transaction; to give
// them again would only lock it.
func (m *migrator) security(shapes []*shape) (all []definition) {
	protect := func(table string, global bool, verbs string) {
		t, there := quote(table), m.had[table] != nil
		all = append(all, definition{"GRANT " + verbs + " ON " + t + " TO " + systemRole, there})
		if !global {
			all = append(all, definition{"GRANT " + verbs + " ON " + t + " TO " + appRole, there})
		}
		if there {
			return
		}
		all = append(all, define("ALTER TABLE "+t+" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY", policy(t, "across", systemRole, "true"))...)
		if !global {
			// The list is a hashed subplan: made once per statement, probed per row, and no reason to prefer an index.
			all = append(all, define(policy(t, "bound", appRole, "tenant IN (SELECT unnest(string_to_array(current_setting('cartwright.tenants', true), ',')))"))...)
		}
	}
	for _, t := range systemTables() {
		if t.only != sqlite {
			protect(t.name, t.global, t.verbs())
		}
	}
	for _, sh := range shapes {
		protect(sh.table, false, allVerbs)
	}
	return all
}

// policy makes a policy unless there is one of that name.
func policy(table, name, role, test string) string {
	return "DO $do$ BEGIN CREATE POLICY " + name + " ON " + table + " TO " + role + " USING (" + test + ") WITH CHECK (" + test + "); EXCEPTION WHEN duplicate_object THEN NULL; END $do$"
}

// roles makes the two roles and lets the migrating user take them on. Roles belong to the whole server, and another
// database may be making them at this moment.
func roles() (steps []string) {
	for _, r := range []string{appRole, systemRole} {
		steps = append(steps,
			"DO $do$ BEGIN CREATE ROLE "+r+" NOLOGIN NOSUPERUSER NOBYPASSRLS; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $do$",
			"DO $do$ BEGIN IF NOT pg_has_role(current_user, '"+r+"', 'MEMBER') THEN EXECUTE format('GRANT "+r+" TO %I', current_user); END IF; END $do$",
			"DO $do$ BEGIN IF NOT has_schema_privilege('"+r+"', current_schema(), 'USAGE') THEN EXECUTE format('GRANT USAGE ON SCHEMA %I TO "+r+"', current_schema()); END IF; END $do$")
	}
	return steps
}
