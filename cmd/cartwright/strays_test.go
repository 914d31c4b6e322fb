package main

import (
	"strings"
	"testing"
)

func TestANameThatIsNoSettingIsTold(t *testing.T) {
	t.Parallel()
	good := machine{map[string]string{"CARTWRIGHT_ENV": "production", "CARTWRIGHT_SECRETS": "1:q8f7w6e5r4t3y2u1i0o9p8a7s6d5f4g3", "CARTWRIGHT_PUBLIC_URL": "https://shop.example"}}
	for name, c := range map[string]struct {
		variable string
		refused  bool   // by production
		told     string // "": nothing
	}{
		"a misspelling":                      {"CARTWRIGHT_REDIS_URI=redis://x", true, "CARTWRIGHT_REDIS_URI is no setting: CARTWRIGHT_REDIS_URL is."},
		"another misspelling":                {"CARTWRIGHT_DATABSE_URL=postgres://u:hunter2@x/y", true, "CARTWRIGHT_DATABASE_URL is."},
		"small letters":                      {"cartwright_env=production", true, "CARTWRIGHT_ENV is."},
		"what a newer version may know":      {"CARTWRIGHT_FLUX_CAPACITOR=on", false, "CARTWRIGHT_FLUX_CAPACITOR is no setting of this version"},
		"a setting":                          {"CARTWRIGHT_ADDR=127.0.0.1:0", false, ""},
		"what is none of ours":               {"CARTRIDGE=1", false, ""},
		"a service called cartwright":        {"CARTWRIGHT_SERVICE_HOST=10.0.0.1", false, ""},
		"its port":                           {"CARTWRIGHT_PORT=tcp://10.0.0.1:8080", false, ""},
		"its port once more":                 {"CARTWRIGHT_PORT_8080_TCP_ADDR=10.0.0.1", false, ""},
		"a service called cartwright-public": {"CARTWRIGHT_PUBLIC_SERVICE_PORT_HTTP=8080", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, told, err := process{getenv: good.getenv, environ: []string{c.variable}}.configured()
			text := strings.Join(told, "\n")
			if err != nil {
				text += err.Error()
			}
			if (err != nil) != c.refused || !strings.Contains(text, c.told) || c.told == "" && text != "" || strings.Contains(text, "hunter2") {
				t.Errorf("production says %q, %v", told, err)
			}
			_, told, err = process{getenv: func(string) string { return "" }, environ: []string{c.variable}}.configured()
			if err != nil || len(told) > 0 != (c.told != "") {
				t.Errorf("development says %q, %v", told, err)
			}
		})
	}
}

func TestMisspellingsAreToldWithAllOtherProblems(t *testing.T) {
	t.Parallel()
	bad := machine{map[string]string{"CARTWRIGHT_ENV": "production"}}
	_, _, err := process{getenv: bad.getenv, environ: []string{"CARTWRIGHT_SECRET=x"}}.configured()
	if err == nil {
		t.Fatal("it is taken")
	}
	for _, word := range []string{"CARTWRIGHT_SECRET is no setting", "CARTWRIGHT_PUBLIC_URL", "production needs its own secrets"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("nothing is said of %s:\n%v", word, err)
		}
	}
}
