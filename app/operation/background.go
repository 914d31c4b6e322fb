package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shownFailures is how many items of background work an answer lists, those that failed last first.
const shownFailures = 100

var backgroundFailureFields = []collection.Field{
	{Name: "total", Kind: collection.Integer, Required: true, Doc: "Number of items that are set aside, also those not listed."},
	{
		Name: "failures", Kind: collection.Array, Required: true, Doc: "The last 100 of them to fail, newest first.",
		Fields: []collection.Field{
			{Name: "task", Kind: collection.Text, Required: true, Doc: `Kind of the work, such as "abandoned carts".`},
			{Name: "tenant", Kind: collection.Text, Doc: "Id of the tenant; null for work across tenants."},
			{Name: "item", Kind: collection.Text, Doc: "Id or name of what could not be worked on; null is all of the tenant's."},
			{Name: "failures", Kind: collection.Integer, Required: true, Doc: "Failures in a row."},
			{Name: "error", Kind: collection.Text, Required: true, Doc: "The last failure, at most 500 bytes."},
			{Name: "firstFailedAt", Kind: collection.Date, Required: true, Doc: "When it failed first."},
			{Name: "lastFailedAt", Kind: collection.Date, Required: true, Doc: "When it failed last."},
			{Name: "retryAt", Kind: collection.Date, Required: true, Doc: "When a server tries it again."},
		},
	},
}

// BackgroundFailures is the operation that shows platform admins what background work has set aside: errors are
// those of the server, and may name other tenants. List is that of ports.BackgroundFailures. Rule running-14.
func BackgroundFailures(list func(ctx context.Context, limit int) ([]ports.BackgroundFailure, int, error)) []Operation {
	return []Operation{{
		Name: "backgroundFailures.list", GraphQL: "backgroundFailures", Summary: "Show what background work has set aside",
		Doc: "Items that failed again and again are set aside, so that the others go on, and tried about once an hour. " +
			"For platform admins.",
		Method: get, Path: "/background-failures", Surfaces: Root, Output: backgroundFailureFields, BeyondQuota: true,
		AllowedKinds: []tenant.Kind{tenant.User},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			if call.Principal.Role != tenant.PlatformAdmin {
				return idempotency.Response{}, fault.ErrForbidden
			}
			failures, total, err := list(ctx, shownFailures)
			return respond(backgroundFailureFields, backgroundFailuresRecord(failures, total), err)
		},
	}}
}

func backgroundFailuresRecord(failures []ports.BackgroundFailure, total int) collection.Record {
	list := make([]collection.Record, len(failures))
	for i, f := range failures {
		list[i] = collection.Record{
			"task": f.Task, "failures": int64(f.Failures), "error": f.Error, "firstFailedAt": f.FirstFailedAt,
			"lastFailedAt": f.LastFailedAt, "retryAt": f.RetryAt,
		}
		if f.Tenant != "" {
			list[i]["tenant"] = string(f.Tenant)
		}
		if f.Item != "" {
			list[i]["item"] = f.Item
		}
	}
	return collection.Record{"total": int64(total), "failures": list}
}
