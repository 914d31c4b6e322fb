package program

import (
	"net/http"
	"testing"
)

// Rule reports-11.
func TestReportCommands(t *testing.T) {
	t.Parallel()
	withRunningServer(t, func(t *testing.T, m commandEnv, s *runningServer) {
		created := m.runJSON(t, "tenant", "create", "--name", "Corner Shop", "--currency", "krw")
		server := "X-API-Key: " + created["secretKey"].(string)
		status, got := requestJSON(t, "POST", s.url+"/api/orders/import", `{"orders":[{"orderNumber":"A-1","status":"delivered",
			"placedAt":"2020-05-17T10:00:00Z","email":"buyer@example.com","totalAmount":3000,
			"lines":[{"title":"Mug","quantity":3,"unitPrice":1000}]}]}`, server)
		if created, _ := got["created"].(float64); status != http.StatusOK || created != 1 {
			t.Fatalf("the import is answered with %d %v", status, got)
		}
		if m.runJSON(t, "reports", "rebuild", "--tenant", "corner-shop")["rebuilt"] != true {
			t.Error("the sums were not made again")
		}
		if found := m.runJSON(t, "reports", "verify", "--tenant", "corner-shop")["differences"].([]any); len(found) != 0 {
			t.Errorf("differences: %v", found)
		}
		status, got = requestJSON(t, "GET", s.url+"/api/reports/summary?from=2019-01-01&to=2020-12-31&by=month", "", server)
		groups, _ := got["groups"].([]any)
		if status != http.StatusOK || len(groups) != 1 || groups[0].(map[string]any)["units"] != 3.0 {
			t.Errorf("the figures are answered with %d %v", status, got)
		}
	})
}
