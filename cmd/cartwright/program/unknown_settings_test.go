package program

import (
	"strings"
	"testing"
)

func TestUnknownSettingsAreReported(t *testing.T) {
	t.Parallel()
	good := commandEnv{map[string]string{
		"CARTWRIGHT_ENV": "production", "CARTWRIGHT_SECRETS": "1:q8f7w6e5r4t3y2u1i0o9p8a7s6d5f4g3",
		"CARTWRIGHT_PUBLIC_URL": "https://shop.example",
	}}
	for name, c := range map[string]struct {
		variable string
		refused  bool   // by production
		message  string // "": none
	}{
		"a misspelling": {
			"CARTWRIGHT_REDIS_URI=redis://x", true, "CARTWRIGHT_REDIS_URI is not a setting; did you mean CARTWRIGHT_REDIS_URL?",
		},
		"another misspelling": {"CARTWRIGHT_DATABSE_URL=postgres://u:hunter2@x/y", true, "did you mean CARTWRIGHT_DATABASE_URL?"},
		"lower case":          {"cartwright_env=production", true, "did you mean CARTWRIGHT_ENV?"},
		"a setting of a newer version": {
			"CARTWRIGHT_FLUX_CAPACITOR=on", false, "CARTWRIGHT_FLUX_CAPACITOR is not a setting of this version",
		},
		"a setting":                          {"CARTWRIGHT_ADDR=127.0.0.1:0", false, ""},
		"another program's variable":         {"CARTRIDGE=1", false, ""},
		"a service called cartwright":        {"CARTWRIGHT_SERVICE_HOST=10.0.0.1", false, ""},
		"its port":                           {"CARTWRIGHT_PORT=tcp://10.0.0.1:8080", false, ""},
		"its address":                        {"CARTWRIGHT_PORT_8080_TCP_ADDR=10.0.0.1", false, ""},
		"a service called cartwright-public": {"CARTWRIGHT_PUBLIC_SERVICE_PORT_HTTP=8080", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, warnings, err := process{getenv: good.getenv, environ: []string{c.variable}}.configWithWarnings()
			text := strings.Join(warnings, "\n")
			if err != nil {
				text += err.Error()
			}
			if (err != nil) != c.refused || !strings.Contains(text, c.message) || c.message == "" && text != "" ||
				strings.Contains(text, "hunter2") {
				t.Errorf("production reports %q, %v", warnings, err)
			}
			_, warnings, err = process{getenv: func(string) string { return "" }, environ: []string{c.variable}}.configWithWarnings()
			if err != nil || len(warnings) > 0 != (c.message != "") {
				t.Errorf("development reports %q, %v", warnings, err)
			}
		})
	}
}

func TestMisspelledSettingsJoinOtherProblems(t *testing.T) {
	t.Parallel()
	bad := commandEnv{map[string]string{"CARTWRIGHT_ENV": "production"}}
	_, _, err := process{getenv: bad.getenv, environ: []string{"CARTWRIGHT_SECRET=x"}}.configWithWarnings()
	if err == nil {
		t.Fatal("the configuration is accepted")
	}
	for _, word := range []string{"CARTWRIGHT_SECRET is not a setting", "CARTWRIGHT_PUBLIC_URL", "production requires secrets"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not reported:\n%v", word, err)
		}
	}
}
