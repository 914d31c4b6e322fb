package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// commands is the command line. Without a command the server runs.
func (p process) commands() *cobra.Command {
	root := &cobra.Command{
		Use:           "cartwright",
		Short:         "A multi-tenant commerce server: catalog, carts, checkouts, payments, orders.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(p.versionCommand())
	return root
}

func (p process) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version.", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.out, "cartwright %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
