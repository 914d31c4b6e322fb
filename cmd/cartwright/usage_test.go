package main

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
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// called makes one call and returns its status and what it says of the limit.
func called(t *testing.T, url, key string) (status int, body map[string]any) {
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

// A server that is killed forgets less than a second of what it counted.
func TestAKillLosesLessThanASecondOfCounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_LOG_LEVEL=error"}
	p := startProcess(t, env...)
	told, err := readCredentials(filepath.Join(dir, credentialsFile))
	if err != nil {
		t.Fatal(err)
	}
	var answered []time.Time
	for began := time.Now(); time.Since(began) < 2500*time.Millisecond; {
		if status, _ := called(t, p.URL+"/api/brands?limit=1", told.SecretKey); status != http.StatusOK {
			t.Fatal(status)
		}
		answered = append(answered, time.Now())
	}
	p.Kill()
	killed, sure := time.Now(), 0
	for _, at := range answered {
		if killed.Sub(at) > time.Second {
			sure++
		}
	}
	again := startProcess(t, env...)
	_, body := called(t, again.URL+"/api/usage", told.SecretKey)
	used, _ := body["used"].(float64)
	t.Logf("%d calls were answered, %d of them more than a second before the kill; %v are counted", len(answered), sure, used)
	if int(used) < sure || int(used) > len(answered) || sure == 0 {
		t.Errorf("%v are counted", body)
	}
}

// Of two servers that share a Redis neither admits a call too many, nor refuses one too early. On a busy machine Redis may
// miss its tenth of a second, which is as if there were none: then another shop is tried.
func TestTwoServersShareAQuota(t *testing.T) {
	t.Parallel()
	env := []string{
		"CARTWRIGHT_DATA=" + t.TempDir(), "CARTWRIGHT_DATABASE_URL=" + migrated.Postgres(t), "CARTWRIGHT_REDIS_URL=" + testservers.Redis(t), "CARTWRIGHT_LOG_LEVEL=error",
	}
	one, two := startProcess(t, env...), startProcess(t, env...)
	k := beside(t, env)
	open := shopsOf(t, k.founding)
	const tries = 5
	for i := range tries {
		shop, err := open(t.Context(), string(tenant.Free))
		if err == nil {
			err = spend(k.store, time.Now)(t.Context(), shop.TenantID, 9_900)
		}
		if err != nil {
			t.Fatal(err)
		}
		in, out := flood(t, shop.SecretKey, one.URL, two.URL)
		if in == 100 && out == 200 {
			return
		}
		t.Logf("%d calls were admitted and %d refused, 100 were left", in, out)
		if in < 100 || i == tries-1 {
			t.Error("they do not agree")
		}
	}
}

// flood makes 300 calls at once and returns how many were admitted and refused.
func flood(t *testing.T, key string, urls ...string) (in, out int64) {
	t.Helper()
	var admitted, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			for range 10 {
				switch status, _ := called(t, urls[i%len(urls)]+"/api/brands?limit=1", key); status {
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
