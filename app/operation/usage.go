package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var usageFields = []collection.Field{
	{Name: "plan", Kind: collection.Select, Options: selectOptions(identity.Tenants, "plan"), Required: true, Doc: "The plan."},
	{Name: "limit", Kind: collection.Integer, Doc: "Calls included in the plan per month; null means unlimited."},
	{Name: "used", Kind: collection.Integer, Required: true, Doc: "Calls made this month."},
	{Name: "remaining", Kind: collection.Integer, Doc: "Calls left this month; null without a limit."},
	{Name: "resetAt", Kind: collection.Date, Required: true, Doc: "When the next month begins (UTC) and the count starts over."},
	{
		Name: "daily", Kind: collection.Array, Required: true, Doc: "Each day of the month up to today, oldest first.",
		Fields: []collection.Field{
			{Name: "date", Kind: collection.Text, Required: true, Doc: "The day (UTC), such as 2026-01-31."},
			{Name: "calls", Kind: collection.Integer, Required: true, Doc: "Calls made on it."},
		},
	},
}

// Usage is the operation that reports how much of its plan a tenant has used. Rule limits-6.
func Usage(m *metering.Meter) []Operation {
	return []Operation{{
		Name: "usage.retrieve", GraphQL: "usage", Summary: "Show the usage of the plan",
		Doc: "Every call with valid credentials counts once, including this one, GraphQL documents, replays, refusals and 304 responses. Calls answered with 401 or refused by the burst limit do not count. " +
			"Counts of other instances may be up to a second old.",
		Method: get, Path: "/usage", Surfaces: Root, Output: usageFields, BeyondQuota: true,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			r, err := m.Usage(ctx, call.Principal)
			return respond(usageFields, usageRecord(r), err)
		},
	}}
}

func usageRecord(r metering.Report) collection.Record {
	daily := make([]collection.Record, len(r.Daily))
	for i, d := range r.Daily {
		daily[i] = collection.Record{"date": d.Day.String(), "calls": d.Count}
	}
	out := collection.Record{"plan": string(r.Plan), "used": r.Used, "resetAt": r.Reset, "daily": daily}
	if r.Limit != quota.Unlimited {
		out["limit"], out["remaining"] = r.Limit, quota.Remaining(r.Limit, r.Used)
	}
	return out
}
