package program

import (
	"regexp"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/redis"
)

func TestDoctorChecksRedisSettings(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	o, err := goredis.ParseURL(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := goredis.NewClient(o)
	defer client.Close()
	m := newCommandEnv(t).with("CARTWRIGHT_REDIS_URL", r.URL)
	m.must(t, "migrate")
	for _, c := range []struct {
		name, value string
		warning     string // "": none
	}{
		{"maxmemory-policy", "allkeys-lru", "set volatile-ttl"},
		{"maxmemory-policy", "volatile-random", "set volatile-ttl"},
		{"maxmemory-policy", "volatile-ttl", ""},
		{"maxmemory-policy", "noeviction", ""},
		{"appendonly", "no", "set appendonly yes"},
		{"save", "3600 1", ""},
	} {
		if err := client.ConfigSet(t.Context(), c.name, c.value).Err(); err != nil {
			t.Fatal(err)
		}
		out := m.must(t, "doctor")
		var warnings []string
		for line := range strings.Lines(out) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "redis" && f[1] == statusWarning {
				warnings = append(warnings, line)
			}
		}
		if c.warning == "" && warnings != nil || c.warning != "" && (len(warnings) != 1 || !strings.Contains(warnings[0], c.warning)) {
			t.Errorf("with %s %s doctor prints:\n%s", c.name, c.value, out)
		}
	}
}

func TestDoctorWarnsOfOldRedis(t *testing.T) {
	t.Parallel()
	for version, fine := range map[string]bool{"5.0.14": false, "4.0": false, "6.0.0": true, "7.2.4": true, "10.1": true, "": true} {
		warnings := redisWarnings(redis.ServerConfig{Version: version})
		if (len(warnings) == 0) != fine || !fine && !strings.Contains(warnings[0], "use version 6 or newer") {
			t.Errorf("%s: %v", version, warnings)
		}
	}
	if warnings := redisWarnings(redis.ServerConfig{AOF: "0"}); warnings != nil {
		t.Errorf("a server that does not report its snapshots gets a warning: %v", warnings)
	}
}

func TestDoctorReportsBrokenRedisURL(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	m := newCommandEnv(t).with("CARTWRIGHT_REDIS_URL", r.URL)
	m.must(t, "migrate")
	if out := m.must(t, "doctor"); !strings.Contains(out, "wrote, read and deleted test data") {
		t.Errorf("doctor on a working Redis:\n%s", out)
	}
	failed := regexp.MustCompile(`(?m)^redis +FAILED +CARTWRIGHT_REDIS_URL: `) // a warning of another check makes the column wider
	for url, problem := range map[string]string{
		strings.Replace(r.URL, "redis://", "redis://me:hunter2@", 1):                        "the user or the password of the URL is wrong",
		strings.TrimSuffix(strings.Replace(r.URL, "redis://", "redis+cluster://", 1), "/0"): "the URL has to begin with redis://",
		"redis://127.0.0.1:1": "connection refused",
	} {
		out, err := newCommandEnv(t).with("CARTWRIGHT_REDIS_URL", url).command(t, "doctor")
		if err == nil || !failed.MatchString(out) || !strings.Contains(out, problem) ||
			strings.Contains(out, "hunter2") {
			t.Errorf("%v\n%s", err, out)
		}
	}
}
