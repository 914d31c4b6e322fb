package steps

import (
	"context"
	"fmt"
	"maps"
)

// revisionSteps are two editors with the same page.
type revisionSteps struct {
	*client

	members *memberSteps

	editors [2]map[string]string // their headers
	path    string               // of the page
	opened  [2]answer            // the page, as each of them has it open
}

func newRevisionSteps(c *client, members *memberSteps) *revisionSteps {
	return &revisionSteps{client: c, members: members}
}

func (s *revisionSteps) definitions() []stepDefinition {
	first := func(ctx context.Context) error { return s.save(ctx, 0, "the expectedRevision") }
	return []stepDefinition{
		{`^two of its editors have the same page open$`, s.open},
		{`^the first editor save[sd] another title$`, first},
		{`^the second editor saves another title with (the expectedRevision|the whole record|If-Match|GraphQL)$`,
			func(ctx context.Context, way string) error { return s.save(ctx, 1, way) }},
		{`^the second editor opens the page again, and saves another title with the expectedRevision$`, s.saveAgain},
		{`^the second editor deletes the page as they have it open$`, func(ctx context.Context) error {
			return s.try(ctx, request{"DELETE", s.path + "?expectedRevision=" + text(s.opened[1].body, "revision"), nil, s.editors[1]})
		}},
		{`^they are told that the page was changed meanwhile, and its present revision$`, s.wantTold},
		{`^the page has the title of the (first|second) editor$`, s.wantTitle},
	}
}

func (s *revisionSteps) open(ctx context.Context) (err error) {
	for i, name := range []string{"mina", "joon"} {
		if err := s.members.create(ctx, s.shop, name, "tenant-editor"); err != nil {
			return err
		}
		if s.editors[i], err = s.members.logIn(ctx, name); err != nil {
			return err
		}
	}
	made, err := s.must(ctx, request{"POST", "/api/pages", object{"title": "About us", "slug": "about", "status": "draft"}, s.editors[0]})
	if err != nil {
		return err
	}
	s.path = "/api/pages/" + text(made.body, "doc", "id")
	for i := range s.editors {
		if err := s.read(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

func (s *revisionSteps) read(ctx context.Context, editor int) (err error) {
	s.opened[editor], err = s.must(ctx, request{"GET", s.path, nil, s.editors[editor]})
	return err
}

// titles are what the editors change the title to.
var titles = map[int]string{0: "Who we are", 1: "Our story"}

// save sends the new title of an editor, based on what they have open.
func (s *revisionSteps) save(ctx context.Context, editor int, way string) error {
	open, header := s.opened[editor], maps.Clone(s.editors[editor])
	change := object{"title": titles[editor]}
	switch way {
	case "the expectedRevision":
		change["expectedRevision"] = open.body["revision"]
	case "the whole record":
		change = maps.Clone(open.body)
		change["title"] = titles[editor]
	case "If-Match":
		header["If-Match"] = open.header.Get("ETag")
	case "GraphQL":
		change["expectedRevision"] = open.body["revision"]
		return s.graphQL(ctx, header, "mutation($id: String!, $change: mutationPageUpdateInput!) { updatePage(id: $id, data: $change) { id } }",
			object{"id": open.body["id"], "change": change})
	}
	return s.try(ctx, request{"PATCH", s.path, change, header})
}

func (s *revisionSteps) saveAgain(ctx context.Context) error {
	if err := s.read(ctx, 1); err != nil {
		return err
	}
	if err := s.save(ctx, 1, "the expectedRevision"); err != nil {
		return err
	}
	return s.wantSuccess()
}

func (s *revisionSteps) wantTold(ctx context.Context) error {
	if s.got.reason() != "changed_meanwhile" { // GraphQL answers refusals with 200
		return fmt.Errorf("it %s", s.got)
	}
	now, err := s.must(ctx, request{"GET", s.path, nil, s.editors[0]})
	if err != nil {
		return err
	}
	told := valueAt(s.got.body, "errors", 0, "data", "revision")
	if told == nil { // GraphQL
		told = valueAt(s.got.body, "errors", 0, "extensions", "data", "revision")
	}
	return equal("the revision told", told, text(now.body, "revision"))
}

func (s *revisionSteps) wantTitle(ctx context.Context, which string) error {
	now, err := s.must(ctx, request{"GET", s.path, nil, s.editors[0]})
	if err != nil {
		return err
	}
	editor := map[string]int{"first": 0, "second": 1}[which]
	if err := equal("the title", now.body["title"], titles[editor]); err != nil {
		return fmt.Errorf("as the %s editor saved it: %w", which, err)
	}
	return nil
}
