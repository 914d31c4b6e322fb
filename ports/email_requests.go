package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// EmailRequest is an accepted request for an email token: whoever made it was told that the mail will come if there is
// such an account.
type EmailRequest struct {
	ID          string
	Collection  string    // slug of the collection of the account: users or customers
	Purpose     string    // of the token
	Tenant      tenant.ID // of the customer, or that sends the token to a user; "": each of the user's tenants, or the installation
	Account     string    // id of the user, once it is known; "" before
	Email       string    // in lower case
	RequestedAt time.Time
}

// EmailRequests keeps accepted requests in one transaction, in a scope that is System.
type EmailRequests interface {
	// Add stores requests, which ClaimDue returns from due on.
	Add(ctx context.Context, due time.Time, requests ...EmailRequest) error
	// Finish removes a request in the transaction that stores its outcome. Errors: ErrNotFound if another caller has.
	Finish(ctx context.Context, id string) error
}

// EmailRequestQueue finds requests whose process ended or failed before they were finished.
type EmailRequestQueue interface {
	// ClaimDue returns up to limit due requests, the longest due first. No other caller gets them before again.
	ClaimDue(ctx context.Context, now, again time.Time, limit int) ([]EmailRequest, error)
}
