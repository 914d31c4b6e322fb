package cartwright

import "context"

// Complete is a product with its options, variants, their prices in markets, images and stock, in the form in which it can be
// sent back. Errors: ReasonNotFound.
func (s *ProductService) Complete(ctx context.Context, productID string, opts ...Option) (CompleteProduct, error) {
	return s.complete(ctx, opProductComplete, byID{productID}, opts)
}

// CreateComplete makes a product with everything that belongs to it, or nothing: the error names every problem by its path,
// such as variants.2.prices.0.amount.
func (s *ProductService) CreateComplete(ctx context.Context, in ProductCreateCompleteInput, opts ...Option) (CompleteProduct, error) {
	return s.complete(ctx, opProductCreateComplete, in, opts)
}

// ReplaceComplete makes a product what the input says, or changes nothing. What is left out stays as it is; a list is the whole
// list. Errors: ReasonChangedMeanwhile where it names revisions that are not the present ones, ReasonStockChanged.
func (s *ProductService) ReplaceComplete(ctx context.Context, in ProductReplaceCompleteInput, opts ...Option) (CompleteProduct, error) {
	return s.complete(ctx, opProductReplaceComplete, in, opts)
}

// Duplicate makes a draft of a product, without its stock, SKUs and barcodes.
func (s *ProductService) Duplicate(ctx context.Context, in ProductDuplicateInput, opts ...Option) (CompleteProduct, error) {
	return s.complete(ctx, opProductDuplicate, in, opts)
}

func (s *ProductService) complete(ctx context.Context, o operation, in any, opts []Option) (CompleteProduct, error) {
	var out productAnswer
	_, err := s.core.call(ctx, o, in, &out, opts)
	return out.Product, err
}

// AdjustPrices changes prices by a percentage. With Preview it tells what it would do: send the ids and revisions that it showed
// back as Expected, and just these prices are changed, but for those that changed meanwhile.
func (s *ProductService) AdjustPrices(
	ctx context.Context, in ProductAdjustPricesInput, opts ...Option,
) (out ProductAdjustPricesResult, err error) {
	_, err = s.core.call(ctx, opProductAdjustPrices, in, &out, opts)
	return out, err
}
