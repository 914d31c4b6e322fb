package program

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// shownEmailToken is the newest token for an email address on the page of a development server.
func shownEmailToken(ctx context.Context, url, purpose, email string) (token string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/dev/tokens.json", http.NoBody)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var page struct {
		Tokens []struct{ Purpose, Email, Token string }
	}
	if err := json.NewDecoder(res.Body).Decode(&page); err != nil {
		return "", err
	}
	for _, one := range page.Tokens {
		if one.Email == email && one.Purpose == purpose {
			return one.Token, nil
		}
	}
	return "", fmt.Errorf("no token was sent to %s", email)
}

// tokenPollInterval is how often waitForEmailToken reads the pages.
const tokenPollInterval = 10 * time.Millisecond

// waitForEmailToken finds a token on the pages of processes, which show it after they answered the request.
func waitForEmailToken(processes ...serverProcess) func(context.Context, string, string) (string, error) {
	return func(ctx context.Context, purpose, email string) (token string, err error) {
		ticker := time.NewTicker(tokenPollInterval)
		defer ticker.Stop()
		for ctx.Err() == nil {
			for _, p := range processes {
				if token, err = shownEmailToken(ctx, p.URL, purpose, email); err == nil {
					return token, nil
				}
			}
			select {
			case <-ticker.C:
			case <-ctx.Done():
			}
		}
		return token, err
	}
}

// Only a development server keeps email tokens for its page, and it answers its own machine alone. Rule access-9.
func TestEmailTokenPage(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	s := m.serve(t)
	shop, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := requestJSON(t, "POST", s.url+"/api/users/forgot-password", `{"email":"`+shop.AdminEmail+`"}`); status != http.StatusOK {
		t.Fatal(status)
	}
	waitUntil(t, func() bool {
		_, err := shownEmailToken(t.Context(), s.url, "rst", shop.AdminEmail)
		return err == nil
	})
	for name, c := range map[string]struct {
		header string
		want   int
	}{
		"the machine itself": {"", http.StatusOK}, "another name of the machine": {"Host: localhost:8080", http.StatusOK},
		"a page whose name points here": {"Host: evil.example", http.StatusForbidden},
		"behind a proxy":                {"X-Forwarded-For: 203.0.113.7", http.StatusForbidden},
	} {
		for _, path := range []string{"/dev/tokens", "/dev/tokens.json"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			if key, value, _ := strings.Cut(c.header, ": "); key == "Host" {
				req.Host = value
			} else if key != "" {
				req.Header.Set(key, value)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if res.Body.Close(); res.StatusCode != c.want {
				t.Errorf("%s, %s: %d", name, path, res.StatusCode)
			}
		}
	}
	production := platform{config: Config{Mode: Production}}
	if production.emailTokens().OnIssued != nil || production.emailTokenPage().Newest != nil {
		t.Error("production keeps email tokens")
	}
}
