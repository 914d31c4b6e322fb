package requestcheck

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Answer is the status and the code with which a provider refuses.
type Answer struct {
	Status int
	Code   string // "": the provider gives none
}

// String is the answer as lists have it: "400 `INVALID_REQUEST`".
func (a Answer) String() string {
	if a.Code == "" {
		return strconv.Itoa(a.Status)
	}
	return fmt.Sprintf("%d `%s`", a.Status, a.Code)
}

// Case makes the bad request of a row of a list, and answers what the fake answered.
type Case func(t *testing.T) Answer

// CompareList compares the list of a fake, a file in Markdown, with what the fake does. Rows are "| check | answer | source |
// verified |", with "yes" or "*unverified*" in the last column. Each row has a case, each case a row, and the fake
// answers as the row says.
func CompareList(t *testing.T, file string, cases map[string]Case) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if !strings.HasPrefix(line, "|") || cells[0] == "check" || strings.HasPrefix(cells[0], "---") {
			continue
		}
		if len(cells) != 4 || cells[2] == "" || cells[3] != "yes" && cells[3] != "*unverified*" {
			t.Errorf("%s: the row %q is not complete", file, line)
			continue
		}
		run, known := cases[cells[0]]
		if listed[cells[0]] || !known {
			t.Errorf("%s: nothing tests %q, or it is listed twice", file, cells[0])
			continue
		}
		listed[cells[0]] = true
		t.Run(cells[0], func(t *testing.T) {
			t.Parallel()
			if got := run(t).String(); got != cells[1] {
				t.Errorf("the fake answers %s, the list says %s", got, cells[1])
			}
		})
	}
	for _, check := range slices.Sorted(maps.Keys(cases)) {
		if !listed[check] {
			t.Errorf("%s does not list %q", file, check)
		}
	}
}

// Send sends a request to a fake and reads its refusal, whose code is under one of the keys, a path such as
// "error.code".
func Send(t *testing.T, fake http.Handler, r *http.Request, keys ...string) Answer {
	t.Helper()
	recorded := httptest.NewRecorder()
	fake.ServeHTTP(recorded, r)
	body, err := io.ReadAll(recorded.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer := Answer{Status: recorded.Code}
	for _, key := range keys {
		var at any
		_ = json.Unmarshal(body, &at) // what is no JSON has no code
		for name := range strings.SplitSeq(key, ".") {
			inner, _ := at.(map[string]any)
			at = inner[name]
		}
		if code, _ := at.(string); code != "" {
			answer.Code = code
			return answer
		}
	}
	return answer
}
