package program

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// A damaged record makes the answers wrong that it belongs to: they fail, the log names it, and so does doctor. Others
// are answered. Rule running-23.
func TestDamagedRecordsAreNamed(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	c := testDefaults()
	c.Address, c.Data, c.BurstPerMinute = "127.0.0.1:0", m.env["CARTWRIGHT_DATA"], 0
	log, logged := captureLog(t)
	s := startServer(t, c, time.Now, log)
	key := "X-Api-Key: " + s.NewCredentials.SecretKey
	url := s.BaseURL + "/api/brands"
	brand := func(name string) string {
		status, answer := requestJSON(t, http.MethodPost, url, `{"name":"`+name+`"}`, key, "Content-Type: application/json")
		if status != http.StatusCreated {
			t.Fatal(status, answer)
		}
		return textAt(answer, "doc", "id")
	}
	damaged, sound := brand("Nord"), brand("Süd")
	if out := m.must(t, "doctor", "--records"); !strings.Contains(out, " 0 are damaged.") {
		t.Errorf("of a sound database:\n%s", out)
	}
	testservers.DamageRecord(t, "sqlite", c.File(storeFile), "brands", damaged)
	for path, want := range map[string]int{
		"": http.StatusInternalServerError, "/" + damaged: http.StatusInternalServerError, "/" + sound: http.StatusOK,
	} {
		if status, answer := requestJSON(t, http.MethodGet, url+path, "", key); status != want {
			t.Errorf("%s: %d %v", path, status, answer)
		}
	}
	if text := string(logged()); !strings.Contains(text, damaged) || !strings.Contains(text, "is damaged") {
		t.Errorf("the log does not name it:\n%s", text)
	}
	out, err := m.command(t, "doctor", "--records")
	if err == nil || !strings.Contains(out, "brands "+damaged) || strings.Contains(out, sound) || !strings.Contains(out, " 1 are damaged.") {
		t.Errorf("%v:\n%s", err, out)
	}
}
