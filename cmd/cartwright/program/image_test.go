package program

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// imageStage is the last stage of a Dockerfile.
type imageStage struct {
	from     string
	lines    []string
	settings map[string]string // ENV
	build    []string          // lines of the earlier stages
}

func readDockerfile(t *testing.T) (f imageStage) {
	t.Helper()
	raw, err := os.ReadFile("../../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	f.settings = map[string]string{}
	for line := range strings.SplitSeq(strings.ReplaceAll(string(raw), "\\\n", ""), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		if word == "FROM" {
			f.build, f.lines, f.from = append(f.build, f.lines...), nil, rest
		}
		if word == "ENV" {
			for pair := range strings.FieldsSeq(rest) {
				name, value, _ := strings.Cut(pair, "=")
				f.settings[name] = value
			}
		}
		f.lines = append(f.lines, line)
	}
	return f
}

// line is the last instruction of that name.
func (f imageStage) line(t *testing.T, word string) string {
	t.Helper()
	var found []string
	for _, l := range f.lines {
		if rest, ok := strings.CutPrefix(l, word+" "); ok {
			found = append(found, strings.TrimSpace(rest))
		}
	}
	if len(found) == 0 {
		t.Fatalf("there is no %s", word)
	}
	return found[len(found)-1]
}

func TestImageRunsAsUnprivilegedUser(t *testing.T) {
	t.Parallel()
	f := readDockerfile(t)
	if !strings.HasPrefix(f.from, "gcr.io/distroless/static") || !strings.HasSuffix(f.from, ":nonroot") ||
		f.line(t, "USER") != "65532:65532" {
		t.Errorf("the image is %s and runs as %s", f.from, f.line(t, "USER"))
	}
	variables := knownVariables(t)
	for name := range f.settings {
		if !variables[name] {
			t.Errorf("%s is no setting", name)
		}
	}
	// The image has no shell: every command is a JSON list, and names an existing command.
	commands := (process{}).commands()
	for _, words := range []string{f.line(t, "CMD"), f.line(t, "HEALTHCHECK"), f.line(t, "ENTRYPOINT")} {
		list := regexp.MustCompile(`\[.*\]$`).FindString(words)
		args := regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(list, -1)
		if len(args) == 0 {
			t.Errorf("%s needs a shell", words)
			continue
		}
		last := args[len(args)-1][1]
		if found, _, err := commands.Find([]string{last}); last != "/cartwright" && (err != nil || found.Name() != last) {
			t.Errorf("%s: there is no command %s", words, last)
		}
	}
	if f.line(t, "STOPSIGNAL") != "SIGTERM" || f.line(t, "VOLUME") != f.settings["CARTWRIGHT_DATA"] {
		t.Errorf("the image is stopped by %s and has its volume at %s", f.line(t, "STOPSIGNAL"), f.line(t, "VOLUME"))
	}
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	needs := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))
	if built := strings.Join(f.build, "\n"); !strings.Contains(built, "FROM golang:"+needs[1]+" AS build") ||
		!strings.Contains(built, "-X github.com/cartwright-dev/cartwright/cmd/cartwright/program.version=${VERSION}") ||
		!strings.Contains(built, "CGO_ENABLED=0") {
		t.Errorf("the image is built by\n%s", built)
	}
	if _, err := os.Stat(filepath.Join("..", "..", "..", "cmd", "cartwright")); err != nil {
		t.Error(err)
	}
}
