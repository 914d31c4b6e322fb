package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
)

func (p process) serveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Run the server (the default command).", Args: exactArgs(), Annotations: withoutJSON("it runs the server"),
		Example: "CARTWRIGHT_ADDR=127.0.0.1:8081 cartwright serve",
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context()) },
	}
}

// serve runs the server until ctx ends.
func (p process) serve(ctx context.Context) error {
	c, warnings, err := p.configWithWarnings()
	if err != nil {
		return err
	}
	c.tuneMemory()
	log, flush := p.serverLogger(c)
	defer flush()
	for _, w := range warnings {
		log.Warn(w)
	}
	s, err := build(ctx, c, nil, log)
	if err != nil {
		return err
	}
	if err := s.announce(p.out); err != nil {
		return errors.Join(err, s.Close())
	}
	log.Info("serving", "url", s.BaseURL, "version", version, "mails", c.describeMails())
	return errors.Join(s.Run(ctx), s.Close())
}

// announce prints the URL of the server, and the first credentials on the very first start.
func (s *Server) announce(out io.Writer) error {
	var err error
	if s.NewCredentials != nil {
		err = printCredentials(out, *s.NewCredentials, s.config.File(credentialsFile))
	} else {
		_, err = fmt.Fprintf(out, "\nCartwright is at %s\n%s\n", s.BaseURL, docsLine(s.BaseURL))
	}
	if err == nil {
		_, err = fmt.Fprintf(out, "The console of the shop's people is at %s/console\n", s.BaseURL)
	}
	if err == nil && s.NewCredentials != nil && s.config.Mode != Production {
		_, err = fmt.Fprintf(out, "The demo shop's orders are test data: %s/console/test/\n", s.BaseURL)
	}
	if err == nil {
		_, err = fmt.Fprintln(out)
	}
	if err == nil && s.config.Mode != Production {
		_, err = fmt.Fprintf(out, "An example storefront is at %s/demo\n\n", s.BaseURL)
	}
	return err
}

// printCredentials prints credentials for people.
func printCredentials(out io.Writer, c credentials, path string) error {
	_, err := fmt.Fprintf(out, `
Cartwright is at %s

  admin            %s
  %s
  tenant           %s
  client key       %s
  secret key       %s
  test client key  %s
  test secret key  %s

Shown only once. Saved in %s.

%s
`, c.BaseURL, c.AdminEmail, c.logInWith(), c.TenantID, c.ClientKey, c.SecretKey, c.TestClientKey, c.TestSecretKey, path, docsLine(c.BaseURL))
	return err
}

// docsLine is the line about the documentation, since the server's root answers 404.
func docsLine(base string) string { return "Documentation: " + base + "/api/docs\n" }

// Memory settings, measured to serve half as many requests again; GOGC and GOMEMLIMIT in the environment take
// precedence.
const (
	gcPercent   = 400
	memoryLimit = 1 << 30 // bytes above which the collector runs more often instead of letting the heap grow
)

func (c Config) tuneMemory() {
	if c.GCPercent == "" {
		debug.SetGCPercent(gcPercent)
	}
	if c.MemoryLimit == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// expectedURL is the URL of a server with this configuration.
func (c Config) expectedURL() string {
	a, err := net.ResolveTCPAddr("tcp", c.Address)
	if err != nil || c.PublicURL != "" {
		return c.BaseURL(&net.TCPAddr{})
	}
	return c.BaseURL(a)
}

func (p process) sandboxCommand() *cobra.Command {
	var addr, public string
	cmd := &cobra.Command{
		Use: "sandbox", Short: "Run the sandbox payment provider as a separate process.", Args: exactArgs(),
		Annotations: withoutJSON("it runs the server"), Example: "cartwright sandbox --addr 127.0.0.1:8090",
		Long: "Run the sandbox payment provider as a separate process, for servers that name it in CARTWRIGHT_SANDBOX_URL. It uses the same secrets as they do, and keeps its payments in sandbox.db in its data folder.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.config()
			if err != nil {
				return err
			}
			if c.Mode == Production {
				return errors.New("the sandbox payment provider does not run in production")
			}
			return p.runSandbox(cmd.Context(), c, addr, public)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8090", "address to listen on")
	cmd.Flags().StringVar(&public, "public", "", "public URL of the payment page (default: the listen address)")
	return cmd
}

func (p process) runSandbox(ctx context.Context, c Config, addr, public string) error {
	if err := c.prepareDataDir(); err != nil {
		return err
	}
	l, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	k := &platform{config: c, log: p.logger(c), now: time.Now}
	k.background = k.newRunner()
	b, err := openSandboxProvider(ctx, c, k, public)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	server := &http.Server{Handler: b, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	http := k.background.Task("http")
	http.Start(func() { served <- http.Call(func() error { return server.Serve(l) }) })
	if _, err := fmt.Fprintf(p.out, "The sandbox payment provider is at http://%s\n", l.Addr()); err != nil {
		return err
	}
	select {
	case err := <-served:
		return errors.Join(err, b.Close())
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.ShutdownTimeout)
	defer cancel()
	return errors.Join(server.Shutdown(drain), b.Close())
}
