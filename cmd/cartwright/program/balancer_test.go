package program

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// nginxEnv is the path of an nginx binary. If it is set, the tests use nginx with the configuration of compose.yaml
// instead of balancer.
const nginxEnv = "CARTWRIGHT_TEST_NGINX"

// The timeouts of nginx in compose.yaml, shortened.
const (
	failTimeout    = 200 * time.Millisecond // fail_timeout
	idleTimeout    = 50 * time.Millisecond  // keepalive_timeout of the upstream
	connectTimeout = 2 * time.Second        // proxy_connect_timeout
)

// balancer is a load balancer that behaves like nginx in front of two instances: it alternates between them, uses
// the other when it cannot connect to one and avoids that one for a while, keeps connections open, and never resends
// a request that may have arrived.
type balancer struct {
	t        *testing.T
	url      string
	backends []*backend
	next     atomic.Uint64
}

// backend is one instance behind the balancer.
type backend struct {
	url     *url.URL
	proxy   http.RoundTripper
	down    atomic.Int64 // until when it gets no requests; Unix nanoseconds
	answers atomic.Int64
}

var errNotConnected = errors.New("cannot connect to the instance")

func newBalancer(t *testing.T, instances ...string) *balancer {
	t.Helper()
	b := &balancer{t: t}
	for _, address := range instances {
		b.backends = append(b.backends, newBackend(t, address))
	}
	if nginx := os.Getenv(nginxEnv); nginx != "" {
		b.url = startNginx(t, nginx, instances)
		return b
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(*httputil.ProxyRequest) {}, // RoundTrip chooses the instance and its address
		Transport:     b,
		FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				t.Logf("%s %s: %v", r.Method, r.URL.Path, err)
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

func newBackend(t *testing.T, address string) *backend {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	dialer := net.Dialer{Timeout: connectTimeout}
	return &backend{url: to, proxy: &http.Transport{
		MaxIdleConnsPerHost: 64, IdleConnTimeout: idleTimeout,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				err = errors.Join(errNotConnected, err)
			}
			return c, err
		},
	}}
}

// RoundTrip implements http.RoundTripper.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte // read completely before connecting
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	first := b.next.Add(1)
	err := errors.New("no instance is up")
	for i := range uint64(len(b.backends)) {
		to := b.backends[(first+i)%uint64(len(b.backends))]
		if time.Now().UnixNano() < to.down.Load() {
			continue
		}
		var res *http.Response
		if res, err = to.send(r, body); err == nil {
			to.answers.Add(1)
			return res, nil
		}
		to.down.Store(time.Now().Add(failTimeout).UnixNano())
		if !errors.Is(err, errNotConnected) {
			return nil, err
		}
	}
	return nil, err
}

func (k *backend) send(r *http.Request, body []byte) (*http.Response, error) {
	out := r.Clone(r.Context())
	if out.Body = http.NoBody; len(body) > 0 {
		out.Body = io.NopCloser(bytes.NewReader(body))
	}
	out.URL.Scheme, out.URL.Host = k.url.Scheme, k.url.Host
	out.Header.Del("Idempotency-Key") // with this spelling, Go's transport may resend the request
	out.Header["idempotency-key"] = append(out.Header["idempotency-key"], r.Header.Values("Idempotency-Key")...)
	return k.proxy.RoundTrip(out)
}

// waitForBackend waits until instance i gets requests again.
func (b *balancer) waitForBackend(i int) {
	b.t.Helper()
	if os.Getenv(nginxEnv) != "" {
		time.Sleep(2500 * time.Millisecond) // its fail_timeout; it does not show which instance it uses
		return
	}
	before := b.backends[i].answers.Load()
	for end := time.Now().Add(loadTimeout); b.backends[i].answers.Load() < before+10; {
		if b.t.Failed() || time.Now().After(end) {
			b.t.Fatal("the instance gets no requests")
		}
		time.Sleep(5 * time.Millisecond) // polling
	}
}

// startNginx runs nginx with the configuration of compose.yaml, between loopback addresses.
func startNginx(t *testing.T, binary string, instances []string) string {
	t.Helper()
	dir := t.TempDir()
	address, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	conf := strings.ReplaceAll(readCompose(t).Configs["balancer"].Content, "$$", "$")
	conf = strings.NewReplacer("listen 8080;", "listen "+address+";", "app-1:8080", strings.TrimPrefix(instances[0], "http://"),
		"app-2:8080", strings.TrimPrefix(instances[1], "http://")).Replace(conf)
	text := "daemon off; master_process off; worker_processes 1; pid " + dir + "/pid; error_log " + dir +
		"/error.log warn;\nevents {}\nhttp { access_log off; client_body_temp_path " + dir + "; proxy_temp_path " + dir +
		"; fastcgi_temp_path " + dir + "; uwsgi_temp_path " + dir + "; scgi_temp_path " + dir + ";\n" + conf + "\n}\n"
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-p", dir, "-c", file)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if log, _ := os.ReadFile(filepath.Join(dir, "error.log")); len(log) > 0 {
			t.Logf("nginx logged:\n%s", tail(log))
		}
	})
	waitUntil(t, func() bool {
		c, err := net.Dial("tcp", address)
		return err == nil && c.Close() == nil
	})
	return "http://" + address
}
