package rest_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

const matrixFile = "testdata/access.txt"

// cells reads the reviewed access matrix: collection → actor → "CRUD", with a dash for each verb refused.
func cells(t *testing.T, b *harness) map[string]map[string]string {
	t.Helper()
	now := access.FormatTable(b.registry)
	if *rest.Update {
		if err := os.WriteFile(matrixFile, []byte(now), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	if now != string(want) {
		t.Errorf("the access matrix has changed; review it, then run with -update:\n%s", now)
	}
	out := map[string]map[string]string{}
	var actors []string
	for line := range strings.Lines(string(want)) {
		f := strings.Fields(line)
		if actors == nil {
			actors = f[1:]
			continue
		}
		out[f[0]] = map[string]string{}
		for i, actor := range actors {
			out[f[0]][actor] = f[i+1]
		}
	}
	return out
}

// actors are the headers with which each column of the matrix calls.
func (b *harness) actors() map[string][]string {
	b.t.Helper()
	bearer := func(path, email, password string, headers ...string) []string {
		a := b.request("POST", "/api/"+path+"/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password), headers...)
		if a.status != 200 {
			b.t.Fatalf("%s cannot log in: %s", email, a.raw)
		}
		return append(headers, "Authorization", "Bearer "+a.body["token"].(string))
	}
	all := map[string][]string{
		"secret-key": {"X-API-Key", b.shop.SecretKey},
		"client-key": {"X-Client-Key", b.shop.ClientKey},
	}
	for _, role := range tenant.Roles {
		email := string(role) + "@people.example"
		added, err := b.onboarding.AddMember(b.t.Context(), b.shop.Tenant.ID, onboarding.MemberInput{Email: email, Role: role})
		if err != nil {
			b.t.Fatal(err)
		}
		all[string(role)] = bearer("users", email, added.Password)
	}
	person := `{"email":"shopper@people.example","password":"correct horse","name":"S"}`
	if a := b.request("POST", "/api/customers/register", person, "X-Client-Key", b.shop.ClientKey); a.status != 201 {
		b.t.Fatal(a.raw)
	}
	all["customer"] = bearer("customers", "shopper@people.example", "correct horse", "X-Client-Key", b.shop.ClientKey)
	return all
}

// TestAccessMatrix tries every collection and verb as every actor. Rule access-21.
func TestAccessMatrix(t *testing.T) {
	b := newSQLiteHarness(t)
	table, actors := cells(t, b), b.actors()
	there, fields := b.seed(b.shop.Tenant, "word", nil), b.mutations()
	for _, s := range b.registry.All() {
		if len(table[s.Slug]) != len(actors) {
			t.Errorf("%s has no row in the access matrix", s.Slug)
			continue
		}
		for actor, headers := range actors {
			t.Run(s.Slug+"/"+actor, func(t *testing.T) {
				c := cell{b, s, headers, there[s.Slug].ID()}
				c.overGraphQL(t, fields, table[s.Slug][actor])
				c.check(t, table[s.Slug][actor])
			})
		}
	}
}

// missingID is an id that no record has.
const missingID = "01900000-0000-7000-8000-000000000000"

// cell is one actor and one collection, with a record that has no owner.
type cell struct {
	*harness

	s       *collection.Schema
	headers []string
	id      string
}

// mutations are the names of the mutations of the GraphQL schema.
func (b *harness) mutations() map[string]bool {
	b.t.Helper()
	a := b.graphql(200, document("{ __schema { mutationType { fields { name } } } }"), "X-API-Key", b.shop.SecretKey)
	out := map[string]bool{}
	for _, f := range a.body["data"].(map[string]any)["__schema"].(map[string]any)["mutationType"].(map[string]any)["fields"].([]any) {
		out[f.(map[string]any)["name"].(string)] = true
	}
	return out
}

// replacedMutations are mutations for which there are operations instead.
var replacedMutations = map[string]bool{
	"createApiKey": true, "updateApiKey": true, "deleteApiKey": true, "createWebhookEndpoint": true, "deleteWebhookEndpoint": true,
	"deleteUserInvitation": true,
}

// overGraphQL is check over GraphQL: a refused operation is forbidden, or not in the schema at all.
func (c cell) overGraphQL(t *testing.T, mutations map[string]bool, letters string) {
	const id = `(id: "` + missingID + `"`
	one, list := c.s.Singular, c.s.Plural
	if list == one {
		list = "all" + list
	}
	for i, r := range []struct {
		mutation, document string
		allowed            []string // error codes; "" is none
	}{
		{
			"create" + one, "mutation($data: mutation" + one + "Input!) { create" + one + "(data: $data) { id } }",
			[]string{"", "BAD_USER_INPUT"},
		},
		{"", "{ " + list + "(limit: 1) { docs { id } } count" + list + " { totalDocs } }", []string{""}},
		{"update" + one, "mutation { update" + one + id + ", data: {}) { id } }", []string{"NOT_FOUND"}},
		{"delete" + one, "mutation { delete" + one + id + ") { id } }", []string{"NOT_FOUND"}},
	} {
		allowed := letters[i] != '-'
		if c.s.CommandOnly && r.mutation == "create"+one {
			continue // an operation with access and input of its own: TestTypeMutationsAreTheOperations
		}
		if r.mutation != "" && !mutations[r.mutation] {
			if allowed && !replacedMutations[r.mutation] {
				t.Errorf("%s is allowed, but there is no such mutation", r.mutation)
			}
			continue
		}
		want := r.allowed
		if !allowed {
			want = []string{"FORBIDDEN"}
		}
		headers, data := c.headers, c.requiredInput()
		if r.mutation == "createMedia" {
			data["file"] = nil
		}
		body := string(collection.AppendJSONValue(nil, map[string]any{"query": r.document, "variables": map[string]any{"data": data}}))
		if r.mutation == "createMedia" {
			body = multipartOf("operations", body, "map", `{"0": ["variables.data.file"]}`, "0", "not an image")
			headers = append([]string{"Content-Type", "multipart/form-data; boundary=cut"}, headers...)
		}
		if a := c.graphql(200, body, headers...); !slices.Contains(want, a.code()) {
			t.Errorf("%s: %q, want %q: %s", r.document, a.code(), want, a.raw)
		}
	}
}

// multipartOf is a form of name, value, … with the boundary "cut"; the last part is a file.
func multipartOf(parts ...string) string {
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		file := ""
		if i+2 == len(parts) {
			file = `; filename="a.png"`
		}
		fmt.Fprintf(&b, "--cut\r\nContent-Disposition: form-data; name=%q%s\r\n\r\n%s\r\n", parts[i], file, parts[i+1])
	}
	return b.String() + "--cut--\r\n"
}

// requiredInput is the required fields of a record, as GraphQL takes them.
func (c cell) requiredInput() map[string]any {
	out := map[string]any{}
	for _, f := range c.s.Fields {
		if !f.Required || f.ReadOnly {
			continue
		}
		v := sampleValue(f, "word", seeded{}, nil)
		switch {
		case f.Kind == collection.Select:
			v = strings.ReplaceAll(f.Options[len(f.Options)-1], "-", "_")
		case f.Kind.Related():
			v = missingID
		}
		out[f.Name] = v
	}
	return out
}

// check compares the server with the letters of the table. Writes are tried on a missing record: a caller
// with permission is told that it is missing, a caller without is refused before.
func (c cell) check(t *testing.T, letters string) {
	for i, r := range []struct {
		verb, method, path, body string
		allowed                  int // status
	}{
		{"create", "POST", "", `{"nonsense":1}`, 400},
		{"read", "GET", "?limit=1", "", 200},
		{"update", "PATCH", "/" + missingID, `{}`, 404},
		{"delete", "DELETE", "/" + missingID, "", 404},
	} {
		if r.verb == "create" && (c.s == transfer.Exports || c.s == intake.Imports) {
			continue // POST starts one, which is an operation with rights of its own
		}
		a := c.request(r.method, "/api/"+c.s.Slug+r.path, r.body, c.headers...)
		switch allowed := letters[i] != '-'; {
		case allowed && a.status != r.allowed:
			t.Errorf("%s is allowed, but: %d %s", r.verb, a.status, a.raw)
		case !allowed && a.status != 403 && a.status != 405:
			t.Errorf("%s is refused, but: %d %s", r.verb, a.status, a.raw)
		}
	}
	if letters[1] == 'r' && c.s.Access.AboutField != "" {
		return // TestFinerRolesReadCommentsOnWhatTheyMayRead, TestExportsAreOfThoseWhoMayReadWhatTheyShow
	}
	want := map[byte]int{'R': 200, 'r': 200, '-': 403}[letters[1]]
	if letters[1] == 'r' && !c.admitted() && c.s != team.SavedViews { // the seeded one of which is shared
		want = 404
	}
	if one := c.request("GET", "/api/"+c.s.Slug+"/"+c.id, "", c.headers...); one.status != want {
		t.Errorf("reading one: %d %s", one.status, one.raw)
	}
	if letters[1] == 'r' && c.admitted() {
		c.hide(t)
		if one := c.request("GET", "/api/"+c.s.Slug+"/"+c.id, "", c.headers...); one.status != 404 {
			t.Errorf("reading one that is hidden: %d %s", one.status, one.raw)
		}
	}
}

// hideAndShow are updates that hide a seeded record of these collections from shoppers, and show it again.
// Seeded records of other collections are never visible to them.
var hideAndShow = map[string][2]string{
	"markets": {`{"status":"inactive"}`, `{"status":"active"}`}, "gadgets": {`{"shown":false}`, `{"shown":true}`},
}

func (c cell) admitted() bool { return hideAndShow[c.s.Slug][0] != "" }

// hide hides the record until the test is over.
func (c cell) hide(t *testing.T) {
	t.Helper()
	path, updates := "/api/"+c.s.Slug+"/"+c.id, hideAndShow[c.s.Slug]
	c.secret(200, "PATCH", path, updates[0])
	t.Cleanup(func() { c.secret(200, "PATCH", path, updates[1]) })
}
