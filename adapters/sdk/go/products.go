package cartwright

import "context"

// ProductService shows the catalog with prices and, to servers, stock.
type ProductService struct{ core *core }

// Detail is a product as a page about it needs it, named by slug or by id. One that cannot be shown is no
// error: Found is false, and Reason says why.
func (s *ProductService) Detail(ctx context.Context, in ProductDetailInput, opts ...Option) (out ProductDetailResult, err error) {
	_, err = s.core.call(ctx, opProductDetail, in, &out, opts)
	return out, err
}

// DetailCatalog is Detail without availability: it changes seldom.
func (s *ProductService) DetailCatalog(
	ctx context.Context, in ProductDetailCatalogInput, opts ...Option,
) (out ProductDetailCatalogResult, err error) {
	_, err = s.core.call(ctx, opProductDetailCatalog, in, &out, opts)
	return out, err
}

// ListingPage is one page of the published products.
func (s *ProductService) ListingPage(ctx context.Context, in ProductListingInput, opts ...Option) (out ProductListingResult, err error) {
	_, err = s.core.call(ctx, opProductListing, in, &out, opts)
	return out, err
}

// ListingGroupsCatalog groups the variants of products by the values of their first option.
func (s *ProductService) ListingGroupsCatalog(
	ctx context.Context, in ProductListingGroupsInput, opts ...Option,
) (out ProductListingGroupsResult, err error) {
	_, err = s.core.call(ctx, opProductListingGroups, in, &out, opts)
	return out, err
}

// Search finds published products as shoppers type them, with how many there are of each brand, category, tag, option and range of prices.
func (s *ProductService) Search(ctx context.Context, in ProductSearchInput, opts ...Option) (out ProductSearchResult, err error) {
	_, err = s.core.call(ctx, opProductSearch, in, &out, opts)
	return out, err
}

// StockCheck says whether variants can be sold in these quantities right now.
func (s *ProductService) StockCheck(
	ctx context.Context, in ProductStockCheckInput, opts ...Option,
) (out ProductStockCheckResult, err error) {
	_, err = s.core.call(ctx, opProductStockCheck, in, &out, opts)
	return out, err
}

// DiscountService tells what codes are worth.
type DiscountService struct{ core *core }

// Validate says whether a code can be used, and what it takes off. That it cannot is no error.
func (s *DiscountService) Validate(ctx context.Context, in DiscountValidateInput, opts ...Option) (out DiscountValidateResult, err error) {
	_, err = s.core.call(ctx, opDiscountValidate, in, &out, opts)
	return out, err
}

// ShippingService tells what shipping costs.
type ShippingService struct{ core *core }

// Calculate is the price of shipping to a postal code.
func (s *ShippingService) Calculate(
	ctx context.Context, in ShippingCalculateInput, opts ...Option,
) (out ShippingCalculateResult, err error) {
	_, err = s.core.call(ctx, opShippingCalculate, in, &out, opts)
	return out, err
}

// AdjustStock adds or removes units of a variant (Delta), or sets what was counted (Count). Errors:
// ReasonStockChanged when Expected units are not there, ReasonOutOfStock when too few would be left.
func (s *ProductService) AdjustStock(
	ctx context.Context, in ProductVariantStockInput, opts ...Option,
) (out ProductVariantStockResult, err error) {
	_, err = s.core.call(ctx, opProductVariantStock, in, &out, opts)
	return out, err
}
