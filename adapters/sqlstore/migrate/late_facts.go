package migrate

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// The triggers that tell late facts of reports, whoever records them: see package figures.
const (
	lateLedgerEntry = "late_ledger_entry"
	lateSettlement  = "late_settlement"
	lateOrder       = "late_order"
	lateOrderChange = "late_order_change"
)

// ordersTable is the collection whose records are facts of reports.
const ordersTable = "orders"

// The rows that tell a late fact. A change of an order has a name of its own, by its number.
const (
	tellLateEntry = "INSERT INTO report_late (tenant, environment, fact, at) SELECT NEW.tenant, NEW.environment, NEW.id, NEW.at " +
		"FROM report_states s WHERE s.tenant = NEW.tenant AND s.closed > NEW.at"
	tellLateSettlement = "INSERT INTO report_late (tenant, environment, fact, at) SELECT NEW.tenant, NEW.environment, NEW.entry || ':settled', NEW.entry_at " +
		"FROM report_states s WHERE s.tenant = NEW.tenant AND s.closed > NEW.entry_at"
	tellLateOrder = "INSERT INTO report_late (tenant, environment, fact, at) SELECT NEW.tenant, NEW.environment, " +
		"NEW.id || ':' || NEW.sequence, NEW.placed_at FROM report_states s WHERE s.tenant = NEW.tenant AND s.closed > NEW.placed_at"
)

// lateFactTriggers are the triggers, and what they run. Of an order that is there only cancels change what it counts for.
func (m *definer) lateFactTriggers(shapes []*table.Shape) (all []definition) {
	define := func(name, table, verb, when, work string) {
		there := m.existingTriggers[name]
		text := "CREATE TRIGGER " + name + " AFTER " + verb + " ON " + db.Quote(table) + " FOR EACH ROW " + when
		if m.dialect.Postgres {
			all = append(all, definition{"CREATE OR REPLACE FUNCTION " + name + "() RETURNS trigger LANGUAGE plpgsql AS $do$ BEGIN " + work +
				"; RETURN NULL; END $do$", there})
			text += "EXECUTE FUNCTION " + name + "()"
		} else {
			text += "BEGIN " + work + "; END"
		}
		if !there {
			all = append(all, definition{text: text})
		}
	}
	for _, sh := range shapes {
		if sh.Table != ordersTable || !sh.Has("placed_at") || !sh.Has("status") {
			continue
		}
		canceled := "(OLD.status = 'canceled') <> (NEW.status = 'canceled') OR OLD.doc <> NEW.doc AND " +
			m.dialect.Contains("NEW.doc", `'"lineCancels":'`)
		define(lateLedgerEntry, "ledger_entries", "INSERT", "", tellLateEntry)
		define(lateSettlement, "ledger_settlements", "INSERT", "", tellLateSettlement)
		define(lateOrder, ordersTable, "INSERT", "", tellLateOrder)
		define(lateOrderChange, ordersTable, "UPDATE", "WHEN ("+canceled+") ", tellLateOrder)
	}
	return all
}
