package sqlstore

import "github.com/cartwright-dev/cartwright/ports"

// txPorts are the ports that one transaction offers.
func txPorts(t *txn) ports.Tx {
	wide := ports.Scope{System: true, Environment: t.Scope.Environment}
	if !t.Scope.System { // bound to no tenant at all: it finds nothing and may write nothing
		wide = ports.Scope{}
	}
	return ports.Tx{
		Records: t, Receipts: receiptRows{t}, Stock: stockRows{t}, DiscountUses: useRows{t}, ProviderCalls: providerCallRows{t}, Ledger: ledgerRows{t},
		Accounts: accountRows{t}, AllTenants: &crossTenantRecords{view{TenantScope: t.store.scoped(wide), store: t.store, session: t}, t}, SealedTokens: sealedTokenRows{t}, PendingBlobs: pendingBlobRows{t}, SyncStock: t.runBeforeStockCommit,
	}
}
