package main

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

// How long a server may take to say how it is, and how much of that is read.
const (
	healthPatience = 3 * time.Second
	healthAnswer   = 64 << 10
)

// healthCommand is for container images, which have no shell and no curl.
func (p process) healthCommand() *cobra.Command {
	var address string
	var ready bool
	cmd := p.answering(&cobra.Command{
		Use: "health", Short: "Ask the server on this machine how it is; fails unless it is well.", Args: takes(), Example: "cartwright health --ready",
		Long: `Ask the server on this machine how it is; fails unless it is well.

Without --ready it asks whether the process lives, which is what a container's health check should ask: a database that is
away is no reason to start the server anew.`,
	}, "what /healthz answers, or /readyz", func(ctx context.Context, _ []string) (answer, error) {
		at := address
		if at == "" {
			c, err := loadConfig(p.getenv)
			if err != nil {
				return answer{}, err
			}
			at = c.Address
		}
		path := "/healthz"
		if ready {
			path = "/readyz"
		}
		said, err := askHealth(ctx, at, path)
		if err != nil {
			return answer{}, err
		}
		return answer{[]byte(said), sentence("%s", said)}, nil
	})
	cmd.Flags().StringVar(&address, "addr", "", "host:port it listens on; without it CARTWRIGHT_ADDR")
	cmd.Flags().BoolVar(&ready, "ready", false, "ask whether it can serve requests now, too")
	return cmd
}

// askHealth is what the server that listens on address answers at path, when that is that it is well.
func askHealth(ctx context.Context, address, path string) (string, error) {
	at, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, Config{}.BaseURL(at)+path, http.NoBody)
	if err != nil {
		return "", err
	}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req) // past any proxy of the environment
	if err != nil {
		return "", fmt.Errorf("the server does not answer: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // what it said was read
	said, err := io.ReadAll(io.LimitReader(res.Body, healthAnswer))
	if err != nil {
		return "", fmt.Errorf("the server broke off its answer: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the server is not well: %d %s", res.StatusCode, said)
	}
	return strings.TrimSpace(string(said)), nil
}
