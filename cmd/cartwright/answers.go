package main

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

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// answer is the result of a command: one JSON value for programs, which is what the API answers wherever it has the same
// thing to say, and the same as text for people.
type answer struct {
	json []byte
	text func(out io.Writer) error
}

// act is what a command does. An answer beside an error is what was done before it; one without JSON is none.
type act func(ctx context.Context, args []string) (answer, error)

// answering is a command that prints an answer, and nothing else, to standard output. Shape says what --json prints.
func (p process) answering(cmd *cobra.Command, shape string, do act) *cobra.Command {
	var asJSON bool
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: "+shape)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, failed := do(cmd.Context(), args)
		if a.json != nil {
			if err := p.say(a, asJSON); err != nil {
				return err
			}
		}
		return failed
	}
	return cmd
}

func (p process) say(a answer, asJSON bool) error {
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

// provided has the arguments looked at before anything is opened.
func provided(check func(args []string) error, do act) act {
	return func(ctx context.Context, args []string) (answer, error) {
		if err := check(args); err != nil {
			return answer{}, err
		}
		return do(ctx, args)
	}
}

// onCore is what a command does on an opened store.
func (p process) onCore(do func(ctx context.Context, k *core, args []string) (answer, error)) act {
	return func(ctx context.Context, args []string) (a answer, err error) {
		err = p.withCore(ctx, func(ctx context.Context, k *core) (err error) {
			a, err = do(ctx, k, args)
			return err
		})
		return a, err
	}
}

// onTenant is what a command does for one tenant, as its owner.
func (p process) onTenant(w *whose, do func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error)) act {
	return p.onCore(func(ctx context.Context, k *core, args []string) (answer, error) {
		t, err := k.tenant(ctx, w.tenant)
		if err != nil {
			return answer{}, err
		}
		return do(ctx, k, founding.Owner(t, w.environment), args)
	})
}

// asking is what a command for one tenant asks for besides --tenant.
type asking struct {
	both  bool                      // --environment
	pages *paging                   // --limit and --page
	sure  string                    // whether a person is sure of what this says of the first argument, or --yes
	check func(args []string) error // what is wrong with the arguments
}

// forTenant is a command that does something for one tenant, as its owner. What it asks for is looked at before anything is
// opened.
func (p process) forTenant(cmd *cobra.Command, shape string, a asking, do func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error)) *cobra.Command {
	var w whose
	work := p.onTenant(&w, do)
	if a.check != nil {
		work = provided(a.check, work)
	}
	if a.pages != nil {
		a.pages.ask(cmd)
		work = provided(a.pages.check, work)
	}
	if a.sure != "" {
		var sure consent
		sure.ask(cmd)
		work = provided(sure.to(p, a.sure), work)
	}
	if a.both {
		w.askBoth(cmd)
	} else {
		w.ask(cmd)
	}
	return p.answering(cmd, shape, work)
}

// plainReason is the annotation of commands without --json: why they have none.
const plainReason = "plain"

// plain notes why a command has no --json.
func plain(reason string) map[string]string { return map[string]string{plainReason: reason} }

// valued is an answer whose JSON is that of v.
func valued(v any, text func(out io.Writer) error) (answer, error) {
	encoded, err := json.Marshal(v)
	return answer{encoded, text}, err
}

// sentence is text of one line.
func sentence(format string, args ...any) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := fmt.Fprintf(out, format+"\n", args...)
		return err
	}
}

// heading is a column of a table or a line of a record: what stands at a path of each document.
type heading struct{ title, path string }

// listed is an answer that is the API's list, {docs, totalDocs, …}, for people as a table.
func listed(list []byte, columns ...heading) answer {
	return answer{list, func(out io.Writer) error {
		var page struct {
			Docs             []map[string]any
			TotalDocs        int64
			Page, TotalPages int64
			HasNextPage      bool
		}
		if err := decode(list, &page); err != nil {
			return err
		}
		if err := tabled(out, page.Docs, columns...); err != nil {
			return err
		}
		if !page.HasNextPage {
			return nil
		}
		_, err := fmt.Fprintf(out, "\nPage %d of %d, %d in all: --page %d goes on.\n", page.Page, page.TotalPages, page.TotalDocs, page.Page+1)
		return err
	}}
}

// paging is which page of a list is wanted.
type paging struct {
	limit, page int
	sort        string // "" is the oldest first
}

// usualPage is how many documents a list has unless more are asked for.
const usualPage = 100

// ask gives cmd the flags --limit and --page.
func (g *paging) ask(cmd *cobra.Command) {
	cmd.Flags().IntVar(&g.limit, "limit", usualPage, "at most so many, up to 500")
	cmd.Flags().IntVar(&g.page, "page", 1, "which page, from 1")
}

// check refuses pages that there cannot be. Errors: mistake.
func (g *paging) check([]string) error {
	if g.limit < 1 || g.limit > collection.MaxLimit {
		return mistaken("--limit: it is 1 to %d", collection.MaxLimit)
	}
	if g.page < 1 {
		return mistaken("--page: the first page is 1")
	}
	return nil
}

// list is a page of by's records of s, as the API lists them.
func (k *core) list(ctx context.Context, by tenant.Principal, s *collection.Schema, g paging, only collection.Cond, columns ...heading) (answer, error) {
	page, err := k.content.List(ctx, by, s, content.Query{Sort: cmp.Or(g.sort, "createdAt"), Limit: g.limit, Page: g.page, Only: only})
	if err != nil {
		return answer{}, err
	}
	text, err := page.Append(nil)
	return listed(text, columns...), err
}

// tabled prints documents as a table.
func tabled(out io.Writer, docs []map[string]any, columns ...heading) error {
	row := func(cell func(heading) string) error {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = cell(c)
		}
		_, err := fmt.Fprintln(out, strings.Join(cells, "\t"))
		return err
	}
	if err := row(func(c heading) string { return c.title }); err != nil {
		return err
	}
	for _, doc := range docs {
		if err := row(func(c heading) string { return cellOf(doc, c.path) }); err != nil {
			return err
		}
	}
	return nil
}

// shown is an answer about one record, or about that at a member of it: for people a line for each of some fields.
func shown(body []byte, member string, fields ...heading) answer {
	return answer{body, func(out io.Writer) error {
		var doc map[string]any
		if err := decode(body, &doc); err != nil {
			return err
		}
		if member != "" {
			doc, _ = doc[member].(map[string]any)
		}
		for _, f := range fields {
			if _, err := fmt.Fprintf(out, "%s\t%s\n", f.title, cellOf(doc, f.path)); err != nil {
				return err
			}
		}
		return nil
	}}
}

// decode reads JSON with its numbers as they are written.
func decode(text []byte, into any) error {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	return in.Decode(into)
}

// cellOf is what stands at a dotted path of a document, in a line.
func cellOf(doc map[string]any, path string) string {
	name, rest, deeper := strings.Cut(path, ".")
	inner, is := doc[name].(map[string]any)
	if deeper && is {
		return cellOf(inner, rest)
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

// oneLine keeps what somebody entered from looking like more cells or lines, or from steering the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}
