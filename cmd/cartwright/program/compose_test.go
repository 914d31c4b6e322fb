package program

import (
	"maps"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"go.yaml.in/yaml/v3"
)

// composeFile is the part of compose.yaml that these tests check.
type composeFile struct {
	Services map[string]composeService
	Configs  map[string]struct{ Content string }
	Networks map[string]any
	Volumes  map[string]any
}

type composeService struct {
	Image       string
	Build       struct{ Args map[string]string }
	Command     []string
	Environment map[string]string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Grace       time.Duration                         `yaml:"stop_grace_period"`
	Health      *struct{ Test []string }              `yaml:"healthcheck"`
	Volumes     []string
	Configs     []struct{ Source, Target string }
	Networks    any
}

func readCompose(t *testing.T) (c composeFile) {
	t.Helper()
	text, err := os.ReadFile("../../../compose.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// apps are the names of the services that run the server, sorted.
func (c composeFile) apps() (names []string) {
	for name, s := range c.Services {
		if s.Image == "cartwright:local" && len(s.Command) == 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// knownVariables are the variables that the configuration reads.
func knownVariables(t *testing.T) map[string]bool {
	t.Helper()
	fields, err := env.GetFieldParams(&Config{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, f := range fields {
		out[f.Key] = true
	}
	return out
}

func TestComposeFileReferencesExist(t *testing.T) {
	t.Parallel()
	c := readCompose(t)
	variables := knownVariables(t)
	for name, s := range c.Services {
		for variable := range s.Environment {
			if strings.HasPrefix(variable, "CARTWRIGHT_") && !variables[variable] {
				t.Errorf("%s: %s is no setting", name, variable)
			}
		}
		for on, how := range s.DependsOn {
			if c.Services[on].Image == "" ||
				how.Condition == "service_healthy" && c.Services[on].Health == nil && !slices.Contains(c.apps(), on) {
				t.Errorf("%s waits for %s, which does not exist or has no health check", name, on)
			}
		}
		for _, v := range s.Volumes {
			if volume, _, _ := strings.Cut(v, ":"); c.Volumes[volume] == nil {
				t.Errorf("%s: there is no volume %s", name, volume)
			}
		}
		for _, used := range s.Configs {
			if c.Configs[used.Source].Content == "" {
				t.Errorf("%s: there is no config %s", name, used.Source)
			}
		}
		if s.Build.Args != nil && s.Build.Args["VERSION"] == "" {
			t.Errorf("%s is built without a version", name)
		}
	}
}

// What /metrics says is not for the outside.
func TestBalancerHidesMetrics(t *testing.T) {
	t.Parallel()
	if !strings.Contains(readCompose(t).Configs["balancer"].Content, "location = /metrics { return 404; }") {
		t.Error("the balancer passes /metrics on")
	}
}

// Both instances start with the same settings, and share database, cache, secrets and files.
func TestComposeInstancesShareState(t *testing.T) {
	t.Parallel()
	c := readCompose(t)
	apps := c.apps()
	if len(apps) != 2 {
		t.Fatalf("the instances are %v", apps)
	}
	one, other := c.Services[apps[0]], c.Services[apps[1]]
	if !maps.Equal(one.Environment, other.Environment) || !slices.Equal(one.Volumes, other.Volumes) {
		t.Errorf("the instances differ: %v %v, %v %v", one.Environment, one.Volumes, other.Environment, other.Volumes)
	}
	settings, err := loadConfig(func(name string) string {
		return map[string]string{
			"CARTWRIGHT_ADDR": readDockerfile(t).settings["CARTWRIGHT_ADDR"],
			"CARTWRIGHT_DATA": readDockerfile(t).settings["CARTWRIGHT_DATA"],
		}[name] +
			one.Environment[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(settings.Secrets) == 0 ||
		settings.Media == "" && !slices.ContainsFunc(one.Volumes, func(v string) bool { return strings.HasSuffix(v, ":"+settings.Data) }) {
		t.Errorf("secrets %d, media %q, volumes %v", len(settings.Secrets), settings.Media, one.Volumes)
	}
	for _, at := range []string{settings.Database, settings.Redis, settings.SandboxURL} {
		if u, err := url.Parse(at); err != nil || c.Services[u.Hostname()].Image == "" {
			t.Errorf("there is no service at %s, %v", at, err)
		}
	}
	for _, name := range apps {
		s := c.Services[name]
		if most := settings.ShutdownDelay + settings.ShutdownTimeout + backgroundStopTimeout; s.Grace <= most {
			t.Errorf("%s is killed after %s, but its shutdown may take %s", name, s.Grace, most)
		}
		at, _ := s.Networks.(map[string]any)["inside"].(map[string]any)["ipv4_address"].(string)
		_, inside, err := net.ParseCIDR(settings.TrustedProxies[0])
		if err != nil || !inside.Contains(net.ParseIP(at)) {
			t.Errorf("%s is at %q, outside of the trusted network: %v", name, at, err)
		}
	}
}

// The balancer uses every instance, never resends a request that may have arrived, and closes idle connections
// before the instances do.
func TestComposeBalancerMatchesInstances(t *testing.T) {
	t.Parallel()
	c := readCompose(t)
	conf := c.Configs["balancer"].Content
	var upstreams []string
	for _, m := range regexp.MustCompile(`(?m)^\s*server ([a-z0-9-]+):8080\b`).FindAllStringSubmatch(conf, -1) {
		upstreams = append(upstreams, m[1])
	}
	slices.Sort(upstreams)
	if !slices.Equal(upstreams, c.apps()) {
		t.Errorf("the balancer uses %v", upstreams)
	}
	if strings.Contains(conf, "non_idempotent") {
		t.Error("the balancer may send a POST twice")
	}
	keepalive := regexp.MustCompile(`keepalive_timeout (\w+);`).FindStringSubmatch(conf)
	if keepalive == nil {
		t.Fatal("the balancer has no keepalive_timeout, so it keeps idle connections for a minute")
	}
	idle, err := time.ParseDuration(keepalive[1])
	delay, delayErr := time.ParseDuration(c.Services[c.apps()[0]].Environment["CARTWRIGHT_SHUTDOWN_DELAY"])
	if err != nil || delayErr != nil || idle >= delay {
		t.Errorf("the balancer keeps idle connections for %s, the server for %s", idle, delay)
	}
	for name := range c.Services["balancer"].DependsOn {
		if !slices.Contains(upstreams, name) {
			t.Errorf("the balancer waits for %s, which it does not use", name)
		}
	}
}
