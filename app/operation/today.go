package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/report"
)

// todayFields are the answer of reports.today.
var todayFields = []collection.Field{
	{
		Name: "tasks", Kind: collection.Group, Required: true,
		Doc: "What waits for the shop, as far as the caller may read all that a count is of, others are null; each is counted up to 1000, which " +
			"means that many or more.",
		Fields: []collection.Field{
			task(report.ToPack, "Orders that are paid or authorized and that nobody prepares yet; those on hold are left out."),
			task(report.ToShip, "Orders in preparation; those on hold are left out."),
			task(report.WaitingForDeposit, "Payments whose buyers know where to pay."),
			task(report.Attention, "Payments that require attention."),
			task(report.LowStock, "Products and variants of which no more units are free than their threshold."),
			task(report.ReturnsOpen, "Return requests that still need action."),
		},
	},
	{
		Name: "setup", Kind: collection.Group, OmitMissing: true,
		Doc: "What is done of setting up the shop, for users who may change its settings; left out when all is, and with settings.setupDismissed.",
		Fields: []collection.Field{
			step("product", "There is a product."),
			step("payment", "A payment provider is connected, in the environment of the caller."),
			step("shipping", "What shipping costs was looked at: the first policy was changed, or is not the only one."),
			step("taxes", "There is a rate of taxes."),
			step("storefront", "The shop says where its storefront is."),
		},
	},
}

func task(name report.Task, doc string) collection.Field {
	return collection.Field{Name: string(name), Kind: collection.Integer, Doc: doc}
}

func step(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Boolean, Required: true, NonNull: true, Doc: doc}
}

func today(s *reports.Service) Operation {
	return Operation{
		Name: "reports.today", GraphQL: "reportToday", Summary: "Show what waits for the caller",
		Doc:  "What waits for somebody in the shop now, and what is left to be set up.",
		Path: "/reports/today", Output: todayFields,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			out, err := s.Today(ctx, call.Principal)
			return respond(todayFields, todayRecord(out), err)
		},
	}
}

func todayRecord(t reports.Today) collection.Record {
	tasks := collection.Record{}
	for name, n := range t.Tasks {
		tasks[string(name)] = int64(n)
	}
	out := collection.Record{"tasks": tasks}
	if s := t.Setup; s != nil {
		out["setup"] = collection.Record{
			"product": s.Product, "payment": s.Payment, "shipping": s.Shipping, "taxes": s.Taxes, "storefront": s.Storefront,
		}
	}
	return out
}
