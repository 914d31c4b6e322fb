package steps

// newScenario makes the areas of one scenario, each after those that it needs.
func newScenario(target Target) *scenario {
	c := newClient(target)
	catalog, brands, files := newCatalogSteps(c), newBrandSteps(c), newFileSteps(c)
	shipping := newShippingSteps(c, catalog)
	sessions, members, customers := newSessionSteps(c), newMemberSteps(c), newCustomerSteps(c)
	apiKeys := newAPIKeySteps(c, members)
	carts := newCartSteps(c, catalog)
	checkouts := newCheckoutSteps(c, catalog, carts)
	customerCarts := newCustomerCartSteps(c, catalog, customers, carts, checkouts)
	payments := newPaymentSteps(c, carts, checkouts)
	pages := newPaymentPageSteps(c, apiKeys, checkouts, payments)
	custom := newCustomPaymentSteps(c, checkouts, payments)
	late := newLatePaymentSteps(c, checkouts, payments, custom)
	orders := newOrderSteps(c, checkouts)
	imports := newOrderImportSteps(c, catalog, members, customers, orders)
	purchases := newPurchaseSteps(c, carts, checkouts, payments, orders)
	refunds := newRefundSteps(c, checkouts, payments, orders, purchases)
	fulfillments := newFulfillmentSteps(c, catalog, members, orders, purchases)
	returns := newReturnRequestSteps(c, customers, orders, fulfillments)
	events, endpoints := newEventSteps(c, brands), newWebhookEndpointSteps(c)
	deliveries := newWebhookDeliverySteps(c, brands, events, endpoints)
	drafts := newDraftSteps(c, catalog, orders, checkouts)
	carrierFiles := newCarrierFileSteps(c, orders, fulfillments)
	batches := newCarrierBatchSteps(c, orders, carrierFiles)
	delivered := newDeliveredOrderSteps(c, carts, customerCarts, orders, purchases, fulfillments)
	taxService := newTaxServiceSteps(c, carts, checkouts)
	return &scenario{
		areas: []area{
			newShopSteps(c), newOutcomeSteps(c), newProductionSteps(c), newTenantDeletionSteps(c), newLimitSteps(c, catalog, brands),
			sessions, members, customers, apiKeys, newRecoverySteps(c, sessions),
			newSecondFactorSteps(c, sessions, members), newPasskeySteps(c, sessions), newRoleSteps(c, members, catalog),
			newProofSteps(c, sessions, members, orders),
			brands, files, newPostSteps(c, files, sessions), newSearchSteps(c, catalog, brands), newFindingSteps(c, catalog, fulfillments),
			newGoodsSteps(c, catalog, brands),
			newCollectionSteps(c, catalog, members),
			newRevisionSteps(c, members),
			catalog, newProductPageSteps(c, catalog), newListingSteps(c, catalog), newStockSteps(c, catalog), newLocationSteps(c, catalog),
			newBulkSteps(c, catalog), newLanguageSteps(c, catalog), newTranslationSteps(c), newWholeProductSteps(c, catalog), newPriceChangeSteps(c, catalog),
			shipping, newAddressSteps(c, shipping, checkouts),
			newDiscountSteps(c, catalog),
			carts, customerCarts, newCartIdempotencySteps(c, catalog, customers, carts), newCartMergeSteps(c, catalog, customers, carts),
			newCartDiscountSteps(c, carts), newLegacyCartSteps(c, catalog, carts, checkouts), newGraphQLSteps(c, catalog, carts),
			checkouts, payments, pages, newVirtualAccountSteps(c, payments, pages, orders), newDisputeSteps(c, payments, orders), custom,
			newCaptureSteps(c, payments, orders, purchases),
			newReservationSteps(c, carts, checkouts, payments),
			late, newPreviewSteps(c, orders, late), newReconciliationSteps(c, apiKeys, members, payments),
			newPaymentIdempotencySteps(c, carts, checkouts, payments, pages, custom),
			orders, purchases, newOrderTransitionSteps(c, members, checkouts, orders),
			imports, newErasureSteps(c, customers, orders, imports), newGuestErasureSteps(c, orders, delivered), drafts,
			newShopProfileSteps(c, members, drafts), newMailTemplateSteps(c, members), newMailDeliverySteps(c, members, orders),
			refunds, newCorrectionSteps(c, orders), newTeamSteps(c, members, orders), newTaxFreeSteps(c, catalog, payments, orders, refunds),
			newTaxSteps(c, catalog, carts, checkouts), taxService,
			fulfillments, carrierFiles, batches, newReportSteps(c), newExportSteps(c), newImportSteps(c, catalog),
			newPrintSteps(c, members, customers, orders, fulfillments, batches),
			delivered,
			returns, newReturnProcessingSteps(c, members, returns),
			events, endpoints, deliveries, newWebhookMessageSteps(c, brands, endpoints, deliveries),
		},
		close: []func(){deliveries.closeReceivers, events.disconnect, taxService.closeService},
	}
}
