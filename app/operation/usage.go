package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var usageFields = []collection.Field{
	{Name: "plan", Kind: collection.Select, Options: choices(identity.Tenants, "plan"), Required: true, Doc: "The plan."},
	{Name: "limit", Kind: collection.Integer, Doc: "Calls that the plan includes per month; null: as many as you like."},
	{Name: "used", Kind: collection.Integer, Required: true, Doc: "Calls made this month."},
	{Name: "remaining", Kind: collection.Integer, Doc: "Calls left this month; null without a limit."},
	{Name: "resetAt", Kind: collection.Date, Required: true, Doc: "When the next month begins (UTC) and calls count anew."},
	{Name: "daily", Kind: collection.Array, Required: true, Doc: "Each day of the month up to today, oldest first.", Fields: []collection.Field{
		{Name: "date", Kind: collection.Text, Required: true, Doc: "The day (UTC), such as 2026-01-31."},
		{Name: "calls", Kind: collection.Integer, Required: true, Doc: "Calls made on it."},
	}},
}

// Usage is the operation that tells how much of its plan a tenant used. Contract 11.
func Usage(m *metering.Meter) []Operation {
	return []Operation{{
		Name: "usage.retrieve", GraphQL: "usage", Summary: "Tell how much of the plan is used",
		Doc: "Every call with credentials that are accepted counts once, this one too: a GraphQL document once, replays, refusals and 304 as well; 401 and what the burst limit refused do not. " +
			"What other instances counted may be a second old.",
		Method: get, Path: "/usage", At: Root, Output: usageFields, Who: []tenant.Kind{tenant.User, tenant.SecretKey},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			r, err := m.Usage(ctx, call.Principal)
			return answer(usageFields, usage(r), err)
		},
	}}
}

func usage(r metering.Report) collection.Record {
	daily := make([]collection.Record, len(r.Daily))
	for i, d := range r.Daily {
		daily[i] = collection.Record{"date": d.Day.String(), "calls": d.Count}
	}
	out := collection.Record{"plan": string(r.Plan), "used": r.Used, "resetAt": r.Reset, "daily": daily}
	if r.Limit != quota.Unlimited {
		out["limit"], out["remaining"] = r.Limit, quota.Left(r.Limit, r.Used)
	}
	return out
}
