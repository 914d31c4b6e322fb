package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"testing"
	"time"
)

var emailTokenLine = regexp.MustCompile(`\bemail"?[=:]"?([^ "\n]+)"?.*\btoken"?[=:]"?([^ "\n]+)`)

// loggedEmailToken is the newest token for an email address in a log of a development server.
func loggedEmailToken(log []byte, purpose, email string) (token string, err error) {
	for line := range bytes.Lines(log) {
		if found := emailTokenLine.FindSubmatch(line); found != nil && string(found[1]) == email &&
			bytes.HasPrefix(found[2], []byte(purpose+"_")) {
			token = string(found[2])
		}
	}
	if token == "" {
		return "", fmt.Errorf("no token was sent to %s", email)
	}
	return token, nil
}

// tokenPollInterval is how often waitForEmailToken reads the logs.
const tokenPollInterval = 10 * time.Millisecond

// waitForEmailToken finds a token in the logs of processes, which print it after they answered the request.
func waitForEmailToken(processes ...serverProcess) func(context.Context, string, string) (string, error) {
	return func(ctx context.Context, purpose, email string) (token string, err error) {
		ticker := time.NewTicker(tokenPollInterval)
		defer ticker.Stop()
		for ctx.Err() == nil {
			var all []byte
			for _, p := range processes {
				all = append(all, p.Output()...)
			}
			if token, err = loggedEmailToken(all, purpose, email); err == nil {
				break
			}
			select {
			case <-ticker.C:
			case <-ctx.Done():
			}
		}
		return token, err
	}
}

// Only development logs email tokens.
func TestProductionPrintsNoTokens(t *testing.T) {
	t.Parallel()
	for mode, want := range map[Mode]bool{Development: true, Production: false} {
		k := platform{config: Config{Mode: mode}}
		if got := k.emailTokens().OnIssued != nil; got != want {
			t.Errorf("%s logs email tokens: %t, want %t", mode, got, want)
		}
	}
}
