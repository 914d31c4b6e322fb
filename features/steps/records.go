package steps

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

func (w *world) recordSteps() []definition {
	return []definition{
		{`^the shop has the brands "([^"]*)"$`, w.makeBrands},
		{`^another shop has the brand "([^"]*)"$`, w.makeForeignBrand},
		{`^the editor adds the brand "([^"]*)"$`, w.addBrand},
		{`^the editor adds a brand without a name$`, func(ctx context.Context) error { return w.try(ctx, w.brand(object{})) }},
		{`^the editor adds a brand with a field nobody knows$`, func(ctx context.Context) error {
			return w.try(ctx, w.brand(object{"name": "Nord", "shoeSize": 42}))
		}},
		{`^the editor renames the brand "([^"]*)" to "([^"]*)"$`, w.renameBrand},
		{`^the editor deletes the brand "([^"]*)"$`, w.deleteBrand},
		{`^the editor lists (\d+) brands to a page and opens page (\d+)$`, w.pageBrands},
		{`^the editor lists brands by name (backwards|forwards)$`, w.sortBrands},
		{`^the editor lists brands whose (\w+) (\w+) "([^"]*)"$`, w.filterBrands},
		{`^the editor lists brands whose name is "([^"]*)" or whose name contains "([^"]*)"$`, w.filterEither},
		{`^the other shop looks for the brand "([^"]*)"$`, w.otherLooks},
		{`^the other shop renames the brand "([^"]*)"$`, w.otherRenames},
		{`^it sees nothing$`, w.wantNotFound},
		{`^it is shown (\d+) of (\d+) brands on page (\d+) of (\d+)$`, w.wantPage},
		{`^it is shown the brands "([^"]*)"$`, w.wantBrands},
		{`^the brand "([^"]*)" is in the list$`, w.wantListed},
		{`^the brand "([^"]*)" is not in the list$`, w.wantUnlisted},
		{`^the refusal points at "([^"]*)"$`, w.wantField},
	}
}

func (w *world) brand(body object) request { return request{"POST", "/api/brands", body, w.asOwner()} }

func (w *world) makeBrands(ctx context.Context, names string) error {
	for name := range strings.SplitSeq(names, ", ") {
		if err := w.addBrand(ctx, name); err != nil {
			return err
		}
		if err := w.succeeded(); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) addBrand(ctx context.Context, name string) error {
	err := w.try(ctx, w.brand(object{"name": name}))
	if err == nil && w.got.ok() {
		w.records[name] = text(w.got.body, "doc", "id")
	}
	return err
}

func (w *world) makeForeignBrand(ctx context.Context, name string) (err error) {
	if w.other, err = w.target.Shop(ctx); err != nil {
		return err
	}
	made, err := w.must(ctx, request{"POST", "/api/brands", object{"name": name}, w.asOther()})
	w.records[name] = text(made.body, "doc", "id")
	return err
}

func (w *world) asOther() map[string]string {
	return map[string]string{"X-API-Key": w.other.TestSecretKey}
}

func (w *world) renameBrand(ctx context.Context, name, to string) error {
	w.records[to] = w.records[name]
	return w.try(ctx, request{"PATCH", "/api/brands/" + w.records[name], object{"name": to}, w.asOwner()})
}

func (w *world) deleteBrand(ctx context.Context, name string) error {
	return w.try(ctx, request{"DELETE", "/api/brands/" + w.records[name], nil, w.asOwner()})
}

func (w *world) listBrands(ctx context.Context, query url.Values) error {
	return w.try(ctx, request{"GET", "/api/brands?" + query.Encode(), nil, w.asOwner()})
}

func (w *world) pageBrands(ctx context.Context, limit, page string) error {
	return w.listBrands(ctx, url.Values{"limit": {limit}, "page": {page}, "sort": {"name"}})
}

func (w *world) sortBrands(ctx context.Context, how string) error {
	return w.listBrands(ctx, url.Values{"sort": {map[string]string{"forwards": "name", "backwards": "-name"}[how]}})
}

// filterBrands: "name contains", "name equals", "name in".
func (w *world) filterBrands(ctx context.Context, field, operator, value string) error {
	operators := map[string]string{"is": "equals", "contains": "contains", "among": "in", "except": "not_in", "resembles": "like"}
	return w.listBrands(ctx, url.Values{"sort": {"name"}, "where[" + field + "][" + or(operators[operator], operator) + "]": {strings.ReplaceAll(value, ", ", ",")}})
}

func (w *world) filterEither(ctx context.Context, one, part string) error {
	return w.listBrands(ctx, url.Values{"sort": {"name"}, "where[or][0][name][equals]": {one}, "where[or][1][name][contains]": {part}})
}

func (w *world) otherLooks(ctx context.Context, name string) (err error) {
	if w.other.TestSecretKey == "" {
		if w.other, err = w.target.Shop(ctx); err != nil {
			return err
		}
	}
	return w.try(ctx, request{"GET", "/api/brands/" + w.records[name], nil, w.asOther()})
}

func (w *world) otherRenames(ctx context.Context, name string) (err error) {
	if w.other.TestSecretKey == "" {
		if w.other, err = w.target.Shop(ctx); err != nil {
			return err
		}
	}
	return w.try(ctx, request{"PATCH", "/api/brands/" + w.records[name], object{"name": "Taken over"}, w.asOther()})
}

// wantNotFound: a foreign record answers exactly as one that never was.
func (w *world) wantNotFound(ctx context.Context) error {
	foreign := w.got
	missing, err := w.send(ctx, request{w.sent.method, "/api/brands/01890000-0000-7000-8000-000000000000", w.sent.body, w.sent.header})
	if err != nil {
		return err
	}
	if foreign.status != missing.status || foreign.reason() != missing.reason() || foreign.reason() != "not_found" {
		return fmt.Errorf("a foreign record %s, a missing one %s", foreign, missing)
	}
	return nil
}

func (w *world) wantPage(shown, total, page, pages string) error {
	if got := strconv.Itoa(len(list(w.got.body, "docs"))); got != shown {
		return fmt.Errorf("%s brands are shown", got)
	}
	for field, want := range map[string]string{"totalDocs": total, "page": page, "totalPages": pages} {
		if err := equal(field, w.got.body[field], want); err != nil {
			return err
		}
	}
	if err := equal("having a next page", w.got.body["hasNextPage"], strconv.FormatBool(page != pages)); err != nil {
		return err
	}
	return equal("having a page before", w.got.body["hasPrevPage"], strconv.FormatBool(page != "1"))
}

func (w *world) shown() (names []string) {
	for _, doc := range list(w.got.body, "docs") {
		names = append(names, text(doc, "name"))
	}
	return names
}

func (w *world) wantBrands(want string) error {
	if got := strings.Join(w.shown(), ", "); got != want {
		return fmt.Errorf("%q are shown; it %s", got, w.got)
	}
	return nil
}

func (w *world) wantListed(ctx context.Context, name string) error {
	if err := w.listBrands(ctx, url.Values{"limit": {"100"}}); err != nil {
		return err
	}
	if !slices.Contains(w.shown(), name) {
		return fmt.Errorf("the list holds %v", w.shown())
	}
	return nil
}

func (w *world) wantUnlisted(ctx context.Context, name string) error {
	if w.wantListed(ctx, name) == nil {
		return fmt.Errorf("the list holds %v", w.shown())
	}
	return w.succeeded()
}

func (w *world) wantField(field string) error {
	for _, entry := range list(w.got.body, "errors", 0, "data") {
		if text(entry, "field") == field && text(entry, "message") != "" {
			return nil
		}
	}
	return fmt.Errorf("it %s", w.got)
}
