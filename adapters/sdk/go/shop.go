package cartwright

import "context"

// ShopService tells who is behind the shop.
type ShopService struct{ core *core }

// Retrieve is what everybody may know of the shop: who is behind it, how to reach it and by which terms it sells.
func (s *ShopService) Retrieve(ctx context.Context, opts ...Option) (out ShopResult, err error) {
	_, err = s.core.call(ctx, opShop, nil, &out, opts)
	return out, err
}
