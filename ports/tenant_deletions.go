package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// TenantDeletion is what stays of a deleted tenant: the tombstone, which has nothing of what the tenant held.
type TenantDeletion struct {
	Tenant   tenant.ID // never given to another tenant
	Begun    time.Time // from then on nothing could be called back
	By       string    // id of the user who deleted it; "": the command line
	Archive  string    // SHA-256 of the manifest of the export before it, in hex; "" without one
	Finished time.Time // when the last row of it was gone; zero: it is under way
}

// TenantDeletions begins the deletion of a tenant, in a scope that is System.
type TenantDeletions interface {
	// EventsRecorded is how many events the tenant has had, those without a number yet included: every change of it has one.
	EventsRecorded(ctx context.Context, id tenant.ID) (int64, error)
	// Begin stores the tombstone. From its commit on the tenant's append-only rows may be deleted. Errors: ErrDuplicate if
	// there is one.
	Begin(ctx context.Context, d TenantDeletion) error
}

// TenantErasure erases tenants whose deletion has begun. Any number of instances may do it at the same time: what one is
// deleting is left to it by the others. Every method may be repeated. Suite: portstest.TenantErasure.
type TenantErasure interface {
	// Deletions returns those that are under way, and those that were finished after a time, the oldest first.
	Deletions(ctx context.Context, finishedAfter time.Time) ([]TenantDeletion, error)
	// Find returns the deletion of a tenant. Errors: ErrNotFound.
	Find(ctx context.Context, id tenant.ID) (TenantDeletion, error)
	// ReceiptKeys returns up to limit keys of receipts of the tenant that come after one, in order.
	ReceiptKeys(ctx context.Context, id tenant.ID, after ReceiptKey, limit int) ([]ReceiptKey, error)
	// Erase deletes some rows of the tenant in a short transaction, memberships and the accounts that have no other one
	// included, but neither the tenant's record nor what PendingBlobs lists, all of which is due when nothing else is left; more
	// reports whether there may be others. Errors: ErrNotFound without a deletion.
	Erase(ctx context.Context, id tenant.ID) (more bool, err error)
	// Finish deletes the tenant's record and marks the deletion as finished, in one transaction; done is false, and nothing
	// happened, while there is any row of the tenant besides. The first time counts. Errors: ErrNotFound without a deletion.
	Finish(ctx context.Context, id tenant.ID, at time.Time) (done bool, err error)
}

// TenantCache is what is kept outside of the database about tenants and may be lost at any time.
type TenantCache interface {
	// ForgetReceipts drops the copies of receipts.
	ForgetReceipts(ctx context.Context, keys []ReceiptKey) error
	// ForgetTenant drops what is kept under the name of a tenant.
	ForgetTenant(ctx context.Context, id tenant.ID, now time.Time) error
}
