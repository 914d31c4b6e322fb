package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/domain/order"
)

// drawings are the forms in which the states of orders are printed.
var drawings = map[string]func() string{"mermaid": order.Mermaid, "text": order.Table}

func (p process) statesCommand() *cobra.Command {
	var format string
	cmd := p.answering(&cobra.Command{
		Use: "states", Short: "Print the states of an order and where each leads.", Args: takes(), Example: "cartwright states --format mermaid",
		Long: "Print the states of an order and where each leads: as a Mermaid state diagram, or as text.",
	}, "[{status, next}]", func(context.Context, []string) (answer, error) {
		type state struct {
			Status order.Status   `json:"status"`
			Next   []order.Status `json:"next"`
		}
		var all []state
		for _, s := range order.Statuses {
			all = append(all, state{s, append([]order.Status{}, order.Next(s)...)})
		}
		return valued(all, func(out io.Writer) error {
			_, err := io.WriteString(out, drawings[format]())
			return err
		})
	})
	oneOf(cmd, &format, "format", "text", "how people see it", "mermaid", "text")
	return cmd
}
