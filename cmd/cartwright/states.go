package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/domain/order"
)

// drawings are the forms in which the states of orders are printed.
var drawings = map[string]func() string{"mermaid": order.Mermaid, "text": order.Table}

func (p process) statesCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "states", Short: "Print the states of an order and where each leads.", Args: cobra.NoArgs,
		Long: "Print the states of an order and where each leads: as a Mermaid state diagram, or as text.",
		RunE: func(*cobra.Command, []string) error {
			draw := drawings[format]
			if draw == nil {
				return fmt.Errorf("the format %q is not known; there are: mermaid, text", format)
			}
			_, err := fmt.Fprint(p.out, draw())
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "mermaid or text")
	return cmd
}
