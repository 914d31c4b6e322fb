package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/taxing"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var taxConnectionTestFields = testFields("service", "Whether the service answered, and the answer can be right.", []collection.Field{
	{Name: "currency", Kind: collection.Text, OmitMissing: true, Doc: "Currency of tax, an ISO 4217 code; left out with a problem."},
	{Name: "tax", Kind: collection.Money, Currency: "currency", OmitMissing: true, Doc: "What it asks for of a price of 100; left out with a problem."},
	{
		Name: "problem", Kind: collection.Group, OmitMissing: true, Doc: "Why it does not work; left out where it does.",
		Fields: []collection.Field{
			{
				Name: "reason", Kind: collection.Select, Options: taxing.TestProblems, Required: true, NonNull: true,
				Doc: "question_refused: the service refused the question, such as for a signature by another secret. " +
					"secret_unreadable: it was not asked, since no secret of this server opens what is stored. " +
					"service_unreachable: it did not answer in time, or only that it fails. " +
					"answer_unreadable: its answer has not the form of the contract. " +
					"answer_wrong: its answer cannot be right, for the reason in detail. " +
					"calls_paused: it was not asked, since too many calls of the connection just failed, or are under way.",
			},
			{Name: "detail", Kind: collection.Text, OmitMissing: true, Doc: "What cannot be right, for whoever runs the service."},
		},
	},
})

// TaxConnections are the operations for whoever sets up a tax service. Rule taxes-19.
func TaxConnections(tester *taxing.Tester) []Operation {
	return []Operation{{
		Name: "taxConnections.test", GraphQL: "taxConnectionTest", Summary: "Test a connection to a tax service",
		Doc: "Asks the service about one unit at a price of 100 that goes to the shop's own country, and checks the answer as that to a sale. " +
			"Nothing is sold. A connection that is switched off can be tested, too.",
		Method: "POST", Path: "/tax-connections/{id}/test", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Params: []collection.Field{{
			Name: "id", Alias: "taxConnectionId", Kind: collection.Relation, RelationTo: tax.Connections.Slug, Doc: "The connection.",
		}},
		Output: taxConnectionTestFields, Reasons: []*fault.Error{ports.ErrNotFound},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			r, err := tester.Test(ctx, call.Principal, in.Param("id"))
			return respond(taxConnectionTestFields, taxConnectionTestRecord(r), err)
		},
	}}
}

func taxConnectionTestRecord(r taxing.TestResult) collection.Record {
	answer := collection.Record{"ok": r.Problem == "", "checkedAt": r.CheckedAt, "latencyMs": r.Latency.Milliseconds()}
	if r.Problem == "" {
		answer["currency"], answer["tax"] = string(r.Total.Currency), r.Total
		return answer
	}
	problem := collection.Record{"reason": string(r.Problem)}
	if r.Detail != "" {
		problem["detail"] = r.Detail
	}
	answer["problem"] = problem
	return answer
}
