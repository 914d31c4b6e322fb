package steps

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// postSteps publishes posts and pages.
type postSteps struct {
	*client

	files    *fileSteps
	sessions *sessionSteps

	ids map[string]string // of posts by title
}

// authorName is the name of the admin who writes posts.
const authorName = "Kim Jiwoo"

func newPostSteps(c *client, files *fileSteps, sessions *sessionSteps) *postSteps {
	return &postSteps{client: c, files: files, sessions: sessions, ids: map[string]string{}}
}

func (s *postSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the editor writes the post "([^"]*)" as a draft$`, func(ctx context.Context, title string) error {
			return s.create(ctx, object{"title": title, "status": "draft"}, s.asServer())
		}},
		{`^the editor publishes the post "([^"]*)"$`, func(ctx context.Context, title string) error {
			return s.create(ctx, object{"title": title, "status": "published"}, s.asServer())
		}},
		{`^the editor schedules the post "([^"]*)" for (\d+) hours from now$`, s.schedule},
		{`^the editor publishes the post "([^"]*)" with the image$`, func(ctx context.Context, title string) error {
			return s.create(ctx, object{"title": title, "status": "published", "images": []any{s.files.file.id}}, s.asServer())
		}},
		{`^the admin publishes the post "([^"]*)" as its author$`, s.createAsAdmin},
		{`^the editor unpublishes the post "([^"]*)"$`, func(ctx context.Context, title string) error {
			return s.try(ctx, request{"PATCH", "/api/posts/" + s.ids[title], object{"status": "draft"}, s.asServer()})
		}},
		{`^visitors see the post "([^"]*)"$`, func(ctx context.Context, title string) error {
			return s.wantVisible(ctx, title, s.asVisitor(), true)
		}},
		{`^visitors do not see the post "([^"]*)"$`, func(ctx context.Context, title string) error {
			return s.wantVisible(ctx, title, s.asVisitor(), false)
		}},
		{`^the editor sees the post "([^"]*)"$`, func(ctx context.Context, title string) error {
			return s.wantVisible(ctx, title, s.asServer(), true)
		}},
		{`^the post "([^"]*)" has a publication date and the slug "([^"]*)"$`, s.wantDated},
		{`^visitors see the name of its author, but neither address nor role$`, s.wantAuthorNamed},
		{`^visitors see the post "([^"]*)" with an image described as "([^"]*)"$`, s.wantImage},
		{`^the editor publishes the page "([^"]*)" at "([^"]*)"$`, func(ctx context.Context, title, slug string) error {
			return s.try(ctx, request{"POST", "/api/pages", object{"title": title, "slug": slug, "status": "published"}, s.asServer()})
		}},
		{`^visitors find the page "([^"]*)" at "([^"]*)"$`, s.wantPage},
	}
}

func (s *postSteps) create(ctx context.Context, body object, header map[string]string) error {
	if err := s.try(ctx, request{"POST", "/api/posts", body, header}); err != nil {
		return err
	}
	s.ids[text(body, "title")] = text(s.got.body, "doc", "id")
	return s.wantSuccess()
}

// schedule uses the server's clock, which may have been moved.
func (s *postSteps) schedule(ctx context.Context, title string, hours int) error {
	if err := s.create(ctx, object{"title": title, "status": "draft"}, s.asServer()); err != nil {
		return err
	}
	now, err := time.Parse(time.RFC3339, text(s.got.body, "doc", "createdAt"))
	if err != nil {
		return err
	}
	at := now.Add(time.Duration(hours) * time.Hour).Format(time.RFC3339)
	_, err = s.must(ctx, request{"PATCH", "/api/posts/" + s.ids[title], object{"status": "published", "publishedAt": at}, s.asServer()})
	return err
}

func (s *postSteps) createAsAdmin(ctx context.Context, title string) error {
	if err := s.sessions.logIn(ctx); err != nil {
		return err
	}
	author := text(s.got.body, "user", "id")
	if _, err := s.must(ctx, request{"PATCH", "/api/users/" + author, object{"name": authorName}, s.sessions.asAdmin()}); err != nil {
		return err
	}
	return s.create(ctx, object{"title": title, "status": "published", "author": author}, s.sessions.asAdmin())
}

// read reads a post by its id and in the list, which must agree on whether it is visible.
func (s *postSteps) read(ctx context.Context, title string, header map[string]string) (answer, bool, error) {
	id := s.ids[title]
	one, err := s.send(ctx, request{"GET", "/api/posts/" + id + "?depth=2", nil, header})
	if err != nil {
		return one, false, err
	}
	all, err := s.must(ctx, request{"GET", "/api/posts?" + url.Values{"where[title][equals]": {title}}.Encode(), nil, header})
	if err != nil {
		return one, false, err
	}
	listed := len(list(all.body, "docs")) == 1
	if one.ok() != listed || !one.ok() && one.status != http.StatusNotFound {
		return one, false, fmt.Errorf("by its id it %s, and the list %s", one, all)
	}
	return one, listed, nil
}

func (s *postSteps) wantVisible(ctx context.Context, title string, header map[string]string, want bool) error {
	got, seen, err := s.read(ctx, title, header)
	if err == nil && seen != want {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (s *postSteps) wantDated(ctx context.Context, title, slug string) error {
	got, _, err := s.read(ctx, title, s.asVisitor())
	if err != nil {
		return err
	}
	if text(got.body, "publishedAt") == "" {
		return fmt.Errorf("it %s", got)
	}
	return equal("the slug", got.body["slug"], slug)
}

func (s *postSteps) wantAuthorNamed(ctx context.Context) error {
	got, _, err := s.read(ctx, "Hello", s.asVisitor())
	if err != nil {
		return err
	}
	author, _ := valueAt(got.body, "author").(object)
	if members := slices.Sorted(maps.Keys(author)); !slices.Equal(members, []string{"id", "name", "picture"}) ||
		strings.Contains(string(got.raw), s.shop.AdminEmail) {
		return fmt.Errorf("it %s", got)
	}
	return equal("the name", author["name"], authorName)
}

func (s *postSteps) wantImage(ctx context.Context, title, alt string) error {
	got, _, err := s.read(ctx, title, s.asVisitor())
	if err != nil {
		return err
	}
	return equal("the description", valueAt(got.body, "images", 0, "alt"), alt)
}

func (s *postSteps) wantPage(ctx context.Context, title, slug string) error {
	got, err := s.must(ctx, request{"GET", "/api/pages?" + url.Values{"where[slug][equals]": {slug}}.Encode(), nil, s.asVisitor()})
	if err != nil {
		return err
	}
	return equal("the page", valueAt(got.body, "docs", 0, "title"), title)
}
