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

// strangers are who calls what is not theirs, in the order of the columns of refusalsFile.
var strangers = []string{"nobody", "secret-key", "operator", "client-key", "another's-token", "another-customer", "expired-token", "another-shop", "live-key"}

// admitted stands where nothing is wrong with the credential.
const admitted = "-"

// TestStrangersAreRefused asks for every operation of storefronts as everybody who may not, over REST and over GraphQL. What
// they hear is in refusalsFile, to be reviewed; what it may be at all follows from the declaration. Contract 2, 5, 8, 13.
func TestStrangersAreRefused(t *testing.T) {
	t.Parallel()
	p := plant(t)
	before := p.state()
	var rows []string
	for _, o := range p.server.operations() {
		if o.At&operation.Public == 0 {
			continue
		}
		for _, road := range []string{"graphql", "rest"} {
			row := []string{o.Name, road}
			for _, who := range strangers {
				row = append(row, p.judge(road, who, o))
			}
			rows = append(rows, columns(row))
		}
	}
	slices.Sort(rows)
	if after := p.state(); after != before {
		t.Errorf("a refused call changed something:\n%s\n%s", before, after)
	}
	got := columns(append([]string{"operation", "road"}, strangers...)) + strings.Join(rows, "")
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

// heard is what a caller is told.
type heard struct {
	status       int // 0 over GraphQL
	code, reason string
	message      string
	raw          string
}

// refused reports whether it was the credential that did not do.
func (h heard) refused() bool {
	_, is := says[h.reason]
	return is
}

func (h heard) String() string {
	switch {
	case !h.refused():
		return admitted
	case h.status == 0:
		return h.reason
	}
	return fmt.Sprintf("%d_%s", h.status, h.reason)
}

// judge is the cell of a stranger, held against what the declaration says.
func (p *planted) judge(road, who string, o operation.Operation) string {
	p.Helper()
	call := map[string]func(operation.Operation, []string) heard{"rest": p.rest, "graphql": p.graphQL}[road]
	if road == "graphql" && who == "secret-key" && o.At&operation.Server != 0 {
		return "server" // one address serves all, and a secret key is the shop's server
	}
	got := call(o, p.headers[who])
	want := p.verdict(who, o)
	switch {
	case want == "":
	case want == admitted && got.refused(), want != admitted && (got.reason != want || got.code != says[want].code || got.status != 0 && got.status != says[want].status):
		p.Errorf("%s over %s by %s: want %s, got %s", o.Name, road, who, want, got.raw)
	case who == "secret-key" && road == "rest" && o.At&operation.Server != 0 && !strings.Contains(got.message, "use "+operation.Server.Prefix()):
		p.Errorf("%s: a secret key is not told where it belongs: %s", o.Name, got.raw)
	case want == "not_found" && len(o.Params) > 0:
		own := p.ids
		p.ids = nowhere(own)
		if missing := call(o, p.headers[who]); missing.raw != got.raw {
			p.Errorf("%s over %s by %s: what is another's differs from what is missing:\n%s\n%s", o.Name, road, who, got.raw, missing.raw)
		}
		p.ids = own
	}
	return got.String()
}

// says is what comes with a reason. Contract 1.1.
var says = map[string]heard{
	"unauthenticated": {status: 401, code: "UNAUTHENTICATED"}, "forbidden": {status: 403, code: "FORBIDDEN"},
	"not_found": {status: 404, code: "NOT_FOUND"}, "token_expired": {status: 419, code: "TOKEN_EXPIRED"},
}

// verdict is the reason that the declaration of o asks for; "" leaves it to the file, as whether operators see what every
// visitor of the shop does.
func (p *planted) verdict(who string, o operation.Operation) string {
	switch {
	case who == "nobody":
		return "unauthenticated"
	case who == "expired-token":
		return "token_expired"
	case who == "operator" && o.Holder == operation.Nobody && o.Who == nil && !o.Changes:
		return ""
	case who == "secret-key", who == "operator" && !slices.Contains(o.Who, tenant.User):
		return "forbidden"
	case o.Holder != operation.Nobody && who == "client-key":
		return "unauthenticated"
	case len(o.Who) > 0 && !slices.Contains(o.Who, tenant.ClientKey) && who != "another-customer":
		return "unauthenticated" // it takes a person
	case slices.ContainsFunc(slices.Concat(o.Params, o.Input), func(f collection.Field) bool { return p.theirs[f.To] != "" }):
		return "not_found"
	}
	return admitted
}

func nowhere(ids map[string]string) map[string]string {
	out := maps.Clone(ids)
	for slug := range out {
		out[slug] = "01890000-0000-7000-8000-000000000000"
	}
	return out
}

// rest calls o on what is the victim's.
func (p *planted) rest(o operation.Operation, headers []string) heard {
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
	h := hear(p.T, a)
	h.status = status
	return h
}

// graphQL calls the field of o on what is the victim's.
func (p *planted) graphQL(o operation.Operation, headers []string) heard {
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
	case !o.Changes:
		for name, v := range input {
			args = append(args, name+": "+literal(v))
		}
	case len(input) > 0:
		args = append(args, "input: "+literal(input))
	}
	if o.Key != operation.NoKey {
		args = append(args, "idempotencyKey: "+literal(p.key()))
	}
	document := o.GraphQL + " { __typename }"
	if len(args) > 0 {
		document = o.GraphQL + "(" + strings.Join(args, ", ") + ") { __typename }"
	}
	raw, err := json.Marshal(map[string]string{"query": map[bool]string{true: "mutation", false: "query"}[o.Changes] + " { " + document + " }"})
	if err != nil {
		p.Fatal(err)
	}
	_, a := ask(p.T, "POST", p.server.BaseURL+"/api/graphql", string(raw), append([]string{"X-Request-Id: same"}, headers...)...)
	h := hear(p.T, a)
	if _, executed := a["data"]; !executed && !h.refused() {
		p.Errorf("%s: %s", document, h.raw)
	}
	return h
}

// word is a choice, which GraphQL writes without quotes.
type word string

// literal is v in the words of GraphQL.
func literal(v any) string {
	switch v := v.(type) {
	case word:
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

func hear(t *testing.T, a map[string]any) (h heard) {
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

// twins are fields of the same use case as an operation that has none.
var twins = map[string]string{"apiKeys.delete": "apiKeyRevoke"}

// Every operation is a field of GraphQL: a mutation where it changes something, else a query. Contract 7.
func TestEveryOperationIsAFieldOfGraphQL(t *testing.T) {
	t.Parallel()
	s, _ := stopped(t, nil)
	const document = `{ __schema { mutationType { fields(includeDeprecated: true) { name } } queryType { fields(includeDeprecated: true) { name } } } }`
	raw, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		t.Fatal(err)
	}
	_, a := ask(t, "POST", s.BaseURL+"/api/graphql", string(raw), "X-API-Key: "+s.News.SecretKey)
	fields := map[string]bool{}
	for kind, of := range a["data"].(map[string]any)["__schema"].(map[string]any) {
		for _, f := range of.(map[string]any)["fields"].([]any) {
			fields[kind+" "+f.(map[string]any)["name"].(string)] = true
		}
	}
	for _, o := range s.operations() {
		kind := map[bool]string{true: "mutationType", false: "queryType"}[o.Changes]
		if !fields[kind+" "+cmp.Or(o.GraphQL, twins[o.Name])] {
			t.Errorf("%s is no field of %s", o.Name, kind)
		}
	}
}

// input is a plausible input of a storefront, about the victim's records, and the stranger's own where there are two.
func (p *planted) input(fields []collection.Field) map[string]any {
	out, named := map[string]any{}, map[string]bool{}
	for _, f := range fields {
		switch {
		case f.Read > collection.Everyone || f.Kind == collection.JSON && f.To != "" || f.Name == "channel": // a condition is none; a page has no channel
		case named[f.To] && p.theirs[f.To] != "":
			out[f.Name] = p.theirs[f.To]
		case p.ids[f.To] != "":
			named[f.To] = true
			out[f.Name] = p.ids[f.To]
			if len(f.Fields) > 0 {
				out[f.Name] = map[string]any{"id": p.ids[f.To]}
			}
		case f.Kind == collection.Select:
			out[f.Name] = word(f.Options[0])
		case f.Kind == collection.Group || f.Kind == collection.Relation && len(f.Fields) > 0:
			out[f.Name] = p.input(f.Fields)
		case f.Kind == collection.Array:
			out[f.Name] = []any{p.input(f.Fields)}
		case plausible[f.Name] != nil:
			out[f.Name] = plausible[f.Name]
		default:
			maps.Copy(out, sampleOf([]collection.Field{f}))
		}
	}
	return out
}

// plausible are inputs that are looked at before it is asked whose records are meant.
var plausible = map[string]any{
	"postalCode": "04524", "country": "KR", "slug": "x", "email": "kim@shop.example", "quantity": 1, "successUrl": "https://shop.example/done", "failUrl": "https://shop.example/failed",
	"redirectUrl": "https://shop.example/done",
}
