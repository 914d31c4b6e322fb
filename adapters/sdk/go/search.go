package cartwright

import "context"

// SearchService finds records of all collections that operators look for.
type SearchService struct{ core *core }

// All is what is found by a text, a group for each collection: the best matches, and whether there are more.
func (s *SearchService) All(ctx context.Context, in SearchInput, opts ...Option) (out SearchResult, err error) {
	_, err = s.core.call(ctx, opSearch, in, &out, opts)
	return out, err
}
