package program

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// All problems are reported at once, without any password.
func TestDoctorReportsAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	closed, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := newCommandEnv(t).with("CARTWRIGHT_ENV", "production").with("CARTWRIGHT_PUBLIC_URL", "http://shop.example").
		with("CARTWRIGHT_SECRETS", goodSecret).
		with("CARTWRIGHT_DATABASE_URL", "postgres://shop:hunter2@"+closed+"/shop").with("CARTWRIGHT_REDIS_URL", "redis://:hunter2@"+closed).
		with("CARTWRIGHT_MEDIA_URL", "file://"+file+"/media").with("CARTWRIGHT_TRUSTED_PROXIES", "0.0.0.0/0").
		with("CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS", "true")
	out, err := m.command(t, "doctor", "--json")
	if err == nil {
		t.Error("doctor succeeded")
	}
	var report struct {
		Well   bool
		Checks []finding
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Well {
		t.Fatalf("%v: %s", err, out)
	}
	for what, want := range map[string]string{
		"CARTWRIGHT_PUBLIC_URL": statusFailed, "CARTWRIGHT_TRUSTED_PROXIES": statusFailed,
		"cannot use the database of CARTWRIGHT_DATABASE_URL": statusFailed, "CARTWRIGHT_REDIS_URL": statusFailed,
		"CARTWRIGHT_MEDIA_URL": statusFailed, "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS": statusWarning,
	} {
		found := false
		for _, f := range report.Checks {
			found = found || f.Status == want && strings.Contains(f.Detail, what)
		}
		if !found {
			t.Errorf("%s is not reported as %s:\n%s", what, want, out)
		}
	}
	if strings.Contains(out, "hunter2") || strings.Contains(out, goodSecret[2:]) {
		t.Errorf("a secret is printed:\n%s", out)
	}
}

func TestDoctorChecksPostgres(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", testservers.Postgres(t)) // the Postgres of tests runs without fsync
	m.must(t, "migrate")
	out, err := m.command(t, "doctor")
	if err == nil || !regexp.MustCompile(`(?m)^durability +FAILED .*turn on fsync`).MatchString(out) {
		t.Errorf("a database without fsync is accepted: %v\n%s", err, out)
	}
	if !regexp.MustCompile(`(?m)^clock +ok`).MatchString(out) || !regexp.MustCompile(`(?m)^connections +ok +enough for`).MatchString(out) {
		t.Errorf("doctor prints:\n%s", out)
	}
	for ahead, fine := range map[time.Duration]bool{
		0: true, time.Second: true, -4 * time.Second: true, 7 * time.Second: false, -time.Minute: false,
	} {
		if err := checkClock(ahead, time.Second); (err == nil) != fine {
			t.Errorf("clocks that are %s apart: %v", ahead, err)
		}
	}
	if checkConnectionLimit(20, 20) != nil || checkConnectionLimit(19, 20) == nil {
		t.Error("a limit of 20 connections must be enough for 20, and one of 19 must not")
	}
}

func TestDoctorListsItsChecks(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	m.must(t, "migrate")
	out := m.must(t, "doctor")
	if !regexp.MustCompile(`(?m)^redis +ok +not configured`).MatchString(out) {
		t.Errorf("a Redis that is not configured is checked:\n%s", out)
	}
}

func TestDoctorMoneyWhileServerRuns(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	m.serve(t)
	for _, args := range [][]string{{"doctor", "--money"}, {"doctor", "--money", "--provider", "--tenant", "saebyeok"}} {
		if out := m.must(t, args...); !regexp.MustCompile(`(?m)^TENANT +ENVIRONMENT`).MatchString(out) ||
			regexp.MustCompile("DIFFERS").MatchString(out) {
			t.Errorf("%v:\n%s", args, out)
		}
	}
	if out, err := m.command(t, "doctor", "--provider"); err == nil {
		t.Errorf("an incomplete command line is accepted:\n%s", out)
	}
	if out, err := m.command(t, "doctor", "--money", "--tenant", "nobody"); err == nil {
		t.Errorf("an unknown tenant is accepted:\n%s", out)
	}
}
