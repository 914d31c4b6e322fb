package operation_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/cataloging"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/exports"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/imports"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/messages"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/prints"
	"github.com/cartwright-dev/cartwright/app/quotes"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/app/repricing"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/app/searching"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/app/storefront"
	"github.com/cartwright-dev/cartwright/app/suspension"
	"github.com/cartwright-dev/cartwright/app/taxing"
	"github.com/cartwright-dev/cartwright/app/team"
	"github.com/cartwright-dev/cartwright/app/tenantdeletion"
	"github.com/cartwright-dev/cartwright/app/tenantexport"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// all returns every operation, over empty use cases: the tests here check declarations and how input is read.
func all() []operation.Operation {
	carts := carts.New(carts.Service{}, mailbox.Options{})
	return slices.Concat(
		operation.Sessions(&access.Service{}, records.Registration{}), operation.Media(&uploads.Service{}, &records.Service{}),
		operation.CarrierFiles(&fulfillments.CarrierFiles{}), operation.CarrierBatches(&fulfillments.CarrierFiles{}), operation.Prints(&prints.Service{}),
		operation.Tenants(&suspension.Service{}), operation.TenantDeletion(&tenantexport.Service{}, &tenantdeletion.Service{}),
		operation.Shop(&shopprofile.Service{}), operation.Preferences(&team.Preferences{}),
		operation.Catalog(&storefront.Service{}), operation.Carts(carts),
		operation.PreviousCarts(carts), operation.CheckoutQuery(&records.Service{}),
		operation.Checkouts(&checkouts.Service{}, &refunds.Attention{}),
		operation.Payments(&payments.Service{}, &payments.AggregatorReconciler{}), operation.Orders(&refunds.OrderCanceler{}, &refunds.Capturer{}),
		operation.OrderCorrections(&refunds.LineCanceler{}, &refunds.OrderRefunder{}, &orders.Corrector{}),
		operation.Drafts(&drafts.Service{}), operation.OrderManagement(&orders.Service{}), operation.Stock(&stock.Service{}),
		operation.Fulfillments(&fulfillments.Service{}),
		operation.Returns(&returnrequests.Service{}), operation.Keys(&access.Service{}), operation.Invitations(&access.Service{}, ""),
		operation.Permissions(nil), operation.Schemas(nil, nil), operation.PersonalData(nil),
		operation.Webhooks(&webhooks.Service{}),
		operation.Events(eventfeed.New(eventfeed.Options{}), &access.Service{}), operation.Usage(&metering.Meter{}), operation.BackgroundFailures(nil),
		operation.PaymentProviders(nil, &connections.Tester{}), operation.TaxConnections(&taxing.Tester{}),
		operation.Bulk(&bulk.Service{}), operation.WholeProducts(&cataloging.Service{}),
		operation.Prices(&repricing.Service{}), operation.Search(&searching.Service{}), operation.Reports(&reports.Service{}),
		operation.Exports(&exports.Service{}), operation.Imports(&imports.Service{}),
		operation.MailTemplates(&mailtexts.Service{}), operation.Mails(&mails.Service{}),
		operation.Messages(&messages.Service{}, &messages.Tester{}),
		operation.Quotes(&quotes.Service{}),
	)
}

// constructor matches a function that returns entries of the table.
var constructor = regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(.*\) \[\]Operation \{$`)

// An operation that is declared but not listed would not be checked by these tests, or not be served.
func TestEveryOperationIsServedAndChecked(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string]string{
		"all in operation_test.go":                       source(t, "operation_test.go"),
		"operations in cmd/cartwright/program/server.go": source(t, "../../cmd/cartwright/program/server.go"),
	}
	found := 0
	for _, file := range files {
		for _, m := range constructor.FindAllStringSubmatch(source(t, file), -1) {
			found++
			for name, list := range lists {
				if !strings.Contains(list, "operation."+m[1]+"(") {
					t.Errorf("%s is missing in %s", m[1], name)
				}
			}
		}
	}
	if found < 19 {
		t.Errorf("found only %d functions that return operations", found)
	}
}

func source(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sample is an input value of the kind of f.
func sample(f collection.Field) collection.JSONValue {
	switch f.Kind {
	case collection.Integer, collection.Number:
		return collection.JSONNumber("1")
	case collection.Money:
		return collection.JSONNumber("1000")
	case collection.Boolean:
		return true
	case collection.Texts, collection.RelationMany:
		return []any{"a"}
	case collection.Select:
		return f.Options[0]
	case collection.JSON:
		return map[string]any{"a": "b"}
	case collection.Group:
		return samples(f.Fields)
	case collection.Array:
		return []any{samples(f.Fields)}
	default: // the rest is text
	}
	switch f.Name {
	case "currency":
		return "KRW"
	case "number": // of a telephone
		return "01012345678"
	case "account": // of a buyer: digits
		return "1"
	}
	return "a"
}

func samples(fields []collection.Field) map[string]any {
	out := map[string]any{}
	for _, f := range fields {
		out[f.Name] = sample(f)
	}
	return out
}

// inputProblems runs o with body and returns the problems of the input. Other failures are ignored, because
// the use cases are empty.
func inputProblems(o operation.Operation, at operation.Surface, body map[string]any) (problems []fault.Field) {
	params := slices.Repeat([]string{"a"}, len(o.Params))
	defer func() {
		if text, byInput := recover().(string); byInput { // other panics are those of an empty use case: the input was accepted
			problems = append(problems, fault.Field{Message: text})
		}
	}()
	by := tenant.Anonymous
	if at == operation.Root && o.Surfaces != operation.Root {
		by = tenant.User
	}
	_, err := o.Do(context.Background(), operation.Request{
		Surface: at, Params: params, Body: body, Call: idempotency.Call{Principal: tenant.Principal{Kind: by}},
	})
	if refusal, ok := errors.AsType[*fault.Error](err); ok {
		// other messages are about rules
		return slices.DeleteFunc(slices.Clone(refusal.Fields), func(f fault.Field) bool { return !strings.HasPrefix(f.Message, "This field ") })
	}
	return nil
}

func TestOperationsReadTheirDeclaredInput(t *testing.T) {
	for _, o := range all() {
		if o.RawInput {
			continue // validated by the use case
		}
		o.Surfaces.EachSurface(func(at operation.Surface) {
			fields := slices.DeleteFunc(slices.Clone(o.Input),
				func(f collection.Field) bool { return f.VisibleTo > collection.Everyone && at != operation.Server })
			for _, p := range inputProblems(o, at, samples(fields)) {
				t.Errorf("%s at %s: %q %s", o.Name, o.Route(at), p.Field, p.Message)
			}
			for _, f := range fields {
				if f.Kind == collection.Relation && len(f.Fields) > 0 {
					body := samples(fields)
					described := samples(f.Fields)
					described["id"] = "a"
					body[f.Name] = described
					for _, p := range inputProblems(o, at, body) {
						t.Errorf("%s at %s, described: %q %s", o.Name, o.Route(at), p.Field, p.Message)
					}
				}
				body := samples(fields)
				delete(body, f.Name)
				missing := slices.ContainsFunc(inputProblems(o, at, body), func(p fault.Field) bool { return p.Field == f.Name })
				if missing != f.Required {
					t.Errorf("%s at %s: %s is required: %t, and its absence is refused: %t",
						o.Name, o.Route(at), f.Name, f.Required, missing)
				}
			}
			if !o.HasBody() {
				return // unknown query parameters are ignored
			}
			body := samples(fields)
			body["undeclared"] = "a"
			if got := inputProblems(o, at, body); len(got) != 1 || got[0].Field != "undeclared" ||
				got[0].Message != "This field does not exist." {
				t.Errorf("%s at %s accepts an undeclared field, or rejects it otherwise: %v", o.Name, o.Route(at), got)
			}
		})
	}
}

func TestServerOnlyInputIsUnknownToShoppers(t *testing.T) {
	for _, o := range all() {
		for _, f := range o.Input {
			if f.VisibleTo == collection.Everyone || !o.HasBody() {
				continue
			}
			got := inputProblems(o, operation.Public, samples(o.Input))
			if !slices.ContainsFunc(got, func(p fault.Field) bool {
				return p.Field == f.Name && p.Message == "This field does not exist."
			}) {
				t.Errorf("%s: %s: %v", o.Name, f.Name, got)
			}
		}
	}
}

func TestOperationsAreFullyDeclared(t *testing.T) {
	names, routes := map[string]bool{}, map[string]bool{}
	placeholder := regexp.MustCompile(`\{(\w+)\}`)
	for _, o := range all() {
		field := o.GraphQL
		if own := o.GraphQLField; own != nil {
			if field != "" || own.Name == "" {
				t.Errorf("%s has two GraphQL fields, or one without a name", o.Name)
			}
			field = own.Name
			documented(t, own.Name, own.Input, own.Output)
		}
		if names[o.Name] || names[field] && field != "" {
			t.Errorf("%s is declared twice", o.Name)
		}
		names[o.Name], names[field] = true, true
		if o.Summary == "" || o.Run == nil || o.Surfaces == 0 || len(o.Output) == 0 && o.Produces == nil || !strings.Contains(o.Name, ".") {
			t.Errorf("%s is not declared completely", o.Name)
		}
		if o.Mutates && o.Method == http.MethodGet || !o.Mutates && o.HasBody() && o.Method != http.MethodPost ||
			o.KeyPolicy != operation.NoKey && !o.Mutates {
			t.Errorf("%s: the method %s and the key policy do not fit Mutates %t", o.Name, o.Method, o.Mutates)
		}
		var inPath, declared []string
		for _, m := range placeholder.FindAllStringSubmatch(o.Path, -1) {
			inPath = append(inPath, m[1])
		}
		for _, p := range o.Params {
			declared = append(declared, p.Name)
			if p.Alias == "" {
				t.Errorf("%s: the GraphQL argument of %s has no name", o.Name, p.Name)
			}
		}
		if !slices.Equal(inPath, declared) {
			t.Errorf("%s: the path has %v, declared are %v", o.Name, inPath, declared)
		}
		o.Surfaces.EachSurface(func(at operation.Surface) {
			route := o.Method + " " + o.Route(at)
			if routes[route] {
				t.Errorf("%s is declared twice", route)
			}
			routes[route] = true
		})
		documented(t, o.Name, o.Params, o.Input, o.Output, o.Headers)
		for _, h := range o.Headers {
			if h.Alias == "" && o.Credentials != operation.CredentialsRequired {
				continue // read with the credentials
			}
			if !slices.ContainsFunc(o.Input, func(f collection.Field) bool { return f.Name == h.Alias }) {
				t.Errorf("%s: the header %s stands for no input", o.Name, h.Name)
			}
		}
	}
}

func documented(t *testing.T, at string, groups ...[]collection.Field) {
	t.Helper()
	for _, fields := range groups {
		for _, f := range fields {
			if f.Doc == "" || f.Kind == 0 {
				t.Errorf("%s.%s is not described", at, f.Name)
			}
			documented(t, at+"."+f.Name, f.Fields)
		}
	}
}

func TestUndeclaredInputPanics(t *testing.T) {
	for name, run := range map[string]func(*operation.Input){
		"a member that is not declared": func(in *operation.Input) { in.Text("other") },
		"a reader of another kind":      func(in *operation.Input) { in.Integer("name") },
		"a parameter that is not there": func(in *operation.Input) { in.Param("id") },
		"a nested member not declared":  func(in *operation.Input) { in.Objects("rows", func(in *operation.Input) { in.Text("name") }) },
		"the whole input":               func(in *operation.Input) { in.Raw() },
		"a list read as an object":      func(in *operation.Input) { in.Object("rows", func(*operation.Input) {}) },
	} {
		o := operation.Operation{
			Name: "a.b", Method: "POST", Path: "/a",
			Input: []collection.Field{
				{Name: "name", Kind: collection.Text},
				{Name: "rows", Kind: collection.Array, Fields: []collection.Field{{Name: "size", Kind: collection.Integer}}},
			},
			Run: func(_ context.Context, _ idempotency.Call, in *operation.Input) (idempotency.Response, error) {
				run(in)
				return idempotency.Response{}, nil
			},
		}
		if got := inputProblems(o, operation.Public, map[string]any{"rows": []any{map[string]any{}}}); len(got) != 1 ||
			!strings.HasPrefix(got[0].Message, "operation: ") {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What the table declares is what is taken: a use case is never given a number outside of the bounds of its field.
func TestNumbersAreWithinTheirDeclaredBounds(t *testing.T) {
	t.Parallel()
	o := operation.Operation{
		Name: "a.b", Method: "POST", Path: "/a",
		Input: []collection.Field{{Name: "limit", Kind: collection.Integer, Min: collection.Bound(1), Max: collection.Bound(500)}},
	}
	for text, want := range map[string]int{"1": 1, "500": 500, "0": -1, "-5": -1, "501": -1, "1.5": -1, "99999999999": -1, "99999999999999999999": -1} {
		got := -1
		o.Run = func(_ context.Context, _ idempotency.Call, in *operation.Input) (idempotency.Response, error) {
			n := in.Int("limit", 50)
			err := in.Done()
			if err == nil {
				got = n
			}
			return idempotency.Response{}, err
		}
		problems := inputProblems(o, operation.Public, map[string]any{"limit": collection.JSONNumber(text)})
		if got != want || len(problems) != min(1, max(0, -want)) {
			t.Errorf("%s is read as %d: %v", text, got, problems)
		}
	}
}

// What ends a payment or gives money back, and what a person has to do first, is never refused for a quota, whatever is added to the table.
func TestMoneyIsNeverRefusedForQuota(t *testing.T) {
	essential := regexp.MustCompile(`\.(confirm|complete|refund|cancel|release|resolve|reconcile)[A-Z]?\w*$|^usage\.|^auth\.|^users\.(.*reauthenticat|change-password)`)
	checked := 0
	for _, o := range all() {
		if essential.MatchString(o.Name) {
			checked++
			if !o.BeyondQuota {
				t.Errorf("%s is refused when the calls of the month are used up", o.Name)
			}
		}
	}
	if checked < 12 {
		t.Errorf("found only %d such operations", checked)
	}
}
