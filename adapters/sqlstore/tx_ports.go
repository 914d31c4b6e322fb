package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/ports"
)

// txPorts are the ports that one transaction offers.
func txPorts(t *txn) ports.Tx {
	wide := ports.Scope{System: true, Environment: t.Scope.Environment}
	if !t.Scope.System { // bound to no tenant at all: it finds nothing and may write nothing
		wide = ports.Scope{}
	}
	return ports.Tx{
		Records: t, Receipts: receiptRows{t}, Stock: stockRows{t}, StockPlaces: placeRows{t}, DiscountUses: useRows{t}, ProviderCalls: providerCallRows{t},
		Ledger: ledgerRows{t}, Accounts: accountRows{t},
		AllTenants:   &crossTenantRecords{view{TenantScope: t.store.scoped(wide), store: t.store, session: t}, t},
		SealedTokens: sealedTokenRows{t}, EmailRequests: emailRequestRows{t}, PendingBlobs: pendingBlobRows{t}, PaymentTasks: paymentTaskRows{t},
		ProcessedWebhooks: processedWebhookRows{t}, NoticeMover: noticeMoverRows{t, noticePlaces}, MailMover: noticeMoverRows{t, mailPlaces},
		TenantDeletions: tenantDeletionRows{t}, Erasure: erasureRows{t},
		SyncStock: t.runBeforeStockCommit,
	}
}

// runBeforeStockCommit has what depends on the held rows of stock brought up to date.
func (t *txn) runBeforeStockCommit(ctx context.Context) error {
	if len(t.lockedStock) == 0 || t.store.options.BeforeStockCommit == nil {
		return nil
	}
	held, moved := t.lockedStock, t.movedStock
	t.lockedStock, t.movedStock = nil, nil
	err := t.store.options.BeforeStockCommit(ctx, txPorts(t), held, moved)
	t.lockedStock = nil // it locks what it reads
	return err
}
