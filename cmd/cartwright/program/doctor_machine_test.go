package program

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

func TestDoctorChecksDiskAndOpenFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		free, all uint64
		want      string
	}{
		{100 * mib, 10 * gib, statusFailed},
		{gib - 1, 10 * gib, statusWarning},
		{4 * gib, 100 * gib, statusWarning},
		{5 * gib, 100 * gib, statusOK},
		{gib, 2 * gib, statusOK},
	} {
		if got := diskFinding(c.free, c.all); got.Status != c.want ||
			(c.want != statusOK) != strings.Contains(got.Detail, "free some space") {
			t.Errorf("%d of %d: %v", c.free, c.all, got)
		}
	}
	if few, enough := openFilesFinding(1024), openFilesFinding(4096); few.Status != statusWarning ||
		!strings.Contains(few.Detail, "ulimit -n") || enough.Status != statusOK {
		t.Error(few, enough)
	}
	if free, all, err := diskSpace(t.TempDir()); err != nil || all == 0 || free > all {
		t.Error(free, all, err)
	}
	if _, _, err := diskSpace(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a folder that does not exist has free space")
	}
	if n, err := openFiles(); err != nil || n == 0 {
		t.Error(n, err)
	}
}

func TestDoctorWarnsOfUnencryptedDatabase(t *testing.T) {
	t.Parallel()
	resolve := func(host string) []netip.Addr {
		return map[string][]netip.Addr{
			"db.example": {netip.MustParseAddr("203.0.113.7")}, "postgres": {netip.MustParseAddr("172.18.0.3")},
		}[host]
	}
	for at, want := range map[string][]string{
		"postgres://u:p@203.0.113.7/shop?sslmode=disable":          {"203.0.113.7"},
		"postgres://u:p@db.example/shop":                           {"db.example"}, // sslmode=prefer falls back to no TLS
		"postgres://u:p@db.example/shop?sslmode=require":           nil,
		"postgres://u:p@10.1.2.3/shop?sslmode=disable":             nil,
		"postgres://u:p@postgres/shop?sslmode=disable":             nil,
		"postgres://u:p@[::1]/shop?sslmode=disable":                nil,
		"postgres://u:p@nowhere.example/shop?sslmode=disable":      nil,
		"postgres:///shop?host=/run/postgresql&sslmode=disable":    nil,
		"postgres://u:p@10.1.2.3,203.0.113.7/shop?sslmode=disable": {"203.0.113.7"},
		"postgres://u:p@[2001:db8::1]:5432/shop?sslmode=allow":     {"2001:db8::1"},
		"postgres://u:p@203.0.113.7/shop?sslmode=neither-this-nor": nil,
	} {
		if got := unencryptedHosts(at, resolve); !slices.Equal(got, want) {
			t.Errorf("%s: %v", at, got)
		}
	}
	u, err := url.Parse(testservers.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	u.Host += ",203.0.113.7:5432" // a second host that is not connected to
	m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", u.String())
	const warning = "may be sent to 203.0.113.7 unencrypted"
	if out, _ := m.command(t, "doctor"); strings.Contains(out, warning) {
		t.Errorf("doctor warns in development:\n%s", out)
	}
	out, _ := m.with("CARTWRIGHT_ENV", "production").with("CARTWRIGHT_PUBLIC_URL", "https://shop.example").
		with("CARTWRIGHT_SECRETS", goodSecret).command(t, "doctor")
	if !strings.Contains(out, warning) || !strings.Contains(out, "sslmode=verify-full") {
		t.Errorf("doctor prints:\n%s", out)
	}
}
