package content

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/publishing"
	"github.com/cartwright-dev/cartwright/ports"
)

// PublishingHooks are the hooks of posts and pages by slug: they keep handles, dates and who sees them in step.
func PublishingHooks() map[string]Hooks {
	return map[string]Hooks{publishing.Posts.Slug: {Within: withinArticle}, publishing.Pages.Slug: {Within: withinArticle}}
}

func withinArticle(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	w.After = publishing.Complete(w.After, w.Now)
	return complete(ctx, tx, w)
}
