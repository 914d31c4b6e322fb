package program

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func (p process) userCommand() *cobra.Command {
	return group("user", "Create, invite, list, change and remove the users of a tenant.",
		p.userCreateCommand(), p.userListCommand(), p.userRoleCommand(), p.userPasswordCommand(), p.userTokenCommand(),
		p.userResetFactorCommand(), p.userRemoveCommand())
}

func (p process) userCreateCommand() *cobra.Command {
	var who onboarding.MemberInput
	cmd := p.tenantScopedCommand(&cobra.Command{
		Use: "create", Short: "Create a user and print the password once; a person who is known is invited.", Args: exactArgs(),
		Example: `cartwright user create --email kim@shop.example --role tenant-admin --name "Kim Jiwoo"`,
	}, "{message, doc}, as POST /users answers, and password; or {invited, invitationToken, expiresAt}",
		tenantCommandOptions{}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			added, err := k.onboarding.AddMember(ctx, by.Tenant.ID, who)
			if err != nil {
				return commandResult{}, err
			}
			if added.Password == "" {
				return invitationResult(added.Invitation)
			}
			record, err := k.findUser(ctx, by, who.Email)
			if err != nil {
				return commandResult{}, err
			}
			created := struct {
				Message  string          `json:"message"`
				Doc      json.RawMessage `json:"doc"`
				Password string          `json:"password"`
			}{
				"User successfully created.",
				collection.AppendJSON(nil, identity.Users, record, collection.View{Audience: collection.Staff}), added.Password,
			}
			return jsonResult(created, passwordResult(who.Email, added.Password, string(who.Role)))
		})
	cmd.Flags().StringVar(&who.Email, "email", "", "email address to log in with (required)")
	cmd.Flags().StringVar(&who.Name, "name", "", "display name")
	cmd.Flags().BoolVar(&who.Invite, "invite", false, "invite the person instead of setting a password")
	cmd.Flags().StringVar((*string)(&who.Role), "role", string(tenant.Editor),
		"role of the user: "+strings.Join(stringsOf(tenant.Roles), ", ")+", or the slug of the tenant's own role")
	_ = cmd.MarkFlagRequired("email") // the flag was just declared
	return cmd
}

// invitationResult shows the token of an invitation, which the operator passes on.
func invitationResult(issued access.EmailToken) (commandResult, error) {
	expires := issued.Expires.UTC().Format(collection.TimeFormat)
	return jsonResult(struct {
		Invited bool   `json:"invited"`
		Token   string `json:"invitationToken"`
		Expires string `json:"expiresAt"`
	}{true, issued.Token, expires}, textLine("%s is invited, and accepts with this token until %s:\n%s", issued.Email, expires, issued.Token))
}

// tokenResult shows a token that the operator passes on.
func tokenResult(issued access.EmailToken) (commandResult, error) {
	expires := issued.Expires.UTC().Format(collection.TimeFormat)
	return jsonResult(map[string]string{"email": issued.Email, "token": issued.Token, "expiresAt": expires},
		textLine("This token for %s works once, until %s:\n%s", issued.Email, expires, issued.Token))
}

// passwordResult shows a password to people once.
func passwordResult(email, password, role string) func(io.Writer) error {
	return func(out io.Writer) error {
		text := fmt.Sprintf("email\t%s\npassword\t%s\n", email, password)
		if role != "" {
			text += fmt.Sprintf("role\t%s\n", role)
		}
		_, err := io.WriteString(out, text)
		return err
	}
}

func (p process) userListCommand() *cobra.Command {
	var pages paging
	return p.tenantScopedCommand(&cobra.Command{
		Use: "list", Short: "List the users.", Args: exactArgs(), Example: "cartwright user list --tenant corner-shop --json",
	}, "the list that GET /users answers", tenantCommandOptions{paging: &pages}, func(ctx context.Context, k *core, by tenant.Principal,
		_ []string) (commandResult, error) {
		return k.listRecords(ctx, by, identity.Users, pages, nil, tableColumn{"ID", "id"}, tableColumn{"EMAIL", "email"},
			tableColumn{"ROLE", "role"}, tableColumn{"NAME", "name"})
	})
}

// findUser finds a user of by's tenant. Errors: no user has the address.
func (k *core) findUser(ctx context.Context, by tenant.Principal, email string) (collection.Record, error) {
	found, err := k.records.Find(ctx, by, identity.Users, records.Query{
		Filter: identity.Users.Where("email", collection.Equals, strings.ToLower(strings.TrimSpace(email))), Limit: 1, Page: 1,
		Uncounted: true,
	})
	if err != nil {
		return nil, err
	}
	if len(found.Docs) == 0 {
		return nil, fmt.Errorf("this tenant has no user %q; cartwright user list lists its users", email)
	}
	return found.Docs[0], nil
}

func (p process) userRoleCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "role EMAIL ROLE", Short: "Change the role of a user in a tenant.",
		Long:    "The roles of every tenant are " + strings.Join(stringsOf(tenant.Roles), ", ") + "; a tenant may have roles of its own.",
		Args:    exactArgs("EMAIL", "ROLE"),
		Example: "cartwright user role kim@shop.example tenant-viewer --tenant corner-shop",
	}, "{message, doc}, as PATCH /users/{id} answers", tenantCommandOptions{}, func(
		ctx context.Context, k *core, by tenant.Principal, args []string,
	) (commandResult, error) {
		record, err := k.findUser(ctx, by, args[0])
		if err != nil {
			return commandResult{}, err
		}
		done, err := k.records.Update(ctx, idempotency.Call{Principal: by}, identity.Users, record.ID(), map[string]any{"role": args[1]},
			records.Projection{})
		return commandResult{
			done.Body.Bytes(), textLine("The role of %s changed from %s to %s.", record.Text("email"), record.Text("role"), args[1]),
		}, err
	})
}

// userPasswordCommand sets a password for which the installation vouches: it opens all tenants of the user.
func (p process) userPasswordCommand() *cobra.Command {
	var shop string
	cmd := p.jsonCommand(&cobra.Command{
		Use: "password EMAIL", Short: "Reset a user's password for all tenants and print the new one once; ends all their sessions.",
		Args: exactArgs("EMAIL"), Example: "cartwright user password kim@shop.example",
	}, "{email, password}", p.runOnCore(func(ctx context.Context, k *core, args []string) (commandResult, error) {
		t, err := k.optionalTenant(ctx, shop)
		if err != nil {
			return commandResult{}, err
		}
		password, err := k.access.SetRandomPassword(ctx, args[0], t)
		if err != nil {
			return commandResult{}, userNotFound(err, args[0])
		}
		email := strings.ToLower(strings.TrimSpace(args[0]))
		return jsonResult(map[string]string{"email": email, "password": password}, passwordResult(email, password, ""))
	}))
	cmd.Flags().StringVar(&shop, "tenant", "", "tenant by slug, id or name, if several users have the address")
	return cmd
}

// userTokenCommand issues a token for which the installation vouches.
func (p process) userTokenCommand() *cobra.Command {
	var shop string
	cmd := p.jsonCommand(&cobra.Command{
		Use: "token EMAIL", Short: "Print a token with which a user sets a new password for all tenants, within an hour.",
		Args: exactArgs("EMAIL"), Example: "cartwright user token kim@shop.example",
	}, "{email, token, expiresAt}", p.runOnCore(func(ctx context.Context, k *core, args []string) (commandResult, error) {
		t, err := k.optionalTenant(ctx, shop)
		if err != nil {
			return commandResult{}, err
		}
		issued, err := k.access.IssueUserToken(ctx, args[0], t)
		if err != nil {
			return commandResult{}, userNotFound(err, args[0])
		}
		return tokenResult(issued)
	}))
	cmd.Flags().StringVar(&shop, "tenant", "", "tenant by slug, id or name, if several users have the address")
	return cmd
}

// userResetFactorCommand removes the second factors of somebody whom no admin can help.
func (p process) userResetFactorCommand() *cobra.Command {
	var shop string
	cmd := p.jsonCommand(&cobra.Command{
		Use: "reset-second-factor EMAIL", Short: "Remove the second factors of a user who lost them; ends all their sessions.",
		Args: exactArgs("EMAIL"), Example: "cartwright user reset-second-factor kim@shop.example",
	}, "{email}", p.runOnCore(func(ctx context.Context, k *core, args []string) (commandResult, error) {
		t, err := k.optionalTenant(ctx, shop)
		if err != nil {
			return commandResult{}, err
		}
		if err := k.access.RemoveSecondFactors(ctx, args[0], t); err != nil {
			return commandResult{}, userNotFound(err, args[0])
		}
		email := strings.ToLower(strings.TrimSpace(args[0]))
		return jsonResult(map[string]string{"email": email}, textLine("%s logs in with the password alone now.", email))
	}))
	cmd.Flags().StringVar(&shop, "tenant", "", "tenant by slug, id or name, if several users have the address")
	return cmd
}

// optionalTenant is the id of the tenant that ref names, "" for none.
func (k *core) optionalTenant(ctx context.Context, ref string) (tenant.ID, error) {
	if ref == "" {
		return "", nil
	}
	found, err := k.tenant(ctx, ref)
	return found.ID, err
}

func userNotFound(err error, email string) error {
	return notFound(err, "user", email, "nor has any other tenant")
}

func (p process) userRemoveCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "remove EMAIL", Short: "Remove a user from a tenant; a user without other tenants is deleted.", Args: exactArgs("EMAIL"),
		Example: "cartwright user remove kim@shop.example --tenant corner-shop --yes",
	}, "{id, message, doc}, as DELETE /users/{id} answers", tenantCommandOptions{confirmation: "%s will lose access to this tenant."},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			record, err := k.findUser(ctx, by, args[0])
			if err != nil {
				return commandResult{}, err
			}
			done, err := k.records.Delete(ctx, idempotency.Call{Principal: by}, identity.Users, record.ID(), records.Projection{})
			return commandResult{done.Body.Bytes(), textLine("%s is no longer a user of this tenant.", record.Text("email"))}, err
		})
}
