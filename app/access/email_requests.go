package access

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// tokenTimeout is how long a request may take.
	tokenTimeout = 10 * time.Second
	// requestRetry is when a request that failed, or whose process ended, is taken up again, by any process: well after
	// its first attempt has ended.
	requestRetry = time.Minute
	// requestBatch is how many such requests are taken up at a time.
	requestBatch = 100
)

// emailTokenTask is the background work on requests.
const emailTokenTask = "email tokens"

// allTenants is the scope of requests that name no tenant.
var allTenants = ports.Scope{System: true}

// acceptRequest stores a request, so that the answer may say that the mail will come, and begins to work on it in the
// background. Whether there is an account is found out there: neither the answer nor its time depends on it. Errors:
// fault.ErrUnavailable.
func (a *Service) acceptRequest(ctx context.Context, r ports.EmailRequest) error {
	if !a.pendingTokens.begin() {
		return fault.ErrUnavailable
	}
	r.ID, r.RequestedAt = a.NewID(), a.Now()
	err := a.Store.Atomically(ctx, allTenants, func(ctx context.Context, tx ports.Tx) error {
		return tx.EmailRequests.Add(ctx, r.RequestedAt.Add(requestRetry), r)
	})
	if err != nil {
		a.pendingTokens.end()
		return err
	}
	ctx = context.WithoutCancel(ctx)
	task := a.Background.Task(emailTokenTask)
	task.Start(func() {
		defer a.pendingTokens.end()
		if err := task.Do(ctx, background.Item{ID: r.ID}, func(ctx context.Context) error { return a.handleRequest(ctx, r) }); err != nil {
			a.logRequest(ctx, r, err)
		}
	})
	return nil
}

// Wait returns when the first attempt at every request made before has ended, and every use of a login that was seen before
// is noted; others may be made meanwhile.
func (a *Service) Wait() {
	a.pendingTokens.wait()
	a.sightings.pending.wait()
}

// RetryRequests works on requests that were answered and not finished; more is whether there may be further ones.
// Errors: fault.ErrUnavailable.
func (a *Service) RetryRequests(ctx context.Context) (more bool, err error) {
	now := a.Now()
	due, err := a.EmailRequests.ClaimDue(ctx, now, now.Add(requestRetry), requestBatch)
	if err != nil {
		return false, err
	}
	task := a.Background.Task(emailTokenTask)
	for _, r := range due {
		item := background.Item{ID: r.ID}
		if !now.Before(r.RequestedAt.Add(Purpose(r.Purpose).lifetime())) {
			if err := a.finishRequest(ctx, r); err != nil { // its token would have expired
				return false, err
			}
			task.Forget(ctx, item)
			continue
		}
		if err := task.Do(ctx, item, func(ctx context.Context) error { return a.handleRequest(ctx, r) }); err != nil {
			a.logRequest(ctx, r, err)
		}
	}
	return len(due) == requestBatch, nil
}

func (a *Service) logRequest(ctx context.Context, r ports.EmailRequest, err error) {
	if a.Log != nil {
		a.Log.ErrorContext(ctx, "email token could not be created; will retry", "collection", r.Collection, "purpose", r.Purpose, "error", err)
	}
}

// handleRequest issues the tokens of a request. One for which there is no account, or that another process has handled,
// is finished.
func (a *Service) handleRequest(ctx context.Context, r ports.EmailRequest) (err error) {
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	switch {
	case r.Collection == identity.Customers.Slug:
		err = a.issueCustomerToken(ctx, r)
	case r.Account == "":
		err = a.requestPerTenant(ctx, r)
	default:
		err = a.issueUserToken(ctx, r)
	}
	if errors.Is(err, ports.ErrNotFound) {
		return a.finishRequest(ctx, r)
	}
	return err
}

// finishRequest removes a request that needs no token, or none anymore.
func (a *Service) finishRequest(ctx context.Context, r ports.EmailRequest) error {
	err := a.Store.Atomically(ctx, allTenants, func(ctx context.Context, tx ports.Tx) error {
		return tx.EmailRequests.Finish(ctx, r.ID)
	})
	if errors.Is(err, ports.ErrNotFound) {
		return nil
	}
	return err
}

// issueCustomerToken records a request as an event of the customer's record, with the token sealed into it. Errors:
// ports.ErrNotFound if there is nothing to send.
func (a *Service) issueCustomerToken(ctx context.Context, r ports.EmailRequest) error {
	found, err := a.customerByEmail(ctx, r.Tenant, r.Email)
	if err != nil {
		return err
	}
	return a.issueToken(ctx, r, func(ctx context.Context, tx ports.Tx) (before collection.Record, to recipient, err error) {
		before, err = tx.Records.Lock(ctx, identity.Customers, found.ID())
		if err == nil && Purpose(r.Purpose) == PurposeVerify && before.Bool("isVerified") {
			err = ports.ErrNotFound
		}
		return before, customerRecipient(Purpose(r.Purpose), before), err
	})
}

// requestPerTenant replaces a request for an address by one for each tenant that answers it, and handles these. Errors:
// ports.ErrNotFound if there is none.
func (a *Service) requestPerTenant(ctx context.Context, r ports.EmailRequest) error {
	accounts, err := a.Accounts.ByAddress(ctx, r.Email)
	if err != nil {
		return err
	}
	var parts []ports.EmailRequest
	for _, to := range resetRecipients(accounts, r.Tenant) {
		part := r
		part.ID, part.Account, part.Tenant = a.NewID(), to.id, to.tenant
		parts = append(parts, part)
	}
	err = a.Store.Atomically(ctx, allTenants, func(ctx context.Context, tx ports.Tx) error {
		if err := tx.EmailRequests.Finish(ctx, r.ID); err != nil {
			return err
		}
		return tx.EmailRequests.Add(ctx, a.Now().Add(requestRetry), parts...)
	})
	if err != nil {
		return err
	}
	for _, part := range parts { // one that fails is taken up again by itself
		if err := a.handleRequest(ctx, part); err != nil {
			a.logRequest(ctx, part, err)
		}
	}
	return nil
}

// issueUserToken records a request as an event of the user's record in the tenant that sends the token. What the
// installation vouches for is no event: its operator passes it on. Errors: ports.ErrNotFound if there is nothing to send.
func (a *Service) issueUserToken(ctx context.Context, r ports.EmailRequest) error {
	return a.issueToken(ctx, r, func(ctx context.Context, tx ports.Tx) (before collection.Record, to recipient, err error) {
		account, err := tx.Accounts.Lock(ctx, r.Account)
		if err != nil {
			return nil, to, err
		}
		to = userRecipient(account, r.Tenant)
		if r.Tenant == "" {
			return nil, to, nil
		}
		if MembershipIndex(account, r.Tenant) < 0 {
			return nil, to, ports.ErrNotFound // changed since the request
		}
		before, err = tx.Records.Lock(ctx, identity.Users, r.Account)
		return before, to, err
	})
}

// issueToken finishes a request in the transaction that stores its token with the event of the locked record that lock
// returns, if any. Errors: those of lock; ports.ErrNotFound if another process has handled it.
func (a *Service) issueToken(
	ctx context.Context, r ports.EmailRequest, lock func(ctx context.Context, tx ports.Tx) (collection.Record, recipient, error),
) error {
	scope := allTenants
	if r.Tenant != "" {
		scope = MembersScope(r.Tenant)
	}
	var letter EmailToken
	err := a.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		before, to, err := lock(ctx, tx)
		if err != nil {
			return err
		}
		if err := tx.EmailRequests.Finish(ctx, r.ID); err != nil {
			return err
		}
		if to.requestedAt = r.RequestedAt; before == nil {
			letter, err = a.EmailTokens.issue(to)
			return err
		}
		letter, err = a.attachToken(ctx, tx, before, to)
		return err
	})
	if err == nil {
		a.EmailTokens.NotifyIssued(letter)
	}
	return err
}
