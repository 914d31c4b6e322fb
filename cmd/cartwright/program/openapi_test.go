package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/rest/openapi/openapitest"
)

// TestOpenAPIMatchesGolden pins what clients rely on: paths, statuses, reasons and the members of every schema, one
// line each. Run it with -update after a change, and review the difference.
func TestOpenAPIMatchesGolden(t *testing.T) {
	t.Parallel()
	const file = "testdata/openapi.golden"
	document, err := process{}.openAPIDocument("")
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	got := outline(d)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, now := lineSet(string(want)), lineSet(got)
	for line := range now {
		if !before[line] {
			t.Errorf("new: %s", line)
		}
	}
	for line := range before {
		if !now[line] {
			t.Errorf("gone: %s", line)
		}
	}
}

func lineSet(text string) map[string]bool {
	lines := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		lines[line] = true
	}
	return lines
}

type branch = map[string]any

// outline is a document as sorted lines.
func outline(d branch) string {
	components := d["components"].(branch)
	shared := sharedReasons(d)
	lines := []string{"everywhere " + strings.Join(shared, " ")}
	for path, item := range d["paths"].(branch) {
		for method, o := range item.(branch) {
			lines = append(lines, operationLine(strings.ToUpper(method)+" "+path, o.(branch), components["responses"].(branch), shared))
		}
	}
	for name, s := range components["schemas"].(branch) {
		lines = append(lines, schemaLines(name, s.(branch))...)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// reasonsOf are the reasons that a response names.
func reasonsOf(r, responses branch) (reasons []string) {
	if name, ok := r["$ref"].(string); ok {
		r = responses[name[strings.LastIndex(name, "/")+1:]].(branch)
	}
	list, _ := strings.CutPrefix(r["description"].(string), "Refused: ")
	for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(list, -1) {
		reasons = append(reasons, m[1])
	}
	return reasons
}

// sharedReasons are the reasons that all calls with any reasons have.
func sharedReasons(d branch) (shared []string) {
	responses := d["components"].(branch)["responses"].(branch)
	for _, item := range d["paths"].(branch) {
		for _, o := range item.(branch) {
			var all []string
			for _, r := range o.(branch)["responses"].(branch) {
				all = append(all, reasonsOf(r.(branch), responses)...)
			}
			switch {
			case len(all) == 0: // never refused
			case shared == nil:
				shared = all
			default:
				shared = slices.DeleteFunc(shared, func(r string) bool { return !slices.Contains(all, r) })
			}
		}
	}
	slices.Sort(shared)
	return shared
}

func operationLine(at string, o, responses branch, shared []string) string {
	line := at + " " + o["operationId"].(string)
	if o["deprecated"] == true {
		line += " deprecated"
	}
	for _, status := range slices.Sorted(maps.Keys(o["responses"].(branch))) {
		line += " " + status
		own := slices.DeleteFunc(reasonsOf(o["responses"].(branch)[status].(branch), responses),
			func(r string) bool { return slices.Contains(shared, r) })
		if len(own) > 0 {
			line += "(" + strings.Join(own, ",") + ")"
		}
	}
	return line
}

func schemaLines(at string, s branch) (lines []string) {
	lines = append(lines, at+" "+typeLine(s))
	if members, ok := s["properties"].(branch); ok {
		required, _ := s["required"].([]any)
		for name, m := range members {
			mark := ""
			if slices.Contains(required, any(name)) {
				mark = "!"
			}
			lines = append(lines, schemaLines(at+"."+name+mark, m.(branch))...)
		}
	}
	if items, ok := s["items"].(branch); ok && items["properties"] != nil {
		lines = append(lines, schemaLines(at+"[]", items)...)
	}
	return lines
}

func typeLine(s branch) string {
	switch {
	case s["$ref"] != nil:
		name := s["$ref"].(string)
		return name[strings.LastIndex(name, "/")+1:]
	case s["anyOf"] != nil:
		var words []string
		for _, x := range s["anyOf"].([]any) {
			words = append(words, typeLine(x.(branch)))
		}
		return strings.Join(words, "|")
	case s["enum"] != nil:
		return fmt.Sprint(s["enum"])
	case s["type"] == nil:
		return "any"
	}
	line := strings.Trim(strings.ReplaceAll(fmt.Sprint(s["type"]), " ", "|"), "[]")
	if items, ok := s["items"].(branch); ok && items["properties"] == nil {
		line += " of " + typeLine(items)
	}
	return line
}

// The document that the command prints describes exactly the routes of the server, which serves the same document.
func TestServerMatchesOpenAPIDocument(t *testing.T) {
	t.Parallel()
	s := buildOnSQLite(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	printed := printDocument(t)
	contract, err := openapitest.Parse(printed)
	if err != nil {
		t.Fatal(err)
	}
	var routes []string
	for _, r := range s.app.GetRoutes(true) {
		if r.Method != http.MethodHead { // comes with GET
			routes = append(routes, r.Method+" "+regexp.MustCompile(`:(\w+)`).ReplaceAllString(r.Path, "{$1}"))
		}
	}
	slices.Sort(routes)
	routes, described := slices.Compact(routes), contract.Routes()
	for _, r := range routes {
		if !slices.Contains(described, r) {
			t.Errorf("%s is not described: declare it as an operation, or describe it in its Area (rest.Describer)", r)
		}
	}
	for _, r := range described {
		if !slices.Contains(routes, r) {
			t.Errorf("%s is described, but the server has no such route", r)
		}
	}
	var served, command any
	if err := json.Unmarshal(rest.Document(s.routes(nil, "http://sandbox", nil)), &served); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(printed, &command); err != nil {
		t.Fatal(err)
	}
	if outline(served.(branch)) != outline(command.(branch)) {
		t.Error("the command and the server have different documents")
	}
}
