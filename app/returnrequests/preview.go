package returnrequests

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/ports"
)

// preview answers what change would do now to a return request, by a service within a preview; more are members that are known then.
func (r *Service) preview(
	ctx context.Context, c idempotency.Call, id string, change func(ctx context.Context, trial *Service) error, more ...func() reply.Member,
) (idempotency.Response, error) {
	var shown orderReturns
	of, err := preview.Run(ctx, r.Store, ports.ForPrincipal(c.Principal), func(ctx context.Context, within ports.Store) error {
		trial := *r
		trial.Store = within
		trial.Refunds = r.Refunds.Within(within)
		err := trial.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) (err error) {
			shown, err = lockRequest(ctx, tx, c, id)
			return err
		})
		if err == nil {
			err = change(ctx, &trial)
		}
		return err
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	members := shown.members()
	for _, member := range more {
		members = append(members, member())
	}
	return preview.Answer(c, shown.requestRecord, of, members...), nil
}
