package steps

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// brandSteps keeps brands, the example of a record in most features.
type brandSteps struct {
	*client

	ids map[string]string // by name
}

func newBrandSteps(c *client) *brandSteps {
	return &brandSteps{client: c, ids: map[string]string{}}
}

func (s *brandSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop has the brands "([^"]*)"$`, s.createAll},
		{`^another shop has the brand "([^"]*)"$`, s.createInOtherShop},
		{`^the editor adds the brand "([^"]*)"$`, s.create},
		{`^the editor adds a brand without a name$`, func(ctx context.Context) error { return s.try(ctx, s.createRequest(object{})) }},
		{`^the editor adds a brand with an unknown field$`, func(ctx context.Context) error {
			return s.try(ctx, s.createRequest(object{"name": "Nord", "shoeSize": 42}))
		}},
		{`^the editor renames the brand "([^"]*)" to "([^"]*)"$`, s.rename},
		{`^the editor deletes the brand "([^"]*)"$`, s.delete},
		{`^the editor lists brands (\d+) per page and opens page (\d+)$`, s.listPage},
		{`^the editor lists brands by name in descending order$`, func(ctx context.Context) error {
			return s.list(ctx, url.Values{"sort": {"-name"}})
		}},
		{`^the editor lists brands whose (\w+) (is|contains|is one of) "([^"]*)"$`, s.listFiltered},
		{`^the editor lists brands whose name is "([^"]*)" or whose name contains "([^"]*)"$`, s.listEither},
		{`^the other shop reads the brand "([^"]*)"$`, s.readAsOtherShop},
		{`^the other shop renames the brand "([^"]*)"$`, s.renameAsOtherShop},
		{`^the brand is not found$`, s.wantNotFound},
		{`^the list shows (\d+) of (\d+) brands on page (\d+) of (\d+)$`, s.wantPage},
		{`^the list shows the brands "([^"]*)"$`, s.wantNames},
		{`^the brand "([^"]*)" is in the list$`, s.wantListed},
		{`^the brand "([^"]*)" is not in the list$`, s.wantNotListed},
	}
}

func (s *brandSteps) createRequest(body object) request {
	return request{"POST", "/api/brands", body, s.asServer()}
}

func (s *brandSteps) createAll(ctx context.Context, names string) error {
	for name := range strings.SplitSeq(names, ", ") {
		if err := s.create(ctx, name); err != nil {
			return err
		}
		if err := s.wantSuccess(); err != nil {
			return err
		}
	}
	return nil
}

func (s *brandSteps) create(ctx context.Context, name string) error {
	err := s.try(ctx, s.createRequest(object{"name": name}))
	if err == nil && s.got.ok() {
		s.ids[name] = text(s.got.body, "doc", "id")
	}
	return err
}

// createMissing creates a brand unless the scenario has it.
func (s *brandSteps) createMissing(ctx context.Context, name string) error {
	if s.ids[name] != "" {
		return nil
	}
	return s.createAll(ctx, name)
}

func (s *brandSteps) createInOtherShop(ctx context.Context, name string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	made, err := s.must(ctx, request{"POST", "/api/brands", object{"name": name}, withSecretKey(other.TestSecretKey)})
	s.ids[name] = text(made.body, "doc", "id")
	return err
}

func (s *brandSteps) rename(ctx context.Context, name, to string) error {
	s.ids[to] = s.ids[name]
	return s.try(ctx, request{"PATCH", "/api/brands/" + s.ids[name], object{"name": to}, s.asServer()})
}

func (s *brandSteps) delete(ctx context.Context, name string) error {
	return s.try(ctx, request{"DELETE", "/api/brands/" + s.ids[name], nil, s.asServer()})
}

func (s *brandSteps) list(ctx context.Context, query url.Values) error {
	return s.try(ctx, request{"GET", "/api/brands?" + query.Encode(), nil, s.asServer()})
}

func (s *brandSteps) listPage(ctx context.Context, limit, page string) error {
	return s.list(ctx, url.Values{"limit": {limit}, "page": {page}, "sort": {"name"}})
}

func (s *brandSteps) listFiltered(ctx context.Context, field, comparison, value string) error {
	operator := map[string]string{"is": "equals", "contains": "contains", "is one of": "in"}[comparison]
	filter := "where[" + field + "][" + operator + "]"
	return s.list(ctx, url.Values{"sort": {"name"}, filter: {strings.ReplaceAll(value, ", ", ",")}})
}

func (s *brandSteps) listEither(ctx context.Context, one, part string) error {
	return s.list(ctx, url.Values{"sort": {"name"}, "where[or][0][name][equals]": {one}, "where[or][1][name][contains]": {part}})
}

func (s *brandSteps) readAsOtherShop(ctx context.Context, name string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"GET", "/api/brands/" + s.ids[name], nil, withSecretKey(other.TestSecretKey)})
}

func (s *brandSteps) renameAsOtherShop(ctx context.Context, name string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"PATCH", "/api/brands/" + s.ids[name], object{"name": "Taken over"}, withSecretKey(other.TestSecretKey)})
}

// wantNotFound compares the answer about a record of another shop with that about a missing one: they must not differ.
func (s *brandSteps) wantNotFound(ctx context.Context) error {
	foreign := s.got
	missing, err := s.send(ctx, request{s.sent.method, "/api/brands/" + missingID, s.sent.body, s.sent.header})
	if err != nil {
		return err
	}
	if foreign.status != missing.status || foreign.reason() != missing.reason() || foreign.reason() != "not_found" {
		return fmt.Errorf("a foreign record %s, a missing one %s", foreign, missing)
	}
	return nil
}

func (s *brandSteps) wantPage(shown, total, page, pages string) error {
	if got := strconv.Itoa(len(list(s.got.body, "docs"))); got != shown {
		return fmt.Errorf("%s brands are shown", got)
	}
	for field, want := range map[string]string{"totalDocs": total, "page": page, "totalPages": pages} {
		if err := equal(field, s.got.body[field], want); err != nil {
			return err
		}
	}
	if err := equal("having a next page", s.got.body["hasNextPage"], strconv.FormatBool(page != pages)); err != nil {
		return err
	}
	return equal("having a page before", s.got.body["hasPrevPage"], strconv.FormatBool(page != "1"))
}

func (s *brandSteps) wantNames(want string) error {
	if got := strings.Join(names(s.got), ", "); got != want {
		return fmt.Errorf("%q are shown; it %s", got, s.got)
	}
	return nil
}

func (s *brandSteps) wantListed(ctx context.Context, name string) error {
	if err := s.list(ctx, url.Values{"limit": {"100"}}); err != nil {
		return err
	}
	if !slices.Contains(names(s.got), name) {
		return fmt.Errorf("the list holds %v", names(s.got))
	}
	return nil
}

func (s *brandSteps) wantNotListed(ctx context.Context, name string) error {
	if s.wantListed(ctx, name) == nil {
		return fmt.Errorf("the list holds %v", names(s.got))
	}
	return s.wantSuccess()
}
