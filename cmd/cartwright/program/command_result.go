package program

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// commandResult is the result of a command: one JSON value for programs, the same as the API's where there is
// one, and text for people.
type commandResult struct {
	json []byte
	text func(out io.Writer) error
}

// commandFunc runs a command. A result returned with an error is what was done before the error; a result
// without JSON is empty.
type commandFunc func(ctx context.Context, args []string) (commandResult, error)

// jsonCommand is a command that prints its result, and nothing else, to standard output. Shape describes what
// --json prints.
func (p process) jsonCommand(cmd *cobra.Command, shape string, do commandFunc) *cobra.Command {
	var asJSON bool
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: "+shape)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, failed := do(cmd.Context(), args)
		if a.json != nil {
			if err := p.printResult(a, asJSON); err != nil {
				return err
			}
		}
		return failed
	}
	return cmd
}

func (p process) printResult(a commandResult, asJSON bool) error {
	if !asJSON {
		table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
		if err := a.text(table); err != nil {
			return err
		}
		return table.Flush()
	}
	var out bytes.Buffer
	if err := json.Indent(&out, a.json, "", "  "); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	out.WriteByte('\n')
	_, err := p.out.Write(out.Bytes())
	return err
}

// afterCheck validates the arguments before anything is opened.
func afterCheck(check func(args []string) error, do commandFunc) commandFunc {
	return func(ctx context.Context, args []string) (commandResult, error) {
		if err := check(args); err != nil {
			return commandResult{}, err
		}
		return do(ctx, args)
	}
}

// runOnCore runs a command on the store that there is.
func (p process) runOnCore(do func(ctx context.Context, k *core, args []string) (commandResult, error)) commandFunc {
	return runOn(p.withCore, do)
}

// runOn runs a command on the store that with opens.
func runOn(
	with func(context.Context, func(context.Context, *core) error) error,
	do func(ctx context.Context, k *core, args []string) (commandResult, error),
) commandFunc {
	return func(ctx context.Context, args []string) (a commandResult, err error) {
		err = with(ctx, func(ctx context.Context, k *core) (err error) {
			a, err = do(ctx, k, args)
			return err
		})
		return a, err
	}
}

// runForTenant runs a command for one tenant, as its owner.
func (p process) runForTenant(
	w *tenantFlags, do func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error),
) commandFunc {
	return p.runOnCore(func(ctx context.Context, k *core, args []string) (commandResult, error) {
		t, err := k.tenant(ctx, w.tenant)
		if err != nil {
			return commandResult{}, err
		}
		return do(ctx, k, onboarding.SystemPrincipal(t, w.environment), args)
	})
}

// tenantCommandOptions are the flags of a command for one tenant besides --tenant.
type tenantCommandOptions struct {
	environment  bool                      // --environment
	paging       *paging                   // --limit and --page
	confirmation string                    // question to confirm, with the first argument, unless --yes is given
	checkArgs    func(args []string) error // validates the arguments
}

// tenantScopedCommand is a command that does something for one tenant, as its owner. Its flags and arguments
// are validated before anything is opened.
func (p process) tenantScopedCommand(
	cmd *cobra.Command, shape string, a tenantCommandOptions,
	do func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error),
) *cobra.Command {
	var w tenantFlags
	work := p.runForTenant(&w, do)
	if a.checkArgs != nil {
		work = afterCheck(a.checkArgs, work)
	}
	if a.paging != nil {
		a.paging.addFlags(cmd)
		work = afterCheck(a.paging.check, work)
	}
	if a.confirmation != "" {
		var sure confirmation
		sure.addFlag(cmd)
		work = afterCheck(sure.require(p, a.confirmation), work)
	}
	if a.environment {
		w.addTenantAndEnvironment(cmd)
	} else {
		w.addTenant(cmd)
	}
	return p.jsonCommand(cmd, shape, work)
}

// noJSONReason is the annotation of commands without --json that says why.
const noJSONReason = "plain"

// withoutJSON annotates why a command has no --json.
func withoutJSON(reason string) map[string]string { return map[string]string{noJSONReason: reason} }

// jsonResult is a result with v as JSON.
func jsonResult(v any, text func(out io.Writer) error) (commandResult, error) {
	encoded, err := json.Marshal(v)
	return commandResult{encoded, text}, err
}

// textLine is text of one line.
func textLine(format string, args ...any) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := fmt.Fprintf(out, format+"\n", args...)
		return err
	}
}

// tableColumn is a column of a table or a line of a record: a title and the path of a value in each document.
type tableColumn struct{ title, path string }

// listResult is the API's list, {docs, totalDocs, …}, as a table for people.
func listResult(list []byte, columns ...tableColumn) commandResult {
	return commandResult{list, func(out io.Writer) error {
		var page struct {
			Docs             []map[string]any
			TotalDocs        int64
			Page, TotalPages int64
			HasNextPage      bool
		}
		if err := decodeJSON(list, &page); err != nil {
			return err
		}
		if err := printTable(out, page.Docs, columns...); err != nil {
			return err
		}
		if !page.HasNextPage {
			return nil
		}
		_, err := fmt.Fprintf(out, "\nPage %d of %d, %d in total. Next page: --page %d\n",
			page.Page, page.TotalPages, page.TotalDocs, page.Page+1)
		return err
	}}
}

// paging selects a page of a list.
type paging struct {
	limit, page int
	sort        string // "" is the oldest first
}

// defaultPageSize is the size of a page without --limit.
const defaultPageSize = 100

// addFlags gives cmd the flags --limit and --page.
func (g *paging) addFlags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&g.limit, "limit", defaultPageSize, "page size, up to 500")
	cmd.Flags().IntVar(&g.page, "page", 1, "page number, from 1")
}

// check refuses invalid pages. Errors: usageError.
func (g *paging) check([]string) error {
	if g.limit < 1 || g.limit > collection.MaxLimit {
		return usageErrorf("--limit: must be from 1 to %d", collection.MaxLimit)
	}
	if g.page < 1 {
		return usageErrorf("--page: must be at least 1")
	}
	return nil
}

// listRecords is a page of s as the API lists it to by.
func (k *core) listRecords(
	ctx context.Context, by tenant.Principal, s *collection.Schema, g paging, only collection.Cond, columns ...tableColumn,
) (commandResult, error) {
	page, err := k.records.List(ctx, by, s, records.Query{Sort: cmp.Or(g.sort, "createdAt"), Limit: g.limit, Page: g.page, Filter: only})
	if err != nil {
		return commandResult{}, err
	}
	return listResult(page.Bytes(), columns...), nil
}

// printTable prints documents as a table.
func printTable(out io.Writer, docs []map[string]any, columns ...tableColumn) error {
	row := func(cell func(tableColumn) string) error {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = cell(c)
		}
		_, err := fmt.Fprintln(out, strings.Join(cells, "\t"))
		return err
	}
	if err := row(func(c tableColumn) string { return c.title }); err != nil {
		return err
	}
	for _, doc := range docs {
		if err := row(func(c tableColumn) string { return cellText(doc, c.path) }); err != nil {
			return err
		}
	}
	return nil
}

// recordResult is one record, or the one in a member of it; for people a line for each of some fields.
func recordResult(body []byte, member string, fields ...tableColumn) commandResult {
	return commandResult{body, func(out io.Writer) error {
		var doc map[string]any
		if err := decodeJSON(body, &doc); err != nil {
			return err
		}
		if member != "" {
			doc, _ = doc[member].(map[string]any)
		}
		for _, f := range fields {
			if _, err := fmt.Fprintf(out, "%s\t%s\n", f.title, cellText(doc, f.path)); err != nil {
				return err
			}
		}
		return nil
	}}
}

// decodeJSON decodes JSON with numbers kept as text.
func decodeJSON(text []byte, into any) error {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	return in.Decode(into)
}

// cellText is the value at a dotted path of a document, on one line.
func cellText(doc map[string]any, path string) string {
	name, rest, deeper := strings.Cut(path, ".")
	inner, ok := doc[name].(map[string]any)
	if deeper && ok {
		return cellText(inner, rest)
	}
	switch v := doc[name].(type) {
	case nil:
		return "-"
	case string:
		return oneLine(v)
	case []any:
		if len(v) == 0 {
			return "-"
		}
		parts := make([]string, len(v))
		for i, one := range v {
			parts[i] = oneLine(fmt.Sprint(one))
		}
		return strings.Join(parts, ",")
	default:
		return fmt.Sprint(v)
	}
}

// oneLine keeps user input from looking like several cells or lines, or from controlling the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}
