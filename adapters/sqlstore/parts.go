package sqlstore

import "github.com/cartwright-dev/cartwright/ports"

// parts are the ports that one transaction offers.
func parts(t *txn) ports.Tx {
	return ports.Tx{Records: t, Receipts: receiptRows{t}, Stock: stockRows{t}, Uses: useRows{t}, Journal: journalRows{t}, Ledger: ledgerRows{t}}
}
