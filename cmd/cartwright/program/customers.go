package program

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// purposes are what a customer's token can be for, as the command names it.
var purposes = map[string]access.Purpose{"reset": access.PurposeReset, "verification": access.PurposeVerify}

func (p process) customerCommand() *cobra.Command {
	return group("customer", "Help the customers of a tenant.", p.customerTokenCommand())
}

func (p process) customerTokenCommand() *cobra.Command {
	var purpose string
	cmd := p.tenantScopedCommand(&cobra.Command{
		Use: "token EMAIL", Short: "Print a token that resets a customer's password or verifies the address.", Args: exactArgs("EMAIL"),
		Example: "cartwright customer token jiwoo@example.com --for verification",
	}, "{email, token, expiresAt}", tenantCommandOptions{}, func(ctx context.Context, k *core, by tenant.Principal,
		args []string) (commandResult, error) {
		issued, err := k.access.IssueCustomerToken(ctx, by.Tenant.ID, args[0], purposes[purpose])
		if err != nil {
			return commandResult{}, notFound(err, "customer", args[0], "customers register in its storefront")
		}
		return tokenResult(issued)
	})
	addChoiceFlag(cmd, &purpose, "for", "reset", "what the token is for", "reset", "verification")
	return cmd
}
