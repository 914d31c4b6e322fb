package migrate

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// versionFunction replaces the catalog version of a tenant by the number of the transaction, once in each.
const versionFunction = `CREATE OR REPLACE FUNCTION renew_catalog_version() RETURNS trigger LANGUAGE plpgsql AS $do$
BEGIN
	INSERT INTO catalog_versions AS v (tenant, version) VALUES (coalesce(NEW.tenant, OLD.tenant), pg_current_xact_id()::text::bigint)
		ON CONFLICT (tenant) DO UPDATE SET version = excluded.version WHERE v.version <> excluded.version;
	RETURN NULL;
END $do$`

// versionTriggers are the triggers on the collections of Migration.NotifyOf that renew catalog versions, and what they
// run. They run with the commit, when all other locks of the transaction are taken: it then waits for no row that somebody
// holds who waits for the version. Such commits come one at a time anyway (see NotifyChannel). SQLite has no versions:
// there reading anew is as cheap as comparing.
func (m *definer) versionTriggers(shapes []*table.Shape) (all []definition) {
	if !m.dialect.Postgres || len(m.notifyOf) == 0 {
		return nil
	}
	exists := false
	for _, sh := range shapes {
		name, verbs := "version_"+sh.Table, m.watchedChanges(sh)
		if verbs == "" {
			continue
		}
		if m.existingTriggers[name] {
			exists = true
			continue
		}
		all = append(all, definitionsOf("CREATE CONSTRAINT TRIGGER "+db.Quote(name)+" AFTER "+verbs+" ON "+db.Quote(sh.Table)+
			" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION renew_catalog_version()")...)
	}
	return append([]definition{{versionFunction, exists}}, all...)
}
