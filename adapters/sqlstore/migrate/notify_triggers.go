package migrate

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// NotifyChannel is where Postgres notifies of changes to the collections of Migration.NotifyOf, and to system
// tables that say so; the payload is the tenant. Triggers send it, so it leaves exactly with the commit,
// whoever writes: the committer, a command, an instance of another version.
//
// Whoever sends commits one at a time, in all of the server: Postgres orders messages by a lock that is held
// through the flush. So neither carts nor placements send. A new record of a watched collection does not
// either unless it changes what is known of others, as a price of a market does of a variant.
const NotifyChannel = "cartwright_changes"

// notifyFunction is what the triggers run.
const notifyFunction = `CREATE OR REPLACE FUNCTION notify_change() RETURNS trigger LANGUAGE plpgsql AS $do$
BEGIN
	PERFORM pg_notify('` + NotifyChannel + `', coalesce(NEW.tenant, OLD.tenant));
	RETURN NULL;
END $do$`

// notifyTriggers are the triggers that send, and what they run. SQLite needs none: a connection notices when
// another process wrote the file.
func (m *definer) notifyTriggers(shapes []*table.Shape) (all []definition) {
	if !m.dialect.Postgres {
		return nil
	}
	sending := false
	tell := func(table, verbs string) {
		name := "notify_" + table
		if m.existingTriggers[name] {
			sending = true
			return
		}
		all = append(all, definitionsOf("CREATE TRIGGER "+db.Quote(name)+" AFTER "+verbs+" ON "+db.Quote(table)+
			" FOR EACH ROW EXECUTE FUNCTION notify_change()")...)
	}
	for _, sh := range shapes {
		if verbs := m.watchedChanges(sh); verbs != "" {
			tell(sh.Table, verbs)
		}
	}
	for _, t := range m.systemTables {
		if t.NotifyOn != "" {
			tell(t.Name, t.NotifyOn)
		}
	}
	return append([]definition{{notifyFunction, sending}}, all...)
}

// watchedChanges are the changes of rows of sh that Migration.NotifyOf names, as a trigger does; "" is none.
func (m *definer) watchedChanges(sh *table.Shape) (verbs string) {
	switch created, watched := m.notifyOf[sh.Schema.Slug]; {
	case created:
		return "INSERT OR UPDATE OR DELETE"
	case watched:
		return "UPDATE OR DELETE"
	}
	return ""
}
