package reports

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Today is what waits for somebody in a shop.
type Today struct {
	Tasks map[report.Task]int // those that they may read
	Setup *Setup              // nil: nobody has to be told
}

// taskOf is what a task is counted in. A part of a count would pass for the whole, so it is for those who may read all.
type taskOf struct {
	task report.Task
	of   []*collection.Schema
}

var tasks = []taskOf{
	{report.ToPack, []*collection.Schema{order.Schema}},
	{report.ToShip, []*collection.Schema{order.Schema}},
	{report.WaitingForDeposit, []*collection.Schema{payment.Sessions}},
	{report.Attention, []*collection.Schema{payment.Sessions}},
	{report.LowStock, []*collection.Schema{catalog.Products, catalog.Variants}},
	{report.ReturnsOpen, []*collection.Schema{returns.Schema}},
}

// Today answers what waits for p. Rules reports-7, shop-8. Errors: fault.ErrForbidden, fault.ErrUnauthenticated,
// tenant.ErrFeatureDisabled.
func (s *Service) Today(ctx context.Context, p tenant.Principal) (out Today, err error) {
	if err := access.RequireMember(p); err != nil {
		return Today{}, err
	}
	if !p.Tenant.CommerceEnabled {
		return Today{}, tenant.ErrFeatureDisabled
	}
	var mine []report.Task
	for _, one := range tasks {
		if access.RequireReading(p, one.of...) == nil {
			mine = append(mine, one.task)
		}
	}
	if out.Tasks, err = s.Reports.Tasks(ctx, p.Tenant.ID, p.Environment, mine, report.MaxTasks); err != nil {
		return Today{}, err
	}
	out.Setup, err = s.setup(ctx, p)
	return out, err
}
