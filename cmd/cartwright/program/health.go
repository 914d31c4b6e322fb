package program

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Bounds of a health check.
const (
	healthTimeout = 3 * time.Second
	healthMaxBody = 64 << 10
)

// healthCommand is for container images, which have no shell and no curl.
func (p process) healthCommand() *cobra.Command {
	var address string
	var ready bool
	cmd := p.jsonCommand(&cobra.Command{
		Use: "health", Short: "Check the health of the server on this machine; fails unless it is healthy.", Args: exactArgs(),
		Example: "cartwright health --ready",
		Long: `Check the health of the server on this machine; fails unless it is healthy.

Without --ready it checks that the process is alive, which is what a container health check should do: a database outage
is no reason to restart the server.`,
	}, "the body of /healthz or /readyz", func(ctx context.Context, _ []string) (commandResult, error) {
		at := address
		if at == "" {
			c, err := p.config()
			if err != nil {
				return commandResult{}, err
			}
			at = c.Address
		}
		path := "/healthz"
		if ready {
			path = "/readyz"
		}
		body, err := fetchHealth(ctx, at, path)
		if err != nil {
			return commandResult{}, err
		}
		return commandResult{[]byte(body), textLine("%s", body)}, nil
	})
	cmd.Flags().StringVar(&address, "addr", "", "host:port of the server (default: CARTWRIGHT_ADDR)")
	cmd.Flags().BoolVar(&ready, "ready", false, "also check that it can serve requests")
	return cmd
}

// fetchHealth is the body that the server on address answers at path with status 200.
func fetchHealth(ctx context.Context, address, path string) (string, error) {
	at, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, Config{}.BaseURL(at)+path, http.NoBody)
	if err != nil {
		return "", err
	}
	// never through a proxy that the environment names
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return "", fmt.Errorf("the server does not answer: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // the body was read
	body, err := io.ReadAll(io.LimitReader(res.Body, healthMaxBody))
	if err != nil {
		return "", fmt.Errorf("the response ended early: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the server is unhealthy: %d %s", res.StatusCode, body)
	}
	return strings.TrimSpace(string(body)), nil
}
