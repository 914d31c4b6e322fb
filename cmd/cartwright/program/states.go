package program

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/domain/order"
)

// stateFormats are the forms in which the states of orders are printed.
var stateFormats = map[string]func() string{"mermaid": order.Mermaid, "text": order.Table}

func (p process) statesCommand() *cobra.Command {
	var format string
	cmd := p.jsonCommand(&cobra.Command{
		Use: "states", Short: "Print the order states and their transitions.", Args: exactArgs(),
		Example: "cartwright states --format mermaid",
		Long:    "Print the order states and their transitions, as a Mermaid state diagram or as text.",
	}, "[{status, next}]", func(context.Context, []string) (commandResult, error) {
		type state struct {
			Status order.Status   `json:"status"`
			Next   []order.Status `json:"next"`
		}
		var all []state
		for _, s := range order.Statuses {
			all = append(all, state{s, append([]order.Status{}, order.NextStatuses(s)...)})
		}
		return jsonResult(all, func(out io.Writer) error {
			_, err := io.WriteString(out, stateFormats[format]())
			return err
		})
	})
	addChoiceFlag(cmd, &format, "format", "text", "output format", "mermaid", "text")
	return cmd
}
