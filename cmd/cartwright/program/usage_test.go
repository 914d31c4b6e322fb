package program

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// callOnce makes one call and returns the status and the body of its response.
func callOnce(t *testing.T, url, key string) (status int, body map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0, nil
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	_ = json.Unmarshal(raw, &body)
	return res.StatusCode, body
}

// A server stores its counts of calls while it runs, and stored counts survive when it is killed. How soon
// they are stored is tested by TestCallsAreWrittenDownWithinASecond.
func TestKilledServerKeepsWrittenUsage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_LOG_LEVEL=error"}
	p := startProcess(t, env...)
	creds, err := readCredentials(filepath.Join(dir, credentialsFile))
	if err != nil {
		t.Fatal(err)
	}
	usage := openCoreWith(t, env).store.Usage()
	stored := func() (n int64) {
		counts, err := usage.ByCounter(t.Context(), tenant.ID(creds.TenantID), quota.MonthOf(quota.DayOf(time.Now())))
		if err != nil {
			t.Fatal(err)
		}
		for _, count := range counts {
			n += count
		}
		return n
	}
	const waited, late = 50, 20
	call := func(n int) {
		for range n {
			if status, _ := callOnce(t, p.URL+"/api/brands?limit=1", creds.SecretKey); status != http.StatusOK {
				t.Fatal(status)
			}
		}
	}
	call(waited)
	waitUntil(t, func() bool { return stored() == waited })
	call(late)
	p.Kill()
	kept := stored()
	_, body := callOnce(t, startProcess(t, env...).URL+"/api/usage", creds.SecretKey)
	if used, _ := body["used"].(float64); int64(used) != kept || kept < waited || kept > waited+late {
		t.Errorf("%d of %d calls were stored; afterwards %v are counted", kept, waited+late, body["used"])
	}
}

// Two servers that share a Redis together admit exactly the calls of a plan. On a busy machine Redis may
// exceed its tenth of a second, and the servers count without it: then the test tries again with another
// shop.
func TestServersShareQuota(t *testing.T) {
	t.Parallel()
	env := append(demoVariables["postgres"](t), "CARTWRIGHT_REDIS_URL="+testservers.Redis(t), "CARTWRIGHT_LOG_LEVEL=error")
	one, two := startProcess(t, env...), startProcess(t, env...)
	k := openCoreWith(t, env)
	open := shopFactory(t, k.onboarding)
	for began := time.Now(); ; {
		shop, err := open(t.Context(), string(tenant.Free))
		if err == nil {
			err = addUsage(k.store, time.Now)(t.Context(), shop.TenantID, 9_900)
		}
		if err != nil {
			t.Fatal(err)
		}
		in, out := callConcurrently(t, shop.SecretKey, one.URL, two.URL)
		if in == 100 && out == 200 {
			return
		}
		t.Logf("%d calls were admitted and %d refused, 100 were left", in, out)
		if in < 100 || time.Since(began) > patience {
			t.Fatal("the servers admitted another number of calls than the plan allows")
		}
	}
}

// callConcurrently makes 300 calls at once and returns how many were admitted and refused.
func callConcurrently(t *testing.T, key string, urls ...string) (in, out int64) {
	t.Helper()
	var admitted, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			for range 10 {
				switch status, _ := callOnce(t, urls[i%len(urls)]+"/api/brands?limit=1", key); status {
				case http.StatusOK:
					admitted.Add(1)
				case http.StatusTooManyRequests:
					refused.Add(1)
				default:
					t.Error(status)
				}
			}
		})
	}
	wg.Wait()
	return admitted.Load(), refused.Load()
}
