package program

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every setting has a description and an example, and CONFIGURATION.md is up to date.
func TestReferenceCoversEverySetting(t *testing.T) {
	t.Parallel()
	printed := newCommandEnv(t).must(t, "config")
	if *update {
		if err := os.WriteFile("../CONFIGURATION.md", []byte(printed), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile("../CONFIGURATION.md")
	if err != nil || string(golden) != printed {
		t.Errorf("CONFIGURATION.md is not what `cartwright config` prints; run this test with -update: %v", err)
	}
	var listed []setting
	if err := json.Unmarshal([]byte(newCommandEnv(t).must(t, "config", "--json")), &listed); err != nil {
		t.Fatal(err)
	}
	if len(listed) < 30 {
		t.Errorf("%d settings are listed", len(listed))
	}
	for _, s := range listed {
		if s.Name == "" || s.Doc == "" || s.Example == "" || s.Section == "" {
			t.Errorf("the reference of a setting is incomplete: %+v", s)
		}
		if strings.HasSuffix(s.Doc, ".") {
			t.Errorf("%s: the description must not end with a full stop, which is added", s.Name)
		}
	}
}

// Each example is valid without other settings, but for a mail server, which needs a sender.
func TestReferenceExamplesAreValid(t *testing.T) {
	t.Parallel()
	for _, s := range settings() {
		value := s.Example
		switch s.Name {
		case "CARTWRIGHT_SECRETS":
			value = strings.ReplaceAll(value, "<random>", "q8f7w6e5r4t3y2u1i0o9p8a7s6d5f4g3")
		case "CARTWRIGHT_ENV":
			continue // production requires other settings
		}
		given := map[string]string{s.Name: value}
		if s.Name == "CARTWRIGHT_SMTP_URL" {
			given["CARTWRIGHT_MAIL_FROM"] = "no-reply@shop.example" // neither is of use without the other
		}
		c, err := loadConfig(func(name string) string { return given[name] })
		if err != nil {
			t.Errorf("%s=%s: %v", s.Name, value, err)
		}
		if got := formatValue(c.value(s)); s.Type != typeList && s.Name != "CARTWRIGHT_DATA" && got != value {
			t.Errorf("%s=%s becomes %s", s.Name, value, got)
		}
		if s.Default != "" && s.Type != typeList {
			if _, err := loadConfig(func(name string) string { return map[string]string{s.Name: s.Default}[name] }); err != nil {
				t.Errorf("the default of %s: %v", s.Name, err)
			}
		}
	}
}

// README, compose.yaml and Dockerfile mention only existing settings.
func TestMentionedSettingsExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, s := range settings() {
		known[s.Name] = true
	}
	name := regexp.MustCompile(`CARTWRIGHT_[A-Z_]*[A-Z]`)
	for _, file := range []string{"../../../README.md", "../../../compose.yaml", "../../../Dockerfile"} {
		text, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range name.FindAllString(string(text), -1) {
			if !known[found] {
				t.Errorf("%s mentions %s, which is not a setting", file, found)
			}
		}
	}
}
