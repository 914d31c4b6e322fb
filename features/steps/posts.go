package steps

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

func (w *world) postSteps() []definition {
	return []definition{
		{`^the editor writes the post "([^"]*)" as a draft$`, func(ctx context.Context, title string) error {
			return w.post(ctx, object{"title": title, "status": "draft"}, w.asOwner())
		}},
		{`^the editor publishes the post "([^"]*)"$`, func(ctx context.Context, title string) error {
			return w.post(ctx, object{"title": title, "status": "published"}, w.asOwner())
		}},
		{`^the editor publishes the post "([^"]*)" from (\d+) hours from now on$`, w.schedule},
		{`^the editor publishes the post "([^"]*)" with the picture$`, func(ctx context.Context, title string) error {
			return w.post(ctx, object{"title": title, "status": "published", "images": []any{w.file.id}}, w.asOwner())
		}},
		{`^the admin publishes the post "([^"]*)" under the own name$`, w.postAsAdmin},
		{`^the editor takes the post "([^"]*)" back$`, func(ctx context.Context, title string) error {
			return w.try(ctx, request{"PATCH", "/api/posts/" + w.records[title], object{"status": "draft"}, w.asOwner()})
		}},
		{`^visitors see the post "([^"]*)"$`, func(ctx context.Context, title string) error { return w.wantPost(ctx, title, w.asVisitor(), true) }},
		{`^visitors do not see the post "([^"]*)"$`, func(ctx context.Context, title string) error { return w.wantPost(ctx, title, w.asVisitor(), false) }},
		{`^the editor sees the post "([^"]*)"$`, func(ctx context.Context, title string) error { return w.wantPost(ctx, title, w.asOwner(), true) }},
		{`^the post "([^"]*)" has a date and the handle "([^"]*)"$`, w.wantDated},
		{`^visitors learn nothing of its author but a number$`, w.wantAuthorHidden},
		{`^visitors see the post "([^"]*)" with a picture described as "([^"]*)"$`, w.wantIllustrated},
		{`^the editor publishes the page "([^"]*)" at "([^"]*)"$`, func(ctx context.Context, title, slug string) error {
			return w.try(ctx, request{"POST", "/api/pages", object{"title": title, "slug": slug, "status": "published"}, w.asOwner()})
		}},
		{`^visitors find the page "([^"]*)" at "([^"]*)"$`, w.wantPageAt},
	}
}

func (w *world) post(ctx context.Context, body object, header map[string]string) error {
	if err := w.try(ctx, request{"POST", "/api/posts", body, header}); err != nil {
		return err
	}
	w.records[text(body, "title")] = text(w.got.body, "doc", "id")
	return w.succeeded()
}

// schedule goes by the server's clock, which may have been moved.
func (w *world) schedule(ctx context.Context, title string, hours int) error {
	if err := w.post(ctx, object{"title": title, "status": "draft"}, w.asOwner()); err != nil {
		return err
	}
	now, err := time.Parse(time.RFC3339, text(w.got.body, "doc", "createdAt"))
	if err != nil {
		return err
	}
	at := now.Add(time.Duration(hours) * time.Hour).Format(time.RFC3339)
	_, err = w.must(ctx, request{"PATCH", "/api/posts/" + w.records[title], object{"status": "published", "publishedAt": at}, w.asOwner()})
	return err
}

func (w *world) postAsAdmin(ctx context.Context, title string) error {
	if err := w.logIn(ctx); err != nil {
		return err
	}
	author := text(w.got.body, "user", "id")
	return w.post(ctx, object{"title": title, "status": "published", "author": author}, w.asAdmin())
}

// seen reads a post as one of its readers, by its address and in the list: both must agree.
func (w *world) seenPost(ctx context.Context, title string, header map[string]string) (answer, bool, error) {
	id := w.records[title]
	one, err := w.send(ctx, request{"GET", "/api/posts/" + id + "?depth=2", nil, header})
	if err != nil {
		return one, false, err
	}
	all, err := w.must(ctx, request{"GET", "/api/posts?" + url.Values{"where[title][equals]": {title}}.Encode(), nil, header})
	if err != nil {
		return one, false, err
	}
	listed := len(list(all.body, "docs")) == 1
	if one.ok() != listed || !one.ok() && one.status != http.StatusNotFound {
		return one, false, fmt.Errorf("by its address it %s, and the list %s", one, all)
	}
	return one, listed, nil
}

func (w *world) wantPost(ctx context.Context, title string, header map[string]string, want bool) error {
	got, seen, err := w.seenPost(ctx, title, header)
	if err == nil && seen != want {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (w *world) wantDated(ctx context.Context, title, slug string) error {
	got, _, err := w.seenPost(ctx, title, w.asVisitor())
	if err != nil {
		return err
	}
	if text(got.body, "publishedAt") == "" {
		return fmt.Errorf("it %s", got)
	}
	return equal("the handle", got.body["slug"], slug)
}

func (w *world) wantAuthorHidden(ctx context.Context) error {
	got, _, err := w.seenPost(ctx, "Hello", w.asVisitor())
	if err != nil {
		return err
	}
	if _, isID := got.body["author"].(string); !isID || strings.Contains(string(got.raw), w.shop.AdminEmail) {
		return fmt.Errorf("it %s", got)
	}
	return nil
}

func (w *world) wantIllustrated(ctx context.Context, title, alt string) error {
	got, _, err := w.seenPost(ctx, title, w.asVisitor())
	if err != nil {
		return err
	}
	return equal("the description", dig(got.body, "images", 0, "alt"), alt)
}

func (w *world) wantPageAt(ctx context.Context, title, slug string) error {
	got, err := w.must(ctx, request{"GET", "/api/pages?" + url.Values{"where[slug][equals]": {slug}}.Encode(), nil, w.asVisitor()})
	if err != nil {
		return err
	}
	return equal("the page", dig(got.body, "docs", 0, "title"), title)
}
