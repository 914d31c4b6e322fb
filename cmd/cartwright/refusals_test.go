package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const refusalsFile = "testdata/refusals.txt"

// unauthorizedCallers are who calls what is not theirs, in the order of the columns of refusalsFile.
var unauthorizedCallers = []string{"nobody", "secret-key", "operator", "client-key", "another's-token", "another-customer", "expired-token", "another-shop", "live-key"}

// noCredentialProblem stands where nothing is wrong with the credential.
const noCredentialProblem = "-"

// TestUnauthorizedCallersAreRefused asks for every operation of storefronts as everybody who may not, over REST and over GraphQL. What
// they hear is in refusalsFile, to be reviewed; what it may be at all follows from the declaration. Rules api-2,
// idempotency-6, carts-15.
func TestUnauthorizedCallersAreRefused(t *testing.T) {
	t.Parallel()
	p := newRefusalFixture(t)
	before := p.state()
	var rows []string
	for _, o := range p.server.operations() {
		if o.Surfaces&operation.Public == 0 {
			continue
		}
		for _, road := range []string{"graphql", "rest"} {
			row := []string{o.Name, road}
			for _, who := range unauthorizedCallers {
				row = append(row, p.checkCell(road, who, o))
			}
			rows = append(rows, columns(row))
		}
	}
	slices.Sort(rows)
	if after := p.state(); after != before {
		t.Errorf("a refused call changed something:\n%s\n%s", before, after)
	}
	got := columns(append([]string{"operation", "road"}, unauthorizedCallers...)) + strings.Join(rows, "")
	if *update {
		if err := os.WriteFile(refusalsFile, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(refusalsFile); err != nil || string(want) != got {
		t.Errorf("who is refused has changed (%v); review it, then run with -update:\n%s", err, got)
	}
}

// columns are cells of a width that no other row changes.
func columns(cells []string) string {
	line := fmt.Sprintf("%-35s%-9s", cells[0], cells[1])
	for _, cell := range cells[2:] {
		line += fmt.Sprintf("%-21s", cell)
	}
	return strings.TrimRight(line, " ") + "\n"
}

// callerRefusal is what a caller is told.
type callerRefusal struct {
	status       int // 0 over GraphQL
	code, reason string
	message      string
	raw          string
}

// isCredentialRefusal reports whether it was the credential that did not do.
func (h callerRefusal) isCredentialRefusal() bool {
	_, is := says[h.reason]
	return is
}

func (h callerRefusal) String() string {
	switch {
	case !h.isCredentialRefusal():
		return noCredentialProblem
	case h.status == 0:
		return h.reason
	}
	return fmt.Sprintf("%d_%s", h.status, h.reason)
}

// checkCell is the cell of a stranger, held against what the declaration says.
func (p *refusalFixture) checkCell(road, who string, o operation.Operation) string {
	p.Helper()
	call := map[string]func(operation.Operation, []string) callerRefusal{"rest": p.rest, "graphql": p.graphQL}[road]
	if road == "graphql" && who == "secret-key" && o.Surfaces&operation.Server != 0 {
		return "server" // one address serves all, and a secret key is the shop's server
	}
	got := call(o, p.headers[who])
	want := p.declaredReason(who, o)
	switch {
	case want == "":
	case want == noCredentialProblem && got.isCredentialRefusal(), want != noCredentialProblem && (got.reason != want || got.code != says[want].code || got.status != 0 && got.status != says[want].status):
		p.Errorf("%s over %s by %s: want %s, got %s", o.Name, road, who, want, got.raw)
	case who == "secret-key" && road == "rest" && o.Surfaces&operation.Server != 0 && !strings.Contains(got.message, "use "+operation.Server.Prefix()):
		p.Errorf("%s: a secret key is not told where it belongs: %s", o.Name, got.raw)
	case want == "not_found" && len(o.Params) > 0:
		own := p.ids
		p.ids = unknownPath(own)
		if missing := call(o, p.headers[who]); missing.raw != got.raw {
			p.Errorf("%s over %s by %s: what is another's differs from what is missing:\n%s\n%s", o.Name, road, who, got.raw, missing.raw)
		}
		p.ids = own
	}
	return got.String()
}

// says is what comes with a reason. Rule api-12.
var says = map[string]callerRefusal{
	"unauthenticated": {status: 401, code: "UNAUTHENTICATED"}, "forbidden": {status: 403, code: "FORBIDDEN"},
	"not_found": {status: 404, code: "NOT_FOUND"}, "token_expired": {status: 419, code: "TOKEN_EXPIRED"},
}

// declaredReason is the reason that the declaration of o asks for; "" leaves it to the file, as whether operators see what every
// visitor of the shop does.
func (p *refusalFixture) declaredReason(who string, o operation.Operation) string {
	switch {
	case who == "nobody":
		return "unauthenticated"
	case who == "expired-token":
		return "token_expired"
	case who == "operator" && o.Capability == operation.NoCapability && o.AllowedKinds == nil && !o.Mutates:
		return ""
	case who == "secret-key", who == "operator" && !slices.Contains(o.AllowedKinds, tenant.User):
		return "forbidden"
	case o.Capability != operation.NoCapability && who == "client-key":
		return "unauthenticated"
	case len(o.AllowedKinds) > 0 && !slices.Contains(o.AllowedKinds, tenant.ClientKey) && who != "another-customer":
		return "unauthenticated" // it takes a person
	case slices.ContainsFunc(slices.Concat(o.Params, o.Input), func(f collection.Field) bool { return p.otherCustomers[f.RelationTo] != "" }):
		return "not_found"
	}
	return noCredentialProblem
}

func unknownPath(ids map[string]string) map[string]string {
	out := maps.Clone(ids)
	for slug := range out {
		out[slug] = "01890000-0000-7000-8000-000000000000"
	}
	return out
}

// rest calls o on what is the victim's.
func (p *refusalFixture) rest(o operation.Operation, headers []string) callerRefusal {
	p.Helper()
	address := o.Route(operation.Public)
	for _, param := range o.Params {
		address = strings.Replace(address, ":"+param.Name, p.id(param), 1)
	}
	body := ""
	if input := p.input(o.Input); o.HasBody() {
		raw, err := json.Marshal(input)
		if err != nil {
			p.Fatal(err)
		}
		body = string(raw)
	} else {
		sep := "?"
		for name, v := range input {
			address += fmt.Sprintf("%s%s=%v", sep, name, v)
			sep = "&"
		}
	}
	status, a := ask(p.T, o.Method, p.server.BaseURL+address, body, append([]string{"Idempotency-Key: " + p.key(), "X-Request-Id: same"}, headers...)...)
	h := callAPI(p.T, a)
	h.status = status
	return h
}

// graphQL calls the field of o on what is the victim's.
func (p *refusalFixture) graphQL(o operation.Operation, headers []string) callerRefusal {
	p.Helper()
	var args []string
	for _, param := range o.Params {
		args = append(args, param.Alias+": "+literal(p.id(param)))
	}
	input := p.input(o.Input)
	revision, revised := input["expectedRevision"]
	if revised {
		delete(input, "expectedRevision")
		args = append(args, "expectedRevision: "+literal(revision))
	}
	switch {
	case !o.Mutates:
		for name, v := range input {
			args = append(args, name+": "+literal(v))
		}
	case len(input) > 0:
		args = append(args, "input: "+literal(input))
	}
	if o.KeyPolicy != operation.NoKey {
		args = append(args, "idempotencyKey: "+literal(p.key()))
	}
	document := o.GraphQL + " { __typename }"
	if len(args) > 0 {
		document = o.GraphQL + "(" + strings.Join(args, ", ") + ") { __typename }"
	}
	raw, err := json.Marshal(map[string]string{"query": map[bool]string{true: "mutation", false: "query"}[o.Mutates] + " { " + document + " }"})
	if err != nil {
		p.Fatal(err)
	}
	_, a := ask(p.T, "POST", p.server.BaseURL+"/api/graphql", string(raw), append([]string{"X-Request-Id: same"}, headers...)...)
	h := callAPI(p.T, a)
	if _, executed := a["data"]; !executed && !h.isCredentialRefusal() {
		p.Errorf("%s: %s", document, h.raw)
	}
	return h
}

// enumLiteral is a choice, which GraphQL writes without quotes.
type enumLiteral string

// literal is v in the words of GraphQL.
func literal(v any) string {
	switch v := v.(type) {
	case enumLiteral:
		return strings.ReplaceAll(string(v), "-", "_")
	case map[string]any:
		var members []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			members = append(members, name+": "+literal(v[name]))
		}
		return "{" + strings.Join(members, ", ") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, literal(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	raw, _ := json.Marshal(v) // plain values
	return string(raw)
}

func callAPI(t *testing.T, a map[string]any) (h callerRefusal) {
	t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	h.raw = string(raw)
	list, _ := a["errors"].([]any)
	if len(list) == 0 {
		return h
	}
	first := list[0].(map[string]any)
	h.message, _ = first["message"].(string)
	told, _ := first["extensions"].(map[string]any)
	h.code, _ = told["code"].(string)
	h.reason, _ = told["reason"].(string)
	return h
}

// sharedFields are fields of the same use case as an operation that has none.
var sharedFields = map[string]string{"apiKeys.delete": "apiKeyRevoke", "media.create": "createMedia", "media.update": "updateMedia"}

// restOnly are operations without a field: a secret key makes its server tokens over REST.
var restOnly = []string{"auth.token"}

// Every operation is a field of GraphQL: a mutation where it changes something, else a query. Only what is not JSON is for REST
// alone. Rule graphql-1.
func TestEveryOperationHasGraphQLField(t *testing.T) {
	t.Parallel()
	s, _ := serverAt(t, nil)
	const document = `{ __schema { mutationType { fields(includeDeprecated: true) { name } } queryType { fields(includeDeprecated: true) { name } } } }`
	raw, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		t.Fatal(err)
	}
	_, a := ask(t, "POST", s.BaseURL+"/api/graphql", string(raw), "X-API-Key: "+s.NewCredentials.SecretKey)
	fields := map[string]bool{}
	for kind, of := range a["data"].(map[string]any)["__schema"].(map[string]any) {
		for _, f := range of.(map[string]any)["fields"].([]any) {
			fields[kind+" "+f.(map[string]any)["name"].(string)] = true
		}
	}
	for _, o := range s.operations() {
		if o.Produces != nil || slices.Contains(restOnly, o.Name) {
			continue
		}
		kind := map[bool]string{true: "mutationType", false: "queryType"}[o.Mutates]
		name := cmp.Or(o.GraphQL, sharedFields[o.Name])
		if o.GraphQLField != nil {
			name = o.GraphQLField.Name
		}
		if !fields[kind+" "+name] {
			t.Errorf("%s is no field of %s", o.Name, kind)
		}
	}
}

// input is a plausible input of a storefront, about the victim's records, and the stranger's own where there are two.
func (p *refusalFixture) input(fields []collection.Field) map[string]any {
	out, named := map[string]any{}, map[string]bool{}
	for _, f := range fields {
		switch {
		case f.VisibleTo > collection.Everyone || f.Kind == collection.JSON && f.RelationTo != "" || f.Name == "channel": // a condition is none; a page has no channel
		case named[f.RelationTo] && p.otherCustomers[f.RelationTo] != "":
			out[f.Name] = p.otherCustomers[f.RelationTo]
		case p.ids[f.RelationTo] != "":
			named[f.RelationTo] = true
			out[f.Name] = p.ids[f.RelationTo]
			if len(f.Fields) > 0 {
				out[f.Name] = map[string]any{"id": p.ids[f.RelationTo]}
			}
		case f.Kind == collection.Select:
			out[f.Name] = enumLiteral(f.Options[0])
		case f.Kind == collection.Group || f.Kind == collection.Relation && len(f.Fields) > 0:
			out[f.Name] = p.input(f.Fields)
		case f.Kind == collection.Array:
			out[f.Name] = []any{p.input(f.Fields)}
		case sampleInputs[f.Name] != nil:
			out[f.Name] = sampleInputs[f.Name]
		default:
			maps.Copy(out, sampleOf([]collection.Field{f}))
		}
	}
	return out
}

// sampleInputs are inputs that are looked at before it is asked whose records are meant.
var sampleInputs = map[string]any{
	"postalCode": "04524", "country": "KR", "slug": "x", "email": "kim@shop.example", "quantity": 1, "successUrl": "https://shop.example/done", "failUrl": "https://shop.example/failed",
	"redirectUrl": "https://shop.example/done",
}
