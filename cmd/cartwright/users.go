package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func (p process) userCommand() *cobra.Command {
	return group("user", "Create, list and change the people who run a tenant.",
		p.userCreateCommand(), p.userListCommand(), p.userRoleCommand(), p.userPasswordCommand(), p.userRemoveCommand())
}

func (p process) userCreateCommand() *cobra.Command {
	var who founding.Person
	cmd := p.forTenant(&cobra.Command{
		Use: "create", Short: "Make a user and print the password, once; an existing person joins the tenant.", Args: takes(),
		Example: `cartwright user create --email kim@shop.example --role tenant-admin --name "Kim Jiwoo"`,
	}, "{message, doc}, as POST /users answers, and password: null for somebody who had one", asking{}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		password, err := k.founding.Join(ctx, by.Tenant.ID, who)
		if err != nil {
			return answer{}, err
		}
		record, err := k.member(ctx, by, who.Email)
		if err != nil {
			return answer{}, err
		}
		made := struct {
			Message  string          `json:"message"`
			Doc      json.RawMessage `json:"doc"`
			Password *string         `json:"password"`
		}{"User successfully created.", collection.AppendJSON(nil, identity.Users, record, collection.View{Audience: collection.Staff}), nil}
		if password != "" {
			made.Password = &password
		}
		return valued(made, login(who.Email, password, string(who.Role)))
	})
	cmd.Flags().StringVar(&who.Email, "email", "", "email address to log in with (required)")
	cmd.Flags().StringVar(&who.Name, "name", "", "display name")
	oneOf(cmd, &who.Role, "role", tenant.Editor, "what the person may do", roles...)
	_ = cmd.MarkFlagRequired("email") // the flag was just declared
	return cmd
}

// login tells people a password, once.
func login(email, password, role string) func(io.Writer) error {
	return func(out io.Writer) error {
		if password == "" {
			password = "(unchanged)"
		}
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
	return p.forTenant(&cobra.Command{
		Use: "list", Short: "List the users.", Args: takes(), Example: "cartwright user list --tenant corner-shop --json",
	}, "the list that GET /users answers", asking{pages: &pages}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		return k.list(ctx, by, identity.Users, pages, nil, heading{"ID", "id"}, heading{"EMAIL", "email"}, heading{"ROLE", "role"}, heading{"NAME", "name"})
	})
}

// member finds a user of by's tenant. Errors: nobody has the address.
func (k *core) member(ctx context.Context, by tenant.Principal, email string) (collection.Record, error) {
	found, err := k.content.Find(ctx, by, identity.Users, content.Query{
		Only: identity.Users.Where("email", collection.Equals, strings.ToLower(strings.TrimSpace(email))), Limit: 1, Page: 1, Uncounted: true,
	})
	if err != nil {
		return nil, err
	}
	if len(found.Docs) == 0 {
		return nil, fmt.Errorf("this tenant has no user %q; cartwright user list shows who there is", email)
	}
	return found.Docs[0], nil
}

func (p process) userRoleCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "role EMAIL ROLE", Short: "Give a user another role in a tenant.", Args: takes("EMAIL", "ROLE"),
		Example: "cartwright user role kim@shop.example tenant-viewer --tenant corner-shop",
	}, "{message, doc}, as PATCH /users/{id} answers", asking{check: oneArgument(1, "ROLE", roles)}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		record, err := k.member(ctx, by, args[0])
		if err != nil {
			return answer{}, err
		}
		done, err := k.content.Update(ctx, once.Call{Principal: by}, identity.Users, record.ID(), map[string]any{"role": args[1]}, content.Show{})
		return answer{done.Body, sentence("%s was %s and is %s now.", record.Text("email"), record.Text("role"), args[1])}, err
	})
}

// userPasswordCommand is how those recover their login to whom no tenant may mail a token.
func (p process) userPasswordCommand() *cobra.Command {
	return p.answering(&cobra.Command{
		Use: "password EMAIL", Short: "Give a user a new password and print it, once; all their logins end.", Args: takes("EMAIL"),
		Example: "cartwright user password kim@shop.example",
	}, "{email, password}", p.onCore(func(ctx context.Context, k *core, args []string) (answer, error) {
		password, err := k.access.RenewPassword(ctx, args[0])
		if err != nil {
			return answer{}, notFound(err, "user", args[0], "nor has another")
		}
		email := strings.ToLower(strings.TrimSpace(args[0]))
		return valued(map[string]string{"email": email, "password": password}, login(email, password, ""))
	}))
}

func (p process) userRemoveCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "remove EMAIL", Short: "Take a user out of a tenant; whoever belongs to no other is forgotten.", Args: takes("EMAIL"),
		Example: "cartwright user remove kim@shop.example --tenant corner-shop --yes",
	}, "{id, message, doc}, as DELETE /users/{id} answers", asking{sure: "%s will not get into this tenant any more."}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		record, err := k.member(ctx, by, args[0])
		if err != nil {
			return answer{}, err
		}
		done, err := k.content.Delete(ctx, once.Call{Principal: by}, identity.Users, record.ID(), content.Show{})
		return answer{done.Body, sentence("%s is no user of this tenant any more.", record.Text("email"))}, err
	})
}
