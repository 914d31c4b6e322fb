package program

import (
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

// unauthorizedCallers are the callers, in the order of the columns of refusalsFile.
var unauthorizedCallers = []string{
	"nobody", "secret-key", "operator", "client-key", "another's-token", "another-customer", "expired-token", "another-shop", "live-key",
}

// noCredentialProblem is the cell of a call that was not refused because of its credentials.
const noCredentialProblem = "-"

// TestUnauthorizedCallersAreRefused calls every public operation as each unauthorized caller, over REST and GraphQL.
// The refusals are in refusalsFile, for review; the declaration of an operation limits what they may be. Rules api-2,
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
		for _, api := range []string{"graphql", "rest"} {
			row := []string{o.Name, api}
			for _, who := range unauthorizedCallers {
				row = append(row, p.checkRefusal(api, who, o))
			}
			rows = append(rows, columns(row))
		}
	}
	slices.Sort(rows)
	if after := p.state(); after != before {
		t.Errorf("a refused call changed something:\n%s\n%s", before, after)
	}
	got := columns(append([]string{"operation", "api"}, unauthorizedCallers...)) + strings.Join(rows, "")
	if *update {
		if err := os.WriteFile(refusalsFile, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(refusalsFile); err != nil || string(want) != got {
		t.Errorf("the refusals have changed (%v): run this test with -update and review the difference:\n%s", err, got)
	}
}

// columns formats cells in columns of a fixed width.
func columns(cells []string) string {
	line := fmt.Sprintf("%-35s%-9s", cells[0], cells[1])
	for _, cell := range cells[2:] {
		line += fmt.Sprintf("%-21s", cell)
	}
	return strings.TrimRight(line, " ") + "\n"
}

// callerRefusal is the answer to a refused call.
type callerRefusal struct {
	status       int // 0 over GraphQL
	code, reason string
	message      string
	raw          string
}

// isCredentialRefusal reports whether the call was refused because of its credentials.
func (h callerRefusal) isCredentialRefusal() bool {
	_, ok := credentialRefusals[h.reason]
	return ok
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

// checkRefusal calls o as who, compares the refusal with the declaration of o, and returns its cell.
func (p *refusalFixture) checkRefusal(api, who string, o operation.Operation) string {
	p.Helper()
	call := map[string]func(operation.Operation, []string) callerRefusal{"rest": p.rest, "graphql": p.graphQL}[api]
	if api == "graphql" && who == "secret-key" && o.Surfaces&operation.Server != 0 {
		return "server" // GraphQL has one path for all surfaces, and the shop's server may call o there
	}
	if api == "graphql" && who == "operator" && o.Surfaces != operation.Root && o.Admits(operation.Root, tenant.User) {
		return "root" // and so may operators
	}
	got := call(o, p.headers[who])
	want := p.declaredReason(who, o)
	switch {
	case want == "":
	case want == noCredentialProblem && got.isCredentialRefusal(), want != noCredentialProblem &&
		(got.reason != want || got.code != credentialRefusals[want].code || got.status != 0 && got.status != credentialRefusals[want].status):
		p.Errorf("%s over %s by %s: want %s, got %s", o.Name, api, who, want, got.raw)
	case who == "secret-key" && api == "rest" && o.Surfaces&operation.Server != 0 &&
		!strings.Contains(got.message, "use "+operation.Server.Prefix()):
		p.Errorf("%s: the refusal of a secret key does not name the server path: %s", o.Name, got.raw)
	case want == "not_found" && len(o.Params) > 0:
		own := p.ids
		p.ids = unknownPath(own)
		if missing := call(o, p.headers[who]); missing.raw != got.raw {
			p.Errorf("%s over %s by %s: the answer for a record of another owner differs from that for a missing one:\n%s\n%s", o.Name, api,
				who, got.raw, missing.raw)
		}
		p.ids = own
	}
	return got.String()
}

// credentialRefusals are the status and code of each reason about credentials. Rule api-12.
var credentialRefusals = map[string]callerRefusal{
	"unauthenticated": {status: 401, code: "UNAUTHENTICATED"}, "forbidden": {status: 403, code: "FORBIDDEN"},
	"not_found": {status: 404, code: "NOT_FOUND"}, "token_expired": {status: 419, code: "TOKEN_EXPIRED"},
}

// declaredReason is the reason that follows from the declaration of o; "" if it does not follow, as when an operator
// reads what every visitor may read.
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
		return "unauthenticated" // only for customers or users
	case o.Capability != operation.NoCapability && len(o.Params)+len(o.Input) == 0 && who != "another's-token":
		return "not_found" // the token alone says which record: another's shows another's
	case slices.ContainsFunc(slices.Concat(o.Params, o.Input),
		func(f collection.Field) bool { return p.otherCustomers[f.RelationTo] != "" }):
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

// rest calls o on the owner's records over REST.
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
	status, a := requestJSON(p.T, o.Method, p.server.BaseURL+address, body,
		append([]string{"Idempotency-Key: " + p.key(), "X-Request-Id: same"}, headers...)...)
	h := parseRefusal(p.T, a)
	h.status = status
	return h
}

// graphQL calls the field of o on the owner's records.
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
	raw, err := json.Marshal(map[string]string{
		"query": map[bool]string{true: "mutation", false: "query"}[o.Mutates] + " { " + document + " }",
	})
	if err != nil {
		p.Fatal(err)
	}
	_, a := requestJSON(p.T, "POST", p.server.BaseURL+"/api/graphql", string(raw), append([]string{"X-Request-Id: same"}, headers...)...)
	h := parseRefusal(p.T, a)
	if _, executed := a["data"]; !executed && !h.isCredentialRefusal() {
		p.Errorf("%s: %s", document, h.raw)
	}
	return h
}

// enumLiteral is an enum value, which GraphQL writes without quotes.
type enumLiteral string

// literal is v as a GraphQL literal.
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

// parseRefusal parses the body of a response.
func parseRefusal(t *testing.T, a map[string]any) (h callerRefusal) {
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
	extensions, _ := first["extensions"].(map[string]any)
	h.code, _ = extensions["code"].(string)
	h.reason, _ = extensions["reason"].(string)
	return h
}

// input is a valid input about the owner's records; a second relation to the same collection names another customer's.
func (p *refusalFixture) input(fields []collection.Field) map[string]any {
	out, named := map[string]any{}, map[string]bool{}
	for _, f := range fields {
		switch {
		case f.VisibleTo > collection.Everyone || f.Kind == collection.JSON && f.RelationTo != "" || f.Name == "channel": // left out
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

// sampleInputs are values of inputs that are validated before the owner of the records is checked.
var sampleInputs = map[string]any{
	"postalCode": "04524", "country": "KR", "slug": "x", "email": "kim@shop.example", "quantity": 1,
	"successUrl": "https://shop.example/done", "failUrl": "https://shop.example/failed", "redirectUrl": "https://shop.example/done",
}
