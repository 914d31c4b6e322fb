package sqlstore

import "github.com/cartwright-dev/cartwright/ports"

// parts are the ports that one transaction offers.
func parts(t *txn) ports.Tx {
	wide := ports.Scope{System: true, Environment: t.scope.Environment}
	if !t.scope.System { // bound to no tenant at all: it finds nothing and may write nothing
		wide = ports.Scope{}
	}
	return ports.Tx{
		Records: t, Receipts: receiptRows{t}, Stock: stockRows{t}, Uses: useRows{t}, Journal: journalRows{t}, Ledger: ledgerRows{t},
		Accounts: accountRows{t}, Across: &across{view{t.s, wide, t}, t}, Enclosures: enclosureRows{t}, Orphans: orphanRows{t}, Settle: t.settle,
	}
}
