package records

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/content"
	"github.com/cartwright-dev/cartwright/ports"
)

// ContentHooks are the hooks of posts and pages by slug: they complete the record (content.Complete) and its
// slug.
func ContentHooks() map[string]Hooks {
	return map[string]Hooks{content.Posts.Slug: {BeforeWrite: beforeWriteArticle}, content.Pages.Slug: {BeforeWrite: beforeWriteArticle}}
}

func beforeWriteArticle(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	w.After = content.Complete(w.After, w.Now)
	return completeSlug(ctx, tx, w)
}
