// Made from the OpenAPI document by scripts/generate.mjs. Not to be edited.

export interface components {
    schemas: {
        /** @description An API key; it is shown once, when it is created. */
        ApiKey: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * @description What the key sees and creates.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /**
             * @description client: pk_…, may be public; secret: sk_…, servers only.
             * @enum {string|null}
             */
            kind: "client" | "secret" | null;
            /** @description Last four characters. */
            last4: string | null;
            /** @description Name for the operator. */
            name: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * Format: date-time
             * @description When the key was revoked.
             */
            revokedAt: string | null;
            /** @description What a secret key may; both when missing. */
            scopes: ("read" | "write")[];
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        ApiKeyCreateInput: {
            /**
             * @description What the key sees and creates.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description client: pk_…, may be public; secret: sk_…, servers only.
             * @enum {string}
             */
            kind: "client" | "secret";
            /** @description Name for the operator. */
            name: string;
            /** @description What a secret key may; both when missing. */
            scopes?: ("read" | "write")[] | null;
            /** @description The tenant the record belongs to. */
            tenant?: string | null;
        };
        ApiKeyCreateResult: {
            /** @description The key. */
            doc: components["schemas"]["ApiKey"];
            /** @description Id of the key. */
            id: string;
            /** @description The key itself: shown only in this response and its replays for the same idempotency key. */
            key: string;
            /** @description Human-readable message. */
            message: string;
        };
        /** @description A page of ApiKeys. */
        ApiKeyList: {
            docs: components["schemas"]["ApiKey"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        ApiKeyRevokeInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        ApiKeyRevokeResult: {
            /** @description The key. */
            doc: components["schemas"]["ApiKey"];
            /** @description Id of the key. */
            id: string;
            /** @description Human-readable message. */
            message: string;
        };
        ApiKeyRotateInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        ApiKeyRotateResult: {
            /** @description The key. */
            doc: components["schemas"]["ApiKey"];
            /** @description Id of the key. */
            id: string;
            /** @description The key itself: shown only in this response and its replays for the same idempotency key. */
            key: string;
            /** @description Human-readable message. */
            message: string;
        };
        ApiKeysDeleteResult: {
            /** @description The key. */
            doc: components["schemas"]["ApiKey"];
            /** @description Id of the key. */
            id: string;
            /** @description Human-readable message. */
            message: string;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ApiKeyWhere: {
            and?: components["schemas"]["ApiKeyWhere"][];
            AND?: components["schemas"]["ApiKeyWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            kind?: components["schemas"]["WhereText"];
            last4?: components["schemas"]["WhereText"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["ApiKeyWhere"][];
            OR?: components["schemas"]["ApiKeyWhere"][];
            revision?: components["schemas"]["WhereNumber"];
            revokedAt?: components["schemas"]["WhereDate"];
            scopes?: components["schemas"]["WhereList"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        BackgroundFailuresResult: {
            /** @description The last 100 of them to fail, newest first. */
            failures: {
                /** @description The last failure, at most 500 bytes. */
                error: string;
                /** @description Failures in a row. */
                failures: number;
                /**
                 * Format: date-time
                 * @description When it failed first.
                 */
                firstFailedAt: string;
                /** @description Id or name of what could not be worked on; null is all of the tenant's. */
                item: string | null;
                /**
                 * Format: date-time
                 * @description When it failed last.
                 */
                lastFailedAt: string;
                /**
                 * Format: date-time
                 * @description When a server tries it again.
                 */
                retryAt: string;
                /** @description Kind of the work, such as "abandoned carts". */
                task: string;
                /** @description Id of the tenant; null for work across tenants. */
                tenant: string | null;
            }[];
            /** @description Number of items that are set aside, also those not listed. */
            total: number;
        };
        /** @description The maker of a product. */
        Brand: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Description. */
            description: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Image. */
            image: string | components["schemas"]["Media"] | null;
            /** @description Name. */
            name: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Handle, made from the name when missing. */
            slug: string | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        BrandBulk: {
            docs: components["schemas"]["Brand"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        BrandCreate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Description. */
            description?: string | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Image. */
            image?: string | Record<string, unknown> | null;
            /** @description Name. */
            name: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle, made from the name when missing. */
            slug?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        BrandDeleted: {
            doc: components["schemas"]["Brand"];
            id: string;
            message: string;
        };
        /** @description A page of Brands. */
        BrandList: {
            docs: components["schemas"]["Brand"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        BrandUpdate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Description. */
            description?: string | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Image. */
            image?: string | Record<string, unknown> | null;
            /** @description Name. */
            name?: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle, made from the name when missing. */
            slug?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        BrandWhere: {
            and?: components["schemas"]["BrandWhere"][];
            AND?: components["schemas"]["BrandWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            description?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            image?: components["schemas"]["WhereRelation"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["BrandWhere"][];
            OR?: components["schemas"]["BrandWhere"][];
            revision?: components["schemas"]["WhereNumber"];
            slug?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        BrandWritten: {
            doc: components["schemas"]["Brand"];
            message: string;
        };
        BulkUpdateInput: {
            /** @description Change all records, or none. */
            atomic?: boolean | null;
            /** @description What to change, 1 to 1,000 records, each once. */
            patches: {
                /** @description The fields to change, as the input of a single change. */
                data: unknown;
                /** @description The revision that the change is based on. Refused if it is not the present one. */
                expectedRevision?: number | null;
                /** @description The record. */
                id: string;
            }[];
        };
        BulkUpdateResult: {
            /** @description Records that were not changed. */
            refused: number;
            /** @description What became of each, in the order sent. */
            results: {
                /** @description Why it was refused; empty otherwise. */
                errors: {
                    /** @description The field of data that it is about. */
                    field: string | null;
                    /** @description The same in a sentence. */
                    message: string;
                    /** @description The reason, as in the error of a single change. */
                    reason: string;
                }[];
                /** @description Id of the record, as sent. */
                id: string;
                /** @description The record's revision now; of a refused one only where another revision was expected. */
                revision: number | null;
                /**
                 * @description What became of it.
                 * @enum {string}
                 */
                status: "updated" | "unchanged" | "refused";
            }[];
            /** @description Records that were as asked already. */
            unchanged: number;
            /** @description Records that were changed. */
            updated: number;
        };
        /** @description Fulfillment orders that were exported to a carrier together. Each is in at most one batch, which its carrierBatch names. */
        CarrierBatch: {
            /**
             * @description Carrier that it was made for; null for none in particular.
             * @enum {string|null}
             */
            carrier: "cj" | "hanjin" | "lotte" | "epost" | "logen" | "ups" | "fedex" | "dhl" | "ems" | "other" | null;
            /** @description Fulfillment orders that were put into it. */
            count: number;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Who made it. */
            createdBy: {
                /** @description Id of the user, key or customer, or the name of the provider. */
                id?: string;
                /**
                 * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                 * @enum {string}
                 */
                kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system";
                /**
                 * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                 * @enum {string|null}
                 */
                via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
            };
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description What whoever made it wrote beside it. */
            note: string | null;
            /** @description Number of the batch, counted from 1 in each environment. */
            number: number;
            /** @description How many of these were taken out again. */
            released: number;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        CarrierBatchCreateInput: {
            /** @description Carrier that the batch is for, by code or name. */
            carrier?: string | null;
            /** @description Only orders placed on or after this UTC date, such as 2026-01-31. */
            from?: string | null;
            /** @description Ids of fulfillment orders: all of these or none. */
            ids?: string[] | null;
            /** @description What you want to remember about the batch. */
            note?: string | null;
            /** @description Only orders placed on or before this UTC date. */
            to?: string | null;
        };
        CarrierBatchCreateResult: {
            /** @description The batch as it is now. */
            carrierBatch: components["schemas"]["CarrierBatch"];
            /** @description Whether there were more fulfillment orders than fit: make another batch. */
            more: boolean;
        };
        /** @description A page of CarrierBatches. */
        CarrierBatchList: {
            docs: components["schemas"]["CarrierBatch"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        CarrierBatchProgressResult: {
            /** @description The batch as it is now. */
            carrierBatch: components["schemas"]["CarrierBatch"];
            /** @description The fulfillment orders in it, by how far they are. */
            progress: {
                /** @description Those that were canceled. */
                canceled: number;
                /** @description Those, open or in progress, that changed after the export. */
                changed: number;
                /** @description Those that are packed or shipped in part. */
                inProgress: number;
                /** @description Fulfillment orders in it of which nothing was packed. */
                open: number;
                /** @description Those that have left altogether. */
                shipped: number;
            };
        };
        CarrierBatchReleaseInput: {
            /** @description Ids of fulfillment orders in the batch: all of these or none. */
            ids?: string[] | null;
        };
        CarrierBatchReleaseResult: {
            /** @description The batch as it is now. */
            carrierBatch: components["schemas"]["CarrierBatch"];
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        CarrierBatchWhere: {
            and?: components["schemas"]["CarrierBatchWhere"][];
            AND?: components["schemas"]["CarrierBatchWhere"][];
            carrier?: components["schemas"]["WhereText"];
            count?: components["schemas"]["WhereNumber"];
            createdAt?: components["schemas"]["WhereDate"];
            createdBy?: components["schemas"]["WhereThere"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            note?: components["schemas"]["WhereText"];
            number?: components["schemas"]["WhereNumber"];
            or?: components["schemas"]["CarrierBatchWhere"][];
            OR?: components["schemas"]["CarrierBatchWhere"][];
            released?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description The items a shopper intends to buy. */
        Cart: {
            /** @description Public attributes: text by name. */
            attributes: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code of every amount in the cart. */
            currency: string;
            /** @description The customer who owns the cart; null for guests. */
            customer: string | components["schemas"]["Customer"] | null;
            /** @description The discount codes, in the order they apply. */
            discountCodes: {
                /** @description What it takes off. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number | null;
                /** @description Whether it takes effect. */
                applied: boolean;
                /** @description The code. */
                code: string;
                /**
                 * @description Why it does not take effect.
                 * @enum {string|null}
                 */
                reason: "discount_not_found" | "discount_inactive" | "discount_not_started" | "discount_expired" | "discount_usage_limit" | "discount_customer_limit" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_context_required" | null;
            }[];
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When the cart is abandoned unless it changes before.
             */
            expiresAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The lines, in the order they were added. */
            lines: {
                /** @description Attendees: one entry per unit of an event. */
                admissions: {
                    /** @description Attributes of the admission: text by name. */
                    attributes: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email: string | null;
                    /** @description Name of the person. */
                    name: string | null;
                    /** @description Telephone number of the person. */
                    phone: string | null;
                }[];
                /** @description Attributes of the line: text by name. */
                attributes: {
                    [key: string]: string;
                };
                /** @description Whether the line can be sold in this quantity. */
                available: boolean;
                /** @description Price before a reduction. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                compareAtPrice: number | null;
                /** @description The line's share of the discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Identifier of the line. */
                id: string;
                /** @description First image of the variant, else of the product. */
                image: string | components["schemas"]["Media"] | null;
                /**
                 * @description What the variant is.
                 * @enum {string}
                 */
                kind: "physical" | "digital" | "service" | "event";
                /** @description Whether the latest change of the cart changed the unit price. */
                priceChanged: boolean;
                /** @description The product. */
                product: string | components["schemas"]["Product"] | null;
                /** @description Units, 1 to 9999. */
                quantity: number;
                /** @description Whether the line is sent to an address. */
                requiresShipping: boolean;
                /** @description Stock keeping unit of the variant. */
                sku: string | null;
                /** @description unitPrice times quantity. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description Whether it was sold free of value added tax; null in records of older versions, which had no such goods. */
                taxFree: boolean | null;
                /** @description Name of the product. */
                title: string;
                /** @description subtotal minus discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
                /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                unitPrice: number;
                /** @description The variant. */
                variant: string | components["schemas"]["ProductVariant"] | null;
                /** @description Name of the variant. */
                variantTitle: string | null;
            }[];
            /** @description The market whose prices apply. */
            market: string | components["schemas"]["Market"] | null;
            /** @description Whether the cart belongs to its market for good. */
            marketLocked: boolean;
            /** @description Whether any line is sent to an address. */
            requiresShipping: boolean;
            /** @description Increases by one with every change. */
            revision: number;
            /**
             * @description Whether the cart can still be changed.
             * @enum {string}
             */
            status: "active" | "completed" | "merged" | "abandoned";
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description The sums of the lines. */
            totals: {
                /** @description Sum of the discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Null until an address is known; absent when nothing ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                shipping?: number | null;
                /** @description Sum of the lines before discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description The part of the total that is free of value added tax: its tax-free lines after discounts; null in records of older versions. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                taxFree: number | null;
                /** @description What the lines cost after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
            };
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        CartAddItemInput: {
            /** @description Attendees of an event: one entry per unit. */
            admissions?: {
                /** @description Attributes of the admission: text by name. */
                attributes?: {
                    [key: string]: string;
                } | null;
                /** @description Email address of the person. */
                email?: string | null;
                /** @description Name of the person. */
                name: string;
                /** @description Telephone number of the person. */
                phone?: string | null;
            }[] | null;
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes?: {
                [key: string]: string;
            } | null;
            /** @description The revision last read. Required with a cart token; optional for the shop's server and the customer. */
            expectedRevision?: number | null;
            /** @description Id or code of the market whose prices apply. */
            market?: string | null;
            /** @description How many units. */
            quantity: number;
            /** @description The variant. */
            variantId: string;
        };
        CartAddItemResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
        };
        CartClearInput: {
            /** @description The revision last read. Required with a cart token; optional for the shop's server and the customer. */
            expectedRevision?: number | null;
        };
        CartClearResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
        };
        CartCreateInput: {
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes?: {
                [key: string]: string;
            } | null;
            /** @description Discount codes, in the order they apply. */
            discountCodes?: string[] | null;
            /** @description Lines of the new cart. */
            items?: {
                /** @description Attendees of an event: one entry per unit. */
                admissions?: {
                    /** @description Attributes of the admission: text by name. */
                    attributes?: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email?: string | null;
                    /** @description Name of the person. */
                    name: string;
                    /** @description Telephone number of the person. */
                    phone?: string | null;
                }[] | null;
                /** @description Texts by name: at most 50, of at most 2 KiB each. */
                attributes?: {
                    [key: string]: string;
                } | null;
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variantId: string;
            }[] | null;
            /** @description Id or code of the market whose prices apply. */
            market?: string | null;
        };
        CartCreateResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
            /** @description The cart token. Shown only once: store it. */
            cartToken: string;
        };
        /** @description A page of Carts. */
        CartList: {
            docs: components["schemas"]["Cart"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        CartMergeInput: {
            /** @description The cart whose lines move. */
            sourceCartId: string;
            /** @description Its token, unless it is the customer's own. */
            sourceCartToken?: string | null;
            /** @description The cart that receives them. */
            targetCartId?: string | null;
        };
        CartMergeResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
            /** @description Quantities that were reduced. */
            warnings: {
                /** @description Units in the cart now. */
                kept: number;
                /** @description Units of both carts. */
                requested: number;
                /** @description The variant. */
                variantId: string;
            }[];
        };
        CartMineResult: {
            /** @description The cart, or null. */
            cart: components["schemas"]["Cart"] | null;
        };
        CartRemoveItemResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
        };
        CartRetrieveResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
        };
        CartUpdateAttributesInput: {
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes: {
                [key: string]: string;
            };
            /** @description The revision last read. Required with a cart token; optional for the shop's server and the customer. */
            expectedRevision?: number | null;
        };
        CartUpdateAttributesResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
        };
        CartUpdateDiscountCodesInput: {
            /** @description Discount codes, in the order they apply. */
            discountCodes: string[];
            /** @description The revision last read. Required with a cart token; optional for the shop's server and the customer. */
            expectedRevision?: number | null;
        };
        CartUpdateDiscountCodesResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
        };
        CartUpdateItemInput: {
            /** @description Attendees of an event: one entry per unit. */
            admissions?: {
                /** @description Attributes of the admission: text by name. */
                attributes?: {
                    [key: string]: string;
                } | null;
                /** @description Email address of the person. */
                email?: string | null;
                /** @description Name of the person. */
                name: string;
                /** @description Telephone number of the person. */
                phone?: string | null;
            }[] | null;
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes?: {
                [key: string]: string;
            } | null;
            /** @description The revision last read. Required with a cart token; optional for the shop's server and the customer. */
            expectedRevision?: number | null;
            /** @description How many units. */
            quantity?: number | null;
        };
        CartUpdateItemResult: {
            /** @description The cart as it is now. */
            cart: components["schemas"]["Cart"];
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        CartWhere: {
            and?: components["schemas"]["CartWhere"][];
            AND?: components["schemas"]["CartWhere"][];
            attributes?: components["schemas"]["WhereThere"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            customer?: components["schemas"]["WhereRelation"];
            discountCodes?: components["schemas"]["WhereThere"];
            environment?: components["schemas"]["WhereText"];
            expiresAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            lines?: components["schemas"]["WhereThere"];
            market?: components["schemas"]["WhereRelation"];
            marketLocked?: components["schemas"]["WhereBoolean"];
            or?: components["schemas"]["CartWhere"][];
            OR?: components["schemas"]["CartWhere"][];
            requiresShipping?: components["schemas"]["WhereBoolean"];
            revision?: components["schemas"]["WhereNumber"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            totals?: components["schemas"]["WhereThere"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description A group of products in the shop. */
        Category: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Description. */
            description: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Image. */
            image: string | components["schemas"]["Media"] | null;
            /** @description Name. */
            name: string;
            /** @description The parent category. */
            parent: string | components["schemas"]["Category"] | null;
            /** @description Order among its siblings. */
            position: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Handle, made from the name when missing. */
            slug: string | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        CategoryBulk: {
            docs: components["schemas"]["Category"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        CategoryCreate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Description. */
            description?: string | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Image. */
            image?: string | Record<string, unknown> | null;
            /** @description Name. */
            name: string;
            /** @description The parent category. */
            parent?: string | Record<string, unknown> | null;
            /** @description Order among its siblings. */
            position?: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle, made from the name when missing. */
            slug?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        CategoryDeleted: {
            doc: components["schemas"]["Category"];
            id: string;
            message: string;
        };
        /** @description A page of Categories. */
        CategoryList: {
            docs: components["schemas"]["Category"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        CategoryUpdate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Description. */
            description?: string | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Image. */
            image?: string | Record<string, unknown> | null;
            /** @description Name. */
            name?: string;
            /** @description The parent category. */
            parent?: string | Record<string, unknown> | null;
            /** @description Order among its siblings. */
            position?: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle, made from the name when missing. */
            slug?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        CategoryWhere: {
            and?: components["schemas"]["CategoryWhere"][];
            AND?: components["schemas"]["CategoryWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            description?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            image?: components["schemas"]["WhereRelation"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["CategoryWhere"][];
            OR?: components["schemas"]["CategoryWhere"][];
            parent?: components["schemas"]["WhereRelation"];
            position?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            slug?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        CategoryWritten: {
            doc: components["schemas"]["Category"];
            message: string;
        };
        /** @description A cart whose lines and totals are frozen for payment. */
        Checkout: {
            /** @description The payment session that an operator resolves. Not shown to shoppers. */
            attentionSession?: string | components["schemas"]["PaymentSession"] | null;
            /** @description The cart it was made from. */
            cart: string | components["schemas"]["Cart"] | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code of all amounts. */
            currency: string;
            /** @description The buyer's account; null for a guest. */
            customer: string | components["schemas"]["Customer"] | null;
            /** @description The buyer's contact details at the time of the checkout. */
            customerSnapshot: {
                /**
                 * Format: email
                 * @description The buyer's email.
                 */
                email: string | null;
                /** @description The buyer's name. */
                name: string | null;
                /** @description The buyer's phone number. */
                phone: string | null;
            };
            /** @description The discount codes and their effect. */
            discountCodes: {
                /** @description What it takes off the lines. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number | null;
                /** @description Whether it takes effect. */
                applied: boolean;
                /** @description The code. */
                code: string;
                /**
                 * @description Why it does not take effect.
                 * @enum {string|null}
                 */
                reason: "discount_not_found" | "discount_inactive" | "discount_not_started" | "discount_expired" | "discount_usage_limit" | "discount_customer_limit" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_context_required" | null;
            }[];
            /** @description The draft order whose payment link it is; null for none. Not shown to shoppers. */
            draftOrder?: string | components["schemas"]["DraftOrder"] | null;
            /**
             * Format: email
             * @description The buyer's email.
             */
            email: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When an unpaid checkout expires.
             */
            expiresAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The lines, at frozen prices. */
            lines: {
                /** @description One per unit of an event line. */
                admissions: {
                    /** @description Attributes of the admission: text by name. */
                    attributes: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email: string | null;
                    /** @description Name of the person. */
                    name: string | null;
                    /** @description Telephone number of the person. */
                    phone: string | null;
                }[];
                /** @description The shopper's choices, text to text. */
                attributes: {
                    [key: string]: string;
                } | null;
                /** @description Price before reduction. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                compareAtPrice: number | null;
                /** @description The line's share of all discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Id of the line, the cart line's. */
                id: string;
                /** @description The product's picture. */
                image: string | components["schemas"]["Media"] | null;
                /**
                 * @description What the variant is.
                 * @enum {string}
                 */
                kind: "physical" | "digital" | "service" | "event";
                /** @description The product. */
                product: string | components["schemas"]["Product"] | null;
                /** @description Units. */
                quantity: number;
                /** @description Whether it is delivered. */
                requiresShipping: boolean;
                /** @description Stock keeping unit. */
                sku: string | null;
                /** @description Unit price × quantity. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description Whether it was sold free of value added tax; null in records of older versions, which had no such goods. */
                taxFree: boolean | null;
                /** @description The product's name at the time. */
                title: string;
                /** @description Subtotal − discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
                /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                unitPrice: number;
                /** @description The variant. */
                variant: string | components["schemas"]["ProductVariant"] | null;
                /** @description The variant's title at the time. */
                variantTitle: string | null;
            }[];
            /** @description The market prices were taken from. */
            market: string | components["schemas"]["Market"] | null;
            /** @description The buyer's notes. */
            notes: string | null;
            /** @description The order, once placed. */
            order: string | components["schemas"]["Order"] | null;
            /** @description The number that its order gets, unless another order has it by then. Not shown to shoppers. */
            orderNumber?: string | null;
            /** @description An external payment, as named by the shop's server. Not shown to shoppers. */
            paymentId?: string | null;
            /** @description The one payment under way. */
            paymentSlot: {
                /** @description Whether a session holds the slot. */
                held: boolean;
                /** @description The session that holds it, or held it last. */
                paymentSession: string | components["schemas"]["PaymentSession"] | null;
            };
            /** @description Why it requires attention. */
            reason: string | null;
            /** @description Whether any line ships. */
            requiresShipping: boolean;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Where the goods go. */
            shippingAddress: {
                /** @description Street and number. */
                address1: string | null;
                /** @description Flat, floor. */
                address2: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country: string | null;
                /** @description A note for the carrier. */
                deliveryMessage: string | null;
                /** @description The recipient's phone number. */
                phone: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode: string | null;
                /** @description Who receives the goods. */
                recipientName: string | null;
            };
            /**
             * @description Status of the checkout.
             * @enum {string}
             */
            status: "open" | "payment_pending" | "completed" | "expired" | "canceled" | "requires_attention";
            /**
             * @description What an operator is advised to do while it requires attention: refund the payment, place the order once the goods are available, compare the amounts, or check with the provider. Not shown to shoppers.
             * @enum {string|null}
             */
            suggestedAction?: "refund" | "place_after_restock" | "compare_amounts" | "look_at_provider" | "cancel_order" | "collect_again" | "capture" | "respond_to_dispute" | null;
            /** @description The newer checkout of the same cart. */
            supersededBy: string | components["schemas"]["Checkout"] | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Frozen totals. */
            totals: {
                /** @description All discounts on lines. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Null until an address is known; absent when nothing ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                shipping?: number | null;
                /** @description Lines before discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description The part of the total that is free of value added tax: its tax-free lines after discounts; null in records of older versions. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                taxFree: number | null;
                /** @description The amount to pay. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
            };
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        CheckoutCompleteInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        CheckoutCompleteResult: {
            /** @description The checkout as it is now. */
            checkout: components["schemas"]["Checkout"];
            /** @description The order that was placed. */
            order: components["schemas"]["Order"];
        };
        CheckoutCreateInput: {
            /** @description The cart. */
            cartId: string;
            /** @description The buyer; only a server may name a customer other than the caller. */
            customer?: string | {
                /** @description The buyer's email. */
                email?: string | null;
                /** @description Id of the record. */
                id?: string | null;
                /** @description The buyer's name. */
                name?: string | null;
                /** @description The buyer's phone number. */
                phone?: string | null;
            } | null;
            /** @description The buyer's email. */
            email?: string | null;
            /** @description Optional: rejects a cart that has changed since this revision. */
            expectedRevision?: number | null;
            /** @description The buyer's notes. */
            notes?: string | null;
            /** @description Shipping address; required if any line requires shipping. */
            shippingAddress?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country?: string | null;
                /** @description A note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The recipient's phone number. */
                phone?: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode?: string | null;
                /** @description Who receives the goods. */
                recipientName?: string | null;
            } | null;
        };
        CheckoutCreateResult: {
            /** @description The checkout as it is now. */
            checkout: components["schemas"]["Checkout"];
            /** @description The checkout token. Shown only once: store it. */
            checkoutToken: string;
        };
        /** @description A page of Checkouts. */
        CheckoutList: {
            docs: components["schemas"]["Checkout"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        CheckoutQueryResult: {
            /** @description The checkouts of the page. */
            docs: components["schemas"]["Checkout"][];
            /** @description Whether there is a next page. */
            hasNextPage: boolean;
            /** @description Whether there is a previous page. */
            hasPrevPage: boolean;
            /** @description Records per page. */
            limit: number;
            /** @description Number of the next page; null when there is none. */
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            /** @description Number of the previous page; null when there is none. */
            prevPage: number | null;
            /** @description Number of records on all pages. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        CheckoutRetrieveResult: {
            /** @description The checkout as it is now. */
            checkout: components["schemas"]["Checkout"];
            /** @description The order that was placed. */
            order?: components["schemas"]["Order"];
            /** @description The pending payment session. */
            paymentSession?: components["schemas"]["PaymentSession"];
            /**
             * @description Why it requires attention.
             * @enum {string}
             */
            reason?: "payment_amount_mismatch" | "provider_state_unknown" | "payment_late" | "out_of_stock" | "discount_usage_limit" | "payment_reversed" | "payment_reversed_after_shipping" | "payment_disputed" | "payment_voided" | "payment_voided_after_shipping" | "payment_authorization_ends" | "payment_capture_refused" | "payment_authorization_unclear";
            /**
             * @description Status of the checkout; it determines which other members are present.
             * @enum {string}
             */
            status: "open" | "payment_pending" | "completed" | "expired" | "canceled" | "requires_attention";
        };
        CheckoutUpdateInput: {
            /** @description The buyer's email. */
            email?: string | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Shipping address; required if any line requires shipping. */
            shippingAddress?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country?: string | null;
                /** @description A note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The recipient's phone number. */
                phone?: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode?: string | null;
                /** @description Who receives the goods. */
                recipientName?: string | null;
            } | null;
        };
        CheckoutUpdateResult: {
            /** @description The checkout as it is now. */
            checkout: components["schemas"]["Checkout"];
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        CheckoutWhere: {
            and?: components["schemas"]["CheckoutWhere"][];
            AND?: components["schemas"]["CheckoutWhere"][];
            attentionSession?: components["schemas"]["WhereRelation"];
            cart?: components["schemas"]["WhereRelation"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            customer?: components["schemas"]["WhereRelation"];
            customerSnapshot?: components["schemas"]["WhereThere"];
            discountCodes?: components["schemas"]["WhereThere"];
            draftOrder?: components["schemas"]["WhereRelation"];
            email?: components["schemas"]["WhereText"];
            environment?: components["schemas"]["WhereText"];
            expiresAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            lines?: components["schemas"]["WhereThere"];
            market?: components["schemas"]["WhereRelation"];
            notes?: components["schemas"]["WhereText"];
            or?: components["schemas"]["CheckoutWhere"][];
            OR?: components["schemas"]["CheckoutWhere"][];
            order?: components["schemas"]["WhereRelation"];
            orderNumber?: components["schemas"]["WhereText"];
            paymentId?: components["schemas"]["WhereText"];
            paymentSlot?: components["schemas"]["WhereThere"];
            reason?: components["schemas"]["WhereText"];
            requiresShipping?: components["schemas"]["WhereBoolean"];
            revision?: components["schemas"]["WhereNumber"];
            shippingAddress?: components["schemas"]["WhereThere"];
            status?: components["schemas"]["WhereText"];
            suggestedAction?: components["schemas"]["WhereText"];
            supersededBy?: components["schemas"]["WhereRelation"];
            tenant?: components["schemas"]["WhereRelation"];
            totals?: components["schemas"]["WhereThere"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description What somebody of the team says about a record, for the team alone. */
        Comment: {
            /** @description Who wrote it. */
            author: {
                /** @description The secret key; null for others. */
                key: string | components["schemas"]["ApiKey"] | null;
                /**
                 * @description A user, a secret key, or the server itself (system).
                 * @enum {string|null}
                 */
                kind: "user" | "secret-key" | "system" | null;
                /** @description The user; null for others. */
                user: string | components["schemas"]["User"] | null;
                /**
                 * @description The way, such as api or console.
                 * @enum {string|null}
                 */
                via: "api" | "console" | "import" | "webhook" | "sweep" | null;
            };
            /**
             * @description Slug of the collection of the record that it is about.
             * @enum {string}
             */
            collection: "orders" | "draft-orders" | "return-requests" | "customers" | "products";
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its author last changed it; null if never.
             */
            editedAt: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The users of the shop whom it mentions: those that were named here, and those in the text. */
            mentions: (string | components["schemas"]["User"] | null)[];
            /** @description Id of the record that it is about. With the record go its comments. */
            record: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description What it says; @ and the id of a user mentions them. */
            text: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        CommentBulk: {
            docs: components["schemas"]["Comment"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        CommentCreate: {
            /** @description Who wrote it. Read-only: it may be sent back as it was read. */
            author?: unknown;
            /**
             * @description Slug of the collection of the record that it is about.
             * @enum {string}
             */
            collection: "orders" | "draft-orders" | "return-requests" | "customers" | "products";
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description When its author last changed it; null if never. Read-only: it may be sent back as it was read. */
            editedAt?: unknown;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The users of the shop whom it mentions: those that were named here, and those in the text. */
            mentions?: (string | Record<string, unknown>)[] | null;
            /** @description Id of the record that it is about. With the record go its comments. */
            record: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description What it says; @ and the id of a user mentions them. */
            text: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        CommentDeleted: {
            doc: components["schemas"]["Comment"];
            id: string;
            message: string;
        };
        /** @description A page of Comments. */
        CommentList: {
            docs: components["schemas"]["Comment"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        CommentUpdate: {
            /** @description Who wrote it. Read-only: it may be sent back as it was read. */
            author?: unknown;
            /** @description Slug of the collection of the record that it is about. Read-only: it may be sent back as it was read. */
            collection?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description When its author last changed it; null if never. Read-only: it may be sent back as it was read. */
            editedAt?: unknown;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The users of the shop whom it mentions: those that were named here, and those in the text. */
            mentions?: (string | Record<string, unknown>)[] | null;
            /** @description Id of the record that it is about. With the record go its comments. Read-only: it may be sent back as it was read. */
            record?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description What it says; @ and the id of a user mentions them. */
            text?: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        CommentWhere: {
            and?: components["schemas"]["CommentWhere"][];
            AND?: components["schemas"]["CommentWhere"][];
            author?: components["schemas"]["WhereThere"];
            collection?: components["schemas"]["WhereText"];
            createdAt?: components["schemas"]["WhereDate"];
            editedAt?: components["schemas"]["WhereDate"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            mentions?: components["schemas"]["WhereList"];
            or?: components["schemas"]["CommentWhere"][];
            OR?: components["schemas"]["CommentWhere"][];
            record?: components["schemas"]["WhereText"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            text?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        CommentWritten: {
            doc: components["schemas"]["Comment"];
            message: string;
        };
        Count: {
            totalDocs: number;
        };
        /** @description A customer of the shop. */
        Customer: {
            /** @description Address book. */
            addresses: {
                /** @description Street and number. */
                address1: string | null;
                /** @description Flat, floor. */
                address2: string | null;
                /** @description Note for the carrier. */
                deliveryMessage: string | null;
                /** @description The one to start with. */
                isDefault: boolean | null;
                /** @description Name of the address. */
                label: string | null;
                /** @description Their phone number. */
                phone: string | null;
                /** @description Postal code as text: leading zeros count. */
                postalCode: string | null;
                /** @description Who receives. */
                recipientName: string | null;
            }[];
            /**
             * Format: date-time
             * @description When.
             */
            consentedAt: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * Format: email
             * @description Address to log in with.
             */
            email: string;
            /**
             * Format: date-time
             * @description When the last of it was erased; null if the customer was not. Not shown to shoppers.
             */
            erasedAt?: string | null;
            /** @description Id of the user or secret key that had the customer erased; the event of it tells more. Not shown to shoppers. */
            erasedBy?: string | null;
            /**
             * Format: date-time
             * @description Since when what is held about the customer is being erased; null before, and once it is done. Not shown to shoppers.
             */
            erasingSince?: string | null;
            /** @description Why. It stays, so it should name nobody. Not shown to shoppers. */
            erasureReason?: string | null;
            /**
             * Format: date-time
             * @description When the customer asked to be erased; null if they did not, took it back, or the shop began with it.
             */
            erasureRequestedAt: string | null;
            /** @description Groups of the shop's own. Not shown to shoppers. */
            groups?: string[];
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Whether the email address is verified. */
            isVerified: boolean | null;
            /** @description Whether the customer agreed to marketing email. */
            marketingConsent: boolean | null;
            /** @description Custom data of the shop. Not shown to shoppers. */
            metadata?: unknown;
            /** @description Name. */
            name: string | null;
            /** @description Operator's note. Not shown to shoppers. */
            note?: string | null;
            /** @description Phone number. */
            phone: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        CustomerBulk: {
            docs: components["schemas"]["Customer"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        CustomerCreate: {
            /** @description Address book. */
            addresses?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description Note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The one to start with. */
                isDefault?: boolean | null;
                /** @description Name of the address. */
                label?: string | null;
                /** @description Their phone number. */
                phone?: string | null;
                /** @description Postal code as text: leading zeros count. */
                postalCode?: string | null;
                /** @description Who receives. */
                recipientName?: string | null;
            }[] | null;
            /** @description When. Read-only: it may be sent back as it was read. */
            consentedAt?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /**
             * Format: email
             * @description Address to log in with.
             */
            email: string;
            /** @description When the last of it was erased; null if the customer was not. Read-only: it may be sent back as it was read. */
            erasedAt?: unknown;
            /** @description Id of the user or secret key that had the customer erased; the event of it tells more. Read-only: it may be sent back as it was read. */
            erasedBy?: unknown;
            /** @description Since when what is held about the customer is being erased; null before, and once it is done. Read-only: it may be sent back as it was read. */
            erasingSince?: unknown;
            /** @description Why. It stays, so it should name nobody. Read-only: it may be sent back as it was read. */
            erasureReason?: unknown;
            /** @description When the customer asked to be erased; null if they did not, took it back, or the shop began with it. Read-only: it may be sent back as it was read. */
            erasureRequestedAt?: unknown;
            /** @description Groups of the shop's own. Not shown to shoppers. */
            groups?: string[] | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Whether the email address is verified. Read-only: it may be sent back as it was read. */
            isVerified?: unknown;
            /** @description Whether the customer agreed to marketing email. */
            marketingConsent?: boolean | null;
            /** @description Custom data of the shop. Not shown to shoppers. */
            metadata?: unknown;
            /** @description Name. */
            name?: string | null;
            /** @description Operator's note. Not shown to shoppers. */
            note?: string | null;
            /** @description Write-only. */
            password?: string | null;
            /** @description Phone number. */
            phone?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        CustomerDeleted: {
            doc: components["schemas"]["Customer"];
            id: string;
            message: string;
        };
        CustomerEndSessionsInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        CustomerEndSessionsResult: {
            /** @description Human-readable message. */
            message: string;
        };
        CustomerEraseInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Why. It is kept with the customer's record, so it should name nobody. */
            reason?: string | null;
        };
        CustomerEraseResult: {
            /** @description What is held about the person in live and test. All other fields stay as they are: numbers, lines, money, stock and taxes. */
            collections: {
                /** @description Slug of a collection. */
                collection: string;
                /** @description The personal fields, which lose their values; inside groups and lists with dots. */
                fields: string[];
                /** @description How many of these have something personal. */
                personal: number;
                /** @description How many of its records are about the person. */
                records: number;
                /** @description How many of these are under way, and stay as they are until that is over. */
                underWay: number;
            }[];
            /** @description The customer. */
            customer: components["schemas"]["Customer"];
        };
        CustomerErasureResult: {
            /** @description What has to be over before the person can be erased: at most 100 records. */
            blocking: {
                /** @description Slug of a collection. */
                collection: string;
                /** @description Id of the record. */
                record: string;
            }[];
            /** @description What is held about the person in live and test. All other fields stay as they are: numbers, lines, money, stock and taxes. */
            collections: {
                /** @description Slug of a collection. */
                collection: string;
                /** @description The personal fields, which lose their values; inside groups and lists with dots. */
                fields: string[];
                /** @description How many of these have something personal. */
                personal: number;
                /** @description How many of its records are about the person. */
                records: number;
                /** @description How many of these are under way, and stay as they are until that is over. */
                underWay: number;
            }[];
            /** @description The customer. */
            customer: components["schemas"]["Customer"];
        };
        /** @description A page of Customers. */
        CustomerList: {
            docs: components["schemas"]["Customer"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        CustomerMergeInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The customer who goes. */
            from: string;
            /** @description Answer what it would do, and do nothing. Send the revision of the customer who stays along as expectedRevision afterwards. */
            preview?: boolean | null;
        };
        CustomerMergeResult: {
            /** @description Which of their fields became others, or would. */
            changes: string[];
            /** @description The customer who stays; in a preview, as they would be. */
            customer: components["schemas"]["Customer"];
            /** @description What was moved by this call, or would be. */
            moved: {
                /** @description Slug of a collection. */
                collection: string;
                /** @description How many of its records. */
                records: number;
            }[];
        };
        CustomersForgotPasswordInput: {
            /** @description The email address. */
            email: string;
        };
        CustomersForgotPasswordResult: {
            /** @description Human-readable message. */
            message: string;
        };
        CustomersLoginInput: {
            /** @description The email address. */
            email: string;
            /** @description The password. */
            password: string;
        };
        CustomersLoginResult: {
            /** @description The customer. */
            customer: components["schemas"]["Customer"];
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The same customer, for clients that read user. */
            user: components["schemas"]["Customer"];
        };
        CustomersLogoutResult: {
            /** @description Human-readable message. */
            message: string;
        };
        CustomersMeResult: {
            /** @description The customer. */
            customer: components["schemas"]["Customer"] | null;
        };
        CustomersRefreshTokenResult: {
            /** @description The customer. */
            customer: components["schemas"]["Customer"];
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /**
             * Format: date-time
             * @description Time of the refresh.
             */
            refreshedAt: string;
            /** @description The same as token, for the Payload client. */
            refreshedToken: string;
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The same customer, for clients that read user. */
            user: components["schemas"]["Customer"];
        };
        CustomersRegisterInput: {
            /** @description Address book. */
            addresses?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description Note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The one to start with. */
                isDefault?: boolean | null;
                /** @description Name of the address. */
                label?: string | null;
                /** @description Their phone number. */
                phone?: string | null;
                /** @description Postal code as text: leading zeros count. */
                postalCode?: string | null;
                /** @description Who receives. */
                recipientName?: string | null;
            }[] | null;
            /** @description The email address. */
            email: string;
            /** @description Whether the customer agreed to marketing email. */
            marketingConsent?: boolean | null;
            /** @description Name. */
            name?: string | null;
            /** @description The password. */
            password: string;
            /** @description Phone number. */
            phone?: string | null;
        };
        CustomersRegisterResult: {
            /** @description The customer. */
            customer: components["schemas"]["Customer"];
            /** @description Whether the address must be verified before logging in. */
            verificationRequired: boolean;
        };
        CustomersResetPasswordInput: {
            /** @description The password. */
            password: string;
            /** @description The token from the email. */
            token: string;
        };
        CustomersResetPasswordResult: {
            /** @description The customer. */
            customer: components["schemas"]["Customer"];
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The same customer, for clients that read user. */
            user: components["schemas"]["Customer"];
        };
        CustomersVerifyEmailInput: {
            /** @description The email address. */
            email?: string | null;
            /** @description The token from the email. */
            token?: string | null;
        };
        CustomersVerifyEmailResult: {
            /** @description The customer. */
            customer?: components["schemas"]["Customer"];
            /** @description Human-readable message. */
            message: string;
        };
        /** @description Input of a change; omitted fields keep their value. */
        CustomerUpdate: {
            /** @description Address book. */
            addresses?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description Note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The one to start with. */
                isDefault?: boolean | null;
                /** @description Name of the address. */
                label?: string | null;
                /** @description Their phone number. */
                phone?: string | null;
                /** @description Postal code as text: leading zeros count. */
                postalCode?: string | null;
                /** @description Who receives. */
                recipientName?: string | null;
            }[] | null;
            /** @description When. Read-only: it may be sent back as it was read. */
            consentedAt?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /**
             * Format: email
             * @description Address to log in with.
             */
            email?: string;
            /** @description When the last of it was erased; null if the customer was not. Read-only: it may be sent back as it was read. */
            erasedAt?: unknown;
            /** @description Id of the user or secret key that had the customer erased; the event of it tells more. Read-only: it may be sent back as it was read. */
            erasedBy?: unknown;
            /** @description Since when what is held about the customer is being erased; null before, and once it is done. Read-only: it may be sent back as it was read. */
            erasingSince?: unknown;
            /** @description Why. It stays, so it should name nobody. Read-only: it may be sent back as it was read. */
            erasureReason?: unknown;
            /** @description When the customer asked to be erased; null if they did not, took it back, or the shop began with it. Read-only: it may be sent back as it was read. */
            erasureRequestedAt?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Groups of the shop's own. Not shown to shoppers. */
            groups?: string[] | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Whether the email address is verified. Read-only: it may be sent back as it was read. */
            isVerified?: unknown;
            /** @description Whether the customer agreed to marketing email. */
            marketingConsent?: boolean | null;
            /** @description Custom data of the shop. Not shown to shoppers. */
            metadata?: unknown;
            /** @description Name. */
            name?: string | null;
            /** @description Operator's note. Not shown to shoppers. */
            note?: string | null;
            /** @description Write-only. */
            password?: string | null;
            /** @description Phone number. */
            phone?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        CustomerWhere: {
            addresses?: components["schemas"]["WhereThere"];
            and?: components["schemas"]["CustomerWhere"][];
            AND?: components["schemas"]["CustomerWhere"][];
            consentedAt?: components["schemas"]["WhereDate"];
            createdAt?: components["schemas"]["WhereDate"];
            email?: components["schemas"]["WhereText"];
            erasedAt?: components["schemas"]["WhereDate"];
            erasedBy?: components["schemas"]["WhereText"];
            erasingSince?: components["schemas"]["WhereDate"];
            erasureReason?: components["schemas"]["WhereText"];
            erasureRequestedAt?: components["schemas"]["WhereDate"];
            groups?: components["schemas"]["WhereList"];
            id?: components["schemas"]["WhereText"];
            isVerified?: components["schemas"]["WhereBoolean"];
            marketingConsent?: components["schemas"]["WhereBoolean"];
            metadata?: components["schemas"]["WhereThere"];
            name?: components["schemas"]["WhereText"];
            note?: components["schemas"]["WhereText"];
            or?: components["schemas"]["CustomerWhere"][];
            OR?: components["schemas"]["CustomerWhere"][];
            phone?: components["schemas"]["WhereText"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        CustomerWritten: {
            doc: components["schemas"]["Customer"];
            message: string;
        };
        /** @description A code that reduces the price of an order. */
        Discount: {
            /** @description See applicableProducts. */
            applicableCategories: (string | components["schemas"]["Category"] | null)[];
            /** @description With applicableCategories: what it applies to; both empty: everything. */
            applicableProducts: (string | components["schemas"]["Product"] | null)[];
            /** @description What the shopper types, in any case. */
            code: string;
            /** @description Can be combined with other combinable codes. */
            combinable: boolean | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Currency of every amount here; the tenant's when missing. */
            currency: string | null;
            /**
             * Format: date-time
             * @description First moment it is no longer valid.
             */
            endsAt: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Whether the code can be used. */
            isActive: boolean | null;
            /** @description Only in these markets; empty: everywhere. */
            markets: (string | components["schemas"]["Market"] | null)[];
            /** @description Maximum discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            maxDiscountAmount: number | null;
            /** @description Smallest subtotal, before any discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            minOrderAmount: number | null;
            /** @description How many orders of one customer may use it; 0 or missing: any number. */
            perCustomerLimit: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * Format: date-time
             * @description First moment it is valid.
             */
            startsAt: string | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Steps of a tiered discount; the highest reached one counts. */
            tiers: {
                /**
                 * @description How value is meant.
                 * @enum {string}
                 */
                discountType: "percentage" | "fixed_amount";
                /** @description Amount from which this step counts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                minAmount: number;
                /** @description Percent, or the amount in major units. */
                value: number;
            }[];
            /** @description Name for the operator. */
            title: string | null;
            /**
             * @description What it does.
             * @enum {string}
             */
            type: "percentage" | "fixed_amount" | "free_shipping" | "tiered";
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description Placed orders that used it, in the environment of the request. */
            usageCount: number | null;
            /** @description How many orders may use it; 0 or missing: any number. */
            usageLimit: number | null;
            /** @description Percent, or the amount in major units of the currency. */
            value: number | null;
        };
        DiscountBulk: {
            docs: components["schemas"]["Discount"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        DiscountCreate: {
            /** @description See applicableProducts. */
            applicableCategories?: (string | Record<string, unknown>)[] | null;
            /** @description With applicableCategories: what it applies to; both empty: everything. */
            applicableProducts?: (string | Record<string, unknown>)[] | null;
            /** @description What the shopper types, in any case. */
            code: string;
            /** @description Can be combined with other combinable codes. */
            combinable?: boolean | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Currency of every amount here; the tenant's when missing. */
            currency?: string | null;
            /** @description First moment it is no longer valid. */
            endsAt?: string | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Whether the code can be used. */
            isActive?: boolean | null;
            /** @description Only in these markets; empty: everywhere. */
            markets?: (string | Record<string, unknown>)[] | null;
            /** @description Maximum discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            maxDiscountAmount?: number | null;
            /** @description Smallest subtotal, before any discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            minOrderAmount?: number | null;
            /** @description How many orders of one customer may use it; 0 or missing: any number. */
            perCustomerLimit?: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description First moment it is valid. */
            startsAt?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Steps of a tiered discount; the highest reached one counts. */
            tiers?: {
                /**
                 * @description How value is meant.
                 * @enum {string}
                 */
                discountType: "percentage" | "fixed_amount";
                /** @description Amount from which this step counts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                minAmount: number;
                /** @description Percent, or the amount in major units. */
                value: number;
            }[] | null;
            /** @description Name for the operator. */
            title?: string | null;
            /**
             * @description What it does.
             * @enum {string}
             */
            type: "percentage" | "fixed_amount" | "free_shipping" | "tiered";
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Placed orders that used it, in the environment of the request. Read-only: it may be sent back as it was read. */
            usageCount?: unknown;
            /** @description How many orders may use it; 0 or missing: any number. */
            usageLimit?: number | null;
            /** @description Percent, or the amount in major units of the currency. */
            value?: number | null;
        };
        DiscountDeleted: {
            doc: components["schemas"]["Discount"];
            id: string;
            message: string;
        };
        /** @description A page of Discounts. */
        DiscountList: {
            docs: components["schemas"]["Discount"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        DiscountUpdate: {
            /** @description See applicableProducts. */
            applicableCategories?: (string | Record<string, unknown>)[] | null;
            /** @description With applicableCategories: what it applies to; both empty: everything. */
            applicableProducts?: (string | Record<string, unknown>)[] | null;
            /** @description What the shopper types, in any case. */
            code?: string;
            /** @description Can be combined with other combinable codes. */
            combinable?: boolean | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Currency of every amount here; the tenant's when missing. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description First moment it is no longer valid. */
            endsAt?: string | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Whether the code can be used. */
            isActive?: boolean | null;
            /** @description Only in these markets; empty: everywhere. */
            markets?: (string | Record<string, unknown>)[] | null;
            /** @description Maximum discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            maxDiscountAmount?: number | null;
            /** @description Smallest subtotal, before any discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            minOrderAmount?: number | null;
            /** @description How many orders of one customer may use it; 0 or missing: any number. */
            perCustomerLimit?: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description First moment it is valid. */
            startsAt?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Steps of a tiered discount; the highest reached one counts. */
            tiers?: {
                /**
                 * @description How value is meant.
                 * @enum {string}
                 */
                discountType: "percentage" | "fixed_amount";
                /** @description Amount from which this step counts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                minAmount: number;
                /** @description Percent, or the amount in major units. */
                value: number;
            }[] | null;
            /** @description Name for the operator. */
            title?: string | null;
            /**
             * @description What it does.
             * @enum {string}
             */
            type?: "percentage" | "fixed_amount" | "free_shipping" | "tiered";
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Placed orders that used it, in the environment of the request. Read-only: it may be sent back as it was read. */
            usageCount?: unknown;
            /** @description How many orders may use it; 0 or missing: any number. */
            usageLimit?: number | null;
            /** @description Percent, or the amount in major units of the currency. */
            value?: number | null;
        };
        DiscountValidateInput: {
            /** @description The code, in upper or lower case. */
            code: string;
            /** @description ISO 4217 code of orderAmount; defaults to the market's or the shop's. */
            currency?: string | null;
            /** @description The items of the order, at most 200. */
            items?: {
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variantId: string;
            }[] | null;
            /** @description Id or code of the market whose prices apply. */
            market?: string | null;
            /** @description Amount of the order, in major units. */
            orderAmount: number;
        };
        DiscountValidateResult: {
            /** @description The normalized code. */
            code: string;
            /** @description ISO 4217 code. */
            currency: string;
            /** @description Amount of the discount; 0 when the code cannot be used. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            discountAmount: number;
            /** @description Whether the code waives the base fee of shipping. */
            freeShipping: boolean;
            /**
             * @description Why the code cannot be used.
             * @enum {string}
             */
            reason?: "discount_not_found" | "discount_inactive" | "discount_not_started" | "discount_expired" | "discount_usage_limit" | "discount_customer_limit" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_context_required";
            /**
             * @description Type of the discount; null when there is no such code.
             * @enum {string|null}
             */
            type: "percentage" | "fixed_amount" | "free_shipping" | "tiered" | null;
            /** @description Whether the code can be used. */
            valid: boolean;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        DiscountWhere: {
            and?: components["schemas"]["DiscountWhere"][];
            AND?: components["schemas"]["DiscountWhere"][];
            applicableCategories?: components["schemas"]["WhereList"];
            applicableProducts?: components["schemas"]["WhereList"];
            code?: components["schemas"]["WhereText"];
            combinable?: components["schemas"]["WhereBoolean"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            endsAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            isActive?: components["schemas"]["WhereBoolean"];
            markets?: components["schemas"]["WhereList"];
            maxDiscountAmount?: components["schemas"]["WhereNumber"];
            minOrderAmount?: components["schemas"]["WhereNumber"];
            or?: components["schemas"]["DiscountWhere"][];
            OR?: components["schemas"]["DiscountWhere"][];
            perCustomerLimit?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            startsAt?: components["schemas"]["WhereDate"];
            tenant?: components["schemas"]["WhereRelation"];
            tiers?: components["schemas"]["WhereThere"];
            title?: components["schemas"]["WhereText"];
            type?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
            usageCount?: components["schemas"]["WhereNumber"];
            usageLimit?: components["schemas"]["WhereNumber"];
            value?: components["schemas"]["WhereNumber"];
        };
        DiscountWritten: {
            doc: components["schemas"]["Discount"];
            message: string;
        };
        /** @description A payment that its buyer disputes with the bank, which may take the money back. The shop answers at its provider. */
        Dispute: {
            /** @description How much is disputed; null if the provider does not say. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            amount: number | null;
            /** @description The checkout that was paid. */
            checkout: string | components["schemas"]["Checkout"] | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code. */
            currency: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description Until when the shop may answer with evidence; null if the provider does not say.
             */
            evidenceDue: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description What an operator noted. */
            note: string | null;
            /**
             * Format: date-time
             * @description When the buyer disputed it.
             */
            openedAt: string | null;
            /** @description The order; null while there is none. */
            order: string | components["schemas"]["Order"] | null;
            /** @description The session that collected the payment. */
            paymentSession: string | components["schemas"]["PaymentSession"] | null;
            /**
             * @description The provider.
             * @enum {string}
             */
            provider: "sandbox" | "toss" | "portone" | "stripe" | "custom";
            /** @description The provider's id of the dispute. */
            providerDisputeId: string;
            /** @description The provider's id of the payment. */
            providerPaymentId: string | null;
            /** @description Why the buyer disputes it, in the provider's words. */
            reason: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * @description How far it is; won: by the shop.
             * @enum {string}
             */
            status: "needs_response" | "under_review" | "won" | "lost" | "closed";
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        DisputeBulk: {
            docs: components["schemas"]["Dispute"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description A page of Disputes. */
        DisputeList: {
            docs: components["schemas"]["Dispute"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        DisputeUpdate: {
            /** @description How much is disputed; null if the provider does not say. Read-only: it may be sent back as it was read. */
            amount?: unknown;
            /** @description The checkout that was paid. Read-only: it may be sent back as it was read. */
            checkout?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description ISO 4217 code. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description Until when the shop may answer with evidence; null if the provider does not say. Read-only: it may be sent back as it was read. */
            evidenceDue?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. Read-only: it may be sent back as it was read. */
            expectedRevision?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description What an operator noted. */
            note?: string | null;
            /** @description When the buyer disputed it. Read-only: it may be sent back as it was read. */
            openedAt?: unknown;
            /** @description The order; null while there is none. Read-only: it may be sent back as it was read. */
            order?: unknown;
            /** @description The session that collected the payment. Read-only: it may be sent back as it was read. */
            paymentSession?: unknown;
            /** @description The provider. Read-only: it may be sent back as it was read. */
            provider?: unknown;
            /** @description The provider's id of the dispute. Read-only: it may be sent back as it was read. */
            providerDisputeId?: unknown;
            /** @description The provider's id of the payment. Read-only: it may be sent back as it was read. */
            providerPaymentId?: unknown;
            /** @description Why the buyer disputes it, in the provider's words. Read-only: it may be sent back as it was read. */
            reason?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description How far it is; won: by the shop. Read-only: it may be sent back as it was read. */
            status?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        DisputeWhere: {
            amount?: components["schemas"]["WhereNumber"];
            and?: components["schemas"]["DisputeWhere"][];
            AND?: components["schemas"]["DisputeWhere"][];
            checkout?: components["schemas"]["WhereRelation"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            environment?: components["schemas"]["WhereText"];
            evidenceDue?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            note?: components["schemas"]["WhereText"];
            openedAt?: components["schemas"]["WhereDate"];
            or?: components["schemas"]["DisputeWhere"][];
            OR?: components["schemas"]["DisputeWhere"][];
            order?: components["schemas"]["WhereRelation"];
            paymentSession?: components["schemas"]["WhereRelation"];
            provider?: components["schemas"]["WhereText"];
            providerDisputeId?: components["schemas"]["WhereText"];
            providerPaymentId?: components["schemas"]["WhereText"];
            reason?: components["schemas"]["WhereText"];
            revision?: components["schemas"]["WhereNumber"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        DisputeWritten: {
            doc: components["schemas"]["Dispute"];
            message: string;
        };
        /** @description An order that an operator puts together by hand. It reserves nothing and makes nothing until it is finalized. */
        DraftOrder: {
            /** @description Who of the team is on it; null for nobody. Not shown to shoppers. */
            assignee?: string | components["schemas"]["User"] | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code of all amounts: the market's, or where the draft names none the shop's own unless it is given. In another one the prices are those of the shop's market in it: the default one of several, else the oldest. */
            currency: string | null;
            /** @description The buyer's account; null for a guest. */
            customer: string | components["schemas"]["Customer"] | null;
            /** @description The customer's notes; the order takes them over. */
            customerNotes: string | null;
            /** @description Who buys. What is left out is the customer's own. */
            customerSnapshot: {
                /** @description The buyer's email. It may be missing or wrong until the draft is finalized. */
                email: string | null;
                /** @description The buyer's name. */
                name: string | null;
                /** @description The buyer's phone number. */
                phone: string | null;
            };
            /** @description A discount code of the shop; it has to apply when the draft is finalized. */
            discountCode: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description What is ordered: at most 200 lines, at the catalog's prices. */
            lines: {
                /** @description Id of the line. */
                id: string;
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variant: string | components["schemas"]["ProductVariant"] | null;
            }[];
            /** @description The market whose prices the draft has, by its id or its code; null: that of the currency. */
            market: string | components["schemas"]["Market"] | null;
            /** @description Notes of operators, for themselves. */
            operatorNotes: string | null;
            /** @description The order it became, once finalized. */
            order: string | components["schemas"]["Order"] | null;
            /** @description By which the buyer pays; null where no link was made, or the last one was revoked. */
            paymentLink: {
                /** @description The checkout that the buyer pays: its status says how far that is. */
                checkout: string | components["schemas"]["Checkout"] | null;
                /**
                 * Format: date-time
                 * @description From when on the link cannot be paid any more.
                 */
                expiresAt: string | null;
            };
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Where the goods go; needed at finalize when anything ships. */
            shippingAddress: {
                /** @description Street and number. */
                address1: string | null;
                /** @description Flat, floor. */
                address2: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country: string | null;
                /** @description A note for the carrier. */
                deliveryMessage: string | null;
                /** @description The recipient's phone number. */
                phone: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode: string | null;
                /** @description Who receives the goods. */
                recipientName: string | null;
            };
            /** @description What delivery costs; null: what the shop's shipping policies say. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            shippingFee: number | null;
            /**
             * @description Where the draft is; only a draft can be edited.
             * @enum {string|null}
             */
            status: "draft" | "awaiting_payment" | "finalized" | "discarded" | null;
            /** @description Labels of the shop's own, in lower case and each once. Not shown to shoppers. */
            tags?: string[];
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description What the order came to, once finalized, or comes to, while its payment link is out. */
            totals: {
                /** @description All discounts on lines. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number | null;
                /** @description Shipping; 0 when nothing ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                shipping: number | null;
                /** @description Lines before discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number | null;
                /** @description The part of it that is free of value added tax. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                taxFree: number | null;
                /** @description What is to be paid. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number | null;
            };
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        DraftOrderBulk: {
            docs: components["schemas"]["DraftOrder"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        DraftOrderCalculateInput: {
            /** @description Whether to include how each amount was calculated. */
            explain?: boolean | null;
        };
        DraftOrderCalculateResult: {
            /** @description ISO 4217 code of all amounts. */
            currency: string;
            /** @description What the code takes off the lines. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            discount: number;
            /** @description The discount code's effect; null without one. */
            discountCode?: {
                /** @description The code. */
                code: string;
                /**
                 * @description Why it does not; null when it does.
                 * @enum {string|null}
                 */
                reason: "discount_not_found" | "discount_inactive" | "discount_not_started" | "discount_expired" | "discount_usage_limit" | "discount_customer_limit" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_context_required" | null;
                /** @description Whether it applies. */
                valid: boolean;
            } | null;
            /** @description How each amount was calculated, if requested. */
            explanation?: {
                /** @description ISO 4217 code of every amount, but for base. */
                currency: string;
                /** @description What became of each code, in the order they apply. */
                discountCodes: {
                    /** @description The least of rounded, cap and eligible: what it takes. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description Whether it takes effect. */
                    applied: boolean;
                    /** @description The most it may take; null without a cap. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    cap: number | null;
                    /** @description The code. */
                    code: string;
                    /** @description Id of the discount; null when there is no such code. */
                    discount: string | null;
                    /** @description What the code may take from its lines together. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    eligible: number | null;
                    /** @description Whether it waives the base fee of shipping. */
                    freeShipping: boolean;
                    /** @description How the amount is spread over the eligible lines. */
                    lines: {
                        /** @description What the line cost before this code. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        eligible: number;
                        /** @description Id of the line; null for one that is in no cart. */
                        line: string | null;
                        /** @description What it bears. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        share: number;
                        /** @description The variant; null for what is not known. */
                        variant: string | null;
                    }[];
                    /** @description Why it does not. */
                    reason: string | null;
                    /** @description The same, rounded once. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    rounded: number | null;
                    /** @description Each rule that was looked at, up to the first that was missed. */
                    rules: {
                        /** @description What the order has. */
                        got: string | null;
                        /** @description Whether it was met. */
                        passed: boolean;
                        /** @description The rule: known, active, starts_at, ends_at, usage_limit, per_customer_limit, markets, currency, min_order_amount, applicable, tiers, combinable. */
                        rule: string;
                        /** @description What the rule asks for: a limit, a list of markets, the lowest tier. */
                        wanted: string | null;
                    }[];
                    /** @description Where the tier that counts begins. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    tierFrom: number | null;
                    /** @description How value is meant: percentage, fixed_amount or free_shipping; of a tier, the tier's. */
                    type: string | null;
                    /** @description The exact discount before rounding. */
                    unrounded: string | null;
                    /** @description Percent, or major units. */
                    value: number | null;
                }[];
                /** @description How each line came to its totals: the price times quantity, less the shares of the codes. */
                lines: {
                    /** @description Shares of all codes. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    discount: number;
                    /** @description Id of the line; null for one that is in no cart. */
                    line: string | null;
                    /** @description How the unit price was calculated. */
                    price: {
                        /** @description What the market adds in percent; null without one. */
                        adjustmentPercent: number | null;
                        /** @description What one unit costs. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description The variant's price, else the product's; null where nothing was computed. An exact decimal in major units, with no more fraction digits than its currency has. In baseCurrency. */
                        base: number | null;
                        /** @description Currency of base. */
                        baseCurrency: string | null;
                        /** @description Units of the market for one of base; null without a market. */
                        exchangeRate: number | null;
                        /** @description Percent off by the product. */
                        productDiscount: number | null;
                        /** @description The price is rounded to a multiple of this. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        roundingIncrement: number | null;
                        /** @description fixed; computed from the base price for a market; kept: the last price of what cannot be bought any more; stated: the caller says so. */
                        source: string;
                        /** @description The exact price before rounding. */
                        unrounded: string | null;
                    };
                    /** @description Units. */
                    quantity: number;
                    /** @description Whether the line counts toward thresholds of shipping. */
                    requiresShipping: boolean;
                    /** @description Price times quantity. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    subtotal: number;
                    /** @description Subtotal minus discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    total: number;
                    /** @description The variant; null for what is not known. */
                    variant: string | null;
                }[];
                /** @description The market whose prices apply; null without one. */
                market: string | null;
                /**
                 * Format: date-time
                 * @description When prices and codes were looked up.
                 */
                pricedAt: string;
                /** @description The shop's rounding mode. */
                rounding: string;
                /** @description How the shipping was calculated; left out when there is none. */
                shipping?: {
                    /** @description What thresholds were held against: the lines that ship, after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description The base fee that is due. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    baseFee: number;
                    /** @description Whether a code waives the base fee. */
                    freeShippingCode: boolean;
                    /** @description What each policy asks; the highest base fee and the highest surcharge count. */
                    policies: {
                        /** @description Its base fee. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        baseFee: number;
                        /** @description Surcharge of the zone. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        extraFee: number;
                        /** @description Whether no base fee is due. */
                        free: boolean;
                        /** @description Its threshold; null when it has none. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        freeFrom: number | null;
                        /** @description Id of the policy. */
                        policy: string;
                        /** @description First code of the range that does. */
                        rangeFrom: string | null;
                        /** @description Its last code. */
                        rangeTo: string | null;
                        /** @description Whether the threshold is reached. */
                        reached: boolean;
                        /** @description Whether the surcharge falls away with the base fee. */
                        waived: boolean;
                        /** @description The zone that holds the postal code; null for none. */
                        zone: string | null;
                    }[];
                    /** @description Where it goes. */
                    postalCode: string;
                    /** @description The surcharge that is due. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    surcharge: number;
                    /** @description Both together. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    total: number;
                    /** @description The zone it comes from. */
                    zone: string | null;
                };
                /** @description The sums. */
                totals: {
                    /** @description Sum of the codes. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    discount: number;
                    /** @description Sum of the lines. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    subtotal: number;
                    /** @description Subtotal minus discount, plus shipping where it was priced. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    total: number;
                };
            };
            /** @description The lines at current catalog prices. */
            lines: {
                /** @description Whether it could be sold now. */
                available: boolean;
                /** @description The line's share of the discount; null with the price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number | null;
                /** @description Id of the draft's line. */
                id: string;
                /** @description Units. */
                quantity: number;
                /**
                 * @description Why it could not.
                 * @enum {string}
                 */
                reason?: "variant_unavailable" | "variant_not_priced" | "out_of_stock";
                /** @description Unit price × quantity; null with it. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number | null;
                /** @description Subtotal − discount; null with the price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number | null;
                /** @description Price of one unit; null when the variant is not on sale. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                unitPrice: number | null;
                /** @description Id of the variant. */
                variant: string;
            }[];
            /** @description Id of the market whose prices these are; null: the shop's own prices. */
            marketId: string | null;
            /** @description Shipping: the draft's fee, else by the shop's policies. Null until the postal code is known; 0 when nothing ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            shipping: number | null;
            /** @description Lines before discounts; those that are not on sale count for nothing. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            subtotal: number;
            /** @description Subtotal − discount + shipping. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            total: number;
            /** @description The lines that could not be sold now. */
            unavailable: {
                /** @description Units available. */
                available: number;
                /** @description Id of the draft's line. */
                line: string;
                /**
                 * @description Why it could not.
                 * @enum {string}
                 */
                reason: "variant_unavailable" | "variant_not_priced" | "out_of_stock";
                /** @description Units that the draft asks for, all its lines of the variant together. */
                requested: number;
                /** @description Id of the variant. */
                variant: string;
            }[];
        };
        /** @description Input of a new record. */
        DraftOrderCreate: {
            /** @description Who of the team is on it; null for nobody. Not shown to shoppers. */
            assignee?: string | Record<string, unknown> | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description ISO 4217 code of all amounts: the market's, or where the draft names none the shop's own unless it is given. In another one the prices are those of the shop's market in it: the default one of several, else the oldest. */
            currency?: string | null;
            /** @description The buyer's account; null for a guest. */
            customer?: string | Record<string, unknown> | null;
            /** @description The customer's notes; the order takes them over. */
            customerNotes?: string | null;
            /** @description Who buys. What is left out is the customer's own. */
            customerSnapshot?: {
                /** @description The buyer's email. It may be missing or wrong until the draft is finalized. */
                email?: string | null;
                /** @description The buyer's name. */
                name?: string | null;
                /** @description The buyer's phone number. */
                phone?: string | null;
            } | null;
            /** @description A discount code of the shop; it has to apply when the draft is finalized. */
            discountCode?: string | null;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description What is ordered: at most 200 lines, at the catalog's prices. */
            lines?: {
                /** @description Id of the line. Read-only: it may be sent back as it was read. */
                id?: unknown;
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variant: string | Record<string, unknown>;
            }[] | null;
            /** @description The market whose prices the draft has, by its id or its code; null: that of the currency. */
            market?: string | Record<string, unknown> | null;
            /** @description Notes of operators, for themselves. */
            operatorNotes?: string | null;
            /** @description The order it became, once finalized. Read-only: it may be sent back as it was read. */
            order?: unknown;
            /** @description By which the buyer pays; null where no link was made, or the last one was revoked. Read-only: it may be sent back as it was read. */
            paymentLink?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Where the goods go; needed at finalize when anything ships. */
            shippingAddress?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country?: string | null;
                /** @description A note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The recipient's phone number. */
                phone?: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode?: string | null;
                /** @description Who receives the goods. */
                recipientName?: string | null;
            } | null;
            /** @description What delivery costs; null: what the shop's shipping policies say. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            shippingFee?: number | null;
            /** @description Where the draft is; only a draft can be edited. Read-only: it may be sent back as it was read. */
            status?: unknown;
            /** @description Labels of the shop's own, in lower case and each once. Not shown to shoppers. */
            tags?: string[] | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description What the order came to, once finalized, or comes to, while its payment link is out. Read-only: it may be sent back as it was read. */
            totals?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        DraftOrderDiscardInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        DraftOrderDiscardResult: {
            /** @description The draft order as it is now. */
            draftOrder: components["schemas"]["DraftOrder"];
        };
        DraftOrderFinalizeInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        DraftOrderFinalizeResult: {
            /** @description The draft order as it is now. */
            draftOrder: components["schemas"]["DraftOrder"];
            /** @description The order that was created. */
            order: components["schemas"]["Order"];
        };
        /** @description A page of DraftOrders. */
        DraftOrderList: {
            docs: components["schemas"]["DraftOrder"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        DraftOrderPaymentLinkInput: {
            /** @description For how many days it can be paid, 1 to 30; 7 when missing. */
            days?: number | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        DraftOrderPaymentLinkResult: {
            /** @description The checkout that the buyer pays. */
            checkout: components["schemas"]["Checkout"];
            /** @description The token of the checkout: whoever has it may pay. */
            checkoutToken: string;
            /** @description The draft order as it is now. */
            draftOrder: components["schemas"]["DraftOrder"];
        };
        DraftOrderPaymentLinkRevokeInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        DraftOrderPaymentLinkRevokeResult: {
            /** @description The draft order as it is now. */
            draftOrder: components["schemas"]["DraftOrder"];
        };
        /** @description Input of a change; omitted fields keep their value. */
        DraftOrderUpdate: {
            /** @description Who of the team is on it; null for nobody. Not shown to shoppers. */
            assignee?: string | Record<string, unknown> | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description ISO 4217 code of all amounts: the market's, or where the draft names none the shop's own unless it is given. In another one the prices are those of the shop's market in it: the default one of several, else the oldest. */
            currency?: string | null;
            /** @description The buyer's account; null for a guest. */
            customer?: string | Record<string, unknown> | null;
            /** @description The customer's notes; the order takes them over. */
            customerNotes?: string | null;
            /** @description Who buys. What is left out is the customer's own. */
            customerSnapshot?: {
                /** @description The buyer's email. It may be missing or wrong until the draft is finalized. */
                email?: string | null;
                /** @description The buyer's name. */
                name?: string | null;
                /** @description The buyer's phone number. */
                phone?: string | null;
            } | null;
            /** @description A discount code of the shop; it has to apply when the draft is finalized. */
            discountCode?: string | null;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description What is ordered: at most 200 lines, at the catalog's prices. */
            lines?: {
                /** @description Id of the line. Read-only: it may be sent back as it was read. */
                id?: unknown;
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variant: string | Record<string, unknown>;
            }[] | null;
            /** @description The market whose prices the draft has, by its id or its code; null: that of the currency. */
            market?: string | Record<string, unknown> | null;
            /** @description Notes of operators, for themselves. */
            operatorNotes?: string | null;
            /** @description The order it became, once finalized. Read-only: it may be sent back as it was read. */
            order?: unknown;
            /** @description By which the buyer pays; null where no link was made, or the last one was revoked. Read-only: it may be sent back as it was read. */
            paymentLink?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Where the goods go; needed at finalize when anything ships. */
            shippingAddress?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country?: string | null;
                /** @description A note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The recipient's phone number. */
                phone?: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode?: string | null;
                /** @description Who receives the goods. */
                recipientName?: string | null;
            } | null;
            /** @description What delivery costs; null: what the shop's shipping policies say. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            shippingFee?: number | null;
            /** @description Where the draft is; only a draft can be edited. Read-only: it may be sent back as it was read. */
            status?: unknown;
            /** @description Labels of the shop's own, in lower case and each once. Not shown to shoppers. */
            tags?: string[] | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description What the order came to, once finalized, or comes to, while its payment link is out. Read-only: it may be sent back as it was read. */
            totals?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        DraftOrderWhere: {
            and?: components["schemas"]["DraftOrderWhere"][];
            AND?: components["schemas"]["DraftOrderWhere"][];
            assignee?: components["schemas"]["WhereRelation"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            customer?: components["schemas"]["WhereRelation"];
            customerNotes?: components["schemas"]["WhereText"];
            customerSnapshot?: components["schemas"]["WhereThere"];
            discountCode?: components["schemas"]["WhereText"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            lines?: components["schemas"]["WhereThere"];
            market?: components["schemas"]["WhereRelation"];
            operatorNotes?: components["schemas"]["WhereText"];
            or?: components["schemas"]["DraftOrderWhere"][];
            OR?: components["schemas"]["DraftOrderWhere"][];
            order?: components["schemas"]["WhereRelation"];
            paymentLink?: components["schemas"]["WhereThere"];
            revision?: components["schemas"]["WhereNumber"];
            shippingAddress?: components["schemas"]["WhereThere"];
            shippingFee?: components["schemas"]["WhereNumber"];
            status?: components["schemas"]["WhereText"];
            tags?: components["schemas"]["WhereList"];
            tenant?: components["schemas"]["WhereRelation"];
            totals?: components["schemas"]["WhereThere"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        DraftOrderWritten: {
            doc: components["schemas"]["DraftOrder"];
            message: string;
        };
        EventsResult: {
            /** @description The events. */
            docs: {
                /** @description Who made the change, and how. Left out in events of versions that did not tell. */
                actor?: {
                    /** @description Id of the user, key or customer, or the name of the provider. */
                    id?: string | null;
                    /**
                     * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                     * @enum {string|null}
                     */
                    kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system" | null;
                    /** @description Their name as the shop has it now; left out where it has none any more, and in streams. */
                    name?: string | null;
                    /**
                     * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                     * @enum {string|null}
                     */
                    via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
                };
                /** @description Slug of the record's collection. */
                collection: string;
                /** @description The changed fields except updatedAt; for a create the whole record, for a delete its last state. */
                data: unknown;
                /** @description The record after a create or update. */
                doc?: unknown;
                /**
                 * @description live or test; left out where the record belongs to both.
                 * @enum {string}
                 */
                environment?: "live" | "test";
                /** @description Identifier of the event, the same in the log, in streams and in webhooks. */
                id: string;
                /**
                 * Format: date-time
                 * @description Time of the change.
                 */
                occurredAt: string;
                /**
                 * @description The operation on the record.
                 * @enum {string}
                 */
                operation: "create" | "update" | "delete";
                /** @description The record before an update. */
                previousDoc?: unknown;
                /** @description Number of the event within its record: 1, 2, 3, without gaps. */
                recordSequence: number;
                /** @description Number of the event within the tenant, in commit order; left out where the events of one record are asked for. */
                sequence?: number;
                /** @description The tenant. */
                tenant: string;
            }[];
            /** @description Whether there is a next page. */
            hasMore: boolean;
            /** @description Value of after for the next page; left out with order=desc. */
            nextAfter?: number;
            /** @description Value of before for the next page; only with order=desc. */
            nextBefore?: number;
        };
        /** @description A file with records of the shop that is made in the background. */
        Export: {
            /** @description Whether somebody canceled it: a job that is running ends before its next rows. */
            cancelRequested: boolean;
            /**
             * @description Slug of the collection whose records it has; who may not read that one does not see the export.
             * @enum {string}
             */
            collection: "products" | "customers" | "orders" | "product-variants" | "discounts";
            /** @description Names of its columns, in order; empty for all. */
            columns: string[];
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null before.
             */
            endedAt: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When it is removed with its file; null before its end.
             */
            expiresAt: string | null;
            /** @description Name of the file; null while there is none. */
            fileName: string | null;
            /** @description Size of the file in bytes; null while there is none. */
            fileSize: number | null;
            /**
             * @description Format of the file.
             * @enum {string}
             */
            format: "csv" | "xlsx";
            /** @description Records of an export, or rows of an import, that were handled so far. */
            handled: number;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /**
             * @description What its rows are about.
             * @enum {string}
             */
            kind: "products" | "customers" | "orders" | "stock" | "discounts";
            /**
             * @description Language of the headers.
             * @enum {string}
             */
            locale: "en" | "ko";
            /** @description Why it failed; null if it did not. */
            problem: string | null;
            /** @description Text that the records are found by; null for all. */
            q: string | null;
            /** @description Who asked for it, with whose rights it runs. */
            requestedBy: {
                /** @description Id of the user, key or customer, or the name of the provider. */
                id?: string;
                /**
                 * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                 * @enum {string}
                 */
                kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system";
                /**
                 * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                 * @enum {string|null}
                 */
                via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
            };
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * Format: date-time
             * @description When it began; null while it waits.
             */
            startedAt: string | null;
            /**
             * @description How far it is.
             * @enum {string}
             */
            status: "queued" | "running" | "done" | "failed" | "canceled";
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description How many of them there are, as counted at the beginning; null until then. */
            total: number | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description Address of the file, for the same callers; null while there is none. */
            url: string | null;
            /** @description Which records it has, as a filter of lists; null for all. */
            where: unknown;
        };
        ExportCancelInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        ExportCancelResult: {
            /** @description The export as it is now. */
            export: components["schemas"]["Export"];
        };
        /** @description A page of Exports. */
        ExportList: {
            docs: components["schemas"]["Export"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        ExportStartInput: {
            /** @description Names of columns, in their order; all when missing. */
            columns?: string[] | null;
            /**
             * @description Format of the file.
             * @enum {string}
             */
            format: "csv" | "xlsx";
            /**
             * @description What its rows are about.
             * @enum {string}
             */
            kind: "products" | "customers" | "orders" | "stock" | "discounts";
            /**
             * @description Language of the headers; English when missing.
             * @enum {string|null}
             */
            locale?: "en" | "ko" | null;
            /** @description Only records that are found by this text. A text that finds very many is refused when the export runs. */
            q?: string | null;
            /** @description Which records it has, as in the lists of their collection: products, customers, orders, product-variants of stock, discounts; all when missing. */
            where?: unknown;
        };
        ExportStartResult: {
            /** @description The export as it is now. */
            export: components["schemas"]["Export"];
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ExportWhere: {
            and?: components["schemas"]["ExportWhere"][];
            AND?: components["schemas"]["ExportWhere"][];
            cancelRequested?: components["schemas"]["WhereBoolean"];
            collection?: components["schemas"]["WhereText"];
            columns?: components["schemas"]["WhereList"];
            createdAt?: components["schemas"]["WhereDate"];
            endedAt?: components["schemas"]["WhereDate"];
            environment?: components["schemas"]["WhereText"];
            expiresAt?: components["schemas"]["WhereDate"];
            fileName?: components["schemas"]["WhereText"];
            fileSize?: components["schemas"]["WhereNumber"];
            format?: components["schemas"]["WhereText"];
            handled?: components["schemas"]["WhereNumber"];
            id?: components["schemas"]["WhereText"];
            kind?: components["schemas"]["WhereText"];
            locale?: components["schemas"]["WhereText"];
            or?: components["schemas"]["ExportWhere"][];
            OR?: components["schemas"]["ExportWhere"][];
            problem?: components["schemas"]["WhereText"];
            q?: components["schemas"]["WhereText"];
            requestedBy?: components["schemas"]["WhereThere"];
            revision?: components["schemas"]["WhereNumber"];
            startedAt?: components["schemas"]["WhereDate"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            total?: components["schemas"]["WhereNumber"];
            updatedAt?: components["schemas"]["WhereDate"];
            url?: components["schemas"]["WhereText"];
            where?: components["schemas"]["WhereThere"];
        };
        /** @description Units of one order that are shipped together: a parcel. */
        Fulfillment: {
            /**
             * @description The carrier; null if unknown.
             * @enum {string|null}
             */
            carrier: "cj" | "hanjin" | "lotte" | "epost" | "logen" | "ups" | "fedex" | "dhl" | "ems" | "other" | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it arrived; null until then.
             */
            deliveredAt: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description The fulfillment order it belongs to. */
            fulfillmentOrder: string | components["schemas"]["FulfillmentOrder"] | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description What is in it. */
            items: {
                /** @description Id of the order's line. */
                orderLine: string | null;
                /** @description Units of it. */
                quantity: number | null;
            }[];
            /** @description The order. */
            order: string | components["schemas"]["Order"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * Format: date-time
             * @description When it was shipped; null before.
             */
            shippedAt: string | null;
            /**
             * @description Status of the fulfillment.
             * @enum {string|null}
             */
            status: "pending" | "shipped" | "delivered" | "canceled" | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description The carrier's number of the parcel; null while there is none. */
            trackingNumber: string | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        FulfillmentCancelInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        FulfillmentCancelResult: {
            /** @description The fulfillment as it is now. */
            fulfillment: components["schemas"]["Fulfillment"];
            /** @description The fulfillment order as it is now. */
            fulfillmentOrder: components["schemas"]["FulfillmentOrder"];
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
        };
        FulfillmentCreateInput: {
            /**
             * @description The carrier.
             * @enum {string|null}
             */
            carrier?: "cj" | "hanjin" | "lotte" | "epost" | "logen" | "ups" | "fedex" | "dhl" | "ems" | "other" | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The units, each line once; defaults to all open units. */
            items?: {
                /** @description Id of the order's line. */
                orderLine: string;
                /** @description Units of it. */
                quantity: number;
            }[] | null;
            /** @description The carrier's tracking number. */
            trackingNumber?: string | null;
        };
        FulfillmentCreateResult: {
            /** @description The fulfillment as it is now. */
            fulfillment: components["schemas"]["Fulfillment"];
            /** @description The fulfillment order as it is now. */
            fulfillmentOrder: components["schemas"]["FulfillmentOrder"];
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
        };
        FulfillmentDeliverInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        FulfillmentDeliverResult: {
            /** @description The fulfillment as it is now. */
            fulfillment: components["schemas"]["Fulfillment"];
            /** @description The fulfillment order as it is now. */
            fulfillmentOrder: components["schemas"]["FulfillmentOrder"];
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
        };
        /** @description A page of Fulfillments. */
        FulfillmentList: {
            docs: components["schemas"]["Fulfillment"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Units of one order to be shipped, or to be completed by hand. */
        FulfillmentOrder: {
            /** @description Batch in which it was exported to a carrier; null for none, and after it was released. */
            carrierBatch: string | components["schemas"]["CarrierBatch"] | null;
            /** @description What changed after it was put into the batch: the address of the order, or its lines, of which units were canceled; empty for nothing. */
            changedSinceExport: ("address" | "lines")[];
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description What is to be done. */
            lines: {
                /** @description Units done. */
                fulfilledQuantity: number | null;
                /** @description Id of the order's line. */
                orderLine: string | null;
                /** @description Units. */
                quantity: number | null;
            }[];
            /** @description The order. */
            order: string | components["schemas"]["Order"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * @description How far the work is.
             * @enum {string|null}
             */
            status: "open" | "in_progress" | "closed" | "canceled" | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * @description Whether a carrier is needed.
             * @enum {string|null}
             */
            type: "shipping" | "manual" | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        FulfillmentOrderCompleteInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The units, each line once; defaults to all open units. */
            items?: {
                /** @description Id of the order's line. */
                orderLine: string;
                /** @description Units of it. */
                quantity: number;
            }[] | null;
        };
        FulfillmentOrderCompleteResult: {
            /** @description The fulfillment order as it is now. */
            fulfillmentOrder: components["schemas"]["FulfillmentOrder"];
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
        };
        /** @description A page of FulfillmentOrders. */
        FulfillmentOrderList: {
            docs: components["schemas"]["FulfillmentOrder"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        FulfillmentOrderWhere: {
            and?: components["schemas"]["FulfillmentOrderWhere"][];
            AND?: components["schemas"]["FulfillmentOrderWhere"][];
            carrierBatch?: components["schemas"]["WhereRelation"];
            changedSinceExport?: components["schemas"]["WhereList"];
            createdAt?: components["schemas"]["WhereDate"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            lines?: components["schemas"]["WhereThere"];
            or?: components["schemas"]["FulfillmentOrderWhere"][];
            OR?: components["schemas"]["FulfillmentOrderWhere"][];
            order?: components["schemas"]["WhereRelation"];
            revision?: components["schemas"]["WhereNumber"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            type?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        FulfillmentShipInput: {
            /**
             * @description The carrier.
             * @enum {string|null}
             */
            carrier?: "cj" | "hanjin" | "lotte" | "epost" | "logen" | "ups" | "fedex" | "dhl" | "ems" | "other" | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The carrier's tracking number. */
            trackingNumber?: string | null;
        };
        FulfillmentShipResult: {
            /** @description The fulfillment as it is now. */
            fulfillment: components["schemas"]["Fulfillment"];
            /** @description The fulfillment order as it is now. */
            fulfillmentOrder: components["schemas"]["FulfillmentOrder"];
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
        };
        FulfillmentsImportCarrierFileResult: {
            /** @description Rows that shipped goods. */
            applied: number;
            /** @description Whether this is what an import would do, and nothing was changed. */
            dryRun: boolean;
            /** @description Rejected rows with the reason: the first 1,000. */
            errors: {
                /** @description Facts of the message; null for none. */
                data: unknown;
                /** @description Human-readable message. */
                message: string;
                /** @description A stable word for the message. */
                reason: string;
                /** @description The row number in the file; the header is row 1. */
                row: number;
            }[];
            /** @description Rejected rows beyond those in errors. */
            moreErrors: number;
            /** @description Rows beyond those in rows. */
            moreRows: number;
            /** @description Such rows beyond those in warnings. */
            moreWarnings: number;
            /** @description What became of each row, in the order of the file. Of more than 10,000, those that were refused, and as many of the first others as there is room for. */
            rows: {
                /** @description The carrier, as it stands in the file. */
                carrier: string | null;
                /** @description Facts of the message; null for none. */
                data: unknown;
                /** @description Id of the fulfillment order, as it stands in the file where there is no such one; null if it names none. */
                fulfillmentOrder: string | null;
                /** @description Units that the fulfillment order still has to ship after it; 0 where nothing is shipped. */
                left: number;
                /** @description Human-readable message. */
                message: string | null;
                /** @description Id of the order; null if there is none. */
                order: string | null;
                /** @description Number of the order, as it stands in the file where there is no such order; null if it names none. */
                orderNumber: string | null;
                /** @description Units that leave with it; 0 where nothing is shipped. */
                quantity: number;
                /** @description A stable word for the message. */
                reason: string | null;
                /** @description The row number in the file; the header is row 1. */
                row: number;
                /**
                 * @description What became of it: applied ships units, unchanged was there already, skipped has no tracking number.
                 * @enum {string}
                 */
                status: "applied" | "unchanged" | "skipped" | "refused";
                /** @description The tracking number as it is kept; of refused rows, as it stands in the file. */
                trackingNumber: string | null;
            }[];
            /** @description Rows without a tracking number. */
            skipped: number;
            /** @description Rows that changed nothing. */
            unchanged: number;
            /** @description Applied rows that need a review: the first 1,000. */
            warnings: {
                /** @description Facts of the message; null for none. */
                data: unknown;
                /** @description Human-readable message. */
                message: string;
                /** @description A stable word for the message. */
                reason: string;
                /** @description The row number in the file; the header is row 1. */
                row: number;
            }[];
        };
        FulfillmentTrackInput: {
            /**
             * @description The carrier.
             * @enum {string|null}
             */
            carrier?: "cj" | "hanjin" | "lotte" | "epost" | "logen" | "ups" | "fedex" | "dhl" | "ems" | "other" | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The carrier's tracking number. */
            trackingNumber?: string | null;
        };
        FulfillmentTrackResult: {
            /** @description The fulfillment as it is now. */
            fulfillment: components["schemas"]["Fulfillment"];
            /** @description The fulfillment order as it is now. */
            fulfillmentOrder: components["schemas"]["FulfillmentOrder"];
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        FulfillmentWhere: {
            and?: components["schemas"]["FulfillmentWhere"][];
            AND?: components["schemas"]["FulfillmentWhere"][];
            carrier?: components["schemas"]["WhereText"];
            createdAt?: components["schemas"]["WhereDate"];
            deliveredAt?: components["schemas"]["WhereDate"];
            environment?: components["schemas"]["WhereText"];
            fulfillmentOrder?: components["schemas"]["WhereRelation"];
            id?: components["schemas"]["WhereText"];
            items?: components["schemas"]["WhereThere"];
            or?: components["schemas"]["FulfillmentWhere"][];
            OR?: components["schemas"]["FulfillmentWhere"][];
            order?: components["schemas"]["WhereRelation"];
            revision?: components["schemas"]["WhereNumber"];
            shippedAt?: components["schemas"]["WhereDate"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            trackingNumber?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        GraphqlAnswerInput: {
            /** @description Extensions of the client; ignored. */
            extensions?: unknown;
            /** @description Name of the operation to execute. */
            operationName?: string | null;
            /** @description The document. */
            query: string;
            /** @description The variables, by name. */
            variables?: unknown;
        };
        GuestEraseInput: {
            /** @description The guest's address, as they bought with it. The address of an erasure that is done stands for the guest, too: for what came since. */
            email: string;
            /** @description Why. It is kept with the erasure, so it should name nobody. */
            reason?: string | null;
        };
        GuestEraseResult: {
            /** @description What is held about the person in live and test. All other fields stay as they are: numbers, lines, money, stock and taxes. */
            collections: {
                /** @description Slug of a collection. */
                collection: string;
                /** @description The personal fields, which lose their values; inside groups and lists with dots. */
                fields: string[];
                /** @description How many of these have something personal. */
                personal: number;
                /** @description How many of its records are about the person. */
                records: number;
                /** @description How many of these are under way, and stay as they are until that is over. */
                underWay: number;
            }[];
            /** @description The erasure. An answer that is repeated for its idempotency key has the address of the erasure in place of the guest's. */
            erasure: components["schemas"]["GuestErasure"];
        };
        /** @description The erasure of what somebody without an account left in an environment, by their email address. */
        GuestErasure: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * Format: email
             * @description Address of the person while they are being erased; then the one that takes its place in their orders, checkouts and drafts.
             */
            email: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When the last of it was erased; null before.
             */
            erasedAt: string | null;
            /** @description Id of the user or secret key that had the person erased. */
            erasedBy: string | null;
            /**
             * Format: date-time
             * @description Since when what the person left is being erased; null once it is done.
             */
            erasingSince: string | null;
            /** @description Why. It stays, so it should name nobody. */
            erasureReason: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        /** @description A page of GuestErasures. */
        GuestErasureList: {
            docs: components["schemas"]["GuestErasure"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        GuestErasurePreviewInput: {
            /** @description The guest's address, as they bought with it. The address of an erasure that is done stands for the guest, too: for what came since. */
            email: string;
        };
        GuestErasurePreviewResult: {
            /** @description What has to be over before the person can be erased: at most 100 records. */
            blocking: {
                /** @description Slug of a collection. */
                collection: string;
                /** @description Id of the record. */
                record: string;
            }[];
            /** @description What is held about the person in live and test. All other fields stay as they are: numbers, lines, money, stock and taxes. */
            collections: {
                /** @description Slug of a collection. */
                collection: string;
                /** @description The personal fields, which lose their values; inside groups and lists with dots. */
                fields: string[];
                /** @description How many of these have something personal. */
                personal: number;
                /** @description How many of its records are about the person. */
                records: number;
                /** @description How many of these are under way, and stay as they are until that is over. */
                underWay: number;
            }[];
            /** @description Id of the customer with this address; null without one. Their account and what belongs to it is not counted and stays: it is erased with the customer. */
            customer: string | null;
            /** @description The erasure with this address; null: there is none, since it did not begin, or is done and has an address of its own. */
            erasure: components["schemas"]["GuestErasure"] | null;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        GuestErasureWhere: {
            and?: components["schemas"]["GuestErasureWhere"][];
            AND?: components["schemas"]["GuestErasureWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            email?: components["schemas"]["WhereText"];
            environment?: components["schemas"]["WhereText"];
            erasedAt?: components["schemas"]["WhereDate"];
            erasedBy?: components["schemas"]["WhereText"];
            erasingSince?: components["schemas"]["WhereDate"];
            erasureReason?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            or?: components["schemas"]["GuestErasureWhere"][];
            OR?: components["schemas"]["GuestErasureWhere"][];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description A file whose rows are brought into the shop in the background. */
        Import: {
            /** @description Rows that changed something. */
            applied: number;
            /** @description Whether somebody canceled it: a job that is running ends before its next rows. */
            cancelRequested: boolean;
            /** @description SHA-256 of the file, in hex. */
            checksum: string;
            /**
             * @description Slug of the collection that its rows are about; who may not read that one does not see it.
             * @enum {string}
             */
            collection: "products" | "customers" | "orders" | "product-variants" | "discounts";
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Whether it only says what it would do. */
            dryRun: boolean;
            /**
             * Format: date-time
             * @description When it ended; null before.
             */
            endedAt: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When it is removed with its file; null before its end.
             */
            expiresAt: string | null;
            /** @description Name of the file, as it was sent. */
            fileName: string | null;
            /** @description Size of the file in bytes. */
            fileSize: number;
            /** @description Records of an export, or rows of an import, that were handled so far. */
            handled: number;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /**
             * @description What its rows are about.
             * @enum {string}
             */
            kind: "products" | "customers" | "orders" | "stock" | "discounts";
            /**
             * @description Whether it creates records, updates them, or both (upsert).
             * @enum {string}
             */
            mode: "upsert" | "create" | "update";
            /** @description Why it failed; null if it did not. */
            problem: string | null;
            /** @description Rows that were refused. */
            rejected: number;
            /** @description Who asked for it, with whose rights it runs. */
            requestedBy: {
                /** @description Id of the user, key or customer, or the name of the provider. */
                id?: string;
                /**
                 * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                 * @enum {string}
                 */
                kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system";
                /**
                 * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                 * @enum {string|null}
                 */
                via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
            };
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * Format: date-time
             * @description When it began; null while it waits.
             */
            startedAt: string | null;
            /**
             * @description How far it is.
             * @enum {string}
             */
            status: "queued" | "running" | "done" | "failed" | "canceled";
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description How many of them there are, as counted at the beginning; null until then. */
            total: number | null;
            /** @description Rows that said what was there already. */
            unchanged: number;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        ImportCancelInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        ImportCancelResult: {
            /** @description The import as it is now. */
            import: components["schemas"]["Import"];
        };
        /** @description A page of Imports. */
        ImportList: {
            docs: components["schemas"]["Import"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description What became of some consecutive rows of an import. */
        ImportResult: {
            /** @description Rows that changed something. */
            applied: number;
            /**
             * @description Slug of the collection that its rows are about; who may not read that one does not see it.
             * @enum {string}
             */
            collection: "products" | "customers" | "orders" | "product-variants" | "discounts";
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Number of the first of its rows. */
            firstRow: number;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The import. */
            import: string | components["schemas"]["Import"] | null;
            /** @description Number of the last of its rows. */
            lastRow: number;
            /** @description Rows that were refused. */
            rejected: number;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The rows. */
            rows: {
                /** @description Why it was rejected; empty otherwise. */
                errors: {
                    /** @description A stable word for the reason. */
                    code: string;
                    /** @description Name of the column; null where the whole row is meant. */
                    column: string | null;
                    /** @description The reason in a sentence. */
                    message: string;
                }[];
                /** @description Id of the record that it is about; null if there is none. */
                record: string | null;
                /** @description Its number in the file; the first row is 1. */
                row: number;
                /**
                 * @description What became of it; in a dry run, what would.
                 * @enum {string}
                 */
                status: "applied" | "unchanged" | "rejected";
            }[];
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Rows that said what was there already. */
            unchanged: number;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        /** @description A page of ImportResults. */
        ImportResultList: {
            docs: components["schemas"]["ImportResult"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ImportResultWhere: {
            and?: components["schemas"]["ImportResultWhere"][];
            AND?: components["schemas"]["ImportResultWhere"][];
            applied?: components["schemas"]["WhereNumber"];
            collection?: components["schemas"]["WhereText"];
            createdAt?: components["schemas"]["WhereDate"];
            environment?: components["schemas"]["WhereText"];
            firstRow?: components["schemas"]["WhereNumber"];
            id?: components["schemas"]["WhereText"];
            import?: components["schemas"]["WhereRelation"];
            lastRow?: components["schemas"]["WhereNumber"];
            or?: components["schemas"]["ImportResultWhere"][];
            OR?: components["schemas"]["ImportResultWhere"][];
            rejected?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            rows?: components["schemas"]["WhereThere"];
            tenant?: components["schemas"]["WhereRelation"];
            unchanged?: components["schemas"]["WhereNumber"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        ImportRowsResult: {
            /** @description Number of the last row of the page where more follow; null where none do yet. */
            next: number | null;
            /** @description The rows. */
            rows: {
                /** @description Why it was rejected; empty otherwise. */
                errors: {
                    /** @description A stable word for the reason. */
                    code: string;
                    /** @description Name of the column; null where the whole row is meant. */
                    column: string | null;
                    /** @description The reason in a sentence. */
                    message: string;
                }[];
                /** @description Id of the record that it is about; null if there is none. */
                record: string | null;
                /** @description Its number in the file; the first row is 1. */
                row: number;
                /**
                 * @description What became of it; in a dry run, what would.
                 * @enum {string}
                 */
                status: "applied" | "unchanged" | "rejected";
            }[];
        };
        ImportStartResult: {
            /** @description The import as it is now. */
            import: components["schemas"]["Import"];
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ImportWhere: {
            and?: components["schemas"]["ImportWhere"][];
            AND?: components["schemas"]["ImportWhere"][];
            applied?: components["schemas"]["WhereNumber"];
            cancelRequested?: components["schemas"]["WhereBoolean"];
            checksum?: components["schemas"]["WhereText"];
            collection?: components["schemas"]["WhereText"];
            createdAt?: components["schemas"]["WhereDate"];
            dryRun?: components["schemas"]["WhereBoolean"];
            endedAt?: components["schemas"]["WhereDate"];
            environment?: components["schemas"]["WhereText"];
            expiresAt?: components["schemas"]["WhereDate"];
            fileName?: components["schemas"]["WhereText"];
            fileSize?: components["schemas"]["WhereNumber"];
            handled?: components["schemas"]["WhereNumber"];
            id?: components["schemas"]["WhereText"];
            kind?: components["schemas"]["WhereText"];
            mode?: components["schemas"]["WhereText"];
            or?: components["schemas"]["ImportWhere"][];
            OR?: components["schemas"]["ImportWhere"][];
            problem?: components["schemas"]["WhereText"];
            rejected?: components["schemas"]["WhereNumber"];
            requestedBy?: components["schemas"]["WhereThere"];
            revision?: components["schemas"]["WhereNumber"];
            startedAt?: components["schemas"]["WhereDate"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            total?: components["schemas"]["WhereNumber"];
            unchanged?: components["schemas"]["WhereNumber"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        InvitationResult: {
            /** @description Address that was invited. */
            email: string;
            /**
             * Format: date-time
             * @description When the invitation expires.
             */
            expiresAt: string;
            /** @description Role that the person will have. */
            role: string;
            /** @description Id of the tenant. */
            tenantId: string;
            /** @description Name of the tenant. */
            tenantName: string;
        };
        InvitationsAcceptInput: {
            /** @description The password to choose; nobody needs to be logged in then. */
            password?: string | null;
        };
        InvitationsAcceptResult: {
            /** @description To send with the second factor within five minutes. */
            challenge?: string | null;
            /** @description When the token expires, in seconds since 1970. */
            exp?: number | null;
            /** @description Human-readable message. */
            message: string;
            /** @description How the person can prove it: totp, passkey, recovery-code. */
            methods?: string[] | null;
            /** @description True where there is no session yet. */
            secondFactorRequired?: boolean | null;
            /** @description Token to send as Authorization: Bearer. */
            token?: string | null;
            /** @description The user. */
            user?: components["schemas"]["User"] | null;
        };
        /** @description A region with its currency and price rules. */
        Market: {
            /** @description Percent added to computed prices. */
            adjustmentPercent: number | null;
            /** @description Short name that calls may use in place of the id. */
            code: string;
            /** @description ISO 3166 codes. */
            countries: string[];
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code. It cannot be changed, since fixed prices are stored in it. */
            currency: string;
            /** @description Units of this market's currency per unit of the tenant's; 1 when missing. */
            exchangeRate: number | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The market a storefront shows first. */
            isDefault: boolean | null;
            /** @description Name. */
            name: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Computed prices are multiples of this; the currency's smallest unit when missing. */
            roundingIncrement: number | null;
            /**
             * @description Inactive markets are treated as missing.
             * @enum {string|null}
             */
            status: "active" | "inactive" | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        MarketBulk: {
            docs: components["schemas"]["Market"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        MarketCreate: {
            /** @description Percent added to computed prices. */
            adjustmentPercent?: number | null;
            /** @description Short name that calls may use in place of the id. */
            code: string;
            /** @description ISO 3166 codes. */
            countries?: string[] | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description ISO 4217 code. It cannot be changed, since fixed prices are stored in it. */
            currency: string;
            /** @description Units of this market's currency per unit of the tenant's; 1 when missing. */
            exchangeRate?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The market a storefront shows first. */
            isDefault?: boolean | null;
            /** @description Name. */
            name: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Computed prices are multiples of this; the currency's smallest unit when missing. */
            roundingIncrement?: number | null;
            /**
             * @description Inactive markets are treated as missing.
             * @enum {string|null}
             */
            status?: "active" | "inactive" | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        MarketDeleted: {
            doc: components["schemas"]["Market"];
            id: string;
            message: string;
        };
        /** @description A page of Markets. */
        MarketList: {
            docs: components["schemas"]["Market"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description A fixed price of a variant in a market. */
        MarketPrice: {
            /** @description Price in the market's currency. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            amount: number;
            /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            compareAtAmount: number | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description The market's currency, filled in by the server. */
            currency: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The market. */
            market: string | components["schemas"]["Market"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description The variant. */
            variant: string | components["schemas"]["ProductVariant"] | null;
        };
        MarketPriceBulk: {
            docs: components["schemas"]["MarketPrice"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        MarketPriceCreate: {
            /** @description Price in the market's currency. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            amount: number;
            /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            compareAtAmount?: number | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description The market's currency, filled in by the server. */
            currency?: string | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The market. */
            market: string | Record<string, unknown>;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description The variant. */
            variant: string | Record<string, unknown>;
        };
        MarketPriceDeleted: {
            doc: components["schemas"]["MarketPrice"];
            id: string;
            message: string;
        };
        /** @description A page of MarketPrices. */
        MarketPriceList: {
            docs: components["schemas"]["MarketPrice"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        MarketPriceUpdate: {
            /** @description Price in the market's currency. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            amount?: number;
            /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            compareAtAmount?: number | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description The market's currency, filled in by the server. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The market. Read-only: it may be sent back as it was read. */
            market?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description The variant. Read-only: it may be sent back as it was read. */
            variant?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        MarketPriceWhere: {
            amount?: components["schemas"]["WhereNumber"];
            and?: components["schemas"]["MarketPriceWhere"][];
            AND?: components["schemas"]["MarketPriceWhere"][];
            compareAtAmount?: components["schemas"]["WhereNumber"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            market?: components["schemas"]["WhereRelation"];
            or?: components["schemas"]["MarketPriceWhere"][];
            OR?: components["schemas"]["MarketPriceWhere"][];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
            variant?: components["schemas"]["WhereRelation"];
        };
        MarketPriceWritten: {
            doc: components["schemas"]["MarketPrice"];
            message: string;
        };
        /** @description Input of a change; omitted fields keep their value. */
        MarketUpdate: {
            /** @description Percent added to computed prices. */
            adjustmentPercent?: number | null;
            /** @description Short name that calls may use in place of the id. */
            code?: string;
            /** @description ISO 3166 codes. */
            countries?: string[] | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description ISO 4217 code. It cannot be changed, since fixed prices are stored in it. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description Units of this market's currency per unit of the tenant's; 1 when missing. */
            exchangeRate?: number | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The market a storefront shows first. */
            isDefault?: boolean | null;
            /** @description Name. */
            name?: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Computed prices are multiples of this; the currency's smallest unit when missing. */
            roundingIncrement?: number | null;
            /**
             * @description Inactive markets are treated as missing.
             * @enum {string|null}
             */
            status?: "active" | "inactive" | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        MarketWhere: {
            adjustmentPercent?: components["schemas"]["WhereNumber"];
            and?: components["schemas"]["MarketWhere"][];
            AND?: components["schemas"]["MarketWhere"][];
            code?: components["schemas"]["WhereText"];
            countries?: components["schemas"]["WhereList"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            exchangeRate?: components["schemas"]["WhereNumber"];
            id?: components["schemas"]["WhereText"];
            isDefault?: components["schemas"]["WhereBoolean"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["MarketWhere"][];
            OR?: components["schemas"]["MarketWhere"][];
            revision?: components["schemas"]["WhereNumber"];
            roundingIncrement?: components["schemas"]["WhereNumber"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        MarketWritten: {
            doc: components["schemas"]["Market"];
            message: string;
        };
        /** @description A file, mostly an image. */
        Media: {
            /** @description Alternative text. */
            alt: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Name of the file. */
            filename: string | null;
            /** @description Size in bytes. */
            filesize: number | null;
            /** @description Height in pixels. */
            height: number | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Type as sniffed from the bytes. */
            mimeType: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description Where the bytes are: a path of this server that needs no credentials, or an address elsewhere. */
            url: string | null;
            /** @description Width in pixels. */
            width: number | null;
        };
        MediaBulk: {
            docs: components["schemas"]["Media"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        MediaCreate: {
            /** @description Alternative text. */
            alt?: string | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Name of the file. Read-only: it may be sent back as it was read. */
            filename?: unknown;
            /** @description Size in bytes. Read-only: it may be sent back as it was read. */
            filesize?: unknown;
            /** @description Height in pixels. Read-only: it may be sent back as it was read. */
            height?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Type as sniffed from the bytes. Read-only: it may be sent back as it was read. */
            mimeType?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Where the bytes are: a path of this server that needs no credentials, or an address elsewhere. Read-only: it may be sent back as it was read. */
            url?: unknown;
            /** @description Width in pixels. Read-only: it may be sent back as it was read. */
            width?: unknown;
        };
        MediaDeleted: {
            doc: components["schemas"]["Media"];
            id: string;
            message: string;
        };
        /** @description A page of allMedia. */
        MediaList: {
            docs: components["schemas"]["Media"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        MediaUpdate: {
            /** @description Alternative text. */
            alt?: string | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Name of the file. Read-only: it may be sent back as it was read. */
            filename?: unknown;
            /** @description Size in bytes. Read-only: it may be sent back as it was read. */
            filesize?: unknown;
            /** @description Height in pixels. Read-only: it may be sent back as it was read. */
            height?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Type as sniffed from the bytes. Read-only: it may be sent back as it was read. */
            mimeType?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Where the bytes are: a path of this server that needs no credentials, or an address elsewhere. Read-only: it may be sent back as it was read. */
            url?: unknown;
            /** @description Width in pixels. Read-only: it may be sent back as it was read. */
            width?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        MediaWhere: {
            alt?: components["schemas"]["WhereText"];
            and?: components["schemas"]["MediaWhere"][];
            AND?: components["schemas"]["MediaWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            filename?: components["schemas"]["WhereText"];
            filesize?: components["schemas"]["WhereNumber"];
            height?: components["schemas"]["WhereNumber"];
            id?: components["schemas"]["WhereText"];
            mimeType?: components["schemas"]["WhereText"];
            or?: components["schemas"]["MediaWhere"][];
            OR?: components["schemas"]["MediaWhere"][];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
            url?: components["schemas"]["WhereText"];
            width?: components["schemas"]["WhereNumber"];
        };
        MediaWritten: {
            doc: components["schemas"]["Media"];
            message: string;
        };
        /** @description The new cart with flat totals and its token. */
        NewPreviousCart: {
            /** @description Public attributes: text by name. */
            attributes: {
                [key: string]: string;
            };
            /** @description The cart token. Shown only once: store it. */
            cartToken: string;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code of every amount in the cart. */
            currency: string;
            /** @description The customer who owns the cart; null for guests. */
            customer: string | components["schemas"]["Customer"] | null;
            /** @description Total of the discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            discountAmount: number;
            /** @description The discount codes, in the order they apply. */
            discountCodes: {
                /** @description What it takes off. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number | null;
                /** @description Whether it takes effect. */
                applied: boolean;
                /** @description The code. */
                code: string;
                /**
                 * @description Why it does not take effect.
                 * @enum {string|null}
                 */
                reason: "discount_not_found" | "discount_inactive" | "discount_not_started" | "discount_expired" | "discount_usage_limit" | "discount_customer_limit" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_context_required" | null;
            }[];
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When the cart is abandoned unless it changes before.
             */
            expiresAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Total of the lines before discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            itemsTotal: number;
            /** @description The lines, in the order they were added. */
            lines: {
                /** @description Attendees: one entry per unit of an event. */
                admissions: {
                    /** @description Attributes of the admission: text by name. */
                    attributes: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email: string | null;
                    /** @description Name of the person. */
                    name: string | null;
                    /** @description Telephone number of the person. */
                    phone: string | null;
                }[];
                /** @description Attributes of the line: text by name. */
                attributes: {
                    [key: string]: string;
                };
                /** @description Whether the line can be sold in this quantity. */
                available: boolean;
                /** @description Price before a reduction. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                compareAtPrice: number | null;
                /** @description The line's share of the discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Identifier of the line. */
                id: string;
                /** @description First image of the variant, else of the product. */
                image: string | components["schemas"]["Media"] | null;
                /**
                 * @description What the variant is.
                 * @enum {string}
                 */
                kind: "physical" | "digital" | "service" | "event";
                /** @description Whether the latest change of the cart changed the unit price. */
                priceChanged: boolean;
                /** @description The product. */
                product: string | components["schemas"]["Product"] | null;
                /** @description Units, 1 to 9999. */
                quantity: number;
                /** @description Whether the line is sent to an address. */
                requiresShipping: boolean;
                /** @description Stock keeping unit of the variant. */
                sku: string | null;
                /** @description unitPrice times quantity. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description Whether it was sold free of value added tax; null in records of older versions, which had no such goods. */
                taxFree: boolean | null;
                /** @description Name of the product. */
                title: string;
                /** @description subtotal minus discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
                /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                unitPrice: number;
                /** @description The variant. */
                variant: string | components["schemas"]["ProductVariant"] | null;
                /** @description Name of the variant. */
                variantTitle: string | null;
            }[];
            /** @description The market whose prices apply. */
            market: string | components["schemas"]["Market"] | null;
            /** @description Whether the cart belongs to its market for good. */
            marketLocked: boolean;
            /** @description Whether any line is sent to an address. */
            requiresShipping: boolean;
            /** @description Increases by one with every change. */
            revision: number;
            /** @description Shipping fee; null until an address is known, 0 if no line requires shipping. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            shippingFee: number | null;
            /**
             * @description Whether the cart can still be changed.
             * @enum {string}
             */
            status: "active" | "completed" | "merged" | "abandoned";
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Total of the lines after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            totalAmount: number;
            /** @description The sums of the lines. */
            totals: {
                /** @description Sum of the discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Null until an address is known; absent when nothing ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                shipping?: number | null;
                /** @description Sum of the lines before discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description The part of the total that is free of value added tax: its tax-free lines after discounts; null in records of older versions. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                taxFree: number | null;
                /** @description What the lines cost after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
            };
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        /** @description What a user of the shop is told. */
        Notification: {
            /** @description Who mentioned or assigned them. */
            author: {
                /** @description The secret key; null for others. */
                key: string | components["schemas"]["ApiKey"] | null;
                /**
                 * @description A user, a secret key, or the server itself (system).
                 * @enum {string|null}
                 */
                kind: "user" | "secret-key" | "system" | null;
                /** @description The user; null for others. */
                user: string | components["schemas"]["User"] | null;
                /**
                 * @description The way, such as api or console.
                 * @enum {string|null}
                 */
                via: "api" | "console" | "import" | "webhook" | "sweep" | null;
            };
            /** @description Slug of the collection of the record that it is about; of several, of the last one. */
            collection: string | null;
            /** @description The comment that mentions them; null for none. */
            comment: string | components["schemas"]["Comment"] | null;
            /** @description How many it is about, where they are told together; null for one. */
            count: number | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /**
             * @description mentioned in a comment, assigned to a record, or something about the shop: stock that is low, a payment that requires attention, a return that was requested, a customer who asks to be erased, an order that was placed.
             * @enum {string|null}
             */
            kind: "mentioned" | "assigned" | "lowStock" | "paymentAttention" | "returnRequested" | "erasureRequested" | "orderPlaced" | null;
            /**
             * Format: email
             * @description Where the shop mails it to; null if they want no mail about this.
             */
            mailTo: string | null;
            /** @description Whom it is for. */
            recipient: string | components["schemas"]["User"] | null;
            /** @description Id of the record that it is about; null where it is about several. */
            record: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Whether they have seen it, which they say themselves. */
            seen: boolean | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        /** @description A page of Notifications. */
        NotificationList: {
            docs: components["schemas"]["Notification"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        NotificationWhere: {
            and?: components["schemas"]["NotificationWhere"][];
            AND?: components["schemas"]["NotificationWhere"][];
            author?: components["schemas"]["WhereThere"];
            collection?: components["schemas"]["WhereText"];
            comment?: components["schemas"]["WhereRelation"];
            count?: components["schemas"]["WhereNumber"];
            createdAt?: components["schemas"]["WhereDate"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            kind?: components["schemas"]["WhereText"];
            mailTo?: components["schemas"]["WhereText"];
            or?: components["schemas"]["NotificationWhere"][];
            OR?: components["schemas"]["NotificationWhere"][];
            recipient?: components["schemas"]["WhereRelation"];
            record?: components["schemas"]["WhereText"];
            revision?: components["schemas"]["WhereNumber"];
            seen?: components["schemas"]["WhereBoolean"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description Something bought: by checkout, by an operator, or in another system. */
        Order: {
            /** @description Who of the team is on it; null for nobody. Not shown to shoppers. */
            assignee?: string | components["schemas"]["User"] | null;
            /** @description Money that the provider holds for the order until it is captured; empty for none. */
            authorization?: {
                /** @description How much is held. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number | null;
                /**
                 * @description When it is captured: once everything was shipped, or by an operator.
                 * @enum {string|null}
                 */
                capture: "automatic" | "on_shipping" | "manual" | null;
                /** @description The session that the buyer approved. */
                paymentSession: string | components["schemas"]["PaymentSession"] | null;
                /**
                 * Format: date-time
                 * @description When the provider releases it at the latest; null where it does not say.
                 */
                until: string | null;
            };
            /** @description What cancels of lines took off the total; null for nothing. What the order comes to is totalAmount less this. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            canceledAmount: number | null;
            /** @description Who canceled it, or is canceling it. */
            canceledBy?: {
                /** @description Id of the user, key or customer, or the name of the provider. */
                id?: string;
                /**
                 * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                 * @enum {string|null}
                 */
                kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system" | null;
                /**
                 * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                 * @enum {string|null}
                 */
                via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
            };
            /** @description Why it was canceled. Not shown to shoppers. */
            cancelReason?: string | null;
            /** @description The checkout it was placed from. */
            checkout: string | components["schemas"]["Checkout"] | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code of all amounts. */
            currency: string;
            /** @description The buyer's account; null for a guest. */
            customer: string | components["schemas"]["Customer"] | null;
            /** @description The buyer at the time of the order. */
            customerSnapshot: {
                /**
                 * Format: email
                 * @description The buyer's email.
                 */
                email: string | null;
                /** @description The buyer's name. */
                name: string | null;
                /** @description The buyer's phone number. */
                phone: string | null;
            };
            /**
             * Format: date-time
             * @description When it was delivered; null before. Filter by it together with status.
             */
            deliveredAt: string | null;
            /** @description All discounts on lines. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            discountAmount: number;
            /** @description The discount codes and their effect. */
            discountCodes: {
                /** @description What it takes off the lines. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number | null;
                /** @description Whether it takes effect. */
                applied: boolean;
                /** @description The code. */
                code: string;
                /**
                 * @description Why it does not take effect.
                 * @enum {string|null}
                 */
                reason: "discount_not_found" | "discount_inactive" | "discount_not_started" | "discount_expired" | "discount_usage_limit" | "discount_customer_limit" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_context_required" | null;
            }[];
            /** @description The draft it was finalized from. */
            draftOrder: string | components["schemas"]["DraftOrder"] | null;
            /**
             * Format: email
             * @description The buyer's email. It can be corrected, not removed.
             */
            email: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * @description Derived from the units fulfilled.
             * @enum {string}
             */
            fulfillmentStatus: "none" | "partial" | "fulfilled";
            /**
             * @description Why nothing of the order is shipped or completed at present; null for no reason. Not shown to shoppers.
             * @enum {string|null}
             */
            hold?: "payment_reversed" | "payment_disputed" | "payment_voided" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Cancels of lines, oldest first. */
            lineCancels?: {
                /** @description Who canceled. */
                actor: {
                    /** @description Id of the user, key or customer, or the name of the provider. */
                    id?: string;
                    /**
                     * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                     * @enum {string|null}
                     */
                    kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system" | null;
                    /**
                     * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                     * @enum {string|null}
                     */
                    via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
                };
                /** @description What it took off the order: lines and shipping. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number | null;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                at: string | null;
                /** @description What was canceled. */
                lines: {
                    /** @description What they came to, after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number | null;
                    /** @description Id of the order's line. */
                    orderLine: string | null;
                    /** @description Units of it. */
                    quantity: number | null;
                }[];
                /** @description Why. */
                reason: string | null;
                /** @description What it took off shipping. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                shippingAmount: number | null;
                /**
                 * @description in_progress until the provider took the refund.
                 * @enum {string|null}
                 */
                status: "done" | "in_progress" | null;
            }[];
            /** @description What was bought. */
            lines: {
                /** @description One per unit of an event line. */
                admissions: {
                    /** @description Attributes of the admission: text by name. */
                    attributes: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email: string | null;
                    /** @description Name of the person. */
                    name: string | null;
                    /** @description Telephone number of the person. */
                    phone: string | null;
                }[];
                /** @description The shopper's choices, text to text. */
                attributes: {
                    [key: string]: string;
                } | null;
                /** @description What those came to, after discounts; null for none. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                canceledAmount: number | null;
                /** @description Units canceled before they were fulfilled; null for none. */
                canceledQuantity: number | null;
                /** @description The line's share of all discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Units shipped or completed. */
                fulfilledQuantity: number;
                /** @description Id of the order line. */
                id: string;
                /** @description The product's picture. */
                image: string | components["schemas"]["Media"] | null;
                /**
                 * @description What the variant is.
                 * @enum {string}
                 */
                kind: "physical" | "digital" | "service" | "event";
                /** @description The product. */
                product: string | components["schemas"]["Product"] | null;
                /** @description Units ordered. */
                quantity: number;
                /** @description Whether it is delivered by a carrier. */
                requiresShipping: boolean;
                /** @description Units returned. */
                returnedQuantity: number;
                /** @description Stock keeping unit. */
                sku: string | null;
                /** @description Whether the sale took its units from stock, to which a cancel or a return restores them; false if the variant was not tracked then, and on imported orders. Not shown to shoppers. */
                stockTaken?: boolean | null;
                /** @description Unit price × quantity. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description Whether it was sold free of value added tax; null in records of older versions, which had no such goods. */
                taxFree: boolean | null;
                /** @description The product's name at the time. */
                title: string;
                /** @description What the line cost. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
                /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                unitPrice: number;
                /** @description The variant. */
                variant: string | components["schemas"]["ProductVariant"] | null;
                /** @description The variant's title at the time. */
                variantTitle: string | null;
            }[];
            /** @description Custom data of the shop. */
            metadata: unknown;
            /** @description Notes of buyer and operators. */
            notes: string | null;
            /** @description Order number: date and six digits. It grants no access. */
            orderNumber: string;
            /**
             * @description Derived from what was paid and refunded; authorized while the provider holds the money until it is captured, reversed while it has taken money back without a refund.
             * @enum {string}
             */
            paymentStatus: "unpaid" | "paid" | "partially_refunded" | "refunded" | "reversed" | "authorized" | "partially_paid";
            /**
             * Format: date-time
             * @description When it was placed.
             */
            placedAt: string;
            /** @description The refunded amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            refundedAmount: number;
            /** @description Return rules at the time of the order; absent on orders without such a snapshot. */
            returnShippingPolicy?: {
                /**
                 * @description How much outbound shipping a return refunds.
                 * @enum {string}
                 */
                initialShippingRefund: "always" | "full_return_only" | "proportional" | "never";
                /** @description What a return costs the customer. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                returnShippingFee: number;
            };
            /** @description What the provider took back without a refund and did not return; null for nothing. An exact decimal in major units, with no more fraction digits than its currency has. In currency. Not shown to shoppers. */
            reversedAmount?: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Where the goods go. It can be corrected until the order is shipped; what shipping cost stays as it is. */
            shippingAddress: {
                /** @description Street and number. */
                address1: string | null;
                /** @description Flat, floor. */
                address2: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country: string | null;
                /** @description A note for the carrier. */
                deliveryMessage: string | null;
                /** @description The recipient's phone number. */
                phone: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode: string | null;
                /** @description Who receives the goods. */
                recipientName: string | null;
            };
            /** @description Shipping paid. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            shippingAmount: number;
            /**
             * @description How it was made.
             * @enum {string}
             */
            source: "checkout" | "manual" | "api";
            /**
             * @description Status of the order.
             * @enum {string}
             */
            status: "pending" | "authorized" | "paid" | "failed" | "canceled" | "preparing" | "shipped" | "delivered" | "confirmed" | "return_requested" | "return_processing" | "returned";
            /** @description Note of the last manual transition. Not shown to shoppers. */
            statusNote?: string | null;
            /** @description Lines before discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            subtotal: number;
            /** @description Labels of the shop's own, in lower case and each once. Not shown to shoppers. */
            tags?: string[];
            /** @description The part of totalAmount that is free of value added tax: its tax-free lines after discounts; null in records of older versions. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            taxFreeAmount: number | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description What was paid. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            totalAmount: number;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        OrderBulk: {
            docs: components["schemas"]["Order"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        OrderCancelInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Answer what it would do, as outcome, and do nothing. No provider is asked: it is told as if they accepted. It needs no idempotency key; send the revision of the order along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
            /** @description Reason, which is sent to the provider and stored with the transaction. */
            reason: string;
            /** @description Bank account of the buyer. Required where the buyer paid by virtual account, which takes money only; other payments go back to where they came from. Kept encrypted, and only until the money is on its way; never shown. */
            refundAccount?: {
                /** @description Number of the account: at most 20 digits; dashes and spaces are left out. */
                account: string;
                /** @description Code of the bank, as the payment's provider writes it: GET /payment-providers lists them where the provider publishes them all. */
                bank: string;
                /** @description In whose name the account is. */
                holder: string;
            } | null;
        };
        OrderCancelLinesInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description What to cancel; each line once. */
            lines: {
                /** @description Id of the order's line. */
                orderLine: string;
                /** @description Units of it. */
                quantity: number;
            }[];
            /** @description Answer what it would do, and do nothing. It needs no idempotency key; send the order's revision along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
            /** @description Reason, which is sent to the provider and stored with the order and the transaction. */
            reason: string;
            /** @description Bank account of the buyer. Required where the buyer paid by virtual account, which takes money only; other payments go back to where they came from. Kept encrypted, and only until the money is on its way; never shown. */
            refundAccount?: {
                /** @description Number of the account: at most 20 digits; dashes and spaces are left out. */
                account: string;
                /** @description Code of the bank, as the payment's provider writes it: GET /payment-providers lists them where the provider publishes them all. */
                bank: string;
                /** @description In whose name the account is. */
                holder: string;
            } | null;
        };
        OrderCancelLinesResult: {
            /** @description What was canceled, or would be. */
            cancellation: {
                /** @description What the order comes to less: lines and shipping. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description What is canceled, and what it came to. */
                lines: {
                    /** @description What they came to, after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number | null;
                    /** @description Id of the order's line. */
                    orderLine: string | null;
                    /** @description Units of it. */
                    quantity: number | null;
                }[];
                /** @description What is given back of what was paid: the amount, as far as it was paid and not given back already; 0 while the order is unpaid or only authorized. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                refundAmount: number;
                /** @description What is taken off shipping: all of it once nothing ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                shippingAmount: number;
            };
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
        };
        OrderCancelResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description What it would do, as a preview; null once it was done. */
            outcome: {
                /** @description Whether the uses of its discount codes would be free again. */
                discountsFreed: boolean;
                /** @description How money would move. */
                money: {
                    /** @description How much, never negative. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description Id of the session of the payment; null for one without. */
                    paymentSession: string | null;
                    /** @description Who moves it; custom: it is only recorded. */
                    provider: string;
                    /**
                     * @description refund: it is given back; capture: what the provider holds is collected; release: what the provider holds is given up; record: a payment made elsewhere is written down; assign: what was paid already becomes the payment of an order.
                     * @enum {string}
                     */
                    type: "refund" | "capture" | "release" | "record" | "assign";
                }[];
                /** @description Which records would be made, changed or deleted: webhooks that listen to their collections are told of each. */
                records: {
                    /** @description Its statuses, and other choices, that would be others. */
                    changes: {
                        /** @description Name of the field. */
                        field: string;
                        /** @description What it says; null for nothing. */
                        from: string | null;
                        /** @description What it would say; null for nothing. */
                        to: string | null;
                    }[];
                    /** @description Slug of the collection. */
                    collection: string;
                    /**
                     * @description What would happen to it.
                     * @enum {string}
                     */
                    operation: "create" | "update" | "delete";
                    /** @description Id of the record; null for one that would be made. */
                    record: string | null;
                }[];
                /** @description Whose units on hand would become more or less. */
                stock: {
                    /** @description Units that come back, or, if negative, are taken. */
                    quantity: number;
                    /** @description Id of the variant. */
                    variantId: string;
                }[];
            } | null;
        };
        OrderCaptureInput: {
            /** @description What to capture, at most what is authorized; all of it when missing. */
            amount?: {
                /** @description Amount in major units. */
                amount: number;
                /** @description ISO 4217 code. */
                currency: string;
            } | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Answer what it would do, as outcome, and do nothing. No provider is asked: it is told as if they accepted. It needs no idempotency key; send the revision of the order along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
        };
        OrderCaptureResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description What it would do, as a preview; null once it was done. */
            outcome: {
                /** @description Whether the uses of its discount codes would be free again. */
                discountsFreed: boolean;
                /** @description How money would move. */
                money: {
                    /** @description How much, never negative. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description Id of the session of the payment; null for one without. */
                    paymentSession: string | null;
                    /** @description Who moves it; custom: it is only recorded. */
                    provider: string;
                    /**
                     * @description refund: it is given back; capture: what the provider holds is collected; release: what the provider holds is given up; record: a payment made elsewhere is written down; assign: what was paid already becomes the payment of an order.
                     * @enum {string}
                     */
                    type: "refund" | "capture" | "release" | "record" | "assign";
                }[];
                /** @description Which records would be made, changed or deleted: webhooks that listen to their collections are told of each. */
                records: {
                    /** @description Its statuses, and other choices, that would be others. */
                    changes: {
                        /** @description Name of the field. */
                        field: string;
                        /** @description What it says; null for nothing. */
                        from: string | null;
                        /** @description What it would say; null for nothing. */
                        to: string | null;
                    }[];
                    /** @description Slug of the collection. */
                    collection: string;
                    /**
                     * @description What would happen to it.
                     * @enum {string}
                     */
                    operation: "create" | "update" | "delete";
                    /** @description Id of the record; null for one that would be made. */
                    record: string | null;
                }[];
                /** @description Whose units on hand would become more or less. */
                stock: {
                    /** @description Units that come back, or, if negative, are taken. */
                    quantity: number;
                    /** @description Id of the variant. */
                    variantId: string;
                }[];
            } | null;
            /** @description The payment, with the captured amount. */
            transaction: components["schemas"]["Transaction"];
        };
        OrderCheckoutInput: {
            /** @description The cart. */
            cartId: string;
            /** @description The buyer. */
            customerSnapshot: {
                /** @description The buyer's email. */
                email?: string | null;
                /** @description The buyer's name. */
                name?: string | null;
                /** @description The buyer's phone number. */
                phone?: string | null;
            };
            /** @description Discount codes instead of the cart's; all of them must apply. */
            discountCodes?: string[] | null;
            /** @description Number of the order; it must not be taken. */
            orderNumber?: string | null;
            /** @description Shipping address; required if any line requires shipping. */
            shippingAddress?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country?: string | null;
                /** @description A note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The recipient's phone number. */
                phone?: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode?: string | null;
                /** @description Who receives the goods. */
                recipientName?: string | null;
            } | null;
        };
        OrderCheckoutResult: {
            /** @description The checkout as it is now. */
            checkout?: components["schemas"]["Checkout"];
            /** @description The checkout token. Shown only once: store it. */
            checkoutToken?: string;
            /** @description The order; null until it is placed. */
            order: components["schemas"]["Order"] | null;
        };
        OrderCorrectInput: {
            /** @description The buyer's email. */
            email?: string | null;
            /** @description The revision of the order that the correction is based on. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The buyer's notes; null for none. */
            notes?: string | null;
            /** @description Answer what it would do, and do nothing. Send the order's revision along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
            /** @description Where the goods go, until the order is shipped; what is left out of it stays. */
            shippingAddress?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country?: string | null;
                /** @description A note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The recipient's phone number. */
                phone?: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode?: string | null;
                /** @description Who receives the goods. */
                recipientName?: string | null;
            } | null;
        };
        OrderCorrectResult: {
            /** @description What was corrected, or would be. */
            correction: {
                /** @description Which of email, shippingAddress and notes become others; none if all are as asked already. */
                changes: string[];
                /**
                 * Format: email
                 * @description The buyer's email.
                 */
                email: string | null;
                /** @description The buyer's notes; null for none. */
                notes: string | null;
                /** @description Where the goods go, until the order is shipped; what is left out of it stays. */
                shippingAddress: {
                    /** @description Street and number. */
                    address1: string | null;
                    /** @description Flat, floor. */
                    address2: string | null;
                    /** @description ISO 3166-1 alpha-2 code. */
                    country: string | null;
                    /** @description A note for the carrier. */
                    deliveryMessage: string | null;
                    /** @description The recipient's phone number. */
                    phone: string | null;
                    /** @description Postal code as text; five digits in Korea. */
                    postalCode: string | null;
                    /** @description Who receives the goods. */
                    recipientName: string | null;
                } | null;
            };
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
        };
        /** @description A page of Orders. */
        OrderList: {
            docs: components["schemas"]["Order"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        OrderRefundInput: {
            /** @description What to give back, at most what is left of a payment. */
            amount: {
                /** @description Amount in major units. */
                amount: number;
                /** @description ISO 4217 code. */
                currency: string;
            };
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Answer what it would do, and do nothing. It needs no idempotency key; send the order's revision along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
            /** @description Reason, which is sent to the provider and stored with the transaction. */
            reason: string;
            /** @description Bank account of the buyer. Required where the buyer paid by virtual account, which takes money only; other payments go back to where they came from. Kept encrypted, and only until the money is on its way; never shown. */
            refundAccount?: {
                /** @description Number of the account: at most 20 digits; dashes and spaces are left out. */
                account: string;
                /** @description Code of the bank, as the payment's provider writes it: GET /payment-providers lists them where the provider publishes them all. */
                bank: string;
                /** @description In whose name the account is. */
                holder: string;
            } | null;
        };
        OrderRefundResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description What was given back, or would be. */
            refund: {
                /** @description What is given back. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description Id of the transaction of the payment that it is taken from. */
                payment: string;
                /** @description Who gives it back; custom: it is only recorded. */
                provider: string;
                /** @description What is left of the order's payments after it. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                refundableAmount: number;
            };
            /** @description The refund; null for a preview. */
            transaction: components["schemas"]["Transaction"] | null;
        };
        OrderReturnableResult: {
            /** @description Whether refunding shipping needs an audit note, because the order has no return policy. */
            auditNoteRequired: boolean;
            /** @description ISO 4217 code of all amounts. */
            currency: string;
            /** @description The most outbound shipping that can still be refunded. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            initialShippingRefundCap: number;
            /** @description Every line of the order. */
            lines: {
                /** @description Units ordered. */
                ordered: number;
                /** @description Id of the order's line. */
                orderLine: string;
                /** @description Units that can still be returned. */
                remaining: number;
                /** @description Units of all return requests that are not rejected or canceled. */
                returned: number;
                /** @description Whether the line requires shipping: only then is shipping refunded or charged. */
                shippable: boolean;
                /** @description Refund of one more unit, before fees; 0 when none remains. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                unitRefund: number;
            }[];
            /** @description Outbound shipping that the order's return policy suggests to refund for all remaining units. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            suggestedInitialShippingRefund: number;
        };
        OrdersImportInput: {
            /** @description The orders. */
            orders: {
                /** @description ISO 4217 code of all amounts; defaults to the shop's currency. */
                currency?: string | null;
                /** @description The buyer's account in this shop. It is never derived from the email. */
                customer?: string | null;
                /** @description The buyer at the time of the order. */
                customerSnapshot?: {
                    /** @description The buyer's email. */
                    email?: string | null;
                    /** @description The buyer's name. */
                    name?: string | null;
                    /** @description The buyer's phone number. */
                    phone?: string | null;
                } | null;
                /**
                 * Format: date-time
                 * @description When it was delivered; defaults to now for delivered orders.
                 */
                deliveredAt?: string | null;
                /** @description All discounts on lines; has to be their sum. Where no line says its share it is spread by value. */
                discountAmount?: number | null;
                /** @description Codes that were used. */
                discountCodes?: {
                    /** @description What it took off; 0 when left out. */
                    amount?: number | null;
                    /** @description The code. */
                    code: string;
                }[] | null;
                /** @description The buyer's email; defaults to that of customerSnapshot. */
                email?: string | null;
                /** @description What was bought: at least one line. */
                lines: {
                    /** @description The shopper's choices. */
                    attributes?: {
                        [key: string]: string;
                    } | null;
                    /** @description The line's share of all discounts; 0 when left out. */
                    discount?: number | null;
                    /**
                     * @description Kind of product; defaults to the variant's, else physical.
                     * @enum {string|null}
                     */
                    kind?: "physical" | "digital" | "service" | "event" | null;
                    /** @description Units ordered. */
                    quantity: number;
                    /** @description Whether a carrier delivers it; defaults to the variant's value, else to whether it is physical. */
                    requiresShipping?: boolean | null;
                    /** @description Units already returned; defaults to all units of a returned order, else 0. */
                    returnedQuantity?: number | null;
                    /** @description Stock keeping unit; defaults to the variant's. */
                    sku?: string | null;
                    /** @description Unit price × quantity, if known. */
                    subtotal?: number | null;
                    /** @description Whether it was sold free of value added tax; no when left out. */
                    taxFree?: boolean | null;
                    /** @description Title of the product. */
                    title: string;
                    /** @description Subtotal less discount, if known. */
                    total?: number | null;
                    /** @description Price of one unit. */
                    unitPrice: number;
                    /** @description The variant in this shop, if there is one. */
                    variant?: string | null;
                    /** @description Title of the variant. */
                    variantTitle?: string | null;
                }[];
                /** @description Custom data of the shop. */
                metadata?: unknown;
                /** @description Notes of buyer and operators; a customer reads them too. */
                notes?: string | null;
                /** @description Order number in the other system, kept here: 1 to 64 visible characters without spaces. */
                orderNumber: string;
                /**
                 * @description What became of the payment, where the status does not say it: an order that is shipped before it is paid is unpaid, one that was canceled and not refunded is paid. It has to agree with status and refundedAmount.
                 * @enum {string|null}
                 */
                paymentStatus?: "unpaid" | "paid" | "partially_refunded" | "refunded" | null;
                /**
                 * Format: date-time
                 * @description When it was placed; defaults to now.
                 */
                placedAt?: string | null;
                /** @description What went back there; 0 when left out. */
                refundedAmount?: number | null;
                /** @description Where the goods go, or went. */
                shippingAddress?: {
                    /** @description Street and number. */
                    address1?: string | null;
                    /** @description Flat, floor. */
                    address2?: string | null;
                    /** @description ISO 3166-1 alpha-2 code. */
                    country?: string | null;
                    /** @description A note for the carrier. */
                    deliveryMessage?: string | null;
                    /** @description The recipient's phone number. */
                    phone?: string | null;
                    /** @description Postal code as text; five digits in Korea. */
                    postalCode?: string | null;
                    /** @description Who receives the goods. */
                    recipientName?: string | null;
                } | null;
                /** @description Shipping paid; 0 when left out. */
                shippingAmount?: number | null;
                /**
                 * @description Status of the order. It decides what was paid and sent: pending and failed orders are unpaid and unsent, paid and preparing ones are paid, and from shipped on all units are sent as well; a canceled order was paid only if it has a refundedAmount.
                 * @enum {string}
                 */
                status: "pending" | "paid" | "failed" | "canceled" | "preparing" | "shipped" | "delivered" | "confirmed" | "return_requested" | "return_processing" | "returned";
                /** @description Lines before discounts; has to be their sum. */
                subtotal?: number | null;
                /** @description What was to be paid: subtotal less discountAmount plus shippingAmount. */
                totalAmount: number;
            }[];
        };
        OrdersImportResult: {
            /** @description Number of imported orders. */
            created: number;
            /** @description Rejected orders. */
            errors: {
                /** @description Index of the order in the list, from 0. */
                index: number;
                /** @description What is wrong with it. */
                message: string;
            }[] | null;
            /** @description Number of orders that already existed with the same content. */
            unchanged: number;
        };
        OrderTransitionInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Note to store: on the order as statusNote, and on a manual payment as its note. */
            note?: string | null;
            /** @description Answer what it would do, as outcome, and do nothing. No provider is asked: it is told as if they accepted. It needs no idempotency key; send the revision of the order along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
            /** @description Bank account of the buyer. For a transition to canceled, as of orders.cancel. Kept encrypted, and only until the money is on its way; never shown. */
            refundAccount?: {
                /** @description Number of the account: at most 20 digits; dashes and spaces are left out. */
                account: string;
                /** @description Code of the bank, as the payment's provider writes it: GET /payment-providers lists them where the provider publishes them all. */
                bank: string;
                /** @description In whose name the account is. */
                holder: string;
            } | null;
            /**
             * @description The new status.
             * @enum {string}
             */
            to: "pending" | "authorized" | "paid" | "failed" | "canceled" | "preparing" | "shipped" | "delivered" | "confirmed" | "return_requested" | "return_processing" | "returned";
        };
        OrderTransitionResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description What it would do, as a preview; null once it was done. */
            outcome: {
                /** @description Whether the uses of its discount codes would be free again. */
                discountsFreed: boolean;
                /** @description How money would move. */
                money: {
                    /** @description How much, never negative. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description Id of the session of the payment; null for one without. */
                    paymentSession: string | null;
                    /** @description Who moves it; custom: it is only recorded. */
                    provider: string;
                    /**
                     * @description refund: it is given back; capture: what the provider holds is collected; release: what the provider holds is given up; record: a payment made elsewhere is written down; assign: what was paid already becomes the payment of an order.
                     * @enum {string}
                     */
                    type: "refund" | "capture" | "release" | "record" | "assign";
                }[];
                /** @description Which records would be made, changed or deleted: webhooks that listen to their collections are told of each. */
                records: {
                    /** @description Its statuses, and other choices, that would be others. */
                    changes: {
                        /** @description Name of the field. */
                        field: string;
                        /** @description What it says; null for nothing. */
                        from: string | null;
                        /** @description What it would say; null for nothing. */
                        to: string | null;
                    }[];
                    /** @description Slug of the collection. */
                    collection: string;
                    /**
                     * @description What would happen to it.
                     * @enum {string}
                     */
                    operation: "create" | "update" | "delete";
                    /** @description Id of the record; null for one that would be made. */
                    record: string | null;
                }[];
                /** @description Whose units on hand would become more or less. */
                stock: {
                    /** @description Units that come back, or, if negative, are taken. */
                    quantity: number;
                    /** @description Id of the variant. */
                    variantId: string;
                }[];
            } | null;
        };
        /** @description Input of a change; omitted fields keep their value. */
        OrderUpdate: {
            /** @description Who of the team is on it; null for nobody. Not shown to shoppers. */
            assignee?: string | Record<string, unknown> | null;
            /** @description Money that the provider holds for the order until it is captured; empty for none. Read-only: it may be sent back as it was read. */
            authorization?: unknown;
            /** @description What cancels of lines took off the total; null for nothing. What the order comes to is totalAmount less this. Read-only: it may be sent back as it was read. */
            canceledAmount?: unknown;
            /** @description Who canceled it, or is canceling it. Read-only: it may be sent back as it was read. */
            canceledBy?: unknown;
            /** @description Why it was canceled. Read-only: it may be sent back as it was read. */
            cancelReason?: unknown;
            /** @description The checkout it was placed from. Read-only: it may be sent back as it was read. */
            checkout?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description ISO 4217 code of all amounts. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description The buyer's account; null for a guest. Read-only: it may be sent back as it was read. */
            customer?: unknown;
            /** @description The buyer at the time of the order. Read-only: it may be sent back as it was read. */
            customerSnapshot?: unknown;
            /** @description When it was delivered; null before. Filter by it together with status. Read-only: it may be sent back as it was read. */
            deliveredAt?: unknown;
            /** @description All discounts on lines. Read-only: it may be sent back as it was read. */
            discountAmount?: unknown;
            /** @description The discount codes and their effect. Read-only: it may be sent back as it was read. */
            discountCodes?: unknown;
            /** @description The draft it was finalized from. Read-only: it may be sent back as it was read. */
            draftOrder?: unknown;
            /**
             * Format: email
             * @description The buyer's email. It can be corrected, not removed.
             */
            email?: string | null;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. Read-only: it may be sent back as it was read. */
            expectedRevision?: unknown;
            /** @description Derived from the units fulfilled. Read-only: it may be sent back as it was read. */
            fulfillmentStatus?: unknown;
            /** @description Why nothing of the order is shipped or completed at present; null for no reason. Read-only: it may be sent back as it was read. */
            hold?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Cancels of lines, oldest first. Read-only: it may be sent back as it was read. */
            lineCancels?: unknown;
            /** @description What was bought. Read-only: it may be sent back as it was read. */
            lines?: unknown;
            /** @description Custom data of the shop. */
            metadata?: unknown;
            /** @description Notes of buyer and operators. */
            notes?: string | null;
            /** @description Order number: date and six digits. It grants no access. Read-only: it may be sent back as it was read. */
            orderNumber?: unknown;
            /** @description Derived from what was paid and refunded; authorized while the provider holds the money until it is captured, reversed while it has taken money back without a refund. Read-only: it may be sent back as it was read. */
            paymentStatus?: unknown;
            /** @description When it was placed. Read-only: it may be sent back as it was read. */
            placedAt?: unknown;
            /** @description The refunded amount. Read-only: it may be sent back as it was read. */
            refundedAmount?: unknown;
            /** @description Return rules at the time of the order; absent on orders without such a snapshot. Read-only: it may be sent back as it was read. */
            returnShippingPolicy?: unknown;
            /** @description What the provider took back without a refund and did not return; null for nothing. Read-only: it may be sent back as it was read. */
            reversedAmount?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Where the goods go. It can be corrected until the order is shipped; what shipping cost stays as it is. */
            shippingAddress?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country?: string | null;
                /** @description A note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The recipient's phone number. */
                phone?: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode?: string | null;
                /** @description Who receives the goods. */
                recipientName?: string | null;
            } | null;
            /** @description Shipping paid. Read-only: it may be sent back as it was read. */
            shippingAmount?: unknown;
            /** @description How it was made. Read-only: it may be sent back as it was read. */
            source?: unknown;
            /** @description Status of the order. Read-only: it may be sent back as it was read. */
            status?: unknown;
            /** @description Note of the last manual transition. Read-only: it may be sent back as it was read. */
            statusNote?: unknown;
            /** @description Lines before discounts. Read-only: it may be sent back as it was read. */
            subtotal?: unknown;
            /** @description Labels of the shop's own, in lower case and each once. Not shown to shoppers. */
            tags?: string[] | null;
            /** @description The part of totalAmount that is free of value added tax: its tax-free lines after discounts; null in records of older versions. Read-only: it may be sent back as it was read. */
            taxFreeAmount?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description What was paid. Read-only: it may be sent back as it was read. */
            totalAmount?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        OrderWhere: {
            and?: components["schemas"]["OrderWhere"][];
            AND?: components["schemas"]["OrderWhere"][];
            assignee?: components["schemas"]["WhereRelation"];
            authorization?: components["schemas"]["WhereThere"];
            canceledAmount?: components["schemas"]["WhereNumber"];
            canceledBy?: components["schemas"]["WhereThere"];
            cancelReason?: components["schemas"]["WhereText"];
            checkout?: components["schemas"]["WhereRelation"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            customer?: components["schemas"]["WhereRelation"];
            customerSnapshot?: components["schemas"]["WhereThere"];
            deliveredAt?: components["schemas"]["WhereDate"];
            discountAmount?: components["schemas"]["WhereNumber"];
            discountCodes?: components["schemas"]["WhereThere"];
            draftOrder?: components["schemas"]["WhereRelation"];
            email?: components["schemas"]["WhereText"];
            environment?: components["schemas"]["WhereText"];
            fulfillmentStatus?: components["schemas"]["WhereText"];
            hold?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            lineCancels?: components["schemas"]["WhereThere"];
            lines?: components["schemas"]["WhereThere"];
            metadata?: components["schemas"]["WhereThere"];
            notes?: components["schemas"]["WhereText"];
            or?: components["schemas"]["OrderWhere"][];
            OR?: components["schemas"]["OrderWhere"][];
            orderNumber?: components["schemas"]["WhereText"];
            paymentStatus?: components["schemas"]["WhereText"];
            placedAt?: components["schemas"]["WhereDate"];
            refundedAmount?: components["schemas"]["WhereNumber"];
            returnShippingPolicy?: components["schemas"]["WhereThere"];
            reversedAmount?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            shippingAddress?: components["schemas"]["WhereThere"];
            shippingAmount?: components["schemas"]["WhereNumber"];
            source?: components["schemas"]["WhereText"];
            status?: components["schemas"]["WhereText"];
            statusNote?: components["schemas"]["WhereText"];
            subtotal?: components["schemas"]["WhereNumber"];
            tags?: components["schemas"]["WhereList"];
            taxFreeAmount?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            totalAmount?: components["schemas"]["WhereNumber"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        OrderWritten: {
            doc: components["schemas"]["Order"];
            message: string;
        };
        /** @description A standing page of the shop, such as its imprint. */
        Page: {
            /** @description The text, in the format of the editor that made it. */
            content: unknown;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Images in order; the first is the featured one. */
            images: (string | components["schemas"]["Media"] | null)[];
            /**
             * Format: date-time
             * @description When it appears; the moment of publishing when missing.
             */
            publishedAt: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Handle in addresses. */
            slug: string;
            /**
             * @description Shoppers see what is published, from publishedAt on.
             * @enum {string|null}
             */
            status: "draft" | "published" | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Title. */
            title: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        PageBulk: {
            docs: components["schemas"]["Page"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        PageCreate: {
            /** @description The text, in the format of the editor that made it. */
            content?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Images in order; the first is the featured one. */
            images?: (string | Record<string, unknown>)[] | null;
            /** @description When it appears; the moment of publishing when missing. */
            publishedAt?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle in addresses. */
            slug: string;
            /**
             * @description Shoppers see what is published, from publishedAt on.
             * @enum {string|null}
             */
            status?: "draft" | "published" | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Title. */
            title: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        PageDeleted: {
            doc: components["schemas"]["Page"];
            id: string;
            message: string;
        };
        /** @description A page of Pages. */
        PageList: {
            docs: components["schemas"]["Page"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        PageUpdate: {
            /** @description The text, in the format of the editor that made it. */
            content?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Images in order; the first is the featured one. */
            images?: (string | Record<string, unknown>)[] | null;
            /** @description When it appears; the moment of publishing when missing. */
            publishedAt?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle in addresses. */
            slug?: string;
            /**
             * @description Shoppers see what is published, from publishedAt on.
             * @enum {string|null}
             */
            status?: "draft" | "published" | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Title. */
            title?: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        PageWhere: {
            and?: components["schemas"]["PageWhere"][];
            AND?: components["schemas"]["PageWhere"][];
            content?: components["schemas"]["WhereThere"];
            createdAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            images?: components["schemas"]["WhereList"];
            or?: components["schemas"]["PageWhere"][];
            OR?: components["schemas"]["PageWhere"][];
            publishedAt?: components["schemas"]["WhereDate"];
            revision?: components["schemas"]["WhereNumber"];
            slug?: components["schemas"]["WhereText"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            title?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        PageWritten: {
            doc: components["schemas"]["Page"];
            message: string;
        };
        PaymentProvidersResult: {
            /** @description The providers that connections can name. */
            providers: {
                /** @description What `accountKey` of a connection is there. */
                account: string;
                /** @description Whether `capture` of a connection may be `on_shipping` or `manual`. Methods that cannot are captured at once. */
                capturesLater: boolean;
                /** @description Members of `credentials` of a connection. */
                credentials: {
                    /** @description What it is. */
                    description: string;
                    /** @description The member's name. */
                    name: string;
                    /** @description Kinds of session that need it; empty: it is optional. */
                    requiredFor: ("widget" | "hosted_v2" | "standard_v2")[];
                    /** @description Whether it never reaches a browser. */
                    secret: boolean;
                }[];
                /** @description ISO 4217 codes that it takes; empty: it depends on the account. */
                currencies: string[];
                /** @description Kinds of payment session that it takes. */
                kinds: ("widget" | "hosted_v2" | "standard_v2")[];
                /** @description Methods that its hosted page can be opened for; empty without hosted sessions. */
                methods: ("CARD_KR" | "N_PAY" | "KAKAO_PAY" | "TOSS_PAY" | "CARD_INTERNATIONAL" | "PAY_PAL" | "UNION_PAY" | "ALIPAY_CN" | "ALIPAY_HK" | "TRUE_MONEY" | "DANA" | "TOUCH_N_GO" | "G_CASH" | "WE_CHAT_PAY" | "KLARNA" | "E_CONTEXT" | "GRAB_PAY_MY" | "GRAB_PAY_SG" | "SHOPEE_PAY_TH" | "PAY_PAY" | "BPI" | "RABBIT_LINE_PAY" | "CONVENIENCE_STORE_JP" | "AMAZON_PAY" | "RAKUTEN_PAY" | "D_BARAI" | "AU_PAY" | "MERPAY")[];
                /** @description The value of `provider` in connections, sessions and transactions. */
                name: string;
                /** @description Payments that are refunded to a bank account of the buyer. */
                refundAccounts: {
                    /** @description Methods that are refunded to an account if one is given. */
                    acceptedFor: string[];
                    /** @description Codes of the banks; empty: the provider does not publish them all. */
                    banks: string[];
                    /** @description Methods, in the provider's words, that are refunded to nothing else. */
                    requiredFor: string[];
                };
                /** @description Whether a connection needs `webhookSecrets`, without which its webhooks are refused. */
                signsWebhooks: boolean;
                /** @description Kinds of payment session at which the provider is told which part of a payment, and of its refunds, has no value added tax. */
                taxFreeFor: ("widget" | "hosted_v2" | "standard_v2")[];
                /** @description The name for people. */
                title: string;
            }[];
        };
        /** @description One attempt to collect the money of a checkout. */
        PaymentSession: {
            /** @description What is collected. */
            amount: {
                /** @description Amount in major units. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number;
                /** @description ISO 4217 code. */
                currency: string;
            };
            /**
             * @description When the money is collected after the approval, as the connection said when the session was opened; null for custom sessions. Not shown to shoppers.
             * @enum {string|null}
             */
            capture?: "automatic" | "on_shipping" | "manual" | null;
            /** @description The checkout that is paid. */
            checkout: string | components["schemas"]["Checkout"] | null;
            /** @description The account; null for custom sessions. */
            connection: string | components["schemas"]["ProviderConnection"] | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description The buyer's name. Not shown to shoppers. */
            customerName?: string | null;
            /** @description The buyer's email. Not shown to shoppers. */
            email?: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When the reservation of the goods ends.
             */
            expiresAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description What the buyer has to pay where and until when, of payments to a virtual account; empty otherwise. */
            instructions: {
                /** @description Number of the account to pay to, made for this payment. */
                account: string | null;
                /** @description What to pay, exactly, in major units. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number | null;
                /** @description Name of the bank; null if only its code is known. */
                bank: string | null;
                /** @description The bank as the provider writes it. */
                bankCode: string | null;
                /** @description ISO 4217 code. */
                currency: string | null;
                /**
                 * Format: date-time
                 * @description When the account takes no money any more.
                 */
                due: string | null;
                /** @description In whose name the account is. */
                holder: string | null;
            };
            /**
             * @description How the shopper pays.
             * @enum {string}
             */
            kind: "widget" | "hosted_v2" | "standard_v2" | "custom";
            /** @description The payment method asked for, later the one used. */
            method: string | null;
            /** @description What the operator who released the slot or resolved the payment wrote, or why the provider refused a capture. Not shown to shoppers. */
            note?: string | null;
            /**
             * @description The last problem observed; it does not free the slot.
             * @enum {string}
             */
            observation: "none" | "absent" | "expired" | "failed";
            /** @description The order, once placed. */
            order: string | components["schemas"]["Order"] | null;
            /** @description Our id of the payment: 6 to 40 letters and digits. Not shown to shoppers. */
            paymentId?: string | null;
            /** @description The buyer's phone number. Not shown to shoppers. */
            phone?: string | null;
            /**
             * @description The provider.
             * @enum {string}
             */
            provider: "sandbox" | "toss" | "portone" | "stripe" | "custom";
            /** @description The provider's id of the payment. */
            providerPaymentId: string | null;
            /** @description The provider's id of the session. */
            providerSessionId: string | null;
            /** @description Why the session requires attention. */
            reason: string | null;
            /**
             * @description How a payment that required attention was resolved: by an operator, or by its provider, which took the money back; voided: an authorized payment was released. Not shown to shoppers.
             * @enum {string|null}
             */
            resolution?: "placed" | "refunded" | "dismissed" | "reversed" | "voided" | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Whether the session holds its checkout's payment slot. */
            slotHeld: boolean;
            /**
             * @description How far the payment is.
             * @enum {string}
             */
            status: "created" | "pending" | "processing" | "authorized" | "succeeded" | "failed" | "canceled" | "expired" | "requires_attention";
            /**
             * @description What an operator is advised to do while the session requires attention: refund the payment, place the order once the goods are available, compare the amounts, check with the provider, cancel the order, capture the payment before its provider releases it, or have the buyer pay again. Not shown to shoppers.
             * @enum {string|null}
             */
            suggestedAction?: "refund" | "place_after_restock" | "compare_amounts" | "look_at_provider" | "cancel_order" | "collect_again" | "capture" | "respond_to_dispute" | null;
            /** @description The part of the amount that is free of value added tax, which the provider is told, in its currency; null for none. An exact decimal in major units, with no more fraction digits than its currency has. */
            taxFreeAmount: number | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        PaymentSessionCancelAggregatorInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        PaymentSessionCancelAggregatorResult: {
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionCancelInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        PaymentSessionCancelResult: {
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionConfirmInput: {
            /** @description The action's amount. */
            amount: {
                /** @description Amount in major units. */
                amount: number;
                /** @description ISO 4217 code. */
                currency: string;
            };
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The action's orderId. */
            orderId: string;
            /** @description The provider's id of the approved payment. */
            paymentKey: string;
        };
        PaymentSessionConfirmResult: {
            /** @description The checkout as it is now. */
            checkout: components["schemas"]["Checkout"];
            /** @description The order that was placed; null while a virtual account waits for its deposit. */
            order: components["schemas"]["Order"] | null;
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionCreateAggregatorInput: {
            /**
             * @description Payment channel of a standard action.
             * @enum {string|null}
             */
            channel?: "card" | null;
            /** @description The checkout. */
            checkoutId: string;
            /** @description The provider account; defaults to the shop's default account. */
            connectionId?: string | null;
            /** @description Country of the buyer of a hosted page: an ISO 3166-1 alpha-2 code. */
            country?: string | null;
            /**
             * @description Payment method of a hosted page; it must be enabled on the provider account.
             * @enum {string|null}
             */
            method?: "CARD_KR" | "N_PAY" | "KAKAO_PAY" | "TOSS_PAY" | "CARD_INTERNATIONAL" | "PAY_PAL" | "UNION_PAY" | "ALIPAY_CN" | "ALIPAY_HK" | "TRUE_MONEY" | "DANA" | "TOUCH_N_GO" | "G_CASH" | "WE_CHAT_PAY" | "KLARNA" | "E_CONTEXT" | "GRAB_PAY_MY" | "GRAB_PAY_SG" | "SHOPEE_PAY_TH" | "PAY_PAY" | "BPI" | "RABBIT_LINE_PAY" | "CONVENIENCE_STORE_JP" | "AMAZON_PAY" | "RAKUTEN_PAY" | "D_BARAI" | "AU_PAY" | "MERPAY" | null;
            /**
             * @description Whether the buyer pays on the provider's page (hosted_v2) or through the provider's SDK in the browser (standard_v2).
             * @enum {string}
             */
            mode: "hosted_v2" | "standard_v2";
            /** @description URL to which the shopper returns: https, on an origin the shop allows. A return does not prove that the payment succeeded: retrieve the session. */
            redirectUrl: string;
        };
        PaymentSessionCreateAggregatorResult: {
            /** @description Arguments of requestPayment, for standard_v2; type and version identify their shape. An issued action cannot be withdrawn. */
            action?: {
                /** @description Key of the channel at the provider. */
                channelKey: string;
                /**
                 * @description The currency, as the provider's SDK spells it.
                 * @enum {string}
                 */
                currency: "CURRENCY_KRW";
                /** @description The buyer. */
                customer: {
                    /** @description The buyer's email; may be empty. */
                    email: string;
                    /** @description The buyer's name; may be empty. */
                    fullName: string;
                    /** @description The buyer's phone number; may be empty. */
                    phoneNumber: string;
                };
                /** @description Description that the provider shows to the buyer. */
                orderName: string;
                /** @description Id of the payment: 6 to 40 ASCII letters and digits. It never changes. */
                paymentId: string;
                /**
                 * @description The payment method.
                 * @enum {string}
                 */
                payMethod: "CARD";
                /**
                 * @description Whether anything that is paid is delivered; only where the provider takes it.
                 * @enum {string|null}
                 */
                productType?: "PRODUCT_TYPE_REAL" | "PRODUCT_TYPE_DIGITAL" | null;
                /** @description URL to which the buyer returns. A return does not prove that the payment succeeded: retrieve the session. */
                redirectUrl: string;
                /** @description Id of the shop at the provider. */
                storeId: string;
                /** @description The part of totalAmount without value added tax, in won; missing without such a part, or where the provider is not told. */
                taxFreeAmount?: number | null;
                /** @description The amount to pay, in won. */
                totalAmount: number;
                /**
                 * @description Type of the action.
                 * @enum {string}
                 */
                type: "requestPayment";
                /** @description The value added tax in the rest of totalAmount, in won; together with taxFreeAmount. */
                vatAmount?: number | null;
                /**
                 * @description Version of the action's shape.
                 * @enum {string}
                 */
                version: "standard_v2";
            };
            /** @description URL of the provider's page, for hosted_v2. */
            checkoutUrl?: string;
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionCreateInput: {
            /** @description The checkout. */
            checkoutId: string;
            /** @description The provider account; defaults to the shop's default account. */
            connectionId?: string | null;
            /** @description URL to which the shopper returns otherwise. */
            failUrl?: string | null;
            /** @description URL to which the shopper returns after paying: https, on an origin the shop allows. */
            successUrl?: string | null;
        };
        PaymentSessionCreateResult: {
            /** @description Input of the provider's widget; type and version identify its shape. */
            action: {
                /** @description The amount to pay; the confirmation repeats it. */
                amount: {
                    /** @description Amount in major units. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code. */
                    currency: string;
                };
                /** @description The provider's key for browsers. */
                clientKey: string;
                /** @description An unguessable id of the buyer at the provider. */
                customerKey: string;
                /** @description URL to which the buyer returns after declining or leaving. */
                failUrl: string;
                /** @description Id of the payment at the provider; the confirmation repeats it. */
                orderId: string;
                /** @description Description that the provider shows to the buyer. */
                orderName: string;
                /** @description The provider of the widget. */
                provider: string;
                /** @description The argument of setAmount of the SDK; only of Toss Payments. */
                setAmount?: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The amount to pay, in major units. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    value: number;
                } | null;
                /** @description URL to which the buyer returns after approving the payment. */
                successUrl: string;
                /** @description The part of the amount without value added tax, in major units, to be passed on to the SDK's requestPayment; missing without such a part. */
                taxFreeAmount?: number | null;
                /**
                 * @description Type of the action.
                 * @enum {string}
                 */
                type: "widget";
                /**
                 * @description Version of the action's shape.
                 * @enum {string}
                 */
                version: "widget_v1";
            };
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionCustomConfirmInput: {
            /** @description The amount that the provider captured. */
            captured: {
                /** @description Amount in major units. */
                amount: number;
                /** @description ISO 4217 code. */
                currency: string;
            };
            /** @description The provider's id of the event; it can confirm one payment only. */
            eventId: string;
            /** @description The provider's id of the payment, compared exactly; it can pay one session only. */
            providerPaymentId: string;
            /** @description The provider's id of its session, compared exactly. */
            providerSessionId: string;
        };
        PaymentSessionCustomConfirmResult: {
            /** @description The checkout as it is now. */
            checkout: components["schemas"]["Checkout"];
            /** @description The order that was placed. */
            order: components["schemas"]["Order"];
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionCustomCreateInput: {
            /** @description The checkout. */
            checkoutId: string;
            /** @description Name of the provider. */
            providerName: string;
            /** @description The provider's id of its session, compared exactly; it can be used for one payment session only. */
            providerSessionId: string;
        };
        PaymentSessionCustomCreateResult: {
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionCustomRetrieveResult: {
            /** @description The amount to pay. */
            amount: {
                /** @description Amount in major units. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number;
                /** @description ISO 4217 code. */
                currency: string;
            };
            /** @description The order; null until it is placed. */
            orderId: string | null;
            /**
             * @description Status of the payment session.
             * @enum {string}
             */
            status: "created" | "pending" | "processing" | "authorized" | "succeeded" | "failed" | "canceled" | "expired" | "requires_attention";
        };
        PaymentSessionFindAggregatorResult: {
            /** @description Whether a session has this payment. */
            found: boolean;
            /** @description The session as it is now. */
            paymentSession?: components["schemas"]["PaymentSession"];
        };
        /** @description A page of PaymentSessions. */
        PaymentSessionList: {
            docs: components["schemas"]["PaymentSession"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        PaymentSessionReconcileAggregatorInput: {
            /** @description The account's identifier at the provider. */
            accountKey: string;
            /**
             * @description The environment, which must be that of the key.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description Id of the payment at the provider: the one we sent, or the provider's own. */
            providerPaymentId: string;
        };
        PaymentSessionReconcileAggregatorResult: {
            /** @description The checkout as it is now. */
            checkout?: components["schemas"]["Checkout"];
            /** @description Whether a session has this payment. */
            found: boolean;
            /** @description The order, once placed. */
            order?: components["schemas"]["Order"] | null;
            /** @description The session as it is now. */
            paymentSession?: components["schemas"]["PaymentSession"];
            /** @description Whether the payment requires attention. */
            requiresAttention: boolean;
        };
        PaymentSessionReleaseInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Reason for the release. */
            note: string;
            /** @description Answer what it would do, as outcome, and do nothing. No provider is asked: it is told as if they accepted. It needs no idempotency key; send the revision of the session along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
        };
        PaymentSessionReleaseResult: {
            /** @description What it would do, as a preview; null once it was done. */
            outcome: {
                /** @description Whether the uses of its discount codes would be free again. */
                discountsFreed: boolean;
                /** @description How money would move. */
                money: {
                    /** @description How much, never negative. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description Id of the session of the payment; null for one without. */
                    paymentSession: string | null;
                    /** @description Who moves it; custom: it is only recorded. */
                    provider: string;
                    /**
                     * @description refund: it is given back; capture: what the provider holds is collected; release: what the provider holds is given up; record: a payment made elsewhere is written down; assign: what was paid already becomes the payment of an order.
                     * @enum {string}
                     */
                    type: "refund" | "capture" | "release" | "record" | "assign";
                }[];
                /** @description Which records would be made, changed or deleted: webhooks that listen to their collections are told of each. */
                records: {
                    /** @description Its statuses, and other choices, that would be others. */
                    changes: {
                        /** @description Name of the field. */
                        field: string;
                        /** @description What it says; null for nothing. */
                        from: string | null;
                        /** @description What it would say; null for nothing. */
                        to: string | null;
                    }[];
                    /** @description Slug of the collection. */
                    collection: string;
                    /**
                     * @description What would happen to it.
                     * @enum {string}
                     */
                    operation: "create" | "update" | "delete";
                    /** @description Id of the record; null for one that would be made. */
                    record: string | null;
                }[];
                /** @description Whose units on hand would become more or less. */
                stock: {
                    /** @description Units that come back, or, if negative, are taken. */
                    quantity: number;
                    /** @description Id of the variant. */
                    variantId: string;
                }[];
            } | null;
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionResolveInput: {
            /**
             * @description The action to take.
             * @enum {string}
             */
            action: "place" | "refund" | "dismiss";
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The reason; stored with the session. */
            note: string;
            /** @description Answer what it would do, as outcome, and do nothing. No provider is asked: it is told as if they accepted. It needs no idempotency key; send the revision of the session along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
            /** @description Bank account of the buyer. For the action refund. Required where the buyer paid by virtual account, which takes money only; other payments go back to where they came from. Kept encrypted, and only until the money is on its way; never shown. */
            refundAccount?: {
                /** @description Number of the account: at most 20 digits; dashes and spaces are left out. */
                account: string;
                /** @description Code of the bank, as the payment's provider writes it: GET /payment-providers lists them where the provider publishes them all. */
                bank: string;
                /** @description In whose name the account is. */
                holder: string;
            } | null;
        };
        PaymentSessionResolveResult: {
            /** @description The checkout as it is now. */
            checkout: components["schemas"]["Checkout"];
            /** @description The order of the payment; null when it has none. */
            order: components["schemas"]["Order"] | null;
            /** @description What it would do, as a preview; null once it was done. */
            outcome: {
                /** @description Whether the uses of its discount codes would be free again. */
                discountsFreed: boolean;
                /** @description How money would move. */
                money: {
                    /** @description How much, never negative. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description Id of the session of the payment; null for one without. */
                    paymentSession: string | null;
                    /** @description Who moves it; custom: it is only recorded. */
                    provider: string;
                    /**
                     * @description refund: it is given back; capture: what the provider holds is collected; release: what the provider holds is given up; record: a payment made elsewhere is written down; assign: what was paid already becomes the payment of an order.
                     * @enum {string}
                     */
                    type: "refund" | "capture" | "release" | "record" | "assign";
                }[];
                /** @description Which records would be made, changed or deleted: webhooks that listen to their collections are told of each. */
                records: {
                    /** @description Its statuses, and other choices, that would be others. */
                    changes: {
                        /** @description Name of the field. */
                        field: string;
                        /** @description What it says; null for nothing. */
                        from: string | null;
                        /** @description What it would say; null for nothing. */
                        to: string | null;
                    }[];
                    /** @description Slug of the collection. */
                    collection: string;
                    /**
                     * @description What would happen to it.
                     * @enum {string}
                     */
                    operation: "create" | "update" | "delete";
                    /** @description Id of the record; null for one that would be made. */
                    record: string | null;
                }[];
                /** @description Whose units on hand would become more or less. */
                stock: {
                    /** @description Units that come back, or, if negative, are taken. */
                    quantity: number;
                    /** @description Id of the variant. */
                    variantId: string;
                }[];
            } | null;
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionRetrieveAggregatorResult: {
            /** @description The checkout that was paid. */
            checkout?: components["schemas"]["Checkout"];
            /** @description The order that was placed. */
            order?: components["schemas"]["Order"];
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        PaymentSessionRetrieveResult: {
            /** @description The session as it is now. */
            paymentSession: components["schemas"]["PaymentSession"];
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        PaymentSessionWhere: {
            amount?: components["schemas"]["WhereThere"];
            and?: components["schemas"]["PaymentSessionWhere"][];
            AND?: components["schemas"]["PaymentSessionWhere"][];
            capture?: components["schemas"]["WhereText"];
            checkout?: components["schemas"]["WhereRelation"];
            connection?: components["schemas"]["WhereRelation"];
            createdAt?: components["schemas"]["WhereDate"];
            customerName?: components["schemas"]["WhereText"];
            email?: components["schemas"]["WhereText"];
            environment?: components["schemas"]["WhereText"];
            expiresAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            instructions?: components["schemas"]["WhereThere"];
            kind?: components["schemas"]["WhereText"];
            method?: components["schemas"]["WhereText"];
            note?: components["schemas"]["WhereText"];
            observation?: components["schemas"]["WhereText"];
            or?: components["schemas"]["PaymentSessionWhere"][];
            OR?: components["schemas"]["PaymentSessionWhere"][];
            order?: components["schemas"]["WhereRelation"];
            paymentId?: components["schemas"]["WhereText"];
            phone?: components["schemas"]["WhereText"];
            provider?: components["schemas"]["WhereText"];
            providerPaymentId?: components["schemas"]["WhereText"];
            providerSessionId?: components["schemas"]["WhereText"];
            reason?: components["schemas"]["WhereText"];
            resolution?: components["schemas"]["WhereText"];
            revision?: components["schemas"]["WhereNumber"];
            slotHeld?: components["schemas"]["WhereBoolean"];
            status?: components["schemas"]["WhereText"];
            suggestedAction?: components["schemas"]["WhereText"];
            taxFreeAmount?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        PermissionsResult: {
            /** @description The permissions of the caller. */
            own: string[];
            /** @description What roles of the tenant's own can contain: operations first, then collections. */
            permissions: {
                /** @description What it lets people do. */
                description: string;
                /** @description Its name, such as orders:fulfill or customers:update. */
                permission: string;
                /** @description The roles of every tenant that have it. */
                roles: string[];
            }[];
        };
        /** @description An article of the shop. */
        Post: {
            /** @description Who wrote it. */
            author: string | components["schemas"]["User"] | null;
            /** @description Categories. */
            categories: (string | components["schemas"]["Category"] | null)[];
            /** @description The text, in the format of the editor that made it. */
            content: unknown;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Images in order; the first is the featured one. */
            images: (string | components["schemas"]["Media"] | null)[];
            /**
             * Format: date-time
             * @description When it appears; the moment of publishing when missing.
             */
            publishedAt: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Handle in addresses, made from the title when missing. */
            slug: string | null;
            /**
             * @description Shoppers see what is published, from publishedAt on.
             * @enum {string|null}
             */
            status: "draft" | "published" | null;
            /** @description Tags. */
            tags: (string | components["schemas"]["Tag"] | null)[];
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Title. */
            title: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description Videos in order. */
            videos: (string | components["schemas"]["Video"] | null)[];
        };
        PostBulk: {
            docs: components["schemas"]["Post"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        PostCreate: {
            /** @description Who wrote it. */
            author?: string | Record<string, unknown> | null;
            /** @description Categories. */
            categories?: (string | Record<string, unknown>)[] | null;
            /** @description The text, in the format of the editor that made it. */
            content?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Images in order; the first is the featured one. */
            images?: (string | Record<string, unknown>)[] | null;
            /** @description When it appears; the moment of publishing when missing. */
            publishedAt?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle in addresses, made from the title when missing. */
            slug?: string | null;
            /**
             * @description Shoppers see what is published, from publishedAt on.
             * @enum {string|null}
             */
            status?: "draft" | "published" | null;
            /** @description Tags. */
            tags?: (string | Record<string, unknown>)[] | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Title. */
            title: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Videos in order. */
            videos?: (string | Record<string, unknown>)[] | null;
        };
        PostDeleted: {
            doc: components["schemas"]["Post"];
            id: string;
            message: string;
        };
        /** @description A page of Posts. */
        PostList: {
            docs: components["schemas"]["Post"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        PostUpdate: {
            /** @description Who wrote it. */
            author?: string | Record<string, unknown> | null;
            /** @description Categories. */
            categories?: (string | Record<string, unknown>)[] | null;
            /** @description The text, in the format of the editor that made it. */
            content?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Images in order; the first is the featured one. */
            images?: (string | Record<string, unknown>)[] | null;
            /** @description When it appears; the moment of publishing when missing. */
            publishedAt?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle in addresses, made from the title when missing. */
            slug?: string | null;
            /**
             * @description Shoppers see what is published, from publishedAt on.
             * @enum {string|null}
             */
            status?: "draft" | "published" | null;
            /** @description Tags. */
            tags?: (string | Record<string, unknown>)[] | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Title. */
            title?: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Videos in order. */
            videos?: (string | Record<string, unknown>)[] | null;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        PostWhere: {
            and?: components["schemas"]["PostWhere"][];
            AND?: components["schemas"]["PostWhere"][];
            author?: components["schemas"]["WhereRelation"];
            categories?: components["schemas"]["WhereList"];
            content?: components["schemas"]["WhereThere"];
            createdAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            images?: components["schemas"]["WhereList"];
            or?: components["schemas"]["PostWhere"][];
            OR?: components["schemas"]["PostWhere"][];
            publishedAt?: components["schemas"]["WhereDate"];
            revision?: components["schemas"]["WhereNumber"];
            slug?: components["schemas"]["WhereText"];
            status?: components["schemas"]["WhereText"];
            tags?: components["schemas"]["WhereList"];
            tenant?: components["schemas"]["WhereRelation"];
            title?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
            videos?: components["schemas"]["WhereList"];
        };
        PostWritten: {
            doc: components["schemas"]["Post"];
            message: string;
        };
        /** @description The cart as it is now, with flat totals. */
        PreviousCart: {
            /** @description Public attributes: text by name. */
            attributes: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code of every amount in the cart. */
            currency: string;
            /** @description The customer who owns the cart; null for guests. */
            customer: string | components["schemas"]["Customer"] | null;
            /** @description Total of the discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            discountAmount: number;
            /** @description The discount codes, in the order they apply. */
            discountCodes: {
                /** @description What it takes off. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                amount: number | null;
                /** @description Whether it takes effect. */
                applied: boolean;
                /** @description The code. */
                code: string;
                /**
                 * @description Why it does not take effect.
                 * @enum {string|null}
                 */
                reason: "discount_not_found" | "discount_inactive" | "discount_not_started" | "discount_expired" | "discount_usage_limit" | "discount_customer_limit" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_context_required" | null;
            }[];
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /**
             * Format: date-time
             * @description When the cart is abandoned unless it changes before.
             */
            expiresAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Total of the lines before discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            itemsTotal: number;
            /** @description The lines, in the order they were added. */
            lines: {
                /** @description Attendees: one entry per unit of an event. */
                admissions: {
                    /** @description Attributes of the admission: text by name. */
                    attributes: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email: string | null;
                    /** @description Name of the person. */
                    name: string | null;
                    /** @description Telephone number of the person. */
                    phone: string | null;
                }[];
                /** @description Attributes of the line: text by name. */
                attributes: {
                    [key: string]: string;
                };
                /** @description Whether the line can be sold in this quantity. */
                available: boolean;
                /** @description Price before a reduction. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                compareAtPrice: number | null;
                /** @description The line's share of the discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Identifier of the line. */
                id: string;
                /** @description First image of the variant, else of the product. */
                image: string | components["schemas"]["Media"] | null;
                /**
                 * @description What the variant is.
                 * @enum {string}
                 */
                kind: "physical" | "digital" | "service" | "event";
                /** @description Whether the latest change of the cart changed the unit price. */
                priceChanged: boolean;
                /** @description The product. */
                product: string | components["schemas"]["Product"] | null;
                /** @description Units, 1 to 9999. */
                quantity: number;
                /** @description Whether the line is sent to an address. */
                requiresShipping: boolean;
                /** @description Stock keeping unit of the variant. */
                sku: string | null;
                /** @description unitPrice times quantity. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description Whether it was sold free of value added tax; null in records of older versions, which had no such goods. */
                taxFree: boolean | null;
                /** @description Name of the product. */
                title: string;
                /** @description subtotal minus discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
                /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                unitPrice: number;
                /** @description The variant. */
                variant: string | components["schemas"]["ProductVariant"] | null;
                /** @description Name of the variant. */
                variantTitle: string | null;
            }[];
            /** @description The market whose prices apply. */
            market: string | components["schemas"]["Market"] | null;
            /** @description Whether the cart belongs to its market for good. */
            marketLocked: boolean;
            /** @description Whether any line is sent to an address. */
            requiresShipping: boolean;
            /** @description Increases by one with every change. */
            revision: number;
            /** @description Shipping fee; null until an address is known, 0 if no line requires shipping. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            shippingFee: number | null;
            /**
             * @description Whether the cart can still be changed.
             * @enum {string}
             */
            status: "active" | "completed" | "merged" | "abandoned";
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Total of the lines after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            totalAmount: number;
            /** @description The sums of the lines. */
            totals: {
                /** @description Sum of the discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                discount: number;
                /** @description Null until an address is known; absent when nothing ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                shipping?: number | null;
                /** @description Sum of the lines before discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                subtotal: number;
                /** @description The part of the total that is free of value added tax: its tax-free lines after discounts; null in records of older versions. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                taxFree: number | null;
                /** @description What the lines cost after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                total: number;
            };
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        PreviousCartAddItemInput: {
            /** @description Attendees of an event: one entry per unit. */
            admissions?: {
                /** @description Attributes of the admission: text by name. */
                attributes?: {
                    [key: string]: string;
                } | null;
                /** @description Email address of the person. */
                email?: string | null;
                /** @description Name of the person. */
                name: string;
                /** @description Telephone number of the person. */
                phone?: string | null;
            }[] | null;
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes?: {
                [key: string]: string;
            } | null;
            /** @description Id or code of the market whose prices apply. */
            market?: string | null;
            /** @description How many units. */
            quantity: number;
            /** @description The variant. */
            variantId: string;
        };
        PreviousCartApplyDiscountInput: {
            /** @description The discount code. */
            discountCode: string;
        };
        PreviousCartCreateInput: {
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes?: {
                [key: string]: string;
            } | null;
            /** @description Discount codes, in the order they apply. */
            discountCodes?: string[] | null;
            /** @description Lines of the new cart. */
            items?: {
                /** @description Attendees of an event: one entry per unit. */
                admissions?: {
                    /** @description Attributes of the admission: text by name. */
                    attributes?: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email?: string | null;
                    /** @description Name of the person. */
                    name: string;
                    /** @description Telephone number of the person. */
                    phone?: string | null;
                }[] | null;
                /** @description Texts by name: at most 50, of at most 2 KiB each. */
                attributes?: {
                    [key: string]: string;
                } | null;
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variantId: string;
            }[] | null;
            /** @description Id or code of the market whose prices apply. */
            market?: string | null;
        };
        PreviousCartRemoveDiscountInput: {
            /** @description The discount code. */
            discountCode: string;
        };
        PreviousCartUpdateDiscountCodesInput: {
            /** @description Discount codes, in the order they apply. */
            discountCodes: string[];
        };
        PreviousCartUpdateItemInput: {
            /** @description Attendees of an event: one entry per unit. */
            admissions?: {
                /** @description Attributes of the admission: text by name. */
                attributes?: {
                    [key: string]: string;
                } | null;
                /** @description Email address of the person. */
                email?: string | null;
                /** @description Name of the person. */
                name: string;
                /** @description Telephone number of the person. */
                phone?: string | null;
            }[] | null;
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes?: {
                [key: string]: string;
            } | null;
            /** @description How many units. */
            quantity?: number | null;
        };
        /** @description Something the shop sells. Every product has at least one variant; price and stock belong to the variants. */
        Product: {
            /** @description Brand. */
            brand: string | components["schemas"]["Brand"] | null;
            /** @description Further categories. */
            categories: (string | components["schemas"]["Category"] | null)[];
            /** @description Main category. */
            category: string | components["schemas"]["Category"] | null;
            /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
            costPrice?: number | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Description, plain or HTML. */
            description: string | null;
            /** @description Percent off; the undiscounted price becomes the compare-at price. */
            discount: number | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Images in order; the first is the featured one. */
            images: (string | components["schemas"]["Media"] | null)[];
            /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Not shown to shoppers. */
            lowStock?: boolean | null;
            /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
            lowStockThreshold?: number | null;
            /** @description Custom data of the shop. */
            metadata: unknown;
            /** @description Name; `title` is accepted too. */
            name: string;
            /** @description What a shopper chooses between, in order. */
            options: (string | components["schemas"]["ProductOption"] | null)[];
            /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
            price: number;
            /**
             * Format: date-time
             * @description When a draft becomes published by itself; nobody sees or buys it before. Not shown to shoppers.
             */
            publishAt?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Own shipping policy; the default one when missing. */
            shippingPolicy: string | components["schemas"]["ShippingPolicy"] | null;
            /** @description Handle in addresses, made from the name when missing. */
            slug: string | null;
            /**
             * @description Listings show published products; detail pages open unlisted ones too.
             * @enum {string}
             */
            status: "draft" | "published" | "unlisted" | "out-of-stock";
            /** @description Units on hand over all variants; writable while there is one default variant. Not shown to shoppers. */
            stock?: number | null;
            /** @description Tags. */
            tags: (string | components["schemas"]["Tag"] | null)[];
            /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
            taxFree: boolean | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description Videos in order. */
            videos: (string | components["schemas"]["Video"] | null)[];
        };
        ProductAdjustPricesInput: {
            /** @description Hundredths of a percent: 1000 raises prices by 10 %, -500 lowers them by 5 %. */
            basisPoints: number;
            /** @description New prices are this amount below such a multiple: 100 below 1,000 makes 900, 1,900, 2,900. */
            below?: number | null;
            /** @description What a preview showed. Only these prices are changed. */
            expected?: {
                /** @description Id of the record with the price. */
                id: string;
                /** @description Its revision. */
                revision: number;
            }[] | null;
            /** @description Id or code of a market: its fixed prices are changed, and no others. */
            market?: string | null;
            /** @description Answer what it would do, and change nothing. */
            preview?: boolean | null;
            /** @description Ids of the products. Either this or where. */
            products?: string[] | null;
            /**
             * @description To which multiple; the nearest when missing, of two the higher.
             * @enum {string|null}
             */
            rounding?: "nearest" | "up" | "down" | null;
            /** @description New prices are multiples of this amount; the currency's smallest unit when missing. */
            roundTo?: number | null;
            /** @description Filter of the products, as lists take it. Either this or products. */
            where?: unknown;
        };
        ProductAdjustPricesResult: {
            /** @description Currency of the prices. */
            currency: string;
            /** @description Whether nothing was changed. */
            preview: boolean;
            /** @description Each price: of products before those of their variants. */
            prices: {
                /**
                 * @description Whose price it is.
                 * @enum {string}
                 */
                collection: "products" | "product-variants" | "market-prices";
                /** @description Why it was refused; empty otherwise. */
                errors: {
                    /** @description The field of data that it is about. */
                    field: string | null;
                    /** @description The same in a sentence. */
                    message: string;
                    /** @description The reason, as in the error of a single change. */
                    reason: string;
                }[];
                /** @description The price before. An exact decimal in major units, with no more fraction digits than its currency has. */
                from: number | null;
                /** @description Id of the record, as sent. */
                id: string;
                /** @description Id of the product. */
                product: string | null;
                /** @description The record's revision now; of a refused one only where another revision was expected. */
                revision: number | null;
                /**
                 * @description What became of it.
                 * @enum {string}
                 */
                status: "updated" | "unchanged" | "refused";
                /** @description Title of the variant, or name of the product. */
                title: string | null;
                /** @description The price after. An exact decimal in major units, with no more fraction digits than its currency has. */
                to: number | null;
                /** @description Id of the variant; null for the price of the product. */
                variant: string | null;
            }[];
            /** @description Prices that were not changed. */
            refused: number;
            /** @description Prices that stay as they are. */
            unchanged: number;
            /** @description Prices that were changed, or would be. */
            updated: number;
        };
        ProductBulk: {
            docs: components["schemas"]["Product"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        ProductCompleteResult: {
            /** @description The product in one piece. */
            product: {
                /** @description Brand. An id. */
                brand: string | null;
                /** @description Further categories. Ids. */
                categories: string[] | null;
                /** @description Main category. An id. */
                category: string | null;
                /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. */
                costPrice: number | null;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description Id; missing for what is new. */
                id: string;
                /** @description Images in order; the first is the featured one. Ids. */
                images: string[] | null;
                /** @description Stock is low at or below this many available units; null turns it off. */
                lowStockThreshold: number | null;
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order, at most 10. */
                options: {
                    /** @description Id; missing for what is new. */
                    id: string;
                    /** @description Name of the choice. */
                    name: string;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision: number | null;
                    /** @description The values, in order. */
                    values: {
                        /** @description What variants name in optionValues. */
                        id: string | null;
                        /** @description What shoppers see. */
                        label: string;
                        /** @description Handle, made from the label when missing. */
                        slug: string | null;
                    }[] | null;
                }[] | null;
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /**
                 * Format: date-time
                 * @description When a draft becomes published by itself; nobody sees or buys it before.
                 */
                publishAt: string | null;
                /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                revision: number | null;
                /** @description Own shipping policy; the default one when missing. An id. */
                shippingPolicy: string | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Tags. Ids. */
                tags: string[] | null;
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description Its variants, in order, at most 1,000. In a form, one is known by its id, else by its option values. */
                variants: {
                    /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                    barcode: string | null;
                    /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                    compareAtPrice: number | null;
                    /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. */
                    costPrice: number | null;
                    /** @description Id; missing for what is new. */
                    id: string;
                    /** @description Images in order; the product's when missing. Ids. */
                    images: string[] | null;
                    /**
                     * @description What is delivered; events ask for the names of those admitted.
                     * @enum {string|null}
                     */
                    kind: "physical" | "digital" | "service" | "event" | null;
                    /** @description Stock is low at or below this many available units; null turns it off. */
                    lowStockThreshold: number | null;
                    /** @description Custom data of the shop. */
                    metadata: unknown;
                    /** @description The chosen values, at most one per option. */
                    optionValues: {
                        /** @description Name of the option. */
                        option: string | null;
                        /** @description Label of the value. */
                        value: string | null;
                    }[] | null;
                    /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                    price: number | null;
                    /** @description Fixed prices in markets, one per market, at most 100. */
                    prices: {
                        /** @description Price in the market's currency. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        compareAtAmount: number | null;
                        /** @description The market's currency, filled in by the server. */
                        currency: string | null;
                        /** @description Id; missing for what is new. */
                        id: string;
                        /** @description The market; an id, or in a form its code. */
                        market: string;
                        /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                        revision: number | null;
                    }[] | null;
                    /** @description Whether it is shipped; true for physical variants when missing. */
                    requiresShipping: boolean | null;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision: number | null;
                    /** @description Stock keeping unit. */
                    sku: string | null;
                    /** @description Units on hand in the environment of the request. */
                    stock: number | null;
                    /** @description Title; made from the option values when missing. */
                    title: string | null;
                    /** @description False: any quantity can be sold. */
                    trackInventory: boolean | null;
                    /** @description Weight in grams. */
                    weight: number | null;
                }[] | null;
                /** @description Videos in order. Ids. */
                videos: string[] | null;
            };
        };
        /** @description Input of a new record. */
        ProductCreate: {
            /** @description Brand. */
            brand?: string | Record<string, unknown> | null;
            /** @description Further categories. */
            categories?: (string | Record<string, unknown>)[] | null;
            /** @description Main category. */
            category?: string | Record<string, unknown> | null;
            /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
            costPrice?: number | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Description, plain or HTML. */
            description?: string | null;
            /** @description Percent off; the undiscounted price becomes the compare-at price. */
            discount?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Images in order; the first is the featured one. */
            images?: (string | Record<string, unknown>)[] | null;
            /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Read-only: it may be sent back as it was read. */
            lowStock?: unknown;
            /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
            lowStockThreshold?: number | null;
            /** @description Custom data of the shop. */
            metadata?: unknown;
            /** @description Name; `title` is accepted too. */
            name?: string;
            /** @description What a shopper chooses between, in order. */
            options?: (string | Record<string, unknown>)[] | null;
            /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
            price: number;
            /** @description When a draft becomes published by itself; nobody sees or buys it before. Not shown to shoppers. */
            publishAt?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Own shipping policy; the default one when missing. */
            shippingPolicy?: string | Record<string, unknown> | null;
            /** @description Handle in addresses, made from the name when missing. */
            slug?: string | null;
            /**
             * @description Listings show published products; detail pages open unlisted ones too.
             * @enum {string}
             */
            status: "draft" | "published" | "unlisted" | "out-of-stock" | "active";
            /** @description Units on hand over all variants; writable while there is one default variant. Not shown to shoppers. */
            stock?: number | null;
            /** @description Tags. */
            tags?: (string | Record<string, unknown>)[] | null;
            /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
            taxFree?: boolean | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Alias of `name`. */
            title?: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Its variants, created together with it; one default variant if omitted. Leave out product in each. */
            variants?: {
                /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                barcode?: string | null;
                /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                compareAtPrice?: number | null;
                /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
                costPrice?: number | null;
                /** @description Images in order; the product's when missing. */
                images?: (string | Record<string, unknown>)[] | null;
                /**
                 * @description What is delivered; events ask for the names of those admitted.
                 * @enum {string|null}
                 */
                kind?: "physical" | "digital" | "service" | "event" | null;
                /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Read-only: it may be sent back as it was read. */
                lowStock?: unknown;
                /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
                lowStockThreshold?: number | null;
                /** @description Custom data of the shop. */
                metadata?: unknown;
                /** @description Ids of the chosen option values, at most one per option. */
                optionValues?: string[] | null;
                /** @description Order among the product's variants. */
                position?: number | null;
                /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                price?: number | null;
                /** @description The product; a variant never moves to another. */
                product?: string | Record<string, unknown> | null;
                /** @description Whether it is shipped; true for physical variants when missing. */
                requiresShipping?: boolean | null;
                /** @description Units reserved by pending payments. Read-only: it may be sent back as it was read. */
                reserved?: unknown;
                /** @description Stock keeping unit. */
                sku?: string | null;
                /** @description Units on hand in the environment of the request. Not shown to shoppers. */
                stock?: number | null;
                /** @description Title; made from the option values when missing. */
                title?: string | null;
                /** @description False: any quantity can be sold. */
                trackInventory?: boolean | null;
                /** @description Weight in grams. */
                weight?: number | null;
            }[] | null;
            /** @description Videos in order. */
            videos?: (string | Record<string, unknown>)[] | null;
        } & (unknown | unknown);
        ProductCreateCompleteInput: {
            /** @description Brand. An id. */
            brand?: string | null;
            /** @description Further categories. Ids. */
            categories?: string[] | null;
            /** @description Main category. An id. */
            category?: string | null;
            /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. */
            costPrice?: number | null;
            /** @description Description, plain or HTML. */
            description?: string | null;
            /** @description Percent off; the undiscounted price becomes the compare-at price. */
            discount?: number | null;
            /** @description Id; missing for what is new. */
            id?: string | null;
            /** @description Images in order; the first is the featured one. Ids. */
            images?: string[] | null;
            /** @description Stock is low at or below this many available units; null turns it off. */
            lowStockThreshold?: number | null;
            /** @description Custom data of the shop. */
            metadata?: unknown;
            /** @description Name; `title` is accepted too. */
            name?: string | null;
            /** @description What a shopper chooses between, in order, at most 10. */
            options?: {
                /** @description Id; missing for what is new. */
                id?: string | null;
                /** @description Name of the choice. */
                name?: string | null;
                /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                revision?: number | null;
                /** @description The values, in order. */
                values?: {
                    /** @description What variants name in optionValues. */
                    id?: string | null;
                    /** @description What shoppers see. */
                    label: string;
                    /** @description Handle, made from the label when missing. */
                    slug?: string | null;
                }[] | null;
            }[] | null;
            /** @description Price in the tenant's currency, for variants without their own. */
            price?: number | null;
            /**
             * Format: date-time
             * @description When a draft becomes published by itself; nobody sees or buys it before.
             */
            publishAt?: string | null;
            /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
            revision?: number | null;
            /** @description Own shipping policy; the default one when missing. An id. */
            shippingPolicy?: string | null;
            /** @description Handle in addresses, made from the name when missing. */
            slug?: string | null;
            /**
             * @description Listings show published products; detail pages open unlisted ones too.
             * @enum {string|null}
             */
            status?: "draft" | "published" | "unlisted" | "out-of-stock" | null;
            /** @description Why stock changes, in a few words; stored with its movements. */
            stockReason?: string | null;
            /** @description Tags. Ids. */
            tags?: string[] | null;
            /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
            taxFree?: boolean | null;
            /** @description Its variants, in order, at most 1,000. In a form, one is known by its id, else by its option values. */
            variants?: {
                /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                barcode?: string | null;
                /** @description Former price. */
                compareAtPrice?: number | null;
                /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. */
                costPrice?: number | null;
                /** @description The stock that a new stock replaces; required with it, unless If-Match says which version of the record it is based on. */
                expectedStock?: number | null;
                /** @description Id; missing for what is new. */
                id?: string | null;
                /** @description Images in order; the product's when missing. Ids. */
                images?: string[] | null;
                /**
                 * @description What is delivered; events ask for the names of those admitted.
                 * @enum {string|null}
                 */
                kind?: "physical" | "digital" | "service" | "event" | null;
                /** @description Stock is low at or below this many available units; null turns it off. */
                lowStockThreshold?: number | null;
                /** @description Custom data of the shop. */
                metadata?: unknown;
                /** @description The chosen values, at most one per option. */
                optionValues?: {
                    /** @description Name of the option. */
                    option?: string | null;
                    /** @description Label of the value. */
                    value?: string | null;
                }[] | null;
                /** @description Price in the tenant's currency; the product's when missing. */
                price?: number | null;
                /** @description Fixed prices in markets, one per market, at most 100. */
                prices?: {
                    /** @description Price in the market's currency. */
                    amount?: number | null;
                    /** @description Former price. */
                    compareAtAmount?: number | null;
                    /** @description The market's currency, filled in by the server. */
                    currency?: string | null;
                    /** @description Id; missing for what is new. */
                    id?: string | null;
                    /** @description The market; an id, or in a form its code. */
                    market?: string | null;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision?: number | null;
                }[] | null;
                /** @description Whether it is shipped; true for physical variants when missing. */
                requiresShipping?: boolean | null;
                /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                revision?: number | null;
                /** @description Stock keeping unit. */
                sku?: string | null;
                /** @description Units on hand in the environment of the request. */
                stock?: number | null;
                /** @description Title; made from the option values when missing. */
                title?: string | null;
                /** @description False: any quantity can be sold. */
                trackInventory?: boolean | null;
                /** @description Weight in grams. */
                weight?: number | null;
            }[] | null;
            /** @description Videos in order. Ids. */
            videos?: string[] | null;
        };
        ProductCreateCompleteResult: {
            /** @description The product in one piece. */
            product: {
                /** @description Brand. An id. */
                brand: string | null;
                /** @description Further categories. Ids. */
                categories: string[] | null;
                /** @description Main category. An id. */
                category: string | null;
                /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. */
                costPrice: number | null;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description Id; missing for what is new. */
                id: string;
                /** @description Images in order; the first is the featured one. Ids. */
                images: string[] | null;
                /** @description Stock is low at or below this many available units; null turns it off. */
                lowStockThreshold: number | null;
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order, at most 10. */
                options: {
                    /** @description Id; missing for what is new. */
                    id: string;
                    /** @description Name of the choice. */
                    name: string;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision: number | null;
                    /** @description The values, in order. */
                    values: {
                        /** @description What variants name in optionValues. */
                        id: string | null;
                        /** @description What shoppers see. */
                        label: string;
                        /** @description Handle, made from the label when missing. */
                        slug: string | null;
                    }[] | null;
                }[] | null;
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /**
                 * Format: date-time
                 * @description When a draft becomes published by itself; nobody sees or buys it before.
                 */
                publishAt: string | null;
                /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                revision: number | null;
                /** @description Own shipping policy; the default one when missing. An id. */
                shippingPolicy: string | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Tags. Ids. */
                tags: string[] | null;
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description Its variants, in order, at most 1,000. In a form, one is known by its id, else by its option values. */
                variants: {
                    /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                    barcode: string | null;
                    /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                    compareAtPrice: number | null;
                    /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. */
                    costPrice: number | null;
                    /** @description Id; missing for what is new. */
                    id: string;
                    /** @description Images in order; the product's when missing. Ids. */
                    images: string[] | null;
                    /**
                     * @description What is delivered; events ask for the names of those admitted.
                     * @enum {string|null}
                     */
                    kind: "physical" | "digital" | "service" | "event" | null;
                    /** @description Stock is low at or below this many available units; null turns it off. */
                    lowStockThreshold: number | null;
                    /** @description Custom data of the shop. */
                    metadata: unknown;
                    /** @description The chosen values, at most one per option. */
                    optionValues: {
                        /** @description Name of the option. */
                        option: string | null;
                        /** @description Label of the value. */
                        value: string | null;
                    }[] | null;
                    /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                    price: number | null;
                    /** @description Fixed prices in markets, one per market, at most 100. */
                    prices: {
                        /** @description Price in the market's currency. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        compareAtAmount: number | null;
                        /** @description The market's currency, filled in by the server. */
                        currency: string | null;
                        /** @description Id; missing for what is new. */
                        id: string;
                        /** @description The market; an id, or in a form its code. */
                        market: string;
                        /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                        revision: number | null;
                    }[] | null;
                    /** @description Whether it is shipped; true for physical variants when missing. */
                    requiresShipping: boolean | null;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision: number | null;
                    /** @description Stock keeping unit. */
                    sku: string | null;
                    /** @description Units on hand in the environment of the request. */
                    stock: number | null;
                    /** @description Title; made from the option values when missing. */
                    title: string | null;
                    /** @description False: any quantity can be sold. */
                    trackInventory: boolean | null;
                    /** @description Weight in grams. */
                    weight: number | null;
                }[] | null;
                /** @description Videos in order. Ids. */
                videos: string[] | null;
            };
        };
        ProductDeleted: {
            doc: components["schemas"]["Product"];
            id: string;
            message: string;
        };
        ProductDetailCatalogResult: {
            /** @description Whether there is a product to show. */
            found: boolean;
            /** @description The product. */
            product?: {
                /** @description Brand. */
                brand: components["schemas"]["Brand"] | null;
                /** @description Further categories. */
                categories: components["schemas"]["Category"][];
                /** @description Main category. */
                category: components["schemas"]["Category"] | null;
                /** @description Prices before reduction, of the reduced variants. */
                compareAtPriceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 */
                createdAt: string;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description The first image. */
                featuredImage: components["schemas"]["Media"] | null;
                /** @description The same as slug. */
                handle: string;
                /** @description Identifier of the record: a UUIDv7. */
                id: string;
                /** @description Images in order; the first is the featured one. */
                images: components["schemas"]["Media"][];
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order. */
                options: components["schemas"]["ProductOption"][];
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /** @description Prices of all variants. */
                priceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /** @description Own shipping policy; the default one when missing. */
                shippingPolicy: string | components["schemas"]["ShippingPolicy"] | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Tags. */
                tags: components["schemas"]["Tag"][];
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description The tenant the record belongs to. */
                tenant: string | components["schemas"]["Tenant"] | null;
                /**
                 * Format: date-time
                 * @description When the record was last changed.
                 */
                updatedAt: string;
                /** @description The variants, by position. */
                variants: {
                    /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                    barcode: string | null;
                    /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                    compareAtPrice: number | null;
                    /**
                     * Format: date-time
                     * @description When the record was created.
                     */
                    createdAt: string;
                    /** @description Identifier of the record: a UUIDv7. */
                    id: string;
                    /** @description Images in order; the product's when missing. */
                    images: components["schemas"]["Media"][];
                    /**
                     * @description What is delivered; events ask for the names of those admitted.
                     * @enum {string|null}
                     */
                    kind: "physical" | "digital" | "service" | "event" | null;
                    /** @description Custom data of the shop. */
                    metadata: unknown;
                    /** @description Ids of the chosen option values, at most one per option. */
                    optionValues: string[];
                    /** @description Order among the product's variants. */
                    position: number | null;
                    /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                    price: number | null;
                    /** @description The product; a variant never moves to another. */
                    product: string | components["schemas"]["Product"] | null;
                    /** @description Whether it is shipped; true for physical variants when missing. */
                    requiresShipping: boolean | null;
                    /** @description The price in the market; null when it has none there. */
                    resolvedPrice: {
                        /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description Price before a reduction. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        compareAtPrice: number | null;
                        /** @description ISO 4217 code. */
                        currency: string;
                        /** @description The market; null without one. */
                        marketId: string | null;
                        /**
                         * @description Whether the price is fixed, or computed from the base price.
                         * @enum {string}
                         */
                        source: "fixed" | "computed";
                    } | null;
                    /** @description Option values of the variant. */
                    selectedOptions: {
                        /** @description The option. */
                        name: string;
                        /** @description The value. */
                        value: string;
                    }[];
                    /** @description Stock keeping unit. */
                    sku: string | null;
                    /** @description The tenant the record belongs to. */
                    tenant: string | components["schemas"]["Tenant"] | null;
                    /** @description Title; made from the option values when missing. */
                    title: string | null;
                    /** @description False: any quantity can be sold. */
                    trackInventory: boolean | null;
                    /**
                     * Format: date-time
                     * @description When the record was last changed.
                     */
                    updatedAt: string;
                    /** @description Weight in grams. */
                    weight: number | null;
                }[];
                /** @description Videos in order. */
                videos: components["schemas"]["Video"][];
            };
            /**
             * @description Why there is none.
             * @enum {string}
             */
            reason?: "missing" | "unpublished" | "feature_disabled";
        };
        ProductDetailResult: {
            /** @description Whether there is a product to show. */
            found: boolean;
            /** @description The product. */
            product?: {
                /** @description Whether at least one unit can be bought. */
                available: boolean;
                /** @description The same as available. */
                availableForSale: boolean;
                /** @description Brand. */
                brand: components["schemas"]["Brand"] | null;
                /** @description Further categories. */
                categories: components["schemas"]["Category"][];
                /** @description Main category. */
                category: components["schemas"]["Category"] | null;
                /** @description Prices before reduction, of the reduced variants. */
                compareAtPriceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 */
                createdAt: string;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description The first image. */
                featuredImage: components["schemas"]["Media"] | null;
                /** @description The same as slug. */
                handle: string;
                /** @description Identifier of the record: a UUIDv7. */
                id: string;
                /** @description Images in order; the first is the featured one. */
                images: components["schemas"]["Media"][];
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order. */
                options: components["schemas"]["ProductOption"][];
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /** @description Prices of all variants. */
                priceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /** @description Own shipping policy; the default one when missing. */
                shippingPolicy: string | components["schemas"]["ShippingPolicy"] | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Tags. */
                tags: components["schemas"]["Tag"][];
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description The tenant the record belongs to. */
                tenant: string | components["schemas"]["Tenant"] | null;
                /**
                 * Format: date-time
                 * @description When the record was last changed.
                 */
                updatedAt: string;
                /** @description The variants, by position. */
                variants: {
                    /** @description Whether at least one unit can be bought. */
                    available: boolean;
                    /** @description The same as available. */
                    availableForSale: boolean;
                    /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                    barcode: string | null;
                    /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                    compareAtPrice: number | null;
                    /**
                     * Format: date-time
                     * @description When the record was created.
                     */
                    createdAt: string;
                    /** @description Identifier of the record: a UUIDv7. */
                    id: string;
                    /** @description Images in order; the product's when missing. */
                    images: components["schemas"]["Media"][];
                    /**
                     * @description What is delivered; events ask for the names of those admitted.
                     * @enum {string|null}
                     */
                    kind: "physical" | "digital" | "service" | "event" | null;
                    /** @description Custom data of the shop. */
                    metadata: unknown;
                    /** @description Ids of the chosen option values, at most one per option. */
                    optionValues: string[];
                    /** @description Order among the product's variants. */
                    position: number | null;
                    /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                    price: number | null;
                    /** @description The product; a variant never moves to another. */
                    product: string | components["schemas"]["Product"] | null;
                    /** @description Whether it is shipped; true for physical variants when missing. */
                    requiresShipping: boolean | null;
                    /** @description The price in the market; null when it has none there. */
                    resolvedPrice: {
                        /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description Price before a reduction. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        compareAtPrice: number | null;
                        /** @description ISO 4217 code. */
                        currency: string;
                        /** @description The market; null without one. */
                        marketId: string | null;
                        /**
                         * @description Whether the price is fixed, or computed from the base price.
                         * @enum {string}
                         */
                        source: "fixed" | "computed";
                    } | null;
                    /** @description Option values of the variant. */
                    selectedOptions: {
                        /** @description The option. */
                        name: string;
                        /** @description The value. */
                        value: string;
                    }[];
                    /** @description Stock keeping unit. */
                    sku: string | null;
                    /** @description The tenant the record belongs to. */
                    tenant: string | components["schemas"]["Tenant"] | null;
                    /** @description Title; made from the option values when missing. */
                    title: string | null;
                    /** @description False: any quantity can be sold. */
                    trackInventory: boolean | null;
                    /**
                     * Format: date-time
                     * @description When the record was last changed.
                     */
                    updatedAt: string;
                    /** @description Weight in grams. */
                    weight: number | null;
                }[];
                /** @description Videos in order. */
                videos: components["schemas"]["Video"][];
            };
            /**
             * @description Why there is none.
             * @enum {string}
             */
            reason?: "missing" | "unpublished" | "feature_disabled";
        };
        ProductDuplicateInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Name of the copy; that of the product when missing. */
            name?: string | null;
            /** @description Handle of the copy, made from the name when missing. */
            slug?: string | null;
        };
        ProductDuplicateResult: {
            /** @description The product in one piece. */
            product: {
                /** @description Brand. An id. */
                brand: string | null;
                /** @description Further categories. Ids. */
                categories: string[] | null;
                /** @description Main category. An id. */
                category: string | null;
                /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. */
                costPrice: number | null;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description Id; missing for what is new. */
                id: string;
                /** @description Images in order; the first is the featured one. Ids. */
                images: string[] | null;
                /** @description Stock is low at or below this many available units; null turns it off. */
                lowStockThreshold: number | null;
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order, at most 10. */
                options: {
                    /** @description Id; missing for what is new. */
                    id: string;
                    /** @description Name of the choice. */
                    name: string;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision: number | null;
                    /** @description The values, in order. */
                    values: {
                        /** @description What variants name in optionValues. */
                        id: string | null;
                        /** @description What shoppers see. */
                        label: string;
                        /** @description Handle, made from the label when missing. */
                        slug: string | null;
                    }[] | null;
                }[] | null;
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /**
                 * Format: date-time
                 * @description When a draft becomes published by itself; nobody sees or buys it before.
                 */
                publishAt: string | null;
                /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                revision: number | null;
                /** @description Own shipping policy; the default one when missing. An id. */
                shippingPolicy: string | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Tags. Ids. */
                tags: string[] | null;
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description Its variants, in order, at most 1,000. In a form, one is known by its id, else by its option values. */
                variants: {
                    /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                    barcode: string | null;
                    /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                    compareAtPrice: number | null;
                    /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. */
                    costPrice: number | null;
                    /** @description Id; missing for what is new. */
                    id: string;
                    /** @description Images in order; the product's when missing. Ids. */
                    images: string[] | null;
                    /**
                     * @description What is delivered; events ask for the names of those admitted.
                     * @enum {string|null}
                     */
                    kind: "physical" | "digital" | "service" | "event" | null;
                    /** @description Stock is low at or below this many available units; null turns it off. */
                    lowStockThreshold: number | null;
                    /** @description Custom data of the shop. */
                    metadata: unknown;
                    /** @description The chosen values, at most one per option. */
                    optionValues: {
                        /** @description Name of the option. */
                        option: string | null;
                        /** @description Label of the value. */
                        value: string | null;
                    }[] | null;
                    /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                    price: number | null;
                    /** @description Fixed prices in markets, one per market, at most 100. */
                    prices: {
                        /** @description Price in the market's currency. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        compareAtAmount: number | null;
                        /** @description The market's currency, filled in by the server. */
                        currency: string | null;
                        /** @description Id; missing for what is new. */
                        id: string;
                        /** @description The market; an id, or in a form its code. */
                        market: string;
                        /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                        revision: number | null;
                    }[] | null;
                    /** @description Whether it is shipped; true for physical variants when missing. */
                    requiresShipping: boolean | null;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision: number | null;
                    /** @description Stock keeping unit. */
                    sku: string | null;
                    /** @description Units on hand in the environment of the request. */
                    stock: number | null;
                    /** @description Title; made from the option values when missing. */
                    title: string | null;
                    /** @description False: any quantity can be sold. */
                    trackInventory: boolean | null;
                    /** @description Weight in grams. */
                    weight: number | null;
                }[] | null;
                /** @description Videos in order. Ids. */
                videos: string[] | null;
            };
        };
        /** @description A page of Products. */
        ProductList: {
            docs: components["schemas"]["Product"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        ProductListingGroupsInput: {
            /** @description Id or code of the market; without one, prices are in the shop's currency. */
            market?: string | null;
            /** @description The products, at most 500. */
            productIds: string[];
        };
        ProductListingGroupsResult: {
            /** @description One for each option, products in the requested order. */
            groups: {
                /** @description Its values, in order. */
                items: {
                    /** @description Whether at least one unit of one of them can be bought. */
                    available: boolean;
                    /** @description Image of the first variant that has one, otherwise the product's first image. */
                    image: components["schemas"]["Media"] | null;
                    /** @description Label for shoppers. */
                    label: string;
                    /** @description The value. */
                    optionValueId: string;
                    /** @description Prices of these variants. */
                    priceRange: {
                        /** @description ISO 4217 code. */
                        currency: string;
                        /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        max: number;
                        /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        min: number;
                    } | null;
                    /** @description The variants that have the value, by position. */
                    variantIds: string[];
                }[];
                /** @description The option. */
                optionName: string;
                /** @description The product. */
                productId: string;
            }[];
        };
        ProductListingResult: {
            /** @description The products of the page. */
            docs: {
                /** @description Whether at least one unit can be bought. */
                available: boolean;
                /** @description The same as available. */
                availableForSale: boolean;
                /** @description Brand. */
                brand: components["schemas"]["Brand"] | null;
                /** @description Further categories. */
                categories: components["schemas"]["Category"][];
                /** @description Main category. */
                category: components["schemas"]["Category"] | null;
                /** @description Prices before reduction, of the reduced variants. */
                compareAtPriceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 */
                createdAt: string;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description The first image. */
                featuredImage: components["schemas"]["Media"] | null;
                /** @description The same as slug. */
                handle: string;
                /** @description Identifier of the record: a UUIDv7. */
                id: string;
                /** @description Images in order; the first is the featured one. */
                images: components["schemas"]["Media"][];
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order. */
                options: components["schemas"]["ProductOption"][];
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /** @description Prices of all variants. */
                priceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /** @description Own shipping policy; the default one when missing. */
                shippingPolicy: string | components["schemas"]["ShippingPolicy"] | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Tags. */
                tags: components["schemas"]["Tag"][];
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description The tenant the record belongs to. */
                tenant: string | components["schemas"]["Tenant"] | null;
                /**
                 * Format: date-time
                 * @description When the record was last changed.
                 */
                updatedAt: string;
                /** @description Videos in order. */
                videos: components["schemas"]["Video"][];
            }[];
            /** @description Whether there is a next page. */
            hasNextPage: boolean;
            /** @description Whether there is a previous page. */
            hasPrevPage: boolean;
            /** @description Records per page. */
            limit: number;
            /** @description Number of the next page; null when there is none. */
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            /** @description Number of the previous page; null when there is none. */
            prevPage: number | null;
            /** @description Number of records on all pages. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description A choice of a product, such as size, with its values. */
        ProductOption: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Name of the choice. */
            name: string;
            /** @description Order among the product's options. */
            position: number | null;
            /** @description The product. */
            product: string | components["schemas"]["Product"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description The values, in order. */
            values: {
                /** @description What variants name in optionValues. */
                id: string;
                /** @description What shoppers see. */
                label: string;
                /** @description Handle, made from the label when missing. */
                slug: string | null;
            }[];
        };
        ProductOptionBulk: {
            docs: components["schemas"]["ProductOption"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        ProductOptionCreate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Name of the choice. */
            name: string;
            /** @description Order among the product's options. */
            position?: number | null;
            /** @description The product. */
            product: string | Record<string, unknown>;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description The values, in order. */
            values?: {
                /** @description What variants name in optionValues. Read-only: it may be sent back as it was read. */
                id?: unknown;
                /** @description What shoppers see. */
                label: string;
                /** @description Handle, made from the label when missing. */
                slug?: string | null;
            }[] | null;
        };
        ProductOptionDeleted: {
            doc: components["schemas"]["ProductOption"];
            id: string;
            message: string;
        };
        /** @description A page of ProductOptions. */
        ProductOptionList: {
            docs: components["schemas"]["ProductOption"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        ProductOptionUpdate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Name of the choice. */
            name?: string;
            /** @description Order among the product's options. */
            position?: number | null;
            /** @description The product. Read-only: it may be sent back as it was read. */
            product?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description The values, in order. */
            values?: {
                /** @description What variants name in optionValues. Read-only: it may be sent back as it was read. */
                id?: unknown;
                /** @description What shoppers see. */
                label: string;
                /** @description Handle, made from the label when missing. */
                slug?: string | null;
            }[] | null;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ProductOptionWhere: {
            and?: components["schemas"]["ProductOptionWhere"][];
            AND?: components["schemas"]["ProductOptionWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["ProductOptionWhere"][];
            OR?: components["schemas"]["ProductOptionWhere"][];
            position?: components["schemas"]["WhereNumber"];
            product?: components["schemas"]["WhereRelation"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
            values?: components["schemas"]["WhereThere"];
        };
        ProductOptionWritten: {
            doc: components["schemas"]["ProductOption"];
            message: string;
        };
        ProductReplaceCompleteInput: {
            /** @description Brand. An id. */
            brand?: string | null;
            /** @description Further categories. Ids. */
            categories?: string[] | null;
            /** @description Main category. An id. */
            category?: string | null;
            /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. */
            costPrice?: number | null;
            /** @description Description, plain or HTML. */
            description?: string | null;
            /** @description Percent off; the undiscounted price becomes the compare-at price. */
            discount?: number | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Id; missing for what is new. */
            id?: string | null;
            /** @description Images in order; the first is the featured one. Ids. */
            images?: string[] | null;
            /** @description Stock is low at or below this many available units; null turns it off. */
            lowStockThreshold?: number | null;
            /** @description Custom data of the shop. */
            metadata?: unknown;
            /** @description Name; `title` is accepted too. */
            name?: string | null;
            /** @description What a shopper chooses between, in order, at most 10. */
            options?: {
                /** @description Id; missing for what is new. */
                id?: string | null;
                /** @description Name of the choice. */
                name?: string | null;
                /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                revision?: number | null;
                /** @description The values, in order. */
                values?: {
                    /** @description What variants name in optionValues. */
                    id?: string | null;
                    /** @description What shoppers see. */
                    label: string;
                    /** @description Handle, made from the label when missing. */
                    slug?: string | null;
                }[] | null;
            }[] | null;
            /** @description Price in the tenant's currency, for variants without their own. */
            price?: number | null;
            /**
             * Format: date-time
             * @description When a draft becomes published by itself; nobody sees or buys it before.
             */
            publishAt?: string | null;
            /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
            revision?: number | null;
            /** @description Own shipping policy; the default one when missing. An id. */
            shippingPolicy?: string | null;
            /** @description Handle in addresses, made from the name when missing. */
            slug?: string | null;
            /**
             * @description Listings show published products; detail pages open unlisted ones too.
             * @enum {string|null}
             */
            status?: "draft" | "published" | "unlisted" | "out-of-stock" | null;
            /** @description Why stock changes, in a few words; stored with its movements. */
            stockReason?: string | null;
            /** @description Tags. Ids. */
            tags?: string[] | null;
            /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
            taxFree?: boolean | null;
            /** @description Its variants, in order, at most 1,000. In a form, one is known by its id, else by its option values. */
            variants?: {
                /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                barcode?: string | null;
                /** @description Former price. */
                compareAtPrice?: number | null;
                /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. */
                costPrice?: number | null;
                /** @description The stock that a new stock replaces; required with it, unless If-Match says which version of the record it is based on. */
                expectedStock?: number | null;
                /** @description Id; missing for what is new. */
                id?: string | null;
                /** @description Images in order; the product's when missing. Ids. */
                images?: string[] | null;
                /**
                 * @description What is delivered; events ask for the names of those admitted.
                 * @enum {string|null}
                 */
                kind?: "physical" | "digital" | "service" | "event" | null;
                /** @description Stock is low at or below this many available units; null turns it off. */
                lowStockThreshold?: number | null;
                /** @description Custom data of the shop. */
                metadata?: unknown;
                /** @description The chosen values, at most one per option. */
                optionValues?: {
                    /** @description Name of the option. */
                    option?: string | null;
                    /** @description Label of the value. */
                    value?: string | null;
                }[] | null;
                /** @description Price in the tenant's currency; the product's when missing. */
                price?: number | null;
                /** @description Fixed prices in markets, one per market, at most 100. */
                prices?: {
                    /** @description Price in the market's currency. */
                    amount?: number | null;
                    /** @description Former price. */
                    compareAtAmount?: number | null;
                    /** @description The market's currency, filled in by the server. */
                    currency?: string | null;
                    /** @description Id; missing for what is new. */
                    id?: string | null;
                    /** @description The market; an id, or in a form its code. */
                    market?: string | null;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision?: number | null;
                }[] | null;
                /** @description Whether it is shipped; true for physical variants when missing. */
                requiresShipping?: boolean | null;
                /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                revision?: number | null;
                /** @description Stock keeping unit. */
                sku?: string | null;
                /** @description Units on hand in the environment of the request. */
                stock?: number | null;
                /** @description Title; made from the option values when missing. */
                title?: string | null;
                /** @description False: any quantity can be sold. */
                trackInventory?: boolean | null;
                /** @description Weight in grams. */
                weight?: number | null;
            }[] | null;
            /** @description Videos in order. Ids. */
            videos?: string[] | null;
        };
        ProductReplaceCompleteResult: {
            /** @description The product in one piece. */
            product: {
                /** @description Brand. An id. */
                brand: string | null;
                /** @description Further categories. Ids. */
                categories: string[] | null;
                /** @description Main category. An id. */
                category: string | null;
                /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. */
                costPrice: number | null;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description Id; missing for what is new. */
                id: string;
                /** @description Images in order; the first is the featured one. Ids. */
                images: string[] | null;
                /** @description Stock is low at or below this many available units; null turns it off. */
                lowStockThreshold: number | null;
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order, at most 10. */
                options: {
                    /** @description Id; missing for what is new. */
                    id: string;
                    /** @description Name of the choice. */
                    name: string;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision: number | null;
                    /** @description The values, in order. */
                    values: {
                        /** @description What variants name in optionValues. */
                        id: string | null;
                        /** @description What shoppers see. */
                        label: string;
                        /** @description Handle, made from the label when missing. */
                        slug: string | null;
                    }[] | null;
                }[] | null;
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /**
                 * Format: date-time
                 * @description When a draft becomes published by itself; nobody sees or buys it before.
                 */
                publishAt: string | null;
                /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                revision: number | null;
                /** @description Own shipping policy; the default one when missing. An id. */
                shippingPolicy: string | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Tags. Ids. */
                tags: string[] | null;
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description Its variants, in order, at most 1,000. In a form, one is known by its id, else by its option values. */
                variants: {
                    /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                    barcode: string | null;
                    /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                    compareAtPrice: number | null;
                    /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. */
                    costPrice: number | null;
                    /** @description Id; missing for what is new. */
                    id: string;
                    /** @description Images in order; the product's when missing. Ids. */
                    images: string[] | null;
                    /**
                     * @description What is delivered; events ask for the names of those admitted.
                     * @enum {string|null}
                     */
                    kind: "physical" | "digital" | "service" | "event" | null;
                    /** @description Stock is low at or below this many available units; null turns it off. */
                    lowStockThreshold: number | null;
                    /** @description Custom data of the shop. */
                    metadata: unknown;
                    /** @description The chosen values, at most one per option. */
                    optionValues: {
                        /** @description Name of the option. */
                        option: string | null;
                        /** @description Label of the value. */
                        value: string | null;
                    }[] | null;
                    /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                    price: number | null;
                    /** @description Fixed prices in markets, one per market, at most 100. */
                    prices: {
                        /** @description Price in the market's currency. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        compareAtAmount: number | null;
                        /** @description The market's currency, filled in by the server. */
                        currency: string | null;
                        /** @description Id; missing for what is new. */
                        id: string;
                        /** @description The market; an id, or in a form its code. */
                        market: string;
                        /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                        revision: number | null;
                    }[] | null;
                    /** @description Whether it is shipped; true for physical variants when missing. */
                    requiresShipping: boolean | null;
                    /** @description Revision. In a form: refused as changed_meanwhile if it is not the present one. */
                    revision: number | null;
                    /** @description Stock keeping unit. */
                    sku: string | null;
                    /** @description Units on hand in the environment of the request. */
                    stock: number | null;
                    /** @description Title; made from the option values when missing. */
                    title: string | null;
                    /** @description False: any quantity can be sold. */
                    trackInventory: boolean | null;
                    /** @description Weight in grams. */
                    weight: number | null;
                }[] | null;
                /** @description Videos in order. Ids. */
                videos: string[] | null;
            };
        };
        ProductStockCheckInput: {
            /** @description The items to check, at most 200. */
            items: {
                /** @description How many units, from 1. */
                quantity: number;
                /** @description The variant. */
                variantId: string;
            }[];
        };
        ProductStockCheckResult: {
            /** @description Whether everything can be bought. */
            allAvailable: boolean;
            /**
             * Format: date-time
             * @description Time of the check.
             */
            checkedAt: string;
            /** @description One for each variant, in the order of the request. */
            items: {
                /** @description Whether this quantity can be bought now. */
                available: boolean;
                /**
                 * @description Why it cannot be bought.
                 * @enum {string}
                 */
                reason?: "variant_unavailable" | "out_of_stock";
                /** @description Total requested quantity. */
                requested: number;
                /** @description The variant. */
                variantId: string;
            }[];
        };
        /** @description Input of a change; omitted fields keep their value. */
        ProductUpdate: {
            /** @description Brand. */
            brand?: string | Record<string, unknown> | null;
            /** @description Further categories. */
            categories?: (string | Record<string, unknown>)[] | null;
            /** @description Main category. */
            category?: string | Record<string, unknown> | null;
            /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
            costPrice?: number | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Description, plain or HTML. */
            description?: string | null;
            /** @description Percent off; the undiscounted price becomes the compare-at price. */
            discount?: number | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The stock that a new stock replaces; required with it, unless If-Match says which version of the record it is based on. */
            expectedStock?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Images in order; the first is the featured one. */
            images?: (string | Record<string, unknown>)[] | null;
            /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Read-only: it may be sent back as it was read. */
            lowStock?: unknown;
            /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
            lowStockThreshold?: number | null;
            /** @description Custom data of the shop. */
            metadata?: unknown;
            /** @description Name; `title` is accepted too. */
            name?: string;
            /** @description What a shopper chooses between, in order. */
            options?: (string | Record<string, unknown>)[] | null;
            /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
            price?: number;
            /** @description When a draft becomes published by itself; nobody sees or buys it before. Not shown to shoppers. */
            publishAt?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Own shipping policy; the default one when missing. */
            shippingPolicy?: string | Record<string, unknown> | null;
            /** @description Handle in addresses, made from the name when missing. */
            slug?: string | null;
            /**
             * @description Listings show published products; detail pages open unlisted ones too.
             * @enum {string}
             */
            status?: "draft" | "published" | "unlisted" | "out-of-stock" | "active";
            /** @description Units on hand over all variants; writable while there is one default variant. Not shown to shoppers. */
            stock?: number | null;
            /** @description Tags. */
            tags?: (string | Record<string, unknown>)[] | null;
            /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
            taxFree?: boolean | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Alias of `name`. */
            title?: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Videos in order. */
            videos?: (string | Record<string, unknown>)[] | null;
        };
        /** @description One buyable version of a product. */
        ProductVariant: {
            /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
            barcode: string | null;
            /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
            compareAtPrice: number | null;
            /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
            costPrice?: number | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Images in order; the product's when missing. */
            images: (string | components["schemas"]["Media"] | null)[];
            /**
             * @description What is delivered; events ask for the names of those admitted.
             * @enum {string|null}
             */
            kind: "physical" | "digital" | "service" | "event" | null;
            /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Not shown to shoppers. */
            lowStock?: boolean | null;
            /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
            lowStockThreshold?: number | null;
            /** @description Custom data of the shop. */
            metadata: unknown;
            /** @description Ids of the chosen option values, at most one per option. */
            optionValues: string[];
            /** @description Order among the product's variants. */
            position: number | null;
            /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
            price: number | null;
            /** @description The product; a variant never moves to another. */
            product: string | components["schemas"]["Product"] | null;
            /** @description Whether it is shipped; true for physical variants when missing. */
            requiresShipping: boolean | null;
            /** @description Units reserved by pending payments. Not shown to shoppers. */
            reserved?: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Stock keeping unit. */
            sku: string | null;
            /** @description Units on hand in the environment of the request. Not shown to shoppers. */
            stock?: number | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Title; made from the option values when missing. */
            title: string | null;
            /** @description False: any quantity can be sold. */
            trackInventory: boolean | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description Weight in grams. */
            weight: number | null;
        };
        ProductVariantBulk: {
            docs: components["schemas"]["ProductVariant"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        ProductVariantCreate: {
            /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
            barcode?: string | null;
            /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
            compareAtPrice?: number | null;
            /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
            costPrice?: number | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Images in order; the product's when missing. */
            images?: (string | Record<string, unknown>)[] | null;
            /**
             * @description What is delivered; events ask for the names of those admitted.
             * @enum {string|null}
             */
            kind?: "physical" | "digital" | "service" | "event" | null;
            /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Read-only: it may be sent back as it was read. */
            lowStock?: unknown;
            /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
            lowStockThreshold?: number | null;
            /** @description Custom data of the shop. */
            metadata?: unknown;
            /** @description Ids of the chosen option values, at most one per option. */
            optionValues?: string[] | null;
            /** @description Order among the product's variants. */
            position?: number | null;
            /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
            price?: number | null;
            /** @description The product; a variant never moves to another. */
            product: string | Record<string, unknown>;
            /** @description Whether it is shipped; true for physical variants when missing. */
            requiresShipping?: boolean | null;
            /** @description Units reserved by pending payments. Read-only: it may be sent back as it was read. */
            reserved?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Stock keeping unit. */
            sku?: string | null;
            /** @description Units on hand in the environment of the request. Not shown to shoppers. */
            stock?: number | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Title; made from the option values when missing. */
            title?: string | null;
            /** @description False: any quantity can be sold. */
            trackInventory?: boolean | null;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Weight in grams. */
            weight?: number | null;
        };
        ProductVariantDeleted: {
            doc: components["schemas"]["ProductVariant"];
            id: string;
            message: string;
        };
        /** @description A page of ProductVariants. */
        ProductVariantList: {
            docs: components["schemas"]["ProductVariant"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        ProductVariantStockInput: {
            /** @description Units that were counted. Either this or delta. */
            count?: number | null;
            /** @description Units to add; negative: to remove. Either this or count. */
            delta?: number | null;
            /** @description Units on hand that the change is based on. */
            expected?: number | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Note to store with the movement. */
            note?: string | null;
            /** @description Why, in a few words: received, damaged, recount. */
            reason: string;
        };
        ProductVariantStockResult: {
            /** @description The change as it was recorded. */
            movement: components["schemas"]["StockMovement"];
            /** @description Units on hand now. */
            stock: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        ProductVariantUpdate: {
            /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
            barcode?: string | null;
            /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
            compareAtPrice?: number | null;
            /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
            costPrice?: number | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The stock that a new stock replaces; required with it, unless If-Match says which version of the record it is based on. */
            expectedStock?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Images in order; the product's when missing. */
            images?: (string | Record<string, unknown>)[] | null;
            /**
             * @description What is delivered; events ask for the names of those admitted.
             * @enum {string|null}
             */
            kind?: "physical" | "digital" | "service" | "event" | null;
            /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Read-only: it may be sent back as it was read. */
            lowStock?: unknown;
            /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
            lowStockThreshold?: number | null;
            /** @description Custom data of the shop. */
            metadata?: unknown;
            /** @description Ids of the chosen option values, at most one per option. */
            optionValues?: string[] | null;
            /** @description Order among the product's variants. */
            position?: number | null;
            /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
            price?: number | null;
            /** @description The product; a variant never moves to another. Read-only: it may be sent back as it was read. */
            product?: unknown;
            /** @description Whether it is shipped; true for physical variants when missing. */
            requiresShipping?: boolean | null;
            /** @description Units reserved by pending payments. Read-only: it may be sent back as it was read. */
            reserved?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Stock keeping unit. */
            sku?: string | null;
            /** @description Units on hand in the environment of the request. Not shown to shoppers. */
            stock?: number | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Title; made from the option values when missing. */
            title?: string | null;
            /** @description False: any quantity can be sold. */
            trackInventory?: boolean | null;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Weight in grams. */
            weight?: number | null;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ProductVariantWhere: {
            and?: components["schemas"]["ProductVariantWhere"][];
            AND?: components["schemas"]["ProductVariantWhere"][];
            barcode?: components["schemas"]["WhereText"];
            compareAtPrice?: components["schemas"]["WhereNumber"];
            costPrice?: components["schemas"]["WhereNumber"];
            createdAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            images?: components["schemas"]["WhereList"];
            kind?: components["schemas"]["WhereText"];
            lowStock?: components["schemas"]["WhereBoolean"];
            lowStockThreshold?: components["schemas"]["WhereNumber"];
            metadata?: components["schemas"]["WhereThere"];
            optionValues?: components["schemas"]["WhereList"];
            or?: components["schemas"]["ProductVariantWhere"][];
            OR?: components["schemas"]["ProductVariantWhere"][];
            position?: components["schemas"]["WhereNumber"];
            price?: components["schemas"]["WhereNumber"];
            product?: components["schemas"]["WhereRelation"];
            requiresShipping?: components["schemas"]["WhereBoolean"];
            reserved?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            sku?: components["schemas"]["WhereText"];
            stock?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            title?: components["schemas"]["WhereText"];
            trackInventory?: components["schemas"]["WhereBoolean"];
            updatedAt?: components["schemas"]["WhereDate"];
            weight?: components["schemas"]["WhereNumber"];
        };
        ProductVariantWritten: {
            doc: components["schemas"]["ProductVariant"];
            message: string;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ProductWhere: {
            and?: components["schemas"]["ProductWhere"][];
            AND?: components["schemas"]["ProductWhere"][];
            brand?: components["schemas"]["WhereRelation"];
            categories?: components["schemas"]["WhereList"];
            category?: components["schemas"]["WhereRelation"];
            costPrice?: components["schemas"]["WhereNumber"];
            createdAt?: components["schemas"]["WhereDate"];
            description?: components["schemas"]["WhereText"];
            discount?: components["schemas"]["WhereNumber"];
            id?: components["schemas"]["WhereText"];
            images?: components["schemas"]["WhereList"];
            lowStock?: components["schemas"]["WhereBoolean"];
            lowStockThreshold?: components["schemas"]["WhereNumber"];
            metadata?: components["schemas"]["WhereThere"];
            name?: components["schemas"]["WhereText"];
            options?: components["schemas"]["WhereList"];
            or?: components["schemas"]["ProductWhere"][];
            OR?: components["schemas"]["ProductWhere"][];
            price?: components["schemas"]["WhereNumber"];
            publishAt?: components["schemas"]["WhereDate"];
            revision?: components["schemas"]["WhereNumber"];
            shippingPolicy?: components["schemas"]["WhereRelation"];
            slug?: components["schemas"]["WhereText"];
            status?: components["schemas"]["WhereText"];
            stock?: components["schemas"]["WhereNumber"];
            tags?: components["schemas"]["WhereList"];
            taxFree?: components["schemas"]["WhereBoolean"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
            videos?: components["schemas"]["WhereList"];
        };
        ProductWritten: {
            doc: components["schemas"]["Product"];
            message: string;
        };
        /** @description An account of the shop at a payment provider. */
        ProviderConnection: {
            /** @description The account's identifier at the provider: store id, MID. */
            accountKey: string;
            /**
             * @description When the money of an approved payment is collected: at once; once everything of the order was shipped or completed; or when an operator captures it. Later only where the provider can.
             * @enum {string|null}
             */
            capture: "automatic" | "on_shipping" | "manual" | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Whether new sessions may use the account. */
            enabled: boolean | null;
            /** @description Methods that hosted sessions may ask for. */
            enabledMethods: ("CARD_KR" | "N_PAY" | "KAKAO_PAY" | "TOSS_PAY" | "CARD_INTERNATIONAL" | "PAY_PAL" | "UNION_PAY" | "ALIPAY_CN" | "ALIPAY_HK" | "TRUE_MONEY" | "DANA" | "TOUCH_N_GO" | "G_CASH" | "WE_CHAT_PAY" | "KLARNA" | "E_CONTEXT" | "GRAB_PAY_MY" | "GRAB_PAY_SG" | "SHOPEE_PAY_TH" | "PAY_PAY" | "BPI" | "RABBIT_LINE_PAY" | "CONVENIENCE_STORE_JP" | "AMAZON_PAY" | "RAKUTEN_PAY" | "D_BARAI" | "AU_PAY" | "MERPAY")[];
            /**
             * @description Whether the account moves real money.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Whether sessions that name no connection use this one. */
            isDefault: boolean | null;
            /** @description Name shown to operators. */
            name: string;
            /**
             * @description Which provider the account is at.
             * @enum {string}
             */
            provider: "sandbox" | "toss" | "portone" | "stripe" | "custom";
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        ProviderConnectionBulk: {
            docs: components["schemas"]["ProviderConnection"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        ProviderConnectionCreate: {
            /** @description The account's identifier at the provider: store id, MID. */
            accountKey: string;
            /**
             * @description When the money of an approved payment is collected: at once; once everything of the order was shipped or completed; or when an operator captures it. Later only where the provider can.
             * @enum {string|null}
             */
            capture?: "automatic" | "on_shipping" | "manual" | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Keys of the account by name; write-only, kept encrypted. sandbox: secretKey (the account's secret, which the server fills in; for widget and hosted_v2 and standard_v2). toss: clientKey (client key of the widget; for widget), secretKey (secret key of the widget; for widget). portone: apiSecret (V2 API secret; for hosted_v2 and standard_v2), channelKey (key of the card channel; for standard_v2), profileKey (key of the checkout profile; for hosted_v2), country (country of hosted pages that name none, ISO 3166-1 alpha-2; KR if missing; optional). stripe: secretKey (secret key, or a restricted key that writes Checkout Sessions and Refunds and reads PaymentIntents, Charges and the account; to capture later it writes PaymentIntents too; for hosted_v2), connectedAccount (id of a connected account, "acct_…", if the key is that of the Connect platform; optional). */
            credentials?: unknown;
            /** @description Whether new sessions may use the account. */
            enabled?: boolean | null;
            /** @description Methods that hosted sessions may ask for. */
            enabledMethods?: ("CARD_KR" | "N_PAY" | "KAKAO_PAY" | "TOSS_PAY" | "CARD_INTERNATIONAL" | "PAY_PAL" | "UNION_PAY" | "ALIPAY_CN" | "ALIPAY_HK" | "TRUE_MONEY" | "DANA" | "TOUCH_N_GO" | "G_CASH" | "WE_CHAT_PAY" | "KLARNA" | "E_CONTEXT" | "GRAB_PAY_MY" | "GRAB_PAY_SG" | "SHOPEE_PAY_TH" | "PAY_PAY" | "BPI" | "RABBIT_LINE_PAY" | "CONVENIENCE_STORE_JP" | "AMAZON_PAY" | "RAKUTEN_PAY" | "D_BARAI" | "AU_PAY" | "MERPAY")[] | null;
            /**
             * @description Whether the account moves real money.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Whether sessions that name no connection use this one. */
            isDefault?: boolean | null;
            /** @description Name shown to operators. */
            name: string;
            /**
             * @description Which provider the account is at.
             * @enum {string}
             */
            provider: "sandbox" | "toss" | "portone" | "stripe" | "custom";
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Secrets that sign the provider's webhooks, newest first; write-only, kept encrypted. */
            webhookSecrets?: string[] | null;
        };
        ProviderConnectionDeleted: {
            doc: components["schemas"]["ProviderConnection"];
            id: string;
            message: string;
        };
        /** @description A page of ProviderConnections. */
        ProviderConnectionList: {
            docs: components["schemas"]["ProviderConnection"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        ProviderConnectionUpdate: {
            /** @description The account's identifier at the provider: store id, MID. Read-only: it may be sent back as it was read. */
            accountKey?: unknown;
            /**
             * @description When the money of an approved payment is collected: at once; once everything of the order was shipped or completed; or when an operator captures it. Later only where the provider can.
             * @enum {string|null}
             */
            capture?: "automatic" | "on_shipping" | "manual" | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Keys of the account by name; write-only, kept encrypted. sandbox: secretKey (the account's secret, which the server fills in; for widget and hosted_v2 and standard_v2). toss: clientKey (client key of the widget; for widget), secretKey (secret key of the widget; for widget). portone: apiSecret (V2 API secret; for hosted_v2 and standard_v2), channelKey (key of the card channel; for standard_v2), profileKey (key of the checkout profile; for hosted_v2), country (country of hosted pages that name none, ISO 3166-1 alpha-2; KR if missing; optional). stripe: secretKey (secret key, or a restricted key that writes Checkout Sessions and Refunds and reads PaymentIntents, Charges and the account; to capture later it writes PaymentIntents too; for hosted_v2), connectedAccount (id of a connected account, "acct_…", if the key is that of the Connect platform; optional). */
            credentials?: unknown;
            /** @description Whether new sessions may use the account. */
            enabled?: boolean | null;
            /** @description Methods that hosted sessions may ask for. */
            enabledMethods?: ("CARD_KR" | "N_PAY" | "KAKAO_PAY" | "TOSS_PAY" | "CARD_INTERNATIONAL" | "PAY_PAL" | "UNION_PAY" | "ALIPAY_CN" | "ALIPAY_HK" | "TRUE_MONEY" | "DANA" | "TOUCH_N_GO" | "G_CASH" | "WE_CHAT_PAY" | "KLARNA" | "E_CONTEXT" | "GRAB_PAY_MY" | "GRAB_PAY_SG" | "SHOPEE_PAY_TH" | "PAY_PAY" | "BPI" | "RABBIT_LINE_PAY" | "CONVENIENCE_STORE_JP" | "AMAZON_PAY" | "RAKUTEN_PAY" | "D_BARAI" | "AU_PAY" | "MERPAY")[] | null;
            /** @description Whether the account moves real money. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Whether sessions that name no connection use this one. */
            isDefault?: boolean | null;
            /** @description Name shown to operators. */
            name?: string;
            /** @description Which provider the account is at. Read-only: it may be sent back as it was read. */
            provider?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Secrets that sign the provider's webhooks, newest first; write-only, kept encrypted. */
            webhookSecrets?: string[] | null;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ProviderConnectionWhere: {
            accountKey?: components["schemas"]["WhereText"];
            and?: components["schemas"]["ProviderConnectionWhere"][];
            AND?: components["schemas"]["ProviderConnectionWhere"][];
            capture?: components["schemas"]["WhereText"];
            createdAt?: components["schemas"]["WhereDate"];
            enabled?: components["schemas"]["WhereBoolean"];
            enabledMethods?: components["schemas"]["WhereList"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            isDefault?: components["schemas"]["WhereBoolean"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["ProviderConnectionWhere"][];
            OR?: components["schemas"]["ProviderConnectionWhere"][];
            provider?: components["schemas"]["WhereText"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        ProviderConnectionWritten: {
            doc: components["schemas"]["ProviderConnection"];
            message: string;
        };
        /**
         * @description Stable, machine-readable error code.
         *
         *     | reason | status | message |
         *     | --- | --- | --- |
         *     | `account_of_several_tenants` | 403 | This account does not belong to your tenant alone: only platform admins reset its second factors. |
         *     | `account_proven` | 403 | This account belongs to the person, who has proven the address: change the role or the name here, or remove the user. |
         *     | `address_not_editable` | 409 | The order was shipped, or has ended: its address stays as it was. |
         *     | `admissions_mismatch` | 422 | Each unit of an event needs exactly one admission; other products take none. |
         *     | `answer_too_large` | 400 | The answer would embed too many related records. Ask for a smaller depth or limit. |
         *     | `attention_not_required` | 409 | This payment no longer requires attention. |
         *     | `audit_note_required` | 422 | This order has no return policy: refunding shipping needs an audit note. |
         *     | `body_incomplete` | 400 | The request ended before its body was complete. |
         *     | `body_too_large` | 413 | The request is larger than allowed. |
         *     | `bulk_refused` | 400 | Nothing was changed, since not every record can be changed as asked. |
         *     | `cancel_whole_order` | 422 | Nothing would be left of the order: cancel the order instead, which refunds and restocks all of it. |
         *     | `capture_exceeds_authorized` | 422 | The capture exceeds what is authorized, or what the order comes to. |
         *     | `capture_in_progress` | 409 | Another capture of this payment is in progress. Try again. |
         *     | `carrier_batch_empty` | 409 | Nothing is left to export: every open fulfillment order that matches is in a batch. |
         *     | `carrier_batch_item_done` | 409 | This fulfillment order was shipped or canceled: there is nothing to export again. |
         *     | `carrier_batch_not_member` | 409 | This fulfillment order is not in the batch. |
         *     | `carrier_batch_nothing_open` | 409 | This fulfillment order has no units that can be shipped now. |
         *     | `carrier_batch_taken` | 409 | This fulfillment order is in a batch. Release it from that one first. |
         *     | `carrier_file_column` | 400 | The file lacks a column. |
         *     | `carrier_file_too_long` | 413 | The file has more than 100,000 rows. Send it in parts. |
         *     | `carrier_imports_busy` | 503 | Too many carrier files are being imported. Try again in a moment. |
         *     | `carrier_row_ambiguous` | 422 | The order has several fulfillment orders that ship: name one. |
         *     | `carrier_row_formula` | 422 | A cell of the row is a formula. Copy the column, and paste it as values. |
         *     | `carrier_row_fulfillment_order_unknown` | 404 | There is no such fulfillment order. |
         *     | `carrier_row_nameless` | 422 | The row has neither a fulfillment order nor an order number. |
         *     | `carrier_row_nothing_left` | 409 | The fulfillment order has nothing left to ship. |
         *     | `carrier_row_number_shared` | 409 | Another order has this tracking number too. |
         *     | `carrier_row_order_mismatch` | 422 | The fulfillment order and the order number of the row belong to two orders. |
         *     | `carrier_row_order_rounded` | 422 | A spreadsheet rounded the order number: its last digits are lost. Format the column as text, and enter the number again. |
         *     | `carrier_row_order_unknown` | 404 | There is no such order. |
         *     | `carrier_row_packed` | 409 | All units are packed in a fulfillment that was not sent. Ship or cancel that one. |
         *     | `carrier_row_sent_already` | 409 | This was already shipped with another tracking number or carrier. |
         *     | `carrier_row_sent_unnumbered` | 409 | This was already shipped without a tracking number. To add this one, correct the fulfillment. |
         *     | `carrier_unknown` | 422 | No carrier has this name. |
         *     | `cart_busy` | 503 | Too many changes to this cart are queued. Try again. |
         *     | `cart_customer_mismatch` | 409 | The carts belong to different customers. |
         *     | `cart_empty` | 422 | The cart has no lines. |
         *     | `cart_line_limit` | 422 | A cart holds at most 200 lines. |
         *     | `cart_market_mismatch` | 409 | The cart belongs to another market. |
         *     | `cart_not_active` | 409 | This cart can no longer be changed. |
         *     | `cart_revision_conflict` | 409 | The cart changed since you read it. Read it again and repeat the change with a new key. |
         *     | `cart_too_large` | 422 | The attributes, admissions and codes of this cart are too large. |
         *     | `challenge_invalid` | 401 | This login took too long, was finished already, or the password was changed. Log in again. |
         *     | `changed_meanwhile` | 412 | Someone else changed this record. Read it again, and repeat the change on what it is now. |
         *     | `checkout_expired` | 409 | This checkout has expired. Create a new one from the cart. |
         *     | `checkout_not_open` | 409 | This checkout is no longer open. |
         *     | `checkout_offered_by_shop` | 409 | The shop put this order together, for this address and this price. Ask the shop to change it. |
         *     | `checkout_too_large` | 422 | The cart, address and notes of this checkout are too large. |
         *     | `claim_lost` | 409 | Another attempt took over this request. |
         *     | `code_wrong` | 400 | This code is wrong, or was used already. |
         *     | `collection_operated` | 405 | Records of this collection can only be changed by their own operations. |
         *     | `comment_of_another` | 403 | Only who wrote a comment changes it. Admins may delete it. |
         *     | `comment_record_unknown` | 400 | There is no such record to comment on. |
         *     | `comments_too_many` | 422 | This record has as many comments as a record may have. |
         *     | `connection_in_use` | 409 | This connection has payments and cannot be deleted. Disable it instead. |
         *     | `credentials_invalid` | 401 | The email or the password is wrong. |
         *     | `cross_site_request` | 403 | Cookie-authenticated writes must come from the same site. |
         *     | `currency_mixed` | 500 | Amounts in different currencies cannot be combined. |
         *     | `customer_busy` | 409 | Something of this customer is still under way. |
         *     | `customer_email_invalid` | 400 | The draft order needs a valid email of its customer. |
         *     | `customer_erased` | 409 | This customer was erased: nothing new is kept about them. |
         *     | `delete_not_supported` | 405 | Records of this collection cannot be deleted. |
         *     | `discount_context_required` | 422 | This discount code can only be checked against an order in its own currency. |
         *     | `discount_customer_limit` | 422 | This discount code has been used as often as allowed for this customer. |
         *     | `discount_expired` | 422 | This discount code has expired. |
         *     | `discount_inactive` | 422 | This discount code is not active. |
         *     | `discount_min_order` | 422 | The order is too small for this discount code. |
         *     | `discount_not_applicable` | 422 | This discount code does not apply to anything in this order. |
         *     | `discount_not_combinable` | 422 | This discount code cannot be combined with another one. |
         *     | `discount_not_found` | 422 | There is no such discount code. |
         *     | `discount_not_started` | 422 | This discount code is not valid yet. |
         *     | `discount_usage_limit` | 422 | This discount code has been used as often as allowed. |
         *     | `draft_awaits_payment` | 409 | The buyer has a payment link of this draft order. Revoke it before the draft changes. |
         *     | `draft_empty` | 422 | The draft order has no lines. |
         *     | `draft_has_no_payment_link` | 409 | This draft order has no payment link. |
         *     | `draft_market_required` | 422 | The shop's prices are not in the currency of the draft order: it needs an active market in that currency. |
         *     | `draft_not_editable` | 409 | This draft order is finalized or discarded and cannot change any more. |
         *     | `email_not_verified` | 403 | Verify your email address first. |
         *     | `event_number_unknown` | 400 | No event has this number yet. Start again without a number, or with latest. |
         *     | `events_trimmed` | 409 | Events after this number are no longer available. Read the records, then start again with latest. |
         *     | `exchange_rate_required` | 400 | The file's currency differs from the shop's: set the rate. |
         *     | `expected_revision_required` | 400 | Changes with a cart token require expectedRevision, the revision last read. |
         *     | `export_not_done` | 409 | The file of this export is not there yet. |
         *     | `export_too_broad` | 422 | The text finds too many records to be sure that the file has all of them. Use where, or a longer text. |
         *     | `export_without_file` | 409 | This export was canceled or failed: it has no file. |
         *     | `feature_disabled` | 403 | Selling is disabled for this shop. |
         *     | `file_empty` | 400 | The file is empty. |
         *     | `file_missing` | 400 | A file is needed: send a form with the field file. |
         *     | `file_too_large` | 413 | The file is larger than 25 MiB. |
         *     | `file_type_not_supported` | 415 | This file type is not supported. Supported are images, video, audio, PDF, plain text and CSV, detected by content. |
         *     | `forbidden` | 403 | You are not allowed to do this. |
         *     | `form_malformed` | 400 | The form cannot be read. |
         *     | `fulfillment_quantity_exceeded` | 422 | Fewer units are left to fulfill. |
         *     | `fulfillment_transition_invalid` | 409 | The fulfillment cannot change from its current status to this one. |
         *     | `graphql_batch` | 400 | A request has one document, not a list of them: select several fields in one document. |
         *     | `graphql_limit` | 400 | The document asks for too much at once. |
         *     | `graphql_operation` | 400 | The document has no such operation. |
         *     | `graphql_syntax` | 400 | The document is not valid GraphQL. |
         *     | `graphql_validation` | 400 | The document does not fit the schema. |
         *     | `graphql_variables` | 400 | The variables do not fit the document. |
         *     | `guest_too_many_records` | 409 | More is held under this address than an erasure takes. |
         *     | `idempotency_in_progress` | 409 | The first request with this key is still running. |
         *     | `idempotency_key_derived` | 400 | An idempotency key must be random, not made from the id of what it acts on. |
         *     | `idempotency_key_invalid` | 400 | An idempotency key is 16 to 255 visible ASCII characters. |
         *     | `idempotency_key_required` | 400 | This operation needs an idempotency key: the header Idempotency-Key, or over GraphQL the argument idempotencyKey. |
         *     | `idempotency_key_reused` | 422 | This idempotency key was already used for a different request. |
         *     | `image_too_large` | 413 | The image has more than 50 million pixels, or a side longer than 30 000. |
         *     | `image_unreadable` | 400 | The image is damaged: its size cannot be read. |
         *     | `import_columns` | 400 | The columns of the file are not those of its kind. |
         *     | `import_too_long` | 413 | The file has more than 100,000 rows. Send it in parts. |
         *     | `import_trial_limit` | 429 | Too many rows of this file take what other rows of it take. Mend those that were told of so far, or try the file in parts. |
         *     | `internal` | 500 | Something went wrong on our side. |
         *     | `invitation_closed` | 409 | This invitation was accepted or revoked. |
         *     | `invitation_for_another` | 403 | This invitation is for another email address. Log in as that person, or choose a password. |
         *     | `invitation_login_required` | 403 | This role needs an account whose address the installation has proven: log in with it, and accept then. |
         *     | `job_ended` | 409 | This job has ended already. |
         *     | `job_limit` | 429 | Ten of these are waiting or running already. Wait until one has ended, or cancel one. |
         *     | `key_mismatch` | 401 | The credentials belong to different tenants. |
         *     | `key_revoked` | 409 | This API key was revoked. Create a new one. |
         *     | `key_unknown` | 401 | This API key does not exist or was revoked. |
         *     | `last_admin` | 409 | A tenant needs at least one admin. Make another user an admin first. |
         *     | `line_cancels_exhausted` | 422 | Lines of this order were canceled a hundred times: cancel what is left of it instead. |
         *     | `line_not_found` | 404 | The cart has no such line. |
         *     | `line_not_shippable` | 422 | This line does not ship: complete it manually. |
         *     | `line_requires_shipping` | 422 | This line ships: it is fulfilled by a carrier, not completed by hand. |
         *     | `local_only` | 403 | This page is shown to the server's own machine alone, at its loopback address. |
         *     | `malformed_request` | 400 | The request cannot be read. |
         *     | `market_filter_not_supported` | 400 | With a market, products cannot be filtered or sorted by price: that one is in the shop's own currency. |
         *     | `market_not_found` | 404 | There is no such market. |
         *     | `media_type_not_supported` | 415 | The body must be JSON: send Content-Type: application/json. |
         *     | `mention_unknown` | 400 | Only users of this shop can be mentioned. |
         *     | `method_not_allowed` | 405 | This endpoint does not support this method. |
         *     | `money_under_way` | 409 | Payments, refunds or disputes of the tenant are not settled: wait for them, or resolve them. |
         *     | `not_found` | 404 | The requested record does not exist. |
         *     | `nothing_to_pack` | 409 | This fulfillment order has no units that can be packed now. |
         *     | `notification_of_another` | 403 | Only whom a notification is for marks it as read. |
         *     | `number_malformed` | 400 | This is not a number. |
         *     | `number_out_of_range` | 400 | This number is too large. |
         *     | `number_too_precise` | 400 | This has more fraction digits than allowed. |
         *     | `order_number_taken` | 409 | Another order has this number, or it was imported with other content. Orders are never overwritten. |
         *     | `order_on_hold` | 409 | The order is on hold. |
         *     | `order_transition_invalid` | 409 | The order cannot change from its current status to this one. |
         *     | `origin_not_allowed` | 403 | This site is not among the tenant's allowed origins. |
         *     | `out_of_stock` | 422 | There is not enough stock. |
         *     | `passkey_challenge_invalid` | 400 | This took too long, or was answered already: begin again. |
         *     | `passkey_invalid` | 401 | This passkey is unknown here, or did not answer this challenge. Log in with the password. |
         *     | `passkey_malformed` | 400 | This is not what a browser answers of a passkey. |
         *     | `passkey_refused` | 400 | This passkey was not made for this server, this person and this challenge, or without a check of the person. |
         *     | `passkey_taken` | 409 | This passkey was added already. |
         *     | `passkeys_unavailable` | 409 | Passkeys need a server with a public URL that has a domain name, and HTTPS. |
         *     | `password_wrong` | 400 | The password is wrong. |
         *     | `payment_already_recorded` | 409 | This payment is already recorded. |
         *     | `payment_amount_mismatch` | 409 | The payment does not match the requested one. |
         *     | `payment_link_expired` | 409 | This payment link has expired. Ask the shop for a new one. |
         *     | `payment_method_not_enabled` | 422 | This payment method is not enabled. |
         *     | `payment_not_authorized` | 409 | The order has no authorized payment that waits for its capture. |
         *     | `payment_not_completed` | 409 | The provider has not completed this payment. |
         *     | `payment_not_required` | 409 | There is nothing to pay: complete the checkout instead. |
         *     | `payment_required` | 409 | This checkout has to be paid. |
         *     | `payment_session_terminal` | 409 | This payment session has ended. |
         *     | `payment_slot_held` | 409 | Another payment of this cart may still be made. |
         *     | `payment_voided` | 409 | The payment was authorized but cannot become an order: nothing is collected. |
         *     | `plan_not_changeable` | 403 | Only platform admins can change a tenant's plan. |
         *     | `postal_code_invalid` | 400 | A postal code must have five digits. |
         *     | `print_too_large` | 413 | These documents have too many pages for one file. Print fewer at once. |
         *     | `provider_event_reused` | 409 | This provider event was used before with different contents. |
         *     | `provider_not_configured` | 422 | The shop has no enabled payment provider for this. |
         *     | `provider_rejected` | 502 | The payment provider refused the request. |
         *     | `provider_session_known` | 409 | This provider session belongs to another payment session. |
         *     | `provider_unavailable` | 503 | The payment provider cannot be reached right now. Try again. |
         *     | `quantity_limit` | 422 | A line holds at most 9999 units. |
         *     | `query_invalid` | 400 | The query cannot be answered. |
         *     | `query_too_slow` | 400 | The query takes too long. Filter and sort by indexed fields, or narrow it down by one. |
         *     | `quota_exceeded` | 429 | This shop has used all API calls of its plan this month. |
         *     | `range_not_satisfiable` | 400 | The requested range is beyond the end of the file. |
         *     | `rate_limited` | 429 | Too many failed logins. Try again later. |
         *     | `reauthentication_required` | 403 | This was not done, because the session was not proven within the last ten minutes: prove it (POST /api/users/reauthenticate), and try again. |
         *     | `receipt_exists` | 409 | This key was already used. |
         *     | `record_too_large` | 422 | The record is too large. |
         *     | `refund_account_required` | 422 | This payment can only be refunded to a bank account of the buyer: name it in refundAccount. |
         *     | `refund_exceeds_paid` | 422 | The refund exceeds what is left of the payment. |
         *     | `refund_in_progress` | 409 | Another refund of this payment is in progress. Try again. |
         *     | `refund_negative` | 422 | The fees of this return are higher than its refund. |
         *     | `report_pending` | 503 | The days of this report are being added up. Try again soon, or ask for fewer days. |
         *     | `requires_attention` | 409 | The payment was captured but requires attention. |
         *     | `restocking_fee_exceeds_line` | 422 | A restocking fee is at most the refund of its line. |
         *     | `return_not_eligible` | 409 | Only an order that was delivered or confirmed can be returned. |
         *     | `return_quantity_exceeded` | 422 | More units than this line has left to return. |
         *     | `return_shipping_not_applicable` | 422 | Nothing of this return was shipped, so shipping is neither refunded nor charged. |
         *     | `return_transition_invalid` | 409 | The return request cannot change from its current status to this one. |
         *     | `role_in_use` | 409 | Users of this tenant, or open invitations, have this role. Give them another one first. |
         *     | `role_not_grantable` | 403 | Only platform admins can create and change platform admins. |
         *     | `route_not_found` | 404 | There is no such endpoint. |
         *     | `sandbox_disabled` | 403 | The sandbox payment provider is disabled on this server. |
         *     | `sandbox_refused` | 409 | The sandbox payment provider refused the request. |
         *     | `second_factor_invalid` | 401 | This code is wrong, or was used already. |
         *     | `second_factor_of_person` | 403 | The second factors belong to the person in all tenants: log in with the person's own password to change them. |
         *     | `second_factor_required` | 403 | This tenant requires a second factor: add one, or act in another tenant. |
         *     | `secret_key_in_browser` | 403 | Secret keys must not be used in browsers: requests with an Origin header are rejected. |
         *     | `server_busy` | 503 | The server handles too much data at once. Try again. |
         *     | `sheet_too_large` | 413 | The file is too large. Send it in parts. |
         *     | `sheet_unreadable` | 400 | The file cannot be read as a table. Save it as CSV in UTF-8 or CP949, or as XLSX. |
         *     | `shipping_address_required` | 422 | This checkout has goods to ship and needs a shipping address. |
         *     | `shipping_refund_exceeds_cap` | 422 | All returns of an order together refund at most the shipping that was paid. |
         *     | `shipping_unavailable` | 422 | There is no way to ship this order. |
         *     | `stale_write` | 409 | Someone else changed this record first. |
         *     | `stock_changed` | 409 | The stock is not what you expected: units were sold or counted since you read it. Decide again with the present value. |
         *     | `tenant_acting` | 409 | You are acting in this tenant, or are a platform admin by it alone: delete it as somebody else. |
         *     | `tenant_ambiguous` | 409 | Several tenants have this name. |
         *     | `tenant_changed` | 409 | The tenant changed since it was exported: export it again. |
         *     | `tenant_exists` | 409 | This tenant already exists. |
         *     | `tenant_last` | 409 | The last tenant of an installation cannot be deleted. |
         *     | `tenant_not_confirmed` | 400 | Confirm the deletion with the slug of the tenant. |
         *     | `tenant_not_exported` | 409 | Export the tenant while it is suspended, before it is deleted. |
         *     | `tenant_not_joined` | 403 | You are not a member of this tenant. |
         *     | `tenant_not_suspended` | 409 | Suspend the tenant before it is deleted. |
         *     | `tenant_suspended` | 403 | This shop is suspended. |
         *     | `tenant_unknown` | 404 | There is no such tenant. |
         *     | `token_expired` | 419 | The token has expired. Refresh it or log in again. |
         *     | `token_invalid` | 400 | This token is invalid, already used, or expired. Request a new one. |
         *     | `too_many_passkeys` | 409 | An account has at most 20 passkeys: remove one first. |
         *     | `too_many_streams` | 429 | This shop has too many open event streams. |
         *     | `totp_active` | 409 | There is an authenticator app already: disable it first. |
         *     | `totp_not_enrolled` | 409 | There is no authenticator app: enroll one first. |
         *     | `tracking_number_invalid` | 422 | The carrier has no tracking number of this form. |
         *     | `tracking_number_rounded` | 422 | A spreadsheet rounded this number: its last digits are lost. Format the column as text, and enter the number again. |
         *     | `unauthenticated` | 401 | You need to authenticate for this. |
         *     | `unavailable` | 503 | A part of the service is not reachable right now. Try again. |
         *     | `upload_expired` | 409 | The upload took too long. Send the file again. |
         *     | `user_ambiguous` | 409 | There are several users with this address: name the tenant. |
         *     | `validation_failed` | 400 | The request has invalid fields. |
         *     | `value_not_unique` | 400 | A value that must be unique is taken. |
         *     | `variant_not_priced` | 422 | This variant has no price in the currency and market of the sale. |
         *     | `variant_reserved` | 409 | Units of this variant are reserved by payments that are under way. Remove it when they have ended. |
         *     | `variant_unavailable` | 422 | This variant cannot be bought. |
         *     | `view_not_shareable` | 403 | Viewers do not share their views. |
         *     | `view_of_another` | 403 | Only its owner or an admin changes a shared view. |
         *     | `view_without_owner` | 403 | Only users of this shop have views of their own. |
         *     | `views_too_many` | 422 | You have as many views as a user may have. Delete one first. |
         *     | `visitor_quota_exceeded` | 429 | Your address has used its share of this shop's API calls today. |
         *     | `webhook_endpoint_deleted` | 409 | The webhook endpoint of this delivery was deleted. |
         *     | `webhook_endpoint_disabled` | 409 | The webhook endpoint is disabled. Enable it first. |
         *     | `webhook_endpoint_limit` | 422 | The shop's plan allows no more webhook endpoints. |
         *     | `webhook_event_gone` | 409 | The event is no longer available and cannot be redelivered. |
         *     | `webhook_signature_invalid` | 401 | The signature of the webhook is not valid. |
         * @enum {string}
         */
        Reason: "account_of_several_tenants" | "account_proven" | "address_not_editable" | "admissions_mismatch" | "answer_too_large" | "attention_not_required" | "audit_note_required" | "body_incomplete" | "body_too_large" | "bulk_refused" | "cancel_whole_order" | "capture_exceeds_authorized" | "capture_in_progress" | "carrier_batch_empty" | "carrier_batch_item_done" | "carrier_batch_not_member" | "carrier_batch_nothing_open" | "carrier_batch_taken" | "carrier_file_column" | "carrier_file_too_long" | "carrier_imports_busy" | "carrier_row_ambiguous" | "carrier_row_formula" | "carrier_row_fulfillment_order_unknown" | "carrier_row_nameless" | "carrier_row_nothing_left" | "carrier_row_number_shared" | "carrier_row_order_mismatch" | "carrier_row_order_rounded" | "carrier_row_order_unknown" | "carrier_row_packed" | "carrier_row_sent_already" | "carrier_row_sent_unnumbered" | "carrier_unknown" | "cart_busy" | "cart_customer_mismatch" | "cart_empty" | "cart_line_limit" | "cart_market_mismatch" | "cart_not_active" | "cart_revision_conflict" | "cart_too_large" | "challenge_invalid" | "changed_meanwhile" | "checkout_expired" | "checkout_not_open" | "checkout_offered_by_shop" | "checkout_too_large" | "claim_lost" | "code_wrong" | "collection_operated" | "comment_of_another" | "comment_record_unknown" | "comments_too_many" | "connection_in_use" | "credentials_invalid" | "cross_site_request" | "currency_mixed" | "customer_busy" | "customer_email_invalid" | "customer_erased" | "delete_not_supported" | "discount_context_required" | "discount_customer_limit" | "discount_expired" | "discount_inactive" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_not_found" | "discount_not_started" | "discount_usage_limit" | "draft_awaits_payment" | "draft_empty" | "draft_has_no_payment_link" | "draft_market_required" | "draft_not_editable" | "email_not_verified" | "event_number_unknown" | "events_trimmed" | "exchange_rate_required" | "expected_revision_required" | "export_not_done" | "export_too_broad" | "export_without_file" | "feature_disabled" | "file_empty" | "file_missing" | "file_too_large" | "file_type_not_supported" | "forbidden" | "form_malformed" | "fulfillment_quantity_exceeded" | "fulfillment_transition_invalid" | "graphql_batch" | "graphql_limit" | "graphql_operation" | "graphql_syntax" | "graphql_validation" | "graphql_variables" | "guest_too_many_records" | "idempotency_in_progress" | "idempotency_key_derived" | "idempotency_key_invalid" | "idempotency_key_required" | "idempotency_key_reused" | "image_too_large" | "image_unreadable" | "import_columns" | "import_too_long" | "import_trial_limit" | "internal" | "invitation_closed" | "invitation_for_another" | "invitation_login_required" | "job_ended" | "job_limit" | "key_mismatch" | "key_revoked" | "key_unknown" | "last_admin" | "line_cancels_exhausted" | "line_not_found" | "line_not_shippable" | "line_requires_shipping" | "local_only" | "malformed_request" | "market_filter_not_supported" | "market_not_found" | "media_type_not_supported" | "mention_unknown" | "method_not_allowed" | "money_under_way" | "not_found" | "nothing_to_pack" | "notification_of_another" | "number_malformed" | "number_out_of_range" | "number_too_precise" | "order_number_taken" | "order_on_hold" | "order_transition_invalid" | "origin_not_allowed" | "out_of_stock" | "passkey_challenge_invalid" | "passkey_invalid" | "passkey_malformed" | "passkey_refused" | "passkey_taken" | "passkeys_unavailable" | "password_wrong" | "payment_already_recorded" | "payment_amount_mismatch" | "payment_link_expired" | "payment_method_not_enabled" | "payment_not_authorized" | "payment_not_completed" | "payment_not_required" | "payment_required" | "payment_session_terminal" | "payment_slot_held" | "payment_voided" | "plan_not_changeable" | "postal_code_invalid" | "print_too_large" | "provider_event_reused" | "provider_not_configured" | "provider_rejected" | "provider_session_known" | "provider_unavailable" | "quantity_limit" | "query_invalid" | "query_too_slow" | "quota_exceeded" | "range_not_satisfiable" | "rate_limited" | "reauthentication_required" | "receipt_exists" | "record_too_large" | "refund_account_required" | "refund_exceeds_paid" | "refund_in_progress" | "refund_negative" | "report_pending" | "requires_attention" | "restocking_fee_exceeds_line" | "return_not_eligible" | "return_quantity_exceeded" | "return_shipping_not_applicable" | "return_transition_invalid" | "role_in_use" | "role_not_grantable" | "route_not_found" | "sandbox_disabled" | "sandbox_refused" | "second_factor_invalid" | "second_factor_of_person" | "second_factor_required" | "secret_key_in_browser" | "server_busy" | "sheet_too_large" | "sheet_unreadable" | "shipping_address_required" | "shipping_refund_exceeds_cap" | "shipping_unavailable" | "stale_write" | "stock_changed" | "tenant_acting" | "tenant_ambiguous" | "tenant_changed" | "tenant_exists" | "tenant_last" | "tenant_not_confirmed" | "tenant_not_exported" | "tenant_not_joined" | "tenant_not_suspended" | "tenant_suspended" | "tenant_unknown" | "token_expired" | "token_invalid" | "too_many_passkeys" | "too_many_streams" | "totp_active" | "totp_not_enrolled" | "tracking_number_invalid" | "tracking_number_rounded" | "unauthenticated" | "unavailable" | "upload_expired" | "user_ambiguous" | "validation_failed" | "value_not_unique" | "variant_not_priced" | "variant_reserved" | "variant_unavailable" | "view_not_shareable" | "view_of_another" | "view_without_owner" | "views_too_many" | "visitor_quota_exceeded" | "webhook_endpoint_deleted" | "webhook_endpoint_disabled" | "webhook_endpoint_limit" | "webhook_event_gone" | "webhook_signature_invalid";
        ReportSettlementResult: {
            /** @description A row per day, provider and currency; days without movements are left out. */
            days: {
                /** @description What these came to. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                captured: number;
                /** @description ISO 4217 code of the row's amounts. */
                currency: string;
                /** @description The day. */
                day: string;
                /** @description Reported and fees less net, 0 where the provider and the ledger agree; null unless the provider told of every movement. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                difference: number | null;
                /** @description What the provider keeps; null unless it told of every movement. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                fees: number | null;
                /** @description Captured less refunded. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                net: number;
                /**
                 * @description Why the provider's own figures are null: it told of no movement, of some only (not yet, or in another currency), or the money went past any provider.
                 * @enum {string|null}
                 */
                notReported: "provider_does_not_tell" | "told_in_part" | "no_provider" | null;
                /** @description Payments that it captured. */
                payments: number;
                /** @description Name of the payment provider; custom and manual payments have one, too. */
                provider: string;
                /** @description What it gave back or took back, less what of that came back. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                refunded: number;
                /** @description What the provider says that it settles, less its fees; null unless it told of every movement. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                reported: number | null;
            }[];
            /** @description The first day. */
            from: string;
            /** @description IANA name of the shop's time zone, whose days these are. */
            timeZone: string;
            /** @description The last day. */
            to: string;
            /** @description All days, a row per provider and currency. */
            totals: {
                /** @description What these came to. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                captured: number;
                /** @description ISO 4217 code of the row's amounts. */
                currency: string;
                /** @description Reported and fees less net, 0 where the provider and the ledger agree; null unless the provider told of every movement. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                difference: number | null;
                /** @description What the provider keeps; null unless it told of every movement. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                fees: number | null;
                /** @description Captured less refunded. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                net: number;
                /**
                 * @description Why the provider's own figures are null: it told of no movement, of some only (not yet, or in another currency), or the money went past any provider.
                 * @enum {string|null}
                 */
                notReported: "provider_does_not_tell" | "told_in_part" | "no_provider" | null;
                /** @description Payments that it captured. */
                payments: number;
                /** @description Name of the payment provider; custom and manual payments have one, too. */
                provider: string;
                /** @description What it gave back or took back, less what of that came back. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                refunded: number;
                /** @description What the provider says that it settles, less its fees; null unless it told of every movement. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                reported: number | null;
            }[];
        };
        ReportSummaryResult: {
            /** @description The period that was asked for with compare; left out without it. */
            comparedWith?: {
                /** @description The first day. */
                from: string;
                /** @description The last day. */
                to: string;
                /** @description Its figures, a row per currency. */
                totals: {
                    /** @description What an order came to on average: ordered by orders, rounded half up; null without orders. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    average: number | null;
                    /** @description ISO 4217 code of the row's amounts. */
                    currency: string;
                    /** @description Revenue less refunds: what the balance of the ledger changed by. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    net: number;
                    /** @description What these orders came to, with shipping and after discounts; of a product, its lines after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    ordered: number;
                    /** @description Orders that were placed. */
                    orders: number;
                    /** @description How many of these were canceled since. */
                    ordersCanceled: number;
                    /** @description Payments that buyers made. */
                    payments: number;
                    /** @description Money that was given back or taken back by a provider, less what of that came back; negative where more came back. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    refunds: number;
                    /** @description What these payments came to. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    revenue: number;
                    /** @description Units ordered. */
                    units: number;
                    /** @description How many of these were canceled since. */
                    unitsCanceled: number;
                }[];
            } | null;
            /** @description The first day. */
            from: string;
            /** @description The figures by what was asked for with by, a row per group and currency; those without figures are left out. Left out without by. */
            groups?: {
                /** @description What an order came to on average: ordered by orders, rounded half up; null without orders. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                average: number | null;
                /** @description ISO 4217 code of the row's amounts. */
                currency: string;
                /** @description Id of the market; null for the shop's own prices, and in other groups. */
                market: string | null;
                /** @description Revenue less refunds: what the balance of the ledger changed by. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                net: number;
                /** @description What these orders came to, with shipping and after discounts; of a product, its lines after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                ordered: number;
                /** @description Orders that were placed. */
                orders: number;
                /** @description How many of these were canceled since. */
                ordersCanceled: number;
                /** @description Payments that buyers made. */
                payments: number;
                /** @description Id of the product; null for goods that are not in the catalog, and in other groups. */
                product: string | null;
                /** @description Name of the payment provider; null in other groups. */
                provider: string | null;
                /** @description Money that was given back or taken back by a provider, less what of that came back; negative where more came back. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                refunds: number;
                /** @description What these payments came to. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                revenue: number;
                /** @description First day of the day, week or month, such as 2026-01-31; null in other groups. */
                starts: string | null;
                /** @description Units ordered. */
                units: number;
                /** @description How many of these were canceled since. */
                unitsCanceled: number;
            }[] | null;
            /** @description What waits for the shop now, whatever the period is; each is counted up to 1000, which means that many or more. */
            tasks: {
                /** @description Payments that require attention. */
                attention: number;
                /** @description Products and variants of which no more units are free than their threshold. */
                lowStock: number;
                /** @description Return requests that still need action. */
                returnsOpen: number;
                /** @description Paid orders that nobody prepares yet; those on hold are left out. */
                toPack: number;
                /** @description Orders in preparation; those on hold are left out. */
                toShip: number;
                /** @description Payments whose buyers know where to pay. */
                waitingForDeposit: number;
            };
            /** @description IANA name of the shop's time zone, whose days these are. */
            timeZone: string;
            /** @description The last day. */
            to: string;
            /** @description The figures of all days, a row per currency. */
            totals: {
                /** @description What an order came to on average: ordered by orders, rounded half up; null without orders. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                average: number | null;
                /** @description ISO 4217 code of the row's amounts. */
                currency: string;
                /** @description Revenue less refunds: what the balance of the ledger changed by. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                net: number;
                /** @description What these orders came to, with shipping and after discounts; of a product, its lines after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                ordered: number;
                /** @description Orders that were placed. */
                orders: number;
                /** @description How many of these were canceled since. */
                ordersCanceled: number;
                /** @description Payments that buyers made. */
                payments: number;
                /** @description Money that was given back or taken back by a provider, less what of that came back; negative where more came back. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                refunds: number;
                /** @description What these payments came to. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                revenue: number;
                /** @description Units ordered. */
                units: number;
                /** @description How many of these were canceled since. */
                unitsCanceled: number;
            }[];
        };
        /** @description Units of an order that a customer returns, and their refund. */
        ReturnRequest: {
            /**
             * Format: date-time
             * @description When the shop approved it.
             */
            approvedAt: string | null;
            /** @description Who of the team is on it; null for nobody. Not shown to shoppers. */
            assignee?: string | components["schemas"]["User"] | null;
            /** @description Why shipping is refunded without a policy, or another note made when the return was created. Not shown to shoppers. */
            auditNote?: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code of all amounts. */
            currency: string | null;
            /** @description The buyer's account; null for a guest. */
            customer: string | components["schemas"]["Customer"] | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Outbound shipping that is refunded. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            initialShippingRefundAmount: number | null;
            /** @description Sum of the lines' refunds. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            lineRefundTotal: number | null;
            /** @description The lines to return. */
            lines: {
                /** @description What was paid for the units, after discounts and before fees. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                lineRefund: number | null;
                /** @description Id of the order's line. */
                orderLine: string | null;
                /** @description Units to return. */
                quantity: number | null;
                /** @description Reason for the return. */
                reason: string | null;
                /** @description Whether they are restocked when received. Digital goods are never restocked, nor are units that the sale did not take from stock. */
                restock: boolean | null;
                /** @description What the shop keeps of the line's refund. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                restockingFee: number | null;
            }[];
            /** @description Custom data of the shop. Not shown to shoppers. */
            metadata?: unknown;
            /** @description Notes of operators. Not shown to shoppers. */
            notes?: string | null;
            /** @description The order. */
            order: string | components["schemas"]["Order"] | null;
            /**
             * Format: date-time
             * @description When the goods were received.
             */
            receivedAt: string | null;
            /** @description Last four digits of the account that the refund goes to, as long as it is kept; null if none was named. */
            refundAccountEnding: string | null;
            /** @description lineRefundTotal + initialShippingRefundAmount − restockingFeeTotal − returnShippingFee. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            refundAmount: number | null;
            /**
             * Format: date-time
             * @description When the refund succeeded or was submitted.
             */
            refundedAt: string | null;
            /** @description Why its last refund failed. Not shown to shoppers. */
            refundProblem?: string | null;
            /**
             * @description State of its refund; null before there is one, and when nothing has to be refunded.
             * @enum {string|null}
             */
            refundStatus: "pending" | "refunded" | "failed" | null;
            /** @description Sum of the restocking fees. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            restockingFeeTotal: number | null;
            /** @description What the customer is charged for return shipping. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            returnShippingFee: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * @description How far the return is; refunded once the money is on its way.
             * @enum {string|null}
             */
            status: "requested" | "approved" | "received" | "refunded" | "rejected" | "canceled" | null;
            /** @description Why it was rejected or canceled. */
            statusReason: string | null;
            /** @description What the return policy of the order suggests for it. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            suggestedInitialShippingRefund: number | null;
            /** @description Labels of the shop's own, in lower case and each once. Not shown to shoppers. */
            tags?: string[];
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description The transaction of its last refund. Not shown to shoppers. */
            transaction?: string | components["schemas"]["Transaction"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        ReturnRequestApproveInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        ReturnRequestApproveResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description The return request as it is now. */
            returnRequest: components["schemas"]["ReturnRequest"];
        };
        ReturnRequestBulk: {
            docs: components["schemas"]["ReturnRequest"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        ReturnRequestCancelInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Reason; shown to the customer. */
            reason?: string | null;
        };
        ReturnRequestCancelResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description The return request as it is now. */
            returnRequest: components["schemas"]["ReturnRequest"];
        };
        ReturnRequestCreateInput: {
            /** @description Reason; required to refund shipping of an order without a return policy. Not for customers. */
            auditNote?: string | null;
            /** @description Outbound shipping to refund, in major units; defaults to 0. Not for customers, who get what the order's return policy suggests. */
            initialShippingRefundAmount?: number | null;
            /** @description The lines to return, each line of the order once. */
            lines: {
                /** @description Id of the order's line. */
                orderLine: string;
                /** @description Units, at most what remains of the line. */
                quantity: number;
                /** @description Reason for the return. */
                reason?: string | null;
                /** @description Whether to restock the units when they are received, if the sale took them from stock; defaults to true. Not for customers. */
                restock?: boolean | null;
                /** @description Amount that the shop keeps of the line's refund, in major units; defaults to 0. Not for customers. */
                restockingFee?: number | null;
            }[];
            /** @description The order. */
            order: string;
            /** @description Bank account of the buyer. For the refund of a payment by virtual account, if its owner knows the account already. Kept encrypted, and only until the money is on its way; never shown. */
            refundAccount?: {
                /** @description Number of the account: at most 20 digits; dashes and spaces are left out. */
                account: string;
                /** @description Code of the bank, as the payment's provider writes it: GET /payment-providers lists them where the provider publishes them all. */
                bank: string;
                /** @description In whose name the account is. */
                holder: string;
            } | null;
            /** @description Return shipping that the customer is charged, in major units; defaults to 0. Not for customers, who are charged what the order's return policy says. */
            returnShippingFee?: number | null;
        };
        ReturnRequestCreateResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description The return request as it is now. */
            returnRequest: components["schemas"]["ReturnRequest"];
        };
        /** @description A page of ReturnRequests. */
        ReturnRequestList: {
            docs: components["schemas"]["ReturnRequest"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        ReturnRequestPreviewInput: {
            /** @description Reason; required to refund shipping of an order without a return policy. Not for customers. */
            auditNote?: string | null;
            /** @description Outbound shipping to refund, in major units; defaults to 0. Not for customers, who get what the order's return policy suggests. */
            initialShippingRefundAmount?: number | null;
            /** @description The lines to return, each line of the order once. */
            lines: {
                /** @description Id of the order's line. */
                orderLine: string;
                /** @description Units, at most what remains of the line. */
                quantity: number;
                /** @description Reason for the return. */
                reason?: string | null;
                /** @description Whether to restock the units when they are received, if the sale took them from stock; defaults to true. Not for customers. */
                restock?: boolean | null;
                /** @description Amount that the shop keeps of the line's refund, in major units; defaults to 0. Not for customers. */
                restockingFee?: number | null;
            }[];
            /** @description The order. */
            order: string;
            /** @description Return shipping that the customer is charged, in major units; defaults to 0. Not for customers, who are charged what the order's return policy says. */
            returnShippingFee?: number | null;
        };
        ReturnRequestPreviewResult: {
            /** @description ISO 4217 code of all amounts. */
            currency: string;
            /** @description Outbound shipping that is refunded. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            initialShippingRefundAmount: number | null;
            /** @description Sum of the lines' refunds. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            lineRefundTotal: number | null;
            /** @description The lines to return. */
            lines: {
                /** @description What was paid for the units, after discounts and before fees. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                lineRefund: number | null;
                /** @description Id of the order's line. */
                orderLine: string | null;
                /** @description Units to return. */
                quantity: number | null;
                /** @description Reason for the return. */
                reason: string | null;
                /** @description Whether they are restocked when received. Digital goods are never restocked, nor are units that the sale did not take from stock. */
                restock: boolean | null;
                /** @description What the shop keeps of the line's refund. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                restockingFee: number | null;
            }[] | null;
            /** @description Id of the order. */
            order: string;
            /** @description lineRefundTotal + initialShippingRefundAmount − restockingFeeTotal − returnShippingFee. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            refundAmount: number | null;
            /** @description Sum of the restocking fees. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            restockingFeeTotal: number | null;
            /** @description What the customer is charged for return shipping. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            returnShippingFee: number | null;
            /** @description What the return policy of the order suggests for it. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            suggestedInitialShippingRefund: number | null;
        };
        ReturnRequestReceiveInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Answer what it would do, as outcome, and do nothing. No provider is asked: it is told as if they accepted. It needs no idempotency key; send the revision of the return request along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
        };
        ReturnRequestReceiveResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description What it would do, as a preview; null once it was done. */
            outcome: {
                /** @description Whether the uses of its discount codes would be free again. */
                discountsFreed: boolean;
                /** @description How money would move. */
                money: {
                    /** @description How much, never negative. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description Id of the session of the payment; null for one without. */
                    paymentSession: string | null;
                    /** @description Who moves it; custom: it is only recorded. */
                    provider: string;
                    /**
                     * @description refund: it is given back; capture: what the provider holds is collected; release: what the provider holds is given up; record: a payment made elsewhere is written down; assign: what was paid already becomes the payment of an order.
                     * @enum {string}
                     */
                    type: "refund" | "capture" | "release" | "record" | "assign";
                }[];
                /** @description Which records would be made, changed or deleted: webhooks that listen to their collections are told of each. */
                records: {
                    /** @description Its statuses, and other choices, that would be others. */
                    changes: {
                        /** @description Name of the field. */
                        field: string;
                        /** @description What it says; null for nothing. */
                        from: string | null;
                        /** @description What it would say; null for nothing. */
                        to: string | null;
                    }[];
                    /** @description Slug of the collection. */
                    collection: string;
                    /**
                     * @description What would happen to it.
                     * @enum {string}
                     */
                    operation: "create" | "update" | "delete";
                    /** @description Id of the record; null for one that would be made. */
                    record: string | null;
                }[];
                /** @description Whose units on hand would become more or less. */
                stock: {
                    /** @description Units that come back, or, if negative, are taken. */
                    quantity: number;
                    /** @description Id of the variant. */
                    variantId: string;
                }[];
            } | null;
            /** @description The return request as it is now. */
            returnRequest: components["schemas"]["ReturnRequest"];
        };
        ReturnRequestRefundInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Answer what it would do, as outcome, and do nothing. No provider is asked: it is told as if they accepted. It needs no idempotency key; send the revision of the return request along as expectedRevision afterwards, to do just that. */
            preview?: boolean | null;
            /** @description Bank account of the buyer. Required where the buyer paid by virtual account, which takes money only; other payments go back to where they came from. Without it the one counts that the return was requested with. Kept encrypted, and only until the money is on its way; never shown. */
            refundAccount?: {
                /** @description Number of the account: at most 20 digits; dashes and spaces are left out. */
                account: string;
                /** @description Code of the bank, as the payment's provider writes it: GET /payment-providers lists them where the provider publishes them all. */
                bank: string;
                /** @description In whose name the account is. */
                holder: string;
            } | null;
        };
        ReturnRequestRefundResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description What it would do, as a preview; null once it was done. */
            outcome: {
                /** @description Whether the uses of its discount codes would be free again. */
                discountsFreed: boolean;
                /** @description How money would move. */
                money: {
                    /** @description How much, never negative. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description Id of the session of the payment; null for one without. */
                    paymentSession: string | null;
                    /** @description Who moves it; custom: it is only recorded. */
                    provider: string;
                    /**
                     * @description refund: it is given back; capture: what the provider holds is collected; release: what the provider holds is given up; record: a payment made elsewhere is written down; assign: what was paid already becomes the payment of an order.
                     * @enum {string}
                     */
                    type: "refund" | "capture" | "release" | "record" | "assign";
                }[];
                /** @description Which records would be made, changed or deleted: webhooks that listen to their collections are told of each. */
                records: {
                    /** @description Its statuses, and other choices, that would be others. */
                    changes: {
                        /** @description Name of the field. */
                        field: string;
                        /** @description What it says; null for nothing. */
                        from: string | null;
                        /** @description What it would say; null for nothing. */
                        to: string | null;
                    }[];
                    /** @description Slug of the collection. */
                    collection: string;
                    /**
                     * @description What would happen to it.
                     * @enum {string}
                     */
                    operation: "create" | "update" | "delete";
                    /** @description Id of the record; null for one that would be made. */
                    record: string | null;
                }[];
                /** @description Whose units on hand would become more or less. */
                stock: {
                    /** @description Units that come back, or, if negative, are taken. */
                    quantity: number;
                    /** @description Id of the variant. */
                    variantId: string;
                }[];
            } | null;
            /** @description The return request as it is now. */
            returnRequest: components["schemas"]["ReturnRequest"];
        };
        ReturnRequestRejectInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Reason; shown to the customer. */
            reason?: string | null;
        };
        ReturnRequestRejectResult: {
            /** @description The order as it is now. */
            order: components["schemas"]["Order"];
            /** @description The return request as it is now. */
            returnRequest: components["schemas"]["ReturnRequest"];
        };
        /** @description Input of a change; omitted fields keep their value. */
        ReturnRequestUpdate: {
            /** @description When the shop approved it. Read-only: it may be sent back as it was read. */
            approvedAt?: unknown;
            /** @description Who of the team is on it; null for nobody. Not shown to shoppers. */
            assignee?: string | Record<string, unknown> | null;
            /** @description Why shipping is refunded without a policy, or another note made when the return was created. Read-only: it may be sent back as it was read. */
            auditNote?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description ISO 4217 code of all amounts. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description The buyer's account; null for a guest. Read-only: it may be sent back as it was read. */
            customer?: unknown;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. Read-only: it may be sent back as it was read. */
            expectedRevision?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Outbound shipping that is refunded. Read-only: it may be sent back as it was read. */
            initialShippingRefundAmount?: unknown;
            /** @description Sum of the lines' refunds. Read-only: it may be sent back as it was read. */
            lineRefundTotal?: unknown;
            /** @description The lines to return. Read-only: it may be sent back as it was read. */
            lines?: unknown;
            /** @description Custom data of the shop. Not shown to shoppers. */
            metadata?: unknown;
            /** @description Notes of operators. Not shown to shoppers. */
            notes?: string | null;
            /** @description The order. Read-only: it may be sent back as it was read. */
            order?: unknown;
            /** @description When the goods were received. Read-only: it may be sent back as it was read. */
            receivedAt?: unknown;
            /** @description Last four digits of the account that the refund goes to, as long as it is kept; null if none was named. Read-only: it may be sent back as it was read. */
            refundAccountEnding?: unknown;
            /** @description lineRefundTotal + initialShippingRefundAmount − restockingFeeTotal − returnShippingFee. Read-only: it may be sent back as it was read. */
            refundAmount?: unknown;
            /** @description When the refund succeeded or was submitted. Read-only: it may be sent back as it was read. */
            refundedAt?: unknown;
            /** @description Why its last refund failed. Read-only: it may be sent back as it was read. */
            refundProblem?: unknown;
            /** @description State of its refund; null before there is one, and when nothing has to be refunded. Read-only: it may be sent back as it was read. */
            refundStatus?: unknown;
            /** @description Sum of the restocking fees. Read-only: it may be sent back as it was read. */
            restockingFeeTotal?: unknown;
            /** @description What the customer is charged for return shipping. Read-only: it may be sent back as it was read. */
            returnShippingFee?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description How far the return is; refunded once the money is on its way. Read-only: it may be sent back as it was read. */
            status?: unknown;
            /** @description Why it was rejected or canceled. Read-only: it may be sent back as it was read. */
            statusReason?: unknown;
            /** @description What the return policy of the order suggests for it. Read-only: it may be sent back as it was read. */
            suggestedInitialShippingRefund?: unknown;
            /** @description Labels of the shop's own, in lower case and each once. Not shown to shoppers. */
            tags?: string[] | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description The transaction of its last refund. Read-only: it may be sent back as it was read. */
            transaction?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ReturnRequestWhere: {
            and?: components["schemas"]["ReturnRequestWhere"][];
            AND?: components["schemas"]["ReturnRequestWhere"][];
            approvedAt?: components["schemas"]["WhereDate"];
            assignee?: components["schemas"]["WhereRelation"];
            auditNote?: components["schemas"]["WhereText"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            customer?: components["schemas"]["WhereRelation"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            initialShippingRefundAmount?: components["schemas"]["WhereNumber"];
            lineRefundTotal?: components["schemas"]["WhereNumber"];
            lines?: components["schemas"]["WhereThere"];
            metadata?: components["schemas"]["WhereThere"];
            notes?: components["schemas"]["WhereText"];
            or?: components["schemas"]["ReturnRequestWhere"][];
            OR?: components["schemas"]["ReturnRequestWhere"][];
            order?: components["schemas"]["WhereRelation"];
            receivedAt?: components["schemas"]["WhereDate"];
            refundAccountEnding?: components["schemas"]["WhereText"];
            refundAmount?: components["schemas"]["WhereNumber"];
            refundedAt?: components["schemas"]["WhereDate"];
            refundProblem?: components["schemas"]["WhereText"];
            refundStatus?: components["schemas"]["WhereText"];
            restockingFeeTotal?: components["schemas"]["WhereNumber"];
            returnShippingFee?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            status?: components["schemas"]["WhereText"];
            statusReason?: components["schemas"]["WhereText"];
            suggestedInitialShippingRefund?: components["schemas"]["WhereNumber"];
            tags?: components["schemas"]["WhereList"];
            tenant?: components["schemas"]["WhereRelation"];
            transaction?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        ReturnRequestWritten: {
            doc: components["schemas"]["ReturnRequest"];
            message: string;
        };
        /** @description A role of this tenant's own: a named set of permissions that its users can have. */
        Role: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description What the role is for. */
            description: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description What users with this role may do, such as orders:read, customers:update, orders:fulfill. GET /permissions lists all of them. */
            permissions: string[];
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description What users name as their role: a-z, 0-9 and hyphens, and none of the roles that every tenant has. */
            slug: string;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        /** @description A page of Roles. */
        RoleList: {
            docs: components["schemas"]["Role"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        RoleWhere: {
            and?: components["schemas"]["RoleWhere"][];
            AND?: components["schemas"]["RoleWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            description?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["RoleWhere"][];
            OR?: components["schemas"]["RoleWhere"][];
            permissions?: components["schemas"]["WhereList"];
            revision?: components["schemas"]["WhereNumber"];
            slug?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description A list that a user comes back to: which records of a collection, in which order, with which columns. */
        SavedView: {
            /** @description Slug of the collection. */
            collection: string;
            /** @description What is shown of each record, in this order: fields, with dots inside groups and through relations. */
            columns: string[];
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Name: each once for an owner and a collection. */
            name: string;
            /** @description Whose view it is: who made it. */
            owner: string | components["schemas"]["User"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Whether all of the team have it, and not its owner alone. */
            shared: boolean | null;
            /** @description The order, as lists of the collection take it; null for the newest first. */
            sort: string | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description The filter, as lists of the collection take it; null for all records. */
            where: unknown;
        };
        SavedViewBulk: {
            docs: components["schemas"]["SavedView"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        SavedViewCreate: {
            /** @description Slug of the collection. */
            collection: string;
            /** @description What is shown of each record, in this order: fields, with dots inside groups and through relations. */
            columns?: string[] | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Name: each once for an owner and a collection. */
            name: string;
            /** @description Whose view it is: who made it. Read-only: it may be sent back as it was read. */
            owner?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Whether all of the team have it, and not its owner alone. */
            shared?: boolean | null;
            /** @description The order, as lists of the collection take it; null for the newest first. */
            sort?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description The filter, as lists of the collection take it; null for all records. */
            where?: unknown;
        };
        SavedViewDeleted: {
            doc: components["schemas"]["SavedView"];
            id: string;
            message: string;
        };
        /** @description A page of SavedViews. */
        SavedViewList: {
            docs: components["schemas"]["SavedView"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        SavedViewUpdate: {
            /** @description Slug of the collection. Read-only: it may be sent back as it was read. */
            collection?: unknown;
            /** @description What is shown of each record, in this order: fields, with dots inside groups and through relations. */
            columns?: string[] | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Name: each once for an owner and a collection. */
            name?: string;
            /** @description Whose view it is: who made it. Read-only: it may be sent back as it was read. */
            owner?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Whether all of the team have it, and not its owner alone. */
            shared?: boolean | null;
            /** @description The order, as lists of the collection take it; null for the newest first. */
            sort?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description The filter, as lists of the collection take it; null for all records. */
            where?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        SavedViewWhere: {
            and?: components["schemas"]["SavedViewWhere"][];
            AND?: components["schemas"]["SavedViewWhere"][];
            collection?: components["schemas"]["WhereText"];
            columns?: components["schemas"]["WhereList"];
            createdAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["SavedViewWhere"][];
            OR?: components["schemas"]["SavedViewWhere"][];
            owner?: components["schemas"]["WhereRelation"];
            revision?: components["schemas"]["WhereNumber"];
            shared?: components["schemas"]["WhereBoolean"];
            sort?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
            where?: components["schemas"]["WhereThere"];
        };
        SavedViewWritten: {
            doc: components["schemas"]["SavedView"];
            message: string;
        };
        SchemasResult: {
            /** @description The collections whose records the caller may read, in the order of the documentation. */
            collections: {
                /** @description What its records are. */
                doc: string;
                /** @description The fields in their order, without those that nobody sees. Of each: name, kind, label and doc, the last two in the language of the caller; required, readOnly, immutable, unique, indexed, labels, uppercase, shownOnce and personal where true; relationTo, options with optionLabels, default, currency (the field with the currency), min, max, maxLength and maxItems where given; valueKind of an object with free names; urlKind (page or origin) of texts; fields of groups and arrays; aliases (accepted spellings) of selects. */
                fields: unknown;
                /** @description What is sent and never read, such as a password, as fields. */
                inputs: unknown;
                /** @description What people call one record, in the language of the caller. */
                label: string;
                /** @description What people call its list. */
                labels: string;
                /** @description What the caller may do to its records besides reading: create, update, delete. */
                may: string[];
                /** @description Whether each record belongs to live or test. */
                perEnvironment: boolean;
                /** @description Name of its list. */
                plural: string;
                /** @description Whether its list takes q. */
                searchable: boolean;
                /** @description Name of one record's type. */
                singular: string;
                /** @description Its name in addresses. */
                slug: string;
                /** @description Whether the changes of a record can be told. */
                timeline: boolean;
            }[];
        };
        SearchResult: {
            /** @description A group for each collection that was searched. */
            groups: {
                /** @description Slug of the collection. */
                collection: string;
                /** @description What was found, best match first, then newest. */
                docs: {
                    /**
                     * Format: date-time
                     * @description When the record was created.
                     */
                    createdAt: string;
                    /** @description Id of the record. */
                    id: string;
                    /** @description Status of the record; left out where it has none. */
                    status?: string | null;
                    /** @description The buyer, the address or the handle; left out where there is none. */
                    subtitle?: string | null;
                    /** @description Number of the order, or name; the id where there is none. */
                    title: string;
                }[];
                /** @description Whether its list has more with the same q. */
                more: boolean;
            }[];
        };
        ServerCartCreateInput: {
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes?: {
                [key: string]: string;
            } | null;
            /** @description The customer who owns the cart. */
            customerId?: string | null;
            /** @description Discount codes, in the order they apply. */
            discountCodes?: string[] | null;
            /** @description Lines of the new cart. */
            items?: {
                /** @description Attendees of an event: one entry per unit. */
                admissions?: {
                    /** @description Attributes of the admission: text by name. */
                    attributes?: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email?: string | null;
                    /** @description Name of the person. */
                    name: string;
                    /** @description Telephone number of the person. */
                    phone?: string | null;
                }[] | null;
                /** @description Texts by name: at most 50, of at most 2 KiB each. */
                attributes?: {
                    [key: string]: string;
                } | null;
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variantId: string;
            }[] | null;
            /** @description Id or code of the market whose prices apply. */
            market?: string | null;
        };
        ServerCartMergeInput: {
            /** @description The customer whose active cart is the target, or who becomes the owner of the guest's cart. */
            customerId?: string | null;
            /** @description The cart whose lines move. */
            sourceCartId: string;
            /** @description Its token, unless it is the customer's own. */
            sourceCartToken?: string | null;
            /** @description The cart that receives them. */
            targetCartId?: string | null;
        };
        ServerDiscountValidateInput: {
            /** @description The code, in upper or lower case. */
            code: string;
            /** @description ISO 4217 code of orderAmount; defaults to the market's or the shop's. */
            currency?: string | null;
            /** @description The customer whose earlier uses count. */
            customerId?: string | null;
            /** @description Whether to include how each amount was calculated. */
            explain?: boolean | null;
            /** @description The items of the order, at most 200. */
            items?: {
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variantId: string;
            }[] | null;
            /** @description Id or code of the market whose prices apply. */
            market?: string | null;
            /** @description Amount of the order, in major units. */
            orderAmount: number;
        };
        ServerDiscountValidateResult: {
            /** @description The normalized code. */
            code: string;
            /** @description ISO 4217 code. */
            currency: string;
            /** @description Amount of the discount; 0 when the code cannot be used. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            discountAmount: number;
            /** @description How each amount was calculated, if requested. Not shown to shoppers. */
            explanation?: {
                /** @description ISO 4217 code of every amount, but for base. */
                currency: string;
                /** @description What became of each code, in the order they apply. */
                discountCodes: {
                    /** @description The least of rounded, cap and eligible: what it takes. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description Whether it takes effect. */
                    applied: boolean;
                    /** @description The most it may take; null without a cap. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    cap: number | null;
                    /** @description The code. */
                    code: string;
                    /** @description Id of the discount; null when there is no such code. */
                    discount: string | null;
                    /** @description What the code may take from its lines together. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    eligible: number | null;
                    /** @description Whether it waives the base fee of shipping. */
                    freeShipping: boolean;
                    /** @description How the amount is spread over the eligible lines. */
                    lines: {
                        /** @description What the line cost before this code. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        eligible: number;
                        /** @description Id of the line; null for one that is in no cart. */
                        line: string | null;
                        /** @description What it bears. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        share: number;
                        /** @description The variant; null for what is not known. */
                        variant: string | null;
                    }[];
                    /** @description Why it does not. */
                    reason: string | null;
                    /** @description The same, rounded once. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    rounded: number | null;
                    /** @description Each rule that was looked at, up to the first that was missed. */
                    rules: {
                        /** @description What the order has. */
                        got: string | null;
                        /** @description Whether it was met. */
                        passed: boolean;
                        /** @description The rule: known, active, starts_at, ends_at, usage_limit, per_customer_limit, markets, currency, min_order_amount, applicable, tiers, combinable. */
                        rule: string;
                        /** @description What the rule asks for: a limit, a list of markets, the lowest tier. */
                        wanted: string | null;
                    }[];
                    /** @description Where the tier that counts begins. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    tierFrom: number | null;
                    /** @description How value is meant: percentage, fixed_amount or free_shipping; of a tier, the tier's. */
                    type: string | null;
                    /** @description The exact discount before rounding. */
                    unrounded: string | null;
                    /** @description Percent, or major units. */
                    value: number | null;
                }[];
                /** @description How each line came to its totals: the price times quantity, less the shares of the codes. */
                lines: {
                    /** @description Shares of all codes. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    discount: number;
                    /** @description Id of the line; null for one that is in no cart. */
                    line: string | null;
                    /** @description How the unit price was calculated. */
                    price: {
                        /** @description What the market adds in percent; null without one. */
                        adjustmentPercent: number | null;
                        /** @description What one unit costs. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description The variant's price, else the product's; null where nothing was computed. An exact decimal in major units, with no more fraction digits than its currency has. In baseCurrency. */
                        base: number | null;
                        /** @description Currency of base. */
                        baseCurrency: string | null;
                        /** @description Units of the market for one of base; null without a market. */
                        exchangeRate: number | null;
                        /** @description Percent off by the product. */
                        productDiscount: number | null;
                        /** @description The price is rounded to a multiple of this. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        roundingIncrement: number | null;
                        /** @description fixed; computed from the base price for a market; kept: the last price of what cannot be bought any more; stated: the caller says so. */
                        source: string;
                        /** @description The exact price before rounding. */
                        unrounded: string | null;
                    };
                    /** @description Units. */
                    quantity: number;
                    /** @description Whether the line counts toward thresholds of shipping. */
                    requiresShipping: boolean;
                    /** @description Price times quantity. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    subtotal: number;
                    /** @description Subtotal minus discount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    total: number;
                    /** @description The variant; null for what is not known. */
                    variant: string | null;
                }[];
                /** @description The market whose prices apply; null without one. */
                market: string | null;
                /**
                 * Format: date-time
                 * @description When prices and codes were looked up.
                 */
                pricedAt: string;
                /** @description The shop's rounding mode. */
                rounding: string;
                /** @description How the shipping was calculated; left out when there is none. */
                shipping?: {
                    /** @description What thresholds were held against: the lines that ship, after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description The base fee that is due. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    baseFee: number;
                    /** @description Whether a code waives the base fee. */
                    freeShippingCode: boolean;
                    /** @description What each policy asks; the highest base fee and the highest surcharge count. */
                    policies: {
                        /** @description Its base fee. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        baseFee: number;
                        /** @description Surcharge of the zone. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        extraFee: number;
                        /** @description Whether no base fee is due. */
                        free: boolean;
                        /** @description Its threshold; null when it has none. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        freeFrom: number | null;
                        /** @description Id of the policy. */
                        policy: string;
                        /** @description First code of the range that does. */
                        rangeFrom: string | null;
                        /** @description Its last code. */
                        rangeTo: string | null;
                        /** @description Whether the threshold is reached. */
                        reached: boolean;
                        /** @description Whether the surcharge falls away with the base fee. */
                        waived: boolean;
                        /** @description The zone that holds the postal code; null for none. */
                        zone: string | null;
                    }[];
                    /** @description Where it goes. */
                    postalCode: string;
                    /** @description The surcharge that is due. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    surcharge: number;
                    /** @description Both together. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    total: number;
                    /** @description The zone it comes from. */
                    zone: string | null;
                };
                /** @description The sums. */
                totals: {
                    /** @description Sum of the codes. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    discount: number;
                    /** @description Sum of the lines. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    subtotal: number;
                    /** @description Subtotal minus discount, plus shipping where it was priced. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    total: number;
                };
            };
            /** @description Whether the code waives the base fee of shipping. */
            freeShipping: boolean;
            /**
             * @description Why the code cannot be used.
             * @enum {string}
             */
            reason?: "discount_not_found" | "discount_inactive" | "discount_not_started" | "discount_expired" | "discount_usage_limit" | "discount_customer_limit" | "discount_min_order" | "discount_not_applicable" | "discount_not_combinable" | "discount_context_required";
            /**
             * @description Type of the discount; null when there is no such code.
             * @enum {string|null}
             */
            type: "percentage" | "fixed_amount" | "free_shipping" | "tiered" | null;
            /** @description Whether the code can be used. */
            valid: boolean;
        };
        ServerOrderCheckoutInput: {
            /** @description The cart. */
            cartId: string;
            /** @description The buyer. */
            customerSnapshot: {
                /** @description The buyer's email. */
                email?: string | null;
                /** @description The buyer's name. */
                name?: string | null;
                /** @description The buyer's phone number. */
                phone?: string | null;
            };
            /** @description Discount codes instead of the cart's; all of them must apply. */
            discountCodes?: string[] | null;
            /** @description Number of the order; it must not be taken. */
            orderNumber?: string | null;
            /** @description Id of an external payment; stored in the order's metadata. */
            paymentId?: string | null;
            /** @description Shipping address; required if any line requires shipping. */
            shippingAddress?: {
                /** @description Street and number. */
                address1?: string | null;
                /** @description Flat, floor. */
                address2?: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country?: string | null;
                /** @description A note for the carrier. */
                deliveryMessage?: string | null;
                /** @description The recipient's phone number. */
                phone?: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode?: string | null;
                /** @description Who receives the goods. */
                recipientName?: string | null;
            } | null;
        };
        ServerPreviousCartCreateInput: {
            /** @description Texts by name: at most 50, of at most 2 KiB each. */
            attributes?: {
                [key: string]: string;
            } | null;
            /** @description The customer who owns the cart. */
            customerId?: string | null;
            /** @description Discount codes, in the order they apply. */
            discountCodes?: string[] | null;
            /** @description Lines of the new cart. */
            items?: {
                /** @description Attendees of an event: one entry per unit. */
                admissions?: {
                    /** @description Attributes of the admission: text by name. */
                    attributes?: {
                        [key: string]: string;
                    } | null;
                    /** @description Email address of the person. */
                    email?: string | null;
                    /** @description Name of the person. */
                    name: string;
                    /** @description Telephone number of the person. */
                    phone?: string | null;
                }[] | null;
                /** @description Texts by name: at most 50, of at most 2 KiB each. */
                attributes?: {
                    [key: string]: string;
                } | null;
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variantId: string;
            }[] | null;
            /** @description Id or code of the market whose prices apply. */
            market?: string | null;
        };
        ServerProductDetailCatalogResult: {
            /** @description Whether there is a product to show. */
            found: boolean;
            /** @description The product. */
            product?: {
                /** @description Brand. */
                brand: components["schemas"]["Brand"] | null;
                /** @description Further categories. */
                categories: components["schemas"]["Category"][];
                /** @description Main category. */
                category: components["schemas"]["Category"] | null;
                /** @description Prices before reduction, of the reduced variants. */
                compareAtPriceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
                costPrice?: number | null;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 */
                createdAt: string;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description The first image. */
                featuredImage: components["schemas"]["Media"] | null;
                /** @description The same as slug. */
                handle: string;
                /** @description Identifier of the record: a UUIDv7. */
                id: string;
                /** @description Images in order; the first is the featured one. */
                images: components["schemas"]["Media"][];
                /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Not shown to shoppers. */
                lowStock?: boolean | null;
                /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
                lowStockThreshold?: number | null;
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order. */
                options: components["schemas"]["ProductOption"][];
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /** @description Prices of all variants. */
                priceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /**
                 * Format: date-time
                 * @description When a draft becomes published by itself; nobody sees or buys it before. Not shown to shoppers.
                 */
                publishAt?: string | null;
                /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
                revision?: number;
                /** @description Own shipping policy; the default one when missing. */
                shippingPolicy: string | components["schemas"]["ShippingPolicy"] | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Units on hand over all variants; writable while there is one default variant. Not shown to shoppers. */
                stock?: number | null;
                /** @description Tags. */
                tags: components["schemas"]["Tag"][];
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description The tenant the record belongs to. */
                tenant: string | components["schemas"]["Tenant"] | null;
                /**
                 * Format: date-time
                 * @description When the record was last changed.
                 */
                updatedAt: string;
                /** @description The variants, by position. */
                variants: {
                    /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                    barcode: string | null;
                    /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                    compareAtPrice: number | null;
                    /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
                    costPrice?: number | null;
                    /**
                     * Format: date-time
                     * @description When the record was created.
                     */
                    createdAt: string;
                    /** @description Identifier of the record: a UUIDv7. */
                    id: string;
                    /** @description Images in order; the product's when missing. */
                    images: components["schemas"]["Media"][];
                    /**
                     * @description What is delivered; events ask for the names of those admitted.
                     * @enum {string|null}
                     */
                    kind: "physical" | "digital" | "service" | "event" | null;
                    /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Not shown to shoppers. */
                    lowStock?: boolean | null;
                    /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
                    lowStockThreshold?: number | null;
                    /** @description Custom data of the shop. */
                    metadata: unknown;
                    /** @description Ids of the chosen option values, at most one per option. */
                    optionValues: string[];
                    /** @description Order among the product's variants. */
                    position: number | null;
                    /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                    price: number | null;
                    /** @description The product; a variant never moves to another. */
                    product: string | components["schemas"]["Product"] | null;
                    /** @description Whether it is shipped; true for physical variants when missing. */
                    requiresShipping: boolean | null;
                    /** @description Units reserved by pending payments. Not shown to shoppers. */
                    reserved?: number | null;
                    /** @description The price in the market; null when it has none there. */
                    resolvedPrice: {
                        /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description Price before a reduction. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        compareAtPrice: number | null;
                        /** @description ISO 4217 code. */
                        currency: string;
                        /** @description The market; null without one. */
                        marketId: string | null;
                        /**
                         * @description Whether the price is fixed, or computed from the base price.
                         * @enum {string}
                         */
                        source: "fixed" | "computed";
                    } | null;
                    /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
                    revision?: number;
                    /** @description Option values of the variant. */
                    selectedOptions: {
                        /** @description The option. */
                        name: string;
                        /** @description The value. */
                        value: string;
                    }[];
                    /** @description Stock keeping unit. */
                    sku: string | null;
                    /** @description Units on hand in the environment of the request. Not shown to shoppers. */
                    stock?: number | null;
                    /** @description The tenant the record belongs to. */
                    tenant: string | components["schemas"]["Tenant"] | null;
                    /** @description Title; made from the option values when missing. */
                    title: string | null;
                    /** @description False: any quantity can be sold. */
                    trackInventory: boolean | null;
                    /**
                     * Format: date-time
                     * @description When the record was last changed.
                     */
                    updatedAt: string;
                    /** @description Weight in grams. */
                    weight: number | null;
                }[];
                /** @description Videos in order. */
                videos: components["schemas"]["Video"][];
            };
            /**
             * @description Why there is none.
             * @enum {string}
             */
            reason?: "missing" | "unpublished" | "feature_disabled";
        };
        ServerProductDetailResult: {
            /** @description Whether there is a product to show. */
            found: boolean;
            /** @description The product. */
            product?: {
                /** @description Whether at least one unit can be bought. */
                available: boolean;
                /** @description The same as available. */
                availableForSale: boolean;
                /** @description Units that can be bought; null when they are not counted. Not shown to shoppers. */
                availableQuantity?: number | null;
                /** @description Brand. */
                brand: components["schemas"]["Brand"] | null;
                /** @description Further categories. */
                categories: components["schemas"]["Category"][];
                /** @description Main category. */
                category: components["schemas"]["Category"] | null;
                /** @description Prices before reduction, of the reduced variants. */
                compareAtPriceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
                costPrice?: number | null;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 */
                createdAt: string;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description The first image. */
                featuredImage: components["schemas"]["Media"] | null;
                /** @description The same as slug. */
                handle: string;
                /** @description Identifier of the record: a UUIDv7. */
                id: string;
                /** @description Images in order; the first is the featured one. */
                images: components["schemas"]["Media"][];
                /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Not shown to shoppers. */
                lowStock?: boolean | null;
                /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
                lowStockThreshold?: number | null;
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order. */
                options: components["schemas"]["ProductOption"][];
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /** @description Prices of all variants. */
                priceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /**
                 * Format: date-time
                 * @description When a draft becomes published by itself; nobody sees or buys it before. Not shown to shoppers.
                 */
                publishAt?: string | null;
                /** @description Units reserved by checkouts. Not shown to shoppers. */
                reserved?: number | null;
                /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
                revision?: number;
                /** @description Own shipping policy; the default one when missing. */
                shippingPolicy: string | components["schemas"]["ShippingPolicy"] | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Units on hand over all variants; writable while there is one default variant. Not shown to shoppers. */
                stock?: number | null;
                /** @description Tags. */
                tags: components["schemas"]["Tag"][];
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description The tenant the record belongs to. */
                tenant: string | components["schemas"]["Tenant"] | null;
                /**
                 * Format: date-time
                 * @description When the record was last changed.
                 */
                updatedAt: string;
                /** @description The variants, by position. */
                variants: {
                    /** @description Whether at least one unit can be bought. */
                    available: boolean;
                    /** @description The same as available. */
                    availableForSale: boolean;
                    /** @description Units that can be bought; null when they are not counted. Not shown to shoppers. */
                    availableQuantity?: number | null;
                    /** @description Barcode: a GTIN, whose check digit has to be right, or any other text. */
                    barcode: string | null;
                    /** @description Former price. An exact decimal in major units, with no more fraction digits than its currency has. */
                    compareAtPrice: number | null;
                    /** @description What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
                    costPrice?: number | null;
                    /**
                     * Format: date-time
                     * @description When the record was created.
                     */
                    createdAt: string;
                    /** @description Identifier of the record: a UUIDv7. */
                    id: string;
                    /** @description Images in order; the product's when missing. */
                    images: components["schemas"]["Media"][];
                    /**
                     * @description What is delivered; events ask for the names of those admitted.
                     * @enum {string|null}
                     */
                    kind: "physical" | "digital" | "service" | "event" | null;
                    /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Not shown to shoppers. */
                    lowStock?: boolean | null;
                    /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
                    lowStockThreshold?: number | null;
                    /** @description Custom data of the shop. */
                    metadata: unknown;
                    /** @description Ids of the chosen option values, at most one per option. */
                    optionValues: string[];
                    /** @description Order among the product's variants. */
                    position: number | null;
                    /** @description Price in the tenant's currency; the product's when missing. An exact decimal in major units, with no more fraction digits than its currency has. */
                    price: number | null;
                    /** @description The product; a variant never moves to another. */
                    product: string | components["schemas"]["Product"] | null;
                    /** @description Whether it is shipped; true for physical variants when missing. */
                    requiresShipping: boolean | null;
                    /** @description Units reserved by pending payments. Not shown to shoppers. */
                    reserved?: number | null;
                    /** @description The price in the market; null when it has none there. */
                    resolvedPrice: {
                        /** @description Price of one unit. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        amount: number;
                        /** @description Price before a reduction. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                        compareAtPrice: number | null;
                        /** @description ISO 4217 code. */
                        currency: string;
                        /** @description The market; null without one. */
                        marketId: string | null;
                        /**
                         * @description Whether the price is fixed, or computed from the base price.
                         * @enum {string}
                         */
                        source: "fixed" | "computed";
                    } | null;
                    /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
                    revision?: number;
                    /** @description Option values of the variant. */
                    selectedOptions: {
                        /** @description The option. */
                        name: string;
                        /** @description The value. */
                        value: string;
                    }[];
                    /** @description Stock keeping unit. */
                    sku: string | null;
                    /** @description Units on hand in the environment of the request. Not shown to shoppers. */
                    stock?: number | null;
                    /** @description The tenant the record belongs to. */
                    tenant: string | components["schemas"]["Tenant"] | null;
                    /** @description Title; made from the option values when missing. */
                    title: string | null;
                    /** @description False: any quantity can be sold. */
                    trackInventory: boolean | null;
                    /**
                     * Format: date-time
                     * @description When the record was last changed.
                     */
                    updatedAt: string;
                    /** @description Weight in grams. */
                    weight: number | null;
                }[];
                /** @description Videos in order. */
                videos: components["schemas"]["Video"][];
            };
            /**
             * @description Why there is none.
             * @enum {string}
             */
            reason?: "missing" | "unpublished" | "feature_disabled";
        };
        ServerProductListingResult: {
            /** @description The products of the page. */
            docs: {
                /** @description Whether at least one unit can be bought. */
                available: boolean;
                /** @description The same as available. */
                availableForSale: boolean;
                /** @description Units that can be bought; null when they are not counted. Not shown to shoppers. */
                availableQuantity?: number | null;
                /** @description Brand. */
                brand: components["schemas"]["Brand"] | null;
                /** @description Further categories. */
                categories: components["schemas"]["Category"][];
                /** @description Main category. */
                category: components["schemas"]["Category"] | null;
                /** @description Prices before reduction, of the reduced variants. */
                compareAtPriceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /** @description What one unit costs the shop, in its currency, for variants without their own; shoppers never see it. An exact decimal in major units, with no more fraction digits than its currency has. Not shown to shoppers. */
                costPrice?: number | null;
                /**
                 * Format: date-time
                 * @description When the record was created.
                 */
                createdAt: string;
                /** @description Description, plain or HTML. */
                description: string | null;
                /** @description Percent off; the undiscounted price becomes the compare-at price. */
                discount: number | null;
                /** @description The first image. */
                featuredImage: components["schemas"]["Media"] | null;
                /** @description The same as slug. */
                handle: string;
                /** @description Identifier of the record: a UUIDv7. */
                id: string;
                /** @description Images in order; the first is the featured one. */
                images: components["schemas"]["Media"][];
                /** @description Whether no more units than lowStockThreshold are free, in the environment of the request. Not shown to shoppers. */
                lowStock?: boolean | null;
                /** @description Stock is low at or below this many available units; null turns it off. Not shown to shoppers. */
                lowStockThreshold?: number | null;
                /** @description Custom data of the shop. */
                metadata: unknown;
                /** @description Name; `title` is accepted too. */
                name: string;
                /** @description What a shopper chooses between, in order. */
                options: components["schemas"]["ProductOption"][];
                /** @description Price in the tenant's currency, for variants without their own. An exact decimal in major units, with no more fraction digits than its currency has. */
                price: number;
                /** @description Prices of all variants. */
                priceRange: {
                    /** @description ISO 4217 code. */
                    currency: string;
                    /** @description The highest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    max: number;
                    /** @description The lowest amount. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    min: number;
                } | null;
                /**
                 * Format: date-time
                 * @description When a draft becomes published by itself; nobody sees or buys it before. Not shown to shoppers.
                 */
                publishAt?: string | null;
                /** @description Units reserved by checkouts. Not shown to shoppers. */
                reserved?: number | null;
                /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
                revision?: number;
                /** @description Own shipping policy; the default one when missing. */
                shippingPolicy: string | components["schemas"]["ShippingPolicy"] | null;
                /** @description Handle in addresses, made from the name when missing. */
                slug: string | null;
                /**
                 * @description Listings show published products; detail pages open unlisted ones too.
                 * @enum {string}
                 */
                status: "draft" | "published" | "unlisted" | "out-of-stock";
                /** @description Units on hand over all variants; writable while there is one default variant. Not shown to shoppers. */
                stock?: number | null;
                /** @description Tags. */
                tags: components["schemas"]["Tag"][];
                /** @description Whether it is sold free of value added tax, such as books and fresh food; what was sold before stays as it was. */
                taxFree: boolean | null;
                /** @description The tenant the record belongs to. */
                tenant: string | components["schemas"]["Tenant"] | null;
                /**
                 * Format: date-time
                 * @description When the record was last changed.
                 */
                updatedAt: string;
                /** @description Videos in order. */
                videos: components["schemas"]["Video"][];
            }[];
            /** @description Whether there is a next page. */
            hasNextPage: boolean;
            /** @description Whether there is a previous page. */
            hasPrevPage: boolean;
            /** @description Records per page. */
            limit: number;
            /** @description Number of the next page; null when there is none. */
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            /** @description Number of the previous page; null when there is none. */
            prevPage: number | null;
            /** @description Number of records on all pages. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        ServerProductStockCheckResult: {
            /** @description Whether everything can be bought. */
            allAvailable: boolean;
            /**
             * Format: date-time
             * @description Time of the check.
             */
            checkedAt: string;
            /** @description One for each variant, in the order of the request. */
            items: {
                /** @description Whether this quantity can be bought now. */
                available: boolean;
                /** @description Units that can be bought; null when they are not counted. Not shown to shoppers. */
                availableQuantity?: number | null;
                /**
                 * @description Why it cannot be bought.
                 * @enum {string}
                 */
                reason?: "variant_unavailable" | "out_of_stock";
                /** @description Total requested quantity. */
                requested: number;
                /** @description The variant. */
                variantId: string;
            }[];
        };
        ShippingCalculateInput: {
            /** @description ISO 4217 code of orderAmount; defaults to the market's or the shop's. */
            currency?: string | null;
            /** @description The items of the order, at most 200. */
            items?: {
                /** @description How many units. */
                quantity: number;
                /** @description The variant. */
                variantId: string;
            }[] | null;
            /** @description Amount of the order, in major units. */
            orderAmount: number;
            /** @description The policy to use instead of the shop's default. */
            policyId?: string | null;
            /** @description Five digits, as text. */
            postalCode: string;
        };
        ShippingCalculateResult: {
            /** @description The base fee that is due; 0 when it is waived. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            baseFee: number;
            /** @description ISO 4217 code. */
            currency: string;
            /** @description Whether no base fee is due. */
            freeShipping: boolean;
            /** @description Shipping cost: baseFee plus surcharge. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            shippingAmount: number;
            /** @description Surcharge of the zone. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            surcharge: number;
            /** @description Zone that has the surcharge; null when there is none. */
            zone: string | null;
        };
        /** @description What delivery costs. */
        ShippingPolicy: {
            /** @description Fee for every order that ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            baseFee: number;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Currency of every amount here; the tenant's when missing. */
            currency: string | null;
            /** @description The base fee is waived from this amount of shipping lines, after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            freeShippingThreshold: number | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /**
             * @description How much of the outbound shipping fee a return refunds.
             * @enum {string|null}
             */
            initialShippingRefund: "always" | "full_return_only" | "proportional" | "never" | null;
            /** @description Used by products without their own policy. */
            isDefault: boolean | null;
            /** @description What a return costs the customer. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            returnShippingFee: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Name. */
            title: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description Postal codes that cost extra; the first zone that holds a code counts. */
            zones: {
                /** @description Surcharge. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                extraFee: number;
                /** @description Name. */
                name: string;
                /** @description Inclusive ranges of five-digit codes. */
                ranges: {
                    /** @description First code. */
                    from: string;
                    /** @description Last code. */
                    to: string;
                }[];
                /** @description The surcharge falls away with the base fee. */
                waivedWhenFree: boolean | null;
            }[];
        };
        ShippingPolicyBulk: {
            docs: components["schemas"]["ShippingPolicy"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        ShippingPolicyCreate: {
            /** @description Fee for every order that ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            baseFee: number;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Currency of every amount here; the tenant's when missing. */
            currency?: string | null;
            /** @description The base fee is waived from this amount of shipping lines, after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            freeShippingThreshold?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /**
             * @description How much of the outbound shipping fee a return refunds.
             * @enum {string|null}
             */
            initialShippingRefund?: "always" | "full_return_only" | "proportional" | "never" | null;
            /** @description Used by products without their own policy. */
            isDefault?: boolean | null;
            /** @description What a return costs the customer. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            returnShippingFee?: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Name. */
            title: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Postal codes that cost extra; the first zone that holds a code counts. */
            zones?: {
                /** @description Surcharge. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                extraFee: number;
                /** @description Name. */
                name: string;
                /** @description Inclusive ranges of five-digit codes. */
                ranges?: {
                    /** @description First code. */
                    from: string;
                    /** @description Last code. */
                    to: string;
                }[] | null;
                /** @description The surcharge falls away with the base fee. */
                waivedWhenFree?: boolean | null;
            }[] | null;
        };
        ShippingPolicyDeleted: {
            doc: components["schemas"]["ShippingPolicy"];
            id: string;
            message: string;
        };
        /** @description A page of ShippingPolicies. */
        ShippingPolicyList: {
            docs: components["schemas"]["ShippingPolicy"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        ShippingPolicyUpdate: {
            /** @description Fee for every order that ships. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            baseFee?: number;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Currency of every amount here; the tenant's when missing. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The base fee is waived from this amount of shipping lines, after discounts. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            freeShippingThreshold?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /**
             * @description How much of the outbound shipping fee a return refunds.
             * @enum {string|null}
             */
            initialShippingRefund?: "always" | "full_return_only" | "proportional" | "never" | null;
            /** @description Used by products without their own policy. */
            isDefault?: boolean | null;
            /** @description What a return costs the customer. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            returnShippingFee?: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Name. */
            title?: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Postal codes that cost extra; the first zone that holds a code counts. */
            zones?: {
                /** @description Surcharge. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                extraFee: number;
                /** @description Name. */
                name: string;
                /** @description Inclusive ranges of five-digit codes. */
                ranges?: {
                    /** @description First code. */
                    from: string;
                    /** @description Last code. */
                    to: string;
                }[] | null;
                /** @description The surcharge falls away with the base fee. */
                waivedWhenFree?: boolean | null;
            }[] | null;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ShippingPolicyWhere: {
            and?: components["schemas"]["ShippingPolicyWhere"][];
            AND?: components["schemas"]["ShippingPolicyWhere"][];
            baseFee?: components["schemas"]["WhereNumber"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            freeShippingThreshold?: components["schemas"]["WhereNumber"];
            id?: components["schemas"]["WhereText"];
            initialShippingRefund?: components["schemas"]["WhereText"];
            isDefault?: components["schemas"]["WhereBoolean"];
            or?: components["schemas"]["ShippingPolicyWhere"][];
            OR?: components["schemas"]["ShippingPolicyWhere"][];
            returnShippingFee?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            title?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
            zones?: components["schemas"]["WhereThere"];
        };
        ShippingPolicyWritten: {
            doc: components["schemas"]["ShippingPolicy"];
            message: string;
        };
        /** @description Who is behind a shop, where it is and by which terms it sells. A shop has one. */
        ShopProfile: {
            /** @description Where the business is. */
            address: {
                /** @description Street and number. */
                address1: string | null;
                /** @description Flat, floor. */
                address2: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country: string | null;
                /** @description A note for the carrier. */
                deliveryMessage: string | null;
                /** @description The recipient's phone number. */
                phone: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode: string | null;
                /** @description Who receives the goods. */
                recipientName: string | null;
            };
            /** @description Name of the business, as it is registered. */
            businessName: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * Format: email
             * @description Email address for buyers.
             */
            email: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The shop's logo. */
            logo: string | components["schemas"]["Media"] | null;
            /** @description Number of the mail-order report, such as 2026-서울강남-01234. */
            mailOrderNumber: string | null;
            /** @description Phone number for buyers. */
            phone: string | null;
            /** @description By which terms the shop sells; each a text of at most 20,000 characters. */
            policies: {
                /** @description Personal data. */
                privacy: string | null;
                /** @description Returns and refunds. */
                returns: string | null;
                /** @description Delivery. */
                shipping: string | null;
                /** @description Terms of sale. */
                terms: string | null;
            };
            /** @description Business registration number. In Korea (the country of the address, or without one a shop in KRW) ten digits, whose last one is checked; stored as 123-45-67890. */
            registrationNumber: string | null;
            /** @description Who represents the business. */
            representative: string | null;
            /** @description Where returned goods go; null: the address. */
            returnAddress: {
                /** @description Street and number. */
                address1: string | null;
                /** @description Flat, floor. */
                address2: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country: string | null;
                /** @description A note for the carrier. */
                deliveryMessage: string | null;
                /** @description The recipient's phone number. */
                phone: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode: string | null;
                /** @description Who receives the goods. */
                recipientName: string | null;
            };
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        /** @description A page of ShopProfiles. */
        ShopProfileList: {
            docs: components["schemas"]["ShopProfile"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        ShopProfileWhere: {
            address?: components["schemas"]["WhereThere"];
            and?: components["schemas"]["ShopProfileWhere"][];
            AND?: components["schemas"]["ShopProfileWhere"][];
            businessName?: components["schemas"]["WhereText"];
            createdAt?: components["schemas"]["WhereDate"];
            email?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            logo?: components["schemas"]["WhereRelation"];
            mailOrderNumber?: components["schemas"]["WhereText"];
            or?: components["schemas"]["ShopProfileWhere"][];
            OR?: components["schemas"]["ShopProfileWhere"][];
            phone?: components["schemas"]["WhereText"];
            policies?: components["schemas"]["WhereThere"];
            registrationNumber?: components["schemas"]["WhereText"];
            representative?: components["schemas"]["WhereText"];
            returnAddress?: components["schemas"]["WhereThere"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        ShopResult: {
            /** @description Where the business is. */
            address: {
                /** @description Street and number. */
                address1: string | null;
                /** @description Flat, floor. */
                address2: string | null;
                /** @description ISO 3166-1 alpha-2 code. */
                country: string | null;
                /** @description A note for the carrier. */
                deliveryMessage: string | null;
                /** @description The recipient's phone number. */
                phone: string | null;
                /** @description Postal code as text; five digits in Korea. */
                postalCode: string | null;
                /** @description Who receives the goods. */
                recipientName: string | null;
            } | null;
            /** @description Name of the business, as it is registered. */
            businessName: string | null;
            /**
             * Format: email
             * @description Email address for buyers.
             */
            email: string | null;
            /** @description Language in which the shop addresses its buyers: a BCP 47 tag. */
            locale: string | null;
            /** @description The shop's logo. */
            logo: components["schemas"]["Media"] | null;
            /** @description Number of the mail-order report, such as 2026-서울강남-01234. */
            mailOrderNumber: string | null;
            /** @description Name of the shop, as its customers know it. */
            name: string;
            /** @description Phone number for buyers. */
            phone: string | null;
            /** @description By which terms the shop sells; each a text of at most 20,000 characters. */
            policies: {
                /** @description Personal data. */
                privacy: string | null;
                /** @description Returns and refunds. */
                returns: string | null;
                /** @description Delivery. */
                shipping: string | null;
                /** @description Terms of sale. */
                terms: string | null;
            } | null;
            /** @description Business registration number. In Korea (the country of the address, or without one a shop in KRW) ten digits, whose last one is checked; stored as 123-45-67890. */
            registrationNumber: string | null;
            /** @description Who represents the business. */
            representative: string | null;
        };
        /** @description One change of the units on hand of a variant: who changed them, when and why. */
        StockMovement: {
            /** @description Who changed the count. */
            actor: {
                /** @description Id of the user, key or customer, or the name of the provider. */
                id?: string;
                /**
                 * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                 * @enum {string}
                 */
                kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system";
                /**
                 * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                 * @enum {string|null}
                 */
                via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
            };
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Units added; negative: removed. 0 when a count found what was expected. */
            delta: number;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /**
             * @description What changed the count.
             * @enum {string}
             */
            kind: "initial" | "adjustment" | "count" | "edit" | "import" | "sale" | "cancellation" | "return";
            /** @description A note of the operator. */
            note: string | null;
            /** @description The order that was placed, canceled or returned. */
            order: string | components["schemas"]["Order"] | null;
            /** @description Its product. */
            product: string | components["schemas"]["Product"] | null;
            /** @description Why; the kind where nobody gave a reason. */
            reason: string;
            /** @description The return whose goods arrived. */
            returnRequest: string | components["schemas"]["ReturnRequest"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Units on hand after. */
            stockAfter: number;
            /** @description Units on hand before. */
            stockBefore: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description The variant. */
            variant: string | components["schemas"]["ProductVariant"] | null;
        };
        /** @description A page of StockMovements. */
        StockMovementList: {
            docs: components["schemas"]["StockMovement"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        StockMovementWhere: {
            actor?: components["schemas"]["WhereThere"];
            and?: components["schemas"]["StockMovementWhere"][];
            AND?: components["schemas"]["StockMovementWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            delta?: components["schemas"]["WhereNumber"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            kind?: components["schemas"]["WhereText"];
            note?: components["schemas"]["WhereText"];
            or?: components["schemas"]["StockMovementWhere"][];
            OR?: components["schemas"]["StockMovementWhere"][];
            order?: components["schemas"]["WhereRelation"];
            product?: components["schemas"]["WhereRelation"];
            reason?: components["schemas"]["WhereText"];
            returnRequest?: components["schemas"]["WhereRelation"];
            revision?: components["schemas"]["WhereNumber"];
            stockAfter?: components["schemas"]["WhereNumber"];
            stockBefore?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
            variant?: components["schemas"]["WhereRelation"];
        };
        /** @description A label shared by products. */
        Tag: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Description. */
            description: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Image. */
            image: string | components["schemas"]["Media"] | null;
            /** @description Name. */
            name: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Handle, made from the name when missing. */
            slug: string | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        TagBulk: {
            docs: components["schemas"]["Tag"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        TagCreate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Description. */
            description?: string | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Image. */
            image?: string | Record<string, unknown> | null;
            /** @description Name. */
            name: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle, made from the name when missing. */
            slug?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        TagDeleted: {
            doc: components["schemas"]["Tag"];
            id: string;
            message: string;
        };
        /** @description A page of Tags. */
        TagList: {
            docs: components["schemas"]["Tag"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        TagUpdate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Description. */
            description?: string | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Image. */
            image?: string | Record<string, unknown> | null;
            /** @description Name. */
            name?: string;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Handle, made from the name when missing. */
            slug?: string | null;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        TagWhere: {
            and?: components["schemas"]["TagWhere"][];
            AND?: components["schemas"]["TagWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            description?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            image?: components["schemas"]["WhereRelation"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["TagWhere"][];
            OR?: components["schemas"]["TagWhere"][];
            revision?: components["schemas"]["WhereNumber"];
            slug?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        TagWritten: {
            doc: components["schemas"]["Tag"];
            message: string;
        };
        /** @description A shop on this installation, with its settings. */
        Tenant: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Currency of catalog prices. It cannot be changed, since prices are stored in it. */
            currency: string | null;
            /** @description The last complete export of a suspended shop; all null otherwise. */
            export: {
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                at: string | null;
                /** @description Id of the user who made it; null: the command line. */
                by: string | null;
                /** @description SHA-256 of manifest.json in the archive, in hexadecimal. */
                checksum: string | null;
                /** @description How many changes the shop has had, the one that recorded the export included. */
                events: number | null;
                /** @description Revision of this record that has the export: a later one was changed since. */
                tenantRevision: number | null;
            };
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Name. */
            name: string;
            /**
             * @description Sets the monthly quota; only the platform changes it.
             * @enum {string}
             */
            plan: "free" | "basic" | "pro" | "enterprise";
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * @description How computed amounts become whole.
             * @enum {string|null}
             */
            roundingMode: "half_up" | "half_even" | "down" | null;
            /** @description Switches. */
            settings: {
                /** @description Web origins that may call with a client key, such as https://shop.example; empty: any. */
                allowedOrigins: string[];
                /** @description Days from delivery to confirmation. */
                autoConfirmDays: number | null;
                /** @description An order exists only once it is paid. */
                checkoutOrderSeparation: boolean | null;
                /** @description Capabilities. */
                features: {
                    /** @description The shop sells. */
                    ecommerce: boolean | null;
                };
                /** @description Language in which the shop addresses its buyers: a BCP 47 tag, such as ko or en-US. */
                locale: string | null;
                /** @description Numbers of new orders. Placeholders: {YYYY} {YY} {MM} {DD} {YYYYMMDD} {YYMMDD} are the day in the shop's time zone, and exactly one of {SEQ}, which counts from 0001 (over again each day if the format has the day), and {RANDOM}, six random digits. Besides them: A-Z a-z 0-9 - _ . / #. */
                orderNumberFormat: string | null;
                /** @description Characters that a new password of a user or customer has at least. */
                passwordMinLength: number | null;
                /** @description Users prove again who they are before they give back more than this within ten minutes. One amount for each currency; in other currencies they always do. Empty: only before refunds to an account that they name. */
                proofAbove: {
                    /** @description Up to this amount nothing is asked. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number | null;
                    /** @description ISO 4217 code of the amount. */
                    currency: string | null;
                }[];
                /** @description Customers log in after verifying their address. */
                requireEmailVerification: boolean | null;
                /** @description Users work in this tenant only with a second factor: those without one can log in to add one, and nothing else. */
                requireSecondFactor: boolean | null;
                /**
                 * Format: uri
                 * @description Page of the storefront that takes payment links: a link is this address with #/pay/ and the token behind it.
                 */
                storefrontUrl: string | null;
                /** @description Time zone in which the shop's days begin and end: an IANA name, such as Asia/Seoul. */
                timeZone: string | null;
                /** @description Hours after which an unpaid order is canceled and its stock is free again; 0: never. */
                unpaidOrderHours: number | null;
            };
            /** @description Handle. */
            slug: string;
            /**
             * @description A suspended shop is stopped by the platform: none of its keys and logins is accepted. One that is being deleted is shown to the platform until the last of its records is gone.
             * @enum {string|null}
             */
            status: "active" | "suspended" | "deleting" | null;
            /** @description Of a suspended shop; all null otherwise. */
            suspension: {
                /** @description Id of the user who suspended it; null: the command line. */
                by: string | null;
                /** @description Why. */
                reason: string | null;
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                since: string | null;
            };
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        TenantBulk: {
            docs: components["schemas"]["Tenant"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        TenantDeleteInput: {
            /** @description The slug of the tenant. */
            confirm: string;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        TenantDeleteResult: {
            /** @description SHA-256 of manifest.json of the export before it; null without one. */
            archive: string | null;
            /**
             * Format: date-time
             * @description Since when it is gone for its callers.
             */
            begunAt: string;
            /** @description Id of the user who deleted it; null: the command line. */
            begunBy: string | null;
            /**
             * Format: date-time
             * @description When the last of its records was gone.
             */
            finishedAt: string | null;
            /**
             * @description deleting until the last of its records is gone.
             * @enum {string}
             */
            status: "deleting" | "deleted";
            /** @description Id of the tenant, which no other one will ever have. */
            tenant: string;
        };
        TenantDeletionResult: {
            /** @description What keeps it from beginning, in the order in which it is refused; empty: nothing. */
            blocked: {
                /** @description The same for people. */
                message: string;
                /** @description The reason of the refusal. */
                reason: string;
            }[];
            /** @description The deletion, once it has begun; left out before. Then there is nothing else. */
            deletion?: {
                /** @description SHA-256 of manifest.json of the export before it; null without one. */
                archive: string | null;
                /**
                 * Format: date-time
                 * @description Since when it is gone for its callers.
                 */
                begunAt: string;
                /** @description Id of the user who deleted it; null: the command line. */
                begunBy: string | null;
                /**
                 * Format: date-time
                 * @description When the last of its records was gone.
                 */
                finishedAt: string | null;
                /**
                 * @description deleting until the last of its records is gone.
                 * @enum {string}
                 */
                status: "deleting" | "deleted";
                /** @description Id of the tenant, which no other one will ever have. */
                tenant: string;
            } | null;
            /** @description How many changes the tenant has had. */
            events: number;
            /** @description The last complete export since the tenant was suspended; null without one. */
            export: {
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                at: string | null;
                /** @description Id of the user who made it; null: the command line. */
                by: string | null;
                /** @description SHA-256 of manifest.json in the archive, in hexadecimal. */
                checksum: string | null;
            } | null;
            /** @description How much money is under way. */
            money: {
                /** @description Disputes that are not decided. */
                disputes: number | null;
                /** @description Payments that may still be paid, are not captured, or require attention. */
                paymentSessions: number | null;
                /** @description Refunds that are not finished, and authorized payments. */
                transactions: number | null;
            } | null;
            /** @description Name of the tenant; null once the deletion has begun. */
            name: string | null;
            /** @description What would be deleted. */
            records: {
                /** @description Slug of a collection. */
                collection: string;
                /** @description How many records it has. */
                count: number;
            }[];
            /** @description The slug that confirms the deletion; null once it has begun. */
            slug: string | null;
        };
        /** @description A page of Tenants. */
        TenantList: {
            docs: components["schemas"]["Tenant"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        TenantResumeInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        TenantResumeResult: {
            /** @description The tenant as it is now. */
            tenant: components["schemas"]["Tenant"];
        };
        TenantSuspendInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Why; the tenant reads it. */
            reason: string;
        };
        TenantSuspendResult: {
            /** @description The tenant as it is now. */
            tenant: components["schemas"]["Tenant"];
        };
        /** @description Input of a change; omitted fields keep their value. */
        TenantUpdate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Currency of catalog prices. It cannot be changed, since prices are stored in it. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description The last complete export of a suspended shop; all null otherwise. Read-only: it may be sent back as it was read. */
            export?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Name. */
            name?: string;
            /**
             * @description Sets the monthly quota; only the platform changes it.
             * @enum {string}
             */
            plan?: "free" | "basic" | "pro" | "enterprise";
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /**
             * @description How computed amounts become whole.
             * @enum {string|null}
             */
            roundingMode?: "half_up" | "half_even" | "down" | null;
            /** @description Switches. */
            settings?: {
                /** @description Web origins that may call with a client key, such as https://shop.example; empty: any. */
                allowedOrigins?: string[] | null;
                /** @description Days from delivery to confirmation. */
                autoConfirmDays?: number | null;
                /** @description An order exists only once it is paid. */
                checkoutOrderSeparation?: boolean | null;
                /** @description Capabilities. */
                features?: {
                    /** @description The shop sells. */
                    ecommerce?: boolean | null;
                } | null;
                /** @description Language in which the shop addresses its buyers: a BCP 47 tag, such as ko or en-US. */
                locale?: string | null;
                /** @description Numbers of new orders. Placeholders: {YYYY} {YY} {MM} {DD} {YYYYMMDD} {YYMMDD} are the day in the shop's time zone, and exactly one of {SEQ}, which counts from 0001 (over again each day if the format has the day), and {RANDOM}, six random digits. Besides them: A-Z a-z 0-9 - _ . / #. */
                orderNumberFormat?: string | null;
                /** @description Characters that a new password of a user or customer has at least. */
                passwordMinLength?: number | null;
                /** @description Users prove again who they are before they give back more than this within ten minutes. One amount for each currency; in other currencies they always do. Empty: only before refunds to an account that they name. */
                proofAbove?: {
                    /** @description Up to this amount nothing is asked. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
                    amount: number;
                    /** @description ISO 4217 code of the amount. */
                    currency: string;
                }[] | null;
                /** @description Customers log in after verifying their address. */
                requireEmailVerification?: boolean | null;
                /** @description Users work in this tenant only with a second factor: those without one can log in to add one, and nothing else. */
                requireSecondFactor?: boolean | null;
                /** @description Page of the storefront that takes payment links: a link is this address with #/pay/ and the token behind it. */
                storefrontUrl?: string | null;
                /** @description Time zone in which the shop's days begin and end: an IANA name, such as Asia/Seoul. */
                timeZone?: string | null;
                /** @description Hours after which an unpaid order is canceled and its stock is free again; 0: never. */
                unpaidOrderHours?: number | null;
            } | null;
            /** @description Handle. */
            slug?: string;
            /** @description A suspended shop is stopped by the platform: none of its keys and logins is accepted. One that is being deleted is shown to the platform until the last of its records is gone. Read-only: it may be sent back as it was read. */
            status?: unknown;
            /** @description Of a suspended shop; all null otherwise. Read-only: it may be sent back as it was read. */
            suspension?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        TenantWhere: {
            and?: components["schemas"]["TenantWhere"][];
            AND?: components["schemas"]["TenantWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            export?: components["schemas"]["WhereThere"];
            id?: components["schemas"]["WhereText"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["TenantWhere"][];
            OR?: components["schemas"]["TenantWhere"][];
            plan?: components["schemas"]["WhereText"];
            revision?: components["schemas"]["WhereNumber"];
            roundingMode?: components["schemas"]["WhereText"];
            settings?: components["schemas"]["WhereThere"];
            slug?: components["schemas"]["WhereText"];
            status?: components["schemas"]["WhereText"];
            suspension?: components["schemas"]["WhereThere"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        TenantWritten: {
            doc: components["schemas"]["Tenant"];
            message: string;
        };
        TimelineResult: {
            /** @description What happened, newest first. */
            docs: {
                /** @description Who made the change, and how. Left out in events of versions that did not tell. */
                actor?: {
                    /** @description Id of the user, key or customer, or the name of the provider. */
                    id?: string | null;
                    /**
                     * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                     * @enum {string|null}
                     */
                    kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system" | null;
                    /** @description Their name as the shop has it now; left out where it has none any more, and in streams. */
                    name?: string | null;
                    /**
                     * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                     * @enum {string|null}
                     */
                    via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
                };
                /** @description The changed fields of an update; none of a create or delete. */
                changes: {
                    /** @description The value before; null for none. */
                    from: unknown;
                    /** @description The path in English words. */
                    label: string;
                    /** @description The field; with a dot, a member of a group. */
                    path: string;
                    /** @description The value after; null for none. */
                    to: unknown;
                }[];
                /** @description Slug of the collection of the record that changed: that of the path, or of a part of it. */
                collection: string;
                /** @description What was said, where the entry is a comment of the team and no change; left out otherwise. */
                comment?: {
                    /** @description Whether its author changed it. */
                    edited: boolean;
                    /**
                     * Format: date-time
                     * @description When they last did; null if never.
                     */
                    editedAt: string | null;
                    /** @description Ids of the users whom it mentions. */
                    mentions: string[];
                    /** @description What it says now. */
                    text: string;
                } | null;
                /** @description Identifier of the event that is told. */
                id: string;
                /**
                 * Format: date-time
                 * @description Time of the change.
                 */
                occurredAt: string;
                /**
                 * @description The operation on the record.
                 * @enum {string}
                 */
                operation: "create" | "update" | "delete";
                /** @description Id of the record that changed. */
                record: string;
                /** @description Number of the change within that record. */
                recordSequence: number;
                /** @description What happened, in an English sentence, such as Status changed from open to paid. */
                summary: string;
            }[];
            /** @description Whether there is a next page. */
            hasMore: boolean;
            /** @description Value of before for the next page; null on the last. */
            nextBefore: string | null;
        };
        /** @description One movement of money: a payment, a refund, or money that the provider took back. */
        Transaction: {
            /** @description Who moved the money: whoever confirmed the payment or asked for the refund, or the provider that reported it. */
            actor?: {
                /** @description Id of the user, key or customer, or the name of the provider. */
                id?: string;
                /**
                 * @description A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).
                 * @enum {string|null}
                 */
                kind: "user" | "secret-key" | "customer" | "anonymous" | "provider" | "system" | null;
                /**
                 * @description The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).
                 * @enum {string|null}
                 */
                via?: "api" | "console" | "import" | "webhook" | "sweep" | null;
            };
            /** @description How much, never negative. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            amount: number | null;
            /** @description Payments: what was authorized before it was captured; null where the approval collected the money. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            authorizedAmount: number | null;
            /** @description Payments: the cash receipt that the provider issued with it; empty otherwise. */
            cashReceipt: {
                /** @description The number under which it was issued. */
                issueNumber: string | null;
                /** @description The receipt. */
                receiptUrl: string | null;
                /**
                 * @description What the buyer hands it in for: personal for income deduction, corporate as proof of an expense.
                 * @enum {string|null}
                 */
                type: "personal" | "corporate" | null;
            };
            /**
             * @description Reversals: why the provider took the money back; null for any other.
             * @enum {string|null}
             */
            cause: "deposit_reversed" | "dispute" | null;
            /** @description The checkout that was paid. */
            checkout: string | components["schemas"]["Checkout"] | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description ISO 4217 code. */
            currency: string | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Payments: whether the provider keeps the money until the goods are delivered; null where it does not say so. */
            escrow: boolean | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The method used, in the provider's words. */
            method: string | null;
            /** @description Why it needs attention, or what an operator noted. */
            note: string | null;
            /** @description The order the money belongs to; null while there is no order. */
            order: string | components["schemas"]["Order"] | null;
            /** @description The session that collected it. */
            paymentSession: string | components["schemas"]["PaymentSession"] | null;
            /**
             * @description The provider.
             * @enum {string|null}
             */
            provider: "sandbox" | "toss" | "portone" | "stripe" | "custom" | null;
            /** @description The provider's id of the payment. */
            providerPaymentId: string | null;
            /** @description Receipt at the provider. */
            receiptUrl: string | null;
            /** @description Refunds: the return request that is paid out; null for any other. */
            returnRequest: string | components["schemas"]["ReturnRequest"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * @description Outcome of the movement; an authorized payment is paid once it was captured, and canceled once it was released; a reversal is reversed, or returned once the shop has the money again.
             * @enum {string|null}
             */
            status: "pending" | "authorized" | "paid" | "failed" | "canceled" | "refunded" | "reversed" | "returned" | null;
            /** @description Payments and refunds: the part of the amount that is free of value added tax; null where the payment has none. An exact decimal in major units, with no more fraction digits than its currency has. In currency. */
            taxFreeAmount: number | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * @description Payment, refund, or reversal: money that the provider took back without a refund.
             * @enum {string|null}
             */
            type: "payment" | "refund" | "reversal" | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        TransactionBulk: {
            docs: components["schemas"]["Transaction"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description A page of Transactions. */
        TransactionList: {
            docs: components["schemas"]["Transaction"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        TransactionUpdate: {
            /** @description Who moved the money: whoever confirmed the payment or asked for the refund, or the provider that reported it. Read-only: it may be sent back as it was read. */
            actor?: unknown;
            /** @description How much, never negative. Read-only: it may be sent back as it was read. */
            amount?: unknown;
            /** @description Payments: what was authorized before it was captured; null where the approval collected the money. Read-only: it may be sent back as it was read. */
            authorizedAmount?: unknown;
            /** @description Payments: the cash receipt that the provider issued with it; empty otherwise. Read-only: it may be sent back as it was read. */
            cashReceipt?: unknown;
            /** @description Reversals: why the provider took the money back; null for any other. Read-only: it may be sent back as it was read. */
            cause?: unknown;
            /** @description The checkout that was paid. Read-only: it may be sent back as it was read. */
            checkout?: unknown;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description ISO 4217 code. Read-only: it may be sent back as it was read. */
            currency?: unknown;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description Payments: whether the provider keeps the money until the goods are delivered; null where it does not say so. Read-only: it may be sent back as it was read. */
            escrow?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. Read-only: it may be sent back as it was read. */
            expectedRevision?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The method used, in the provider's words. Read-only: it may be sent back as it was read. */
            method?: unknown;
            /** @description Why it needs attention, or what an operator noted. */
            note?: string | null;
            /** @description The order the money belongs to; null while there is no order. Read-only: it may be sent back as it was read. */
            order?: unknown;
            /** @description The session that collected it. Read-only: it may be sent back as it was read. */
            paymentSession?: unknown;
            /** @description The provider. Read-only: it may be sent back as it was read. */
            provider?: unknown;
            /** @description The provider's id of the payment. Read-only: it may be sent back as it was read. */
            providerPaymentId?: unknown;
            /** @description Receipt at the provider. Read-only: it may be sent back as it was read. */
            receiptUrl?: unknown;
            /** @description Refunds: the return request that is paid out; null for any other. Read-only: it may be sent back as it was read. */
            returnRequest?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description Outcome of the movement; an authorized payment is paid once it was captured, and canceled once it was released; a reversal is reversed, or returned once the shop has the money again. Read-only: it may be sent back as it was read. */
            status?: unknown;
            /** @description Payments and refunds: the part of the amount that is free of value added tax; null where the payment has none. Read-only: it may be sent back as it was read. */
            taxFreeAmount?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Payment, refund, or reversal: money that the provider took back without a refund. Read-only: it may be sent back as it was read. */
            type?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        TransactionWhere: {
            actor?: components["schemas"]["WhereThere"];
            amount?: components["schemas"]["WhereNumber"];
            and?: components["schemas"]["TransactionWhere"][];
            AND?: components["schemas"]["TransactionWhere"][];
            authorizedAmount?: components["schemas"]["WhereNumber"];
            cashReceipt?: components["schemas"]["WhereThere"];
            cause?: components["schemas"]["WhereText"];
            checkout?: components["schemas"]["WhereRelation"];
            createdAt?: components["schemas"]["WhereDate"];
            currency?: components["schemas"]["WhereText"];
            environment?: components["schemas"]["WhereText"];
            escrow?: components["schemas"]["WhereBoolean"];
            id?: components["schemas"]["WhereText"];
            method?: components["schemas"]["WhereText"];
            note?: components["schemas"]["WhereText"];
            or?: components["schemas"]["TransactionWhere"][];
            OR?: components["schemas"]["TransactionWhere"][];
            order?: components["schemas"]["WhereRelation"];
            paymentSession?: components["schemas"]["WhereRelation"];
            provider?: components["schemas"]["WhereText"];
            providerPaymentId?: components["schemas"]["WhereText"];
            receiptUrl?: components["schemas"]["WhereText"];
            returnRequest?: components["schemas"]["WhereRelation"];
            revision?: components["schemas"]["WhereNumber"];
            status?: components["schemas"]["WhereText"];
            taxFreeAmount?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            type?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        TransactionWritten: {
            doc: components["schemas"]["Transaction"];
            message: string;
        };
        UsageResult: {
            /** @description Each day of the month up to today, oldest first. */
            daily: {
                /** @description Calls made on it. */
                calls: number;
                /** @description The day (UTC), such as 2026-01-31. */
                date: string;
            }[];
            /** @description Calls included in the plan per month; null means unlimited. */
            limit: number | null;
            /**
             * @description The plan.
             * @enum {string}
             */
            plan: "free" | "basic" | "pro" | "enterprise";
            /** @description Calls left this month; null without a limit. */
            remaining: number | null;
            /**
             * Format: date-time
             * @description When the next month begins (UTC) and the count starts over.
             */
            resetAt: string;
            /** @description Calls made this month. */
            used: number;
        };
        /** @description A user who manages this tenant. */
        User: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt?: string;
            /**
             * Format: email
             * @description Address to log in with. Not shown to shoppers.
             */
            email?: string;
            /** @description First name. Not shown to shoppers. */
            firstName?: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Last name. Not shown to shoppers. */
            lastName?: string | null;
            /** @description The person's role in each. */
            memberships?: {
                /** @description The role there. */
                role: string;
                /** @description The tenant. */
                tenant: string | components["schemas"]["Tenant"] | null;
            }[];
            /** @description Display name; made of the first and last name unless given. */
            name: string | null;
            /** @description Portrait. */
            picture: string | components["schemas"]["Media"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description What the person may do in this tenant: platform-admin, tenant-admin, tenant-editor, tenant-viewer, packer, support, marketer, accountant, or the slug of a role of the tenant's own. Not shown to shoppers. */
            role?: string;
            /** @description The tenant the record belongs to. */
            tenant?: string | components["schemas"]["Tenant"] | null;
            /** @description Every tenant the person belongs to. Not shown to shoppers. */
            tenants?: (string | components["schemas"]["Tenant"] | null)[];
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt?: string;
        };
        UserEndSessionsInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        UserEndSessionsResult: {
            /** @description Human-readable message. */
            message: string;
        };
        /** @description An invitation to become a user of this tenant. The person accepts it with a token that is sent to the address. */
        UserInvitation: {
            /**
             * Format: date-time
             * @description When the person accepted it.
             */
            acceptedAt: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * Format: email
             * @description Address of the person.
             */
            email: string | null;
            /**
             * Format: date-time
             * @description When the invitation expires.
             */
            expiresAt: string | null;
            /** @description First name. Not shown to shoppers. */
            firstName?: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Last name. Not shown to shoppers. */
            lastName?: string | null;
            /** @description Display name; made of the first and last name unless given. */
            name: string | null;
            /** @description Portrait. */
            picture: string | components["schemas"]["Media"] | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /**
             * Format: date-time
             * @description When it was revoked, or replaced by a newer one.
             */
            revokedAt: string | null;
            /** @description Role that the person will have in this tenant. */
            role: string | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        /** @description A page of UserInvitations. */
        UserInvitationList: {
            docs: components["schemas"]["UserInvitation"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        UserInvitationRevokeResult: {
            /** @description The invitation. */
            doc: components["schemas"]["UserInvitation"];
            /** @description Id of the invitation. */
            id: string;
            /** @description Human-readable message. */
            message: string;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        UserInvitationWhere: {
            acceptedAt?: components["schemas"]["WhereDate"];
            and?: components["schemas"]["UserInvitationWhere"][];
            AND?: components["schemas"]["UserInvitationWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            email?: components["schemas"]["WhereText"];
            expiresAt?: components["schemas"]["WhereDate"];
            firstName?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            lastName?: components["schemas"]["WhereText"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["UserInvitationWhere"][];
            OR?: components["schemas"]["UserInvitationWhere"][];
            picture?: components["schemas"]["WhereRelation"];
            revision?: components["schemas"]["WhereNumber"];
            revokedAt?: components["schemas"]["WhereDate"];
            role?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description A page of Users. */
        UserList: {
            docs: components["schemas"]["User"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        UserLoginPasskeyOptionsInput: {
            /** @description What the first step answered. */
            challenge: string;
        };
        UserLoginPasskeyOptionsResult: {
            /** @description For navigator.credentials.get, by PublicKeyCredential.parseRequestOptionsFromJSON. */
            options: unknown;
        };
        UserPasskeyAddInput: {
            /** @description What the first step answered. */
            challenge: string;
            /** @description What the browser answers (PublicKeyCredential.toJSON), at most 16 KiB. */
            credential: unknown;
            /** @description A name by which the person knows it. */
            name: string;
        };
        UserPasskeyAddResult: {
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /** @description The passkey. */
            passkey: {
                /**
                 * Format: date-time
                 * @description When it was added.
                 */
                createdAt: string;
                /** @description Id of the passkey. */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was last used, or else added.
                 */
                lastUsedAt: string;
                /** @description The name that the person gave it. */
                name: string;
            };
            /** @description Ten codes that work once each, shown now and never again. */
            recoveryCodes: string[];
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        UserPasskeyBeginResult: {
            /** @description To send with what the browser answers, once, within five minutes. */
            challenge: string;
            /** @description For navigator.credentials.create, by PublicKeyCredential.parseCreationOptionsFromJSON. */
            options: unknown;
        };
        UserPasskeyLoginBeginResult: {
            /** @description To send with what the browser answers, once, within five minutes. */
            challenge: string;
            /** @description For navigator.credentials.get, by PublicKeyCredential.parseRequestOptionsFromJSON. */
            options: unknown;
        };
        UserPasskeyLoginInput: {
            /** @description What the first step answered. */
            challenge: string;
            /** @description What the browser answers (PublicKeyCredential.toJSON), at most 16 KiB. */
            credential: unknown;
        };
        UserPasskeyLoginResult: {
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        UserPasskeyRemoveResult: {
            /** @description Human-readable message. */
            message: string;
        };
        UserPasskeyRenameInput: {
            /** @description A name by which the person knows it. */
            name: string;
        };
        UserPasskeyRenameResult: {
            /** @description The passkey. */
            passkey: {
                /**
                 * Format: date-time
                 * @description When it was added.
                 */
                createdAt: string;
                /** @description Id of the passkey. */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was last used, or else added.
                 */
                lastUsedAt: string;
                /** @description The name that the person gave it. */
                name: string;
            };
        };
        UserPasskeysResult: {
            /** @description The passkeys, the oldest first. */
            passkeys: {
                /**
                 * Format: date-time
                 * @description When it was added.
                 */
                createdAt: string;
                /** @description Id of the passkey. */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was last used, or else added.
                 */
                lastUsedAt: string;
                /** @description The name that the person gave it. */
                name: string;
            }[];
        };
        UserPasswordChangeInput: {
            /** @description The present password. */
            currentPassword: string;
            /** @description The new password. */
            password: string;
        };
        UserPasswordChangeResult: {
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        /** @description What a user set up for themselves in this shop. It is written by PATCH /users/me/preferences. */
        UserPreferences: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description What the user wants to be mailed about. */
            mail: {
                /** @description That somebody else puts them on an order, draft order or return request. */
                assigned: boolean | null;
                /** @description That a customer asks to be erased. */
                erasureRequested: boolean | null;
                /** @description That no more units of a product or variant are free than its threshold. */
                lowStock: boolean | null;
                /** @description That somebody mentions them in a comment. */
                mentioned: boolean | null;
                /** @description That an order was placed; imported ones are left out. */
                orderPlaced: boolean | null;
                /** @description That a payment requires attention, a buyer disputes one, or a refund failed. */
                paymentAttention: boolean | null;
                /** @description That a return was requested. */
                returnRequested: boolean | null;
            };
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description What about the shop the user wants to be told of. */
            tell: {
                /** @description That a customer asks to be erased. */
                erasureRequested: boolean | null;
                /** @description That no more units of a product or variant are free than its threshold. */
                lowStock: boolean | null;
                /** @description That an order was placed; imported ones are left out. */
                orderPlaced: boolean | null;
                /** @description That a payment requires attention, a buyer disputes one, or a refund failed. */
                paymentAttention: boolean | null;
                /** @description That a return was requested. */
                returnRequested: boolean | null;
            };
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /** @description Whose they are. */
            user: string | components["schemas"]["User"] | null;
            /** @description Values by name, of the console's own. */
            values: unknown;
        };
        UserPreferencesChangeInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description What to be mailed about. */
            mail?: {
                /** @description That somebody else puts them on an order, draft order or return request. */
                assigned?: boolean | null;
                /** @description That a customer asks to be erased. */
                erasureRequested?: boolean | null;
                /** @description That no more units of a product or variant are free than its threshold. */
                lowStock?: boolean | null;
                /** @description That somebody mentions them in a comment. */
                mentioned?: boolean | null;
                /** @description That an order was placed; imported ones are left out. */
                orderPlaced?: boolean | null;
                /** @description That a payment requires attention, a buyer disputes one, or a refund failed. */
                paymentAttention?: boolean | null;
                /** @description That a return was requested. */
                returnRequested?: boolean | null;
            } | null;
            /** @description What about the shop the user wants to be told of, as far as their role may do something about it. */
            tell?: {
                /** @description That a customer asks to be erased. */
                erasureRequested?: boolean | null;
                /** @description That no more units of a product or variant are free than its threshold. */
                lowStock?: boolean | null;
                /** @description That an order was placed; imported ones are left out. */
                orderPlaced?: boolean | null;
                /** @description That a payment requires attention, a buyer disputes one, or a refund failed. */
                paymentAttention?: boolean | null;
                /** @description That a return was requested. */
                returnRequested?: boolean | null;
            } | null;
            /** @description An object of the values to change. */
            values?: unknown;
        };
        UserPreferencesChangeResult: {
            /** @description What the user wants to be mailed about. */
            mail: {
                /** @description That somebody else puts them on an order, draft order or return request. */
                assigned: boolean;
                /** @description That a customer asks to be erased. */
                erasureRequested: boolean;
                /** @description That no more units of a product or variant are free than its threshold. */
                lowStock: boolean;
                /** @description That somebody mentions them in a comment. */
                mentioned: boolean;
                /** @description That an order was placed; imported ones are left out. */
                orderPlaced: boolean;
                /** @description That a payment requires attention, a buyer disputes one, or a refund failed. */
                paymentAttention: boolean;
                /** @description That a return was requested. */
                returnRequested: boolean;
            };
            /** @description How often they were changed; 0: never. */
            revision: number;
            /** @description What about the shop the user wants to be told of, as far as their role may do something about it. */
            tell: {
                /** @description That a customer asks to be erased. */
                erasureRequested: boolean;
                /** @description That no more units of a product or variant are free than its threshold. */
                lowStock: boolean;
                /** @description That an order was placed; imported ones are left out. */
                orderPlaced: boolean;
                /** @description That a payment requires attention, a buyer disputes one, or a refund failed. */
                paymentAttention: boolean;
                /** @description That a return was requested. */
                returnRequested: boolean;
            };
            /** @description Values by name, of the console's own. */
            values: unknown;
        };
        /** @description A page of AllUserPreferences. */
        UserPreferencesList: {
            docs: components["schemas"]["UserPreferences"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        UserPreferencesShowResult: {
            /** @description What the user wants to be mailed about. */
            mail: {
                /** @description That somebody else puts them on an order, draft order or return request. */
                assigned: boolean;
                /** @description That a customer asks to be erased. */
                erasureRequested: boolean;
                /** @description That no more units of a product or variant are free than its threshold. */
                lowStock: boolean;
                /** @description That somebody mentions them in a comment. */
                mentioned: boolean;
                /** @description That an order was placed; imported ones are left out. */
                orderPlaced: boolean;
                /** @description That a payment requires attention, a buyer disputes one, or a refund failed. */
                paymentAttention: boolean;
                /** @description That a return was requested. */
                returnRequested: boolean;
            };
            /** @description How often they were changed; 0: never. */
            revision: number;
            /** @description What about the shop the user wants to be told of, as far as their role may do something about it. */
            tell: {
                /** @description That a customer asks to be erased. */
                erasureRequested: boolean;
                /** @description That no more units of a product or variant are free than its threshold. */
                lowStock: boolean;
                /** @description That an order was placed; imported ones are left out. */
                orderPlaced: boolean;
                /** @description That a payment requires attention, a buyer disputes one, or a refund failed. */
                paymentAttention: boolean;
                /** @description That a return was requested. */
                returnRequested: boolean;
            };
            /** @description Values by name, of the console's own. */
            values: unknown;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        UserPreferencesWhere: {
            and?: components["schemas"]["UserPreferencesWhere"][];
            AND?: components["schemas"]["UserPreferencesWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            id?: components["schemas"]["WhereText"];
            mail?: components["schemas"]["WhereThere"];
            or?: components["schemas"]["UserPreferencesWhere"][];
            OR?: components["schemas"]["UserPreferencesWhere"][];
            revision?: components["schemas"]["WhereNumber"];
            tell?: components["schemas"]["WhereThere"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
            user?: components["schemas"]["WhereRelation"];
            values?: components["schemas"]["WhereThere"];
        };
        UserReauthenticateInput: {
            /** @description With a credential, what users.begin-reauthentication answered. */
            challenge?: string | null;
            /** @description A code of the app, or a recovery code. */
            code?: string | null;
            /** @description What the browser answers (PublicKeyCredential.toJSON), at most 16 KiB. */
            credential?: unknown;
            /** @description The present password. */
            password?: string | null;
        };
        UserReauthenticateResult: {
            /** @description Human-readable message. */
            message: string;
            /**
             * Format: date-time
             * @description Until when nothing more is asked.
             */
            provenUntil: string;
        };
        UserReauthenticationBeginResult: {
            /** @description To send with what the browser answers, once, within five minutes. Null without passkeys. */
            challenge: string | null;
            /** @description How the person can prove it: password, totp, passkey, recovery-code. */
            methods: string[];
            /** @description For navigator.credentials.get, by PublicKeyCredential.parseRequestOptionsFromJSON. Null without passkeys. */
            options: unknown;
        };
        UserRecoveryCodesRenewResult: {
            /** @description Ten codes that work once each, shown now and never again. */
            recoveryCodes: string[];
        };
        UserSecondFactorResetInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        UserSecondFactorResetResult: {
            /** @description Human-readable message. */
            message: string;
        };
        UserSecondFactorResult: {
            /** @description Whether logins of the person need one. */
            active: boolean;
            /** @description How many passkeys there are. */
            passkeys: number;
            /** @description How many recovery codes were not used yet. */
            recoveryCodesLeft: number;
            /** @description Whether the acting tenant requires a second factor. */
            required: boolean;
            /** @description Whether there is an authenticator app. */
            totp: boolean;
        };
        UserSessionEndResult: {
            /** @description Human-readable message. */
            message: string;
        };
        UserSessionsEndOthersResult: {
            /** @description How many sessions were ended. */
            ended: number;
            /** @description Human-readable message. */
            message: string;
        };
        UserSessionsResult: {
            /** @description The sessions, the last seen first. */
            sessions: {
                /** @description Network address of the login; of IPv6 the /64 network. */
                address: string;
                /**
                 * Format: date-time
                 * @description When the person logged in.
                 */
                createdAt: string;
                /** @description Whether it is the session of this call. */
                current: boolean;
                /**
                 * Format: date-time
                 * @description When its newest token expires.
                 */
                expiresAt: string;
                /** @description Id of the session: the same for all its tokens. */
                id: string;
                /** @description Network address of the last use. */
                lastAddress: string;
                /**
                 * Format: date-time
                 * @description When it was last used, up to five minutes late.
                 */
                lastSeenAt: string;
                /** @description What the client called itself when the person logged in; may be empty. */
                userAgent: string;
            }[];
        };
        UsersForgotPasswordInput: {
            /** @description The email address. */
            email: string;
        };
        UsersForgotPasswordResult: {
            /** @description Human-readable message. */
            message: string;
        };
        UsersLoginInput: {
            /** @description The email address. */
            email: string;
            /** @description The password. */
            password: string;
        };
        UsersLoginResult: {
            /** @description To send with the second factor within five minutes. */
            challenge?: string | null;
            /** @description When the token expires, in seconds since 1970. */
            exp?: number | null;
            /** @description Human-readable message. */
            message: string;
            /** @description How the person can prove it: totp, passkey, recovery-code. */
            methods?: string[] | null;
            /** @description True where there is no session yet. */
            secondFactorRequired?: boolean | null;
            /** @description Token to send as Authorization: Bearer. */
            token?: string | null;
            /** @description The user. */
            user?: components["schemas"]["User"] | null;
        };
        UsersLoginSecondFactorInput: {
            /** @description What the first step answered. */
            challenge: string;
            /** @description A code of the app, or a recovery code. */
            code?: string | null;
            /** @description In place of a code, of a passkey: What the browser answers (PublicKeyCredential.toJSON), at most 16 KiB. */
            credential?: unknown;
        };
        UsersLoginSecondFactorResult: {
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        UsersLogoutResult: {
            /** @description Human-readable message. */
            message: string;
        };
        UsersMeResult: {
            /** @description The user. */
            user: components["schemas"]["User"] | null;
        };
        UsersRefreshTokenResult: {
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /**
             * Format: date-time
             * @description Time of the refresh.
             */
            refreshedAt: string;
            /** @description The same as token, for the Payload client. */
            refreshedToken: string;
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        UsersResetPasswordInput: {
            /** @description The password. */
            password: string;
            /** @description The token from the email. */
            token: string;
        };
        UsersResetPasswordResult: {
            /** @description To send with the second factor within five minutes. */
            challenge?: string | null;
            /** @description When the token expires, in seconds since 1970. */
            exp?: number | null;
            /** @description Human-readable message. */
            message: string;
            /** @description How the person can prove it: totp, passkey, recovery-code. */
            methods?: string[] | null;
            /** @description True where there is no session yet. */
            secondFactorRequired?: boolean | null;
            /** @description Token to send as Authorization: Bearer. */
            token?: string | null;
            /** @description The user. */
            user?: components["schemas"]["User"] | null;
        };
        UserTotpConfirmInput: {
            /** @description The code that the authenticator app shows. */
            code: string;
        };
        UserTotpConfirmResult: {
            /** @description When the token expires, in seconds since 1970. */
            exp: number;
            /** @description Human-readable message. */
            message: string;
            /** @description Ten codes that work once each, shown now and never again. */
            recoveryCodes: string[];
            /** @description Token to send as Authorization: Bearer. */
            token: string;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        UserTotpDisableInput: {
            /** @description A code of the app, or a recovery code. */
            code: string;
        };
        UserTotpDisableResult: {
            /** @description Human-readable message. */
            message: string;
        };
        UserTotpEnrollResult: {
            /** @description The secret in base32, for apps that read no picture. */
            secret: string;
            /** @description The otpauth URL, to show as a QR code. */
            url: string;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        UserWhere: {
            and?: components["schemas"]["UserWhere"][];
            AND?: components["schemas"]["UserWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            email?: components["schemas"]["WhereText"];
            firstName?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            lastName?: components["schemas"]["WhereText"];
            memberships?: components["schemas"]["WhereThere"];
            name?: components["schemas"]["WhereText"];
            or?: components["schemas"]["UserWhere"][];
            OR?: components["schemas"]["UserWhere"][];
            picture?: components["schemas"]["WhereRelation"];
            revision?: components["schemas"]["WhereNumber"];
            role?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            tenants?: components["schemas"]["WhereList"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description A video, uploaded or hosted elsewhere. */
        Video: {
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Length in seconds. */
            duration: number | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description The uploaded video. */
            media: string | components["schemas"]["Media"] | null;
            /** @description Still image. */
            poster: string | components["schemas"]["Media"] | null;
            /** @description The video host. */
            provider: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Title. */
            title: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /**
             * Format: uri
             * @description URL of a video hosted elsewhere: http or https.
             */
            url: string | null;
        };
        VideoBulk: {
            docs: components["schemas"]["Video"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        /** @description Input of a new record. */
        VideoCreate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Length in seconds. */
            duration?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The uploaded video. */
            media?: string | Record<string, unknown> | null;
            /** @description Still image. */
            poster?: string | Record<string, unknown> | null;
            /** @description The video host. */
            provider?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Title. */
            title: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description URL of a video hosted elsewhere: http or https. */
            url?: string | null;
        };
        VideoDeleted: {
            doc: components["schemas"]["Video"];
            id: string;
            message: string;
        };
        /** @description A page of Videos. */
        VideoList: {
            docs: components["schemas"]["Video"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        /** @description Input of a change; omitted fields keep their value. */
        VideoUpdate: {
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Length in seconds. */
            duration?: number | null;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description The uploaded video. */
            media?: string | Record<string, unknown> | null;
            /** @description Still image. */
            poster?: string | Record<string, unknown> | null;
            /** @description The video host. */
            provider?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description Title. */
            title?: string;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description URL of a video hosted elsewhere: http or https. */
            url?: string | null;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        VideoWhere: {
            and?: components["schemas"]["VideoWhere"][];
            AND?: components["schemas"]["VideoWhere"][];
            createdAt?: components["schemas"]["WhereDate"];
            duration?: components["schemas"]["WhereNumber"];
            id?: components["schemas"]["WhereText"];
            media?: components["schemas"]["WhereRelation"];
            or?: components["schemas"]["VideoWhere"][];
            OR?: components["schemas"]["VideoWhere"][];
            poster?: components["schemas"]["WhereRelation"];
            provider?: components["schemas"]["WhereText"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            title?: components["schemas"]["WhereText"];
            updatedAt?: components["schemas"]["WhereDate"];
            url?: components["schemas"]["WhereText"];
        };
        VideoWritten: {
            doc: components["schemas"]["Video"];
            message: string;
        };
        /** @description The delivery of one event to one webhook endpoint. */
        WebhookDelivery: {
            /** @description The last attempts, oldest first. */
            attempts: {
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                at: string | null;
                /** @description How long it took, in milliseconds. */
                durationMs: number | null;
                /**
                 * @description Why there was no answer.
                 * @enum {string|null}
                 */
                failure: "timeout" | "unreachable" | "unknown_host" | "tls" | "address_not_allowed" | "invalid_response" | "secret" | "internal" | null;
                /** @description The first 1 KiB of the answer. */
                response: string | null;
                /** @description Status of the answer; null when there was none. */
                status: number | null;
            }[];
            /** @description Slug of the collection. */
            collection: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it succeeded or was given up.
             */
            endedAt: string | null;
            /** @description The webhook endpoint. */
            endpoint: string | components["schemas"]["WebhookEndpoint"] | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Id of the event: the same for all endpoints. */
            event: string | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /**
             * Format: date-time
             * @description When it is tried next; null when it is not.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurredAt: string | null;
            /**
             * @description What happened.
             * @enum {string|null}
             */
            operation: "create" | "update" | "delete" | null;
            /**
             * @description Why it is dead or discarded.
             * @enum {string|null}
             */
            reason: "attempts_used_up" | "endpoint_gone" | "test_failed" | "endpoint_disabled" | "endpoint_deleted" | "too_old" | "event_gone" | "out_of_reach" | null;
            /** @description Id of the record. */
            record: string | null;
            /** @description 1, 2, 3… for each change of the record. */
            recordSequence: number | null;
            /** @description Whether an operator requested it again. */
            replayed: boolean | null;
            /** @description Status of the last answer; null when there was none. */
            responseStatus: number | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description Number of the event in the log; null for a test. */
            sequence: number | null;
            /**
             * @description pending until it succeeded, was given up after the last attempt (dead), or was not worth one (discarded).
             * @enum {string|null}
             */
            status: "pending" | "succeeded" | "dead" | "discarded" | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /** @description Whether it is a test: about nothing that happened. */
            test: boolean | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
        };
        /** @description A page of WebhookDeliveries. */
        WebhookDeliveryList: {
            docs: components["schemas"]["WebhookDelivery"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        WebhookDeliveryRedeliverInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        WebhookDeliveryRedeliverResult: {
            /** @description The delivery as it is now; its result is stored shortly afterwards. */
            delivery: components["schemas"]["WebhookDelivery"];
            /** @description Human-readable message. */
            message: string;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        WebhookDeliveryWhere: {
            and?: components["schemas"]["WebhookDeliveryWhere"][];
            AND?: components["schemas"]["WebhookDeliveryWhere"][];
            attempts?: components["schemas"]["WhereThere"];
            collection?: components["schemas"]["WhereText"];
            createdAt?: components["schemas"]["WhereDate"];
            endedAt?: components["schemas"]["WhereDate"];
            endpoint?: components["schemas"]["WhereRelation"];
            environment?: components["schemas"]["WhereText"];
            event?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            nextAttemptAt?: components["schemas"]["WhereDate"];
            occurredAt?: components["schemas"]["WhereDate"];
            operation?: components["schemas"]["WhereText"];
            or?: components["schemas"]["WebhookDeliveryWhere"][];
            OR?: components["schemas"]["WebhookDeliveryWhere"][];
            reason?: components["schemas"]["WhereText"];
            record?: components["schemas"]["WhereText"];
            recordSequence?: components["schemas"]["WhereNumber"];
            replayed?: components["schemas"]["WhereBoolean"];
            responseStatus?: components["schemas"]["WhereNumber"];
            revision?: components["schemas"]["WhereNumber"];
            sequence?: components["schemas"]["WhereNumber"];
            status?: components["schemas"]["WhereText"];
            tenant?: components["schemas"]["WhereRelation"];
            test?: components["schemas"]["WhereBoolean"];
            updatedAt?: components["schemas"]["WhereDate"];
        };
        /** @description A URL that receives signed notifications of record changes. */
        WebhookEndpoint: {
            /**
             * @description On whose behalf it reads: of admins, or of the shop's secret keys. A secret key that creates it, enables it, or changes its url, collections or operations sets it to server permanently.
             * @enum {string|null}
             */
            audience: "admin" | "server" | null;
            /** @description Slugs of the collections it subscribes to; empty means all that its audience may read, except comments and notifications. Only collections the caller may read can be listed. */
            collections: string[];
            /**
             * Format: date-time
             * @description When the record was created.
             */
            createdAt: string;
            /** @description Note for operators. */
            description: string | null;
            /**
             * Format: date-time
             * @description Since when it is off; null while it is on.
             */
            disabledAt: string | null;
            /**
             * @description Why it is off: an operator switched it off, it answered 410, or it failed for three days.
             * @enum {string|null}
             */
            disabledReason: "operator" | "gone" | "failing" | null;
            /** @description Whether it is enabled. Events that happen while it is disabled are not delivered. */
            enabled: boolean | null;
            /**
             * @description live or test.
             * @enum {string|null}
             */
            environment: "live" | "test" | null;
            /** @description Identifier of the record: a UUIDv7. */
            id: string;
            /** @description Operations it subscribes to; empty means all. */
            operations: ("create" | "update" | "delete")[];
            /**
             * Format: date-time
             * @description Until when deliveries are also signed with the old secret. Not shown to shoppers.
             */
            previousSecretUntil?: string | null;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Not shown to shoppers. */
            revision?: number;
            /** @description What deliveries are signed with, whsec_…: shown when it is made and when it is rotated, null in any other answer. Not shown to shoppers. */
            secret?: string | null;
            /** @description The tenant the record belongs to. */
            tenant: string | components["schemas"]["Tenant"] | null;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updatedAt: string;
            /**
             * Format: uri
             * @description Where deliveries go: https, or http where the installation allows it; without user, password or fragment.
             */
            url: string | null;
        };
        WebhookEndpointBulk: {
            docs: components["schemas"]["WebhookEndpoint"][];
            errors: {
                /** @description The invalid fields, or details such as currentRevision. */
                data?: {
                    field: string;
                    message: string;
                }[] | Record<string, unknown>;
                extensions: {
                    code: string;
                    reason: components["schemas"]["Reason"];
                    /** @description Id to quote to support. A replayed refusal has the id of the first request. */
                    requestId: string;
                    /** @description Whether the same request may succeed later. */
                    retryable?: boolean;
                    /** @description Seconds to wait before trying again. */
                    retryAfter?: number;
                };
                /** @description The record that was not changed. */
                id: string;
                /** @description Human-readable message, in the language of Accept-Language: English or Korean. */
                message: string;
                /** @enum {string} */
                name: "ValidationError" | "AuthenticationError" | "Forbidden" | "NotFound" | "CommerceError" | "RateLimitError" | "APIError";
            }[];
            message: string;
        };
        WebhookEndpointCreateInput: {
            /** @description Slugs of the collections it subscribes to; empty means all that its audience may read, except comments and notifications. Only collections the caller may read can be listed. */
            collections?: string[] | null;
            /** @description Note for operators. */
            description?: string | null;
            /** @description Whether it is enabled. Events that happen while it is disabled are not delivered. */
            enabled?: boolean | null;
            /**
             * @description Environment whose events it receives, besides those of shared records (default: the caller's). Only users may name the other one.
             * @enum {string|null}
             */
            environment?: "live" | "test" | null;
            /** @description Operations it subscribes to; empty means all. */
            operations?: ("create" | "update" | "delete")[] | null;
            /** @description The tenant the record belongs to. */
            tenant?: string | null;
            /**
             * Format: uri
             * @description Where deliveries go: https, or http where the installation allows it; without user, password or fragment.
             */
            url: string;
        };
        WebhookEndpointCreateResult: {
            /** @description The endpoint. */
            doc: components["schemas"]["WebhookEndpoint"];
            /** @description Human-readable message. */
            message: string;
            /** @description Secret that signs the deliveries, as in Standard Webhooks: shown only in this response and its replays for the same idempotency key. */
            secret: string;
        };
        WebhookEndpointDeleteResult: {
            /** @description The endpoint. */
            doc: components["schemas"]["WebhookEndpoint"];
            /** @description Id of the endpoint. */
            id: string;
            /** @description Human-readable message. */
            message: string;
        };
        /** @description A page of WebhookEndpoints. */
        WebhookEndpointList: {
            docs: components["schemas"]["WebhookEndpoint"][];
            hasNextPage: boolean;
            hasPrevPage: boolean;
            /** @description Records per page; 0 only counts. */
            limit: number;
            nextPage: number | null;
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Number of the first record of this page, from 1. */
            pagingCounter: number;
            prevPage: number | null;
            /** @description Number of matching records. */
            totalDocs: number;
            /** @description Number of pages, at least 1. */
            totalPages: number;
        };
        WebhookEndpointReplayInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
            /** @description First event: a time such as 2026-01-31T09:00:00Z, or a sequence number. */
            from: string;
            /** @description Last event, in the same form; defaults to the newest event. */
            to?: string | null;
        };
        WebhookEndpointReplayResult: {
            /** @description Number of deliveries that the call started. */
            deliveries: number;
            /** @description Human-readable message. */
            message: string;
            /** @description Sequence number of the first event of the next call; null when nothing is left. */
            nextSequence: number | null;
        };
        WebhookEndpointRotateSecretInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        WebhookEndpointRotateSecretResult: {
            /** @description The endpoint. */
            doc: components["schemas"]["WebhookEndpoint"];
            /** @description Human-readable message. */
            message: string;
            /** @description Secret that signs the deliveries, as in Standard Webhooks: shown only in this response and its replays for the same idempotency key. */
            secret: string;
        };
        WebhookEndpointTestInput: {
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
            expectedRevision?: number | null;
        };
        WebhookEndpointTestResult: {
            /** @description The delivery as it is now; its result is stored shortly afterwards. */
            delivery: components["schemas"]["WebhookDelivery"];
            /** @description Human-readable message. */
            message: string;
        };
        /** @description Input of a change; omitted fields keep their value. */
        WebhookEndpointUpdate: {
            /** @description On whose behalf it reads: of admins, or of the shop's secret keys. A secret key that creates it, enables it, or changes its url, collections or operations sets it to server permanently. Read-only: it may be sent back as it was read. */
            audience?: unknown;
            /** @description Slugs of the collections it subscribes to; empty means all that its audience may read, except comments and notifications. Only collections the caller may read can be listed. */
            collections?: string[] | null;
            /** @description When the record was created. Read-only: it may be sent back as it was read. */
            createdAt?: unknown;
            /** @description Note for operators. */
            description?: string | null;
            /** @description Since when it is off; null while it is on. Read-only: it may be sent back as it was read. */
            disabledAt?: unknown;
            /** @description Why it is off: an operator switched it off, it answered 410, or it failed for three days. Read-only: it may be sent back as it was read. */
            disabledReason?: unknown;
            /** @description Whether it is enabled. Events that happen while it is disabled are not delivered. */
            enabled?: boolean | null;
            /** @description live or test. Read-only: it may be sent back as it was read. */
            environment?: unknown;
            /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. Read-only: it may be sent back as it was read. */
            expectedRevision?: unknown;
            /** @description Identifier of the record: a UUIDv7. Read-only: it may be sent back as it was read. */
            id?: unknown;
            /** @description Operations it subscribes to; empty means all. */
            operations?: ("create" | "update" | "delete")[] | null;
            /** @description Until when deliveries are also signed with the old secret. Read-only: it may be sent back as it was read. */
            previousSecretUntil?: unknown;
            /** @description Number of the record's last change, from 1. A change that names it is refused if there was another one in between. Read-only: it may be sent back as it was read. */
            revision?: unknown;
            /** @description What deliveries are signed with, whsec_…: shown when it is made and when it is rotated, null in any other answer. Read-only: it may be sent back as it was read. */
            secret?: unknown;
            /** @description The tenant the record belongs to. Read-only: it may be sent back as it was read. */
            tenant?: unknown;
            /** @description When the record was last changed. Read-only: it may be sent back as it was read. */
            updatedAt?: unknown;
            /** @description Where deliveries go: https, or http where the installation allows it; without user, password or fragment. */
            url?: string;
        };
        /** @description Conditions that must all hold: at most 60, nested at most 8 levels deep. */
        WebhookEndpointWhere: {
            and?: components["schemas"]["WebhookEndpointWhere"][];
            AND?: components["schemas"]["WebhookEndpointWhere"][];
            audience?: components["schemas"]["WhereText"];
            collections?: components["schemas"]["WhereList"];
            createdAt?: components["schemas"]["WhereDate"];
            description?: components["schemas"]["WhereText"];
            disabledAt?: components["schemas"]["WhereDate"];
            disabledReason?: components["schemas"]["WhereText"];
            enabled?: components["schemas"]["WhereBoolean"];
            environment?: components["schemas"]["WhereText"];
            id?: components["schemas"]["WhereText"];
            operations?: components["schemas"]["WhereList"];
            or?: components["schemas"]["WebhookEndpointWhere"][];
            OR?: components["schemas"]["WebhookEndpointWhere"][];
            previousSecretUntil?: components["schemas"]["WhereDate"];
            revision?: components["schemas"]["WhereNumber"];
            tenant?: components["schemas"]["WhereRelation"];
            updatedAt?: components["schemas"]["WhereDate"];
            url?: components["schemas"]["WhereText"];
        };
        WebhookEndpointWritten: {
            doc: components["schemas"]["WebhookEndpoint"];
            message: string;
        };
        /** @description Condition on a boolean. */
        WhereBoolean: {
            equals?: boolean | string | null;
            exists?: boolean | string;
            in?: (boolean | string | null)[] | string;
            not_equals?: boolean | string | null;
            not_in?: (boolean | string | null)[] | string;
        };
        /** @description Condition on a time: RFC 3339, or a day. */
        WhereDate: {
            equals?: string | null;
            exists?: boolean | string;
            greater_than?: string | null;
            greater_than_equal?: string | null;
            in?: (string | null)[] | string;
            less_than?: string | null;
            less_than_equal?: string | null;
            not_equals?: string | null;
            not_in?: (string | null)[] | string;
        };
        /** @description Condition on the items of a list. */
        WhereList: {
            contains?: string | null;
            equals?: string | null;
            exists?: boolean | string;
            in?: (string | null)[] | string;
            not_equals?: string | null;
            not_in?: (string | null)[] | string;
        } & {
            [key: string]: unknown;
        };
        /** @description Condition on a number, or on an amount in major units. */
        WhereNumber: {
            equals?: number | string | null;
            exists?: boolean | string;
            greater_than?: number | string | null;
            greater_than_equal?: number | string | null;
            in?: (number | string | null)[] | string;
            less_than?: number | string | null;
            less_than_equal?: number | string | null;
            not_equals?: number | string | null;
            not_in?: (number | string | null)[] | string;
        };
        /** @description Condition on the id of a related record; conditions on its fields are nested. */
        WhereRelation: {
            equals?: string | null;
            exists?: boolean | string;
            in?: (string | null)[] | string;
            not_equals?: string | null;
            not_in?: (string | null)[] | string;
        } & {
            [key: string]: unknown;
        };
        /** @description Condition on a text. `like`: every word occurs; `contains`: the text occurs; both regardless of case. */
        WhereText: {
            contains?: string | null;
            equals?: string | null;
            exists?: boolean | string;
            greater_than?: string | null;
            greater_than_equal?: string | null;
            in?: (string | null)[] | string;
            less_than?: string | null;
            less_than_equal?: string | null;
            like?: string | null;
            not_equals?: string | null;
            not_in?: (string | null)[] | string;
        };
        /** @description Condition on whether there is a value; conditions on fields of groups and rows are nested. */
        WhereThere: {
            exists?: boolean | string;
        } & {
            [key: string]: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    timeline: {
        parameters: {
            query?: {
                /** @description Continue before this position, nextBefore of the page before. */
                before?: string;
                /** @description Page size: 1 to 500, default 10. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineResult"];
                };
            };
        };
    };
    bulkUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkUpdateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkUpdateResult"];
                };
            };
        };
    };
    apiKeyCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreateResult"];
                };
            };
        };
    };
    apiKeysDelete: {
        parameters: {
            query?: {
                /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
                expectedRevision?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeysDeleteResult"];
                };
            };
        };
    };
    apiKeyRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRevokeInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyRevokeResult"];
                };
            };
        };
    };
    apiKeyRotate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRotateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyRotateResult"];
                };
            };
        };
    };
    backgroundFailures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackgroundFailuresResult"];
                };
            };
        };
    };
    previousCartCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviousCartCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPreviousCart"];
                };
            };
        };
    };
    previousCartGet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviousCart"];
                };
            };
        };
    };
    previousCartApplyDiscount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviousCartApplyDiscountInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviousCart"];
                };
            };
        };
    };
    previousCartClear: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviousCart"];
                };
            };
        };
    };
    previousCartUpdateDiscountCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviousCartUpdateDiscountCodesInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviousCart"];
                };
            };
        };
    };
    previousCartAddItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviousCartAddItemInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviousCart"];
                };
            };
        };
    };
    previousCartRemoveItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviousCart"];
                };
            };
        };
    };
    previousCartUpdateItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviousCartUpdateItemInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviousCart"];
                };
            };
        };
    };
    previousCartRemoveDiscount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviousCartRemoveDiscountInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviousCart"];
                };
            };
        };
    };
    cartCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CartCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartCreateResult"];
                };
            };
        };
    };
    cartRetrieve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartRetrieveResult"];
                };
            };
        };
    };
    cartUpdateAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartUpdateAttributesInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartUpdateAttributesResult"];
                };
            };
        };
    };
    cartClear: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CartClearInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartClearResult"];
                };
            };
        };
    };
    cartUpdateDiscountCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartUpdateDiscountCodesInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartUpdateDiscountCodesResult"];
                };
            };
        };
    };
    cartAddItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartAddItemInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartAddItemResult"];
                };
            };
        };
    };
    cartRemoveItem: {
        parameters: {
            query?: {
                /** @description The revision last read. Required with a cart token; optional for the shop's server and the customer. */
                expectedRevision?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartRemoveItemResult"];
                };
            };
        };
    };
    cartUpdateItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartUpdateItemInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartUpdateItemResult"];
                };
            };
        };
    };
    cartMerge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartMergeInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartMergeResult"];
                };
            };
        };
    };
    cartMine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartMineResult"];
                };
            };
        };
    };
    checkoutCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutCreateResult"];
                };
            };
        };
    };
    checkoutRetrieve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutRetrieveResult"];
                };
            };
        };
    };
    checkoutUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutUpdateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutUpdateResult"];
                };
            };
        };
    };
    checkoutComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CheckoutCompleteInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutCompleteResult"];
                };
            };
        };
    };
    discountValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DiscountValidateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountValidateResult"];
                };
            };
        };
    };
    orderCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCheckoutInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCheckoutResult"];
                };
            };
        };
    };
    paymentSessionCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionCreateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCreateResult"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCreateResult"];
                };
            };
        };
    };
    paymentSessionRetrieve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionRetrieveResult"];
                };
            };
        };
    };
    paymentSessionCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PaymentSessionCancelInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCancelResult"];
                };
            };
        };
    };
    paymentSessionCreateAggregator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionCreateAggregatorInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCreateAggregatorResult"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCreateAggregatorResult"];
                };
            };
        };
    };
    paymentSessionRetrieveAggregator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionRetrieveAggregatorResult"];
                };
            };
        };
    };
    paymentSessionCancelAggregator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PaymentSessionCancelAggregatorInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCancelAggregatorResult"];
                };
            };
        };
    };
    productDetail: {
        parameters: {
            query?: {
                /** @description The product's id. */
                id?: string;
                /** @description Id or code of the market; without one, prices are in the shop's currency. */
                market?: string;
                /** @description The product's slug. */
                slug?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductDetailResult"];
                };
            };
        };
    };
    productDetailCatalog: {
        parameters: {
            query?: {
                /** @description The product's id. */
                id?: string;
                /** @description Id or code of the market; without one, prices are in the shop's currency. */
                market?: string;
                /** @description The product's slug. */
                slug?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductDetailCatalogResult"];
                };
            };
        };
    };
    productListing: {
        parameters: {
            query?: {
                /** @description Records per page: 0 to 500, default 10. 0 only counts. */
                limit?: number;
                /** @description Id or code of the market; without one, prices are in the shop's currency. */
                market?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Fields to sort by, separated by commas; a leading minus sorts in descending order. Newest first by default. */
                sort?: string;
                /** @description Filter on Products: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See ProductWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductListingResult"];
                };
            };
        };
    };
    productListingGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductListingGroupsInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductListingGroupsResult"];
                };
            };
        };
    };
    productStockCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductStockCheckInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductStockCheckResult"];
                };
            };
        };
    };
    shippingCalculate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShippingCalculateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippingCalculateResult"];
                };
            };
        };
    };
    shop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopResult"];
                };
            };
        };
    };
    customerEndSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CustomerEndSessionsInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEndSessionsResult"];
                };
            };
        };
    };
    customerErase: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CustomerEraseInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEraseResult"];
                };
            };
        };
    };
    customerErasure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerErasureResult"];
                };
            };
        };
    };
    customersExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    customerMerge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerMergeInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerMergeResult"];
                };
            };
        };
    };
    customersForgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomersForgotPasswordInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomersForgotPasswordResult"];
                };
            };
        };
    };
    customersLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomersLoginInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomersLoginResult"];
                };
            };
        };
    };
    customersLogout: {
        parameters: {
            query?: {
                /** @description End all sessions of the customer. */
                allSessions?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomersLogoutResult"];
                };
            };
        };
    };
    customersMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomersMeResult"];
                };
            };
        };
    };
    customersRefreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomersRefreshTokenResult"];
                };
            };
        };
    };
    customersRegister: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomersRegisterInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomersRegisterResult"];
                };
            };
        };
    };
    customersResetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomersResetPasswordInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomersResetPasswordResult"];
                };
            };
        };
    };
    customersVerifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomersVerifyEmailInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomersVerifyEmailResult"];
                };
            };
        };
    };
    draftOrderCalculate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftOrderCalculateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOrderCalculateResult"];
                };
            };
        };
    };
    draftOrderDiscard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftOrderDiscardInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOrderDiscardResult"];
                };
            };
        };
    };
    draftOrderFinalize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftOrderFinalizeInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOrderFinalizeResult"];
                };
            };
        };
    };
    draftOrderPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftOrderPaymentLinkInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOrderPaymentLinkResult"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOrderPaymentLinkResult"];
                };
            };
        };
    };
    draftOrderPaymentLinkRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftOrderPaymentLinkRevokeInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOrderPaymentLinkRevokeResult"];
                };
            };
        };
    };
    events: {
        parameters: {
            query?: {
                /** @description Only what they changed: the id of a user, key or customer, the name of a provider, or a kind of actor, such as system. */
                actor?: string;
                /** @description Return events after this sequence number, or latest for future events only. */
                after?: string;
                /** @description Return events before this sequence number. */
                before?: number;
                /** @description Slugs of collections, separated by commas; defaults to all that the caller may read. */
                collection?: string;
                /** @description Page size: 0 to 500, default 10. 0 returns only the position. */
                limit?: number;
                /** @description asc: oldest first, continued with after=nextAfter; desc: newest first, continued with before=nextBefore. */
                order?: "asc" | "desc";
                /** @description Id of a record: only its events, at once, and for orders and money as long as there is the shop. after and before are then numbers of its changes, recordSequence. Not for carts. */
                record?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsResult"];
                };
            };
        };
    };
    exportStart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportStartInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportStartResult"];
                };
            };
        };
    };
    exportCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportCancelInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportCancelResult"];
                };
            };
        };
    };
    exportsFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "text/csv": unknown;
                };
            };
        };
    };
    fulfillmentOrderComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FulfillmentOrderCompleteInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FulfillmentOrderCompleteResult"];
                };
            };
        };
    };
    fulfillmentCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FulfillmentCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FulfillmentCreateResult"];
                };
            };
        };
    };
    fulfillmentOrdersPrintPackingSlip: {
        parameters: {
            query?: {
                /** @description Language of the document; defaults to that of the shop, and to English where that is neither. */
                locale?: "en" | "ko";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
        };
    };
    fulfillmentCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FulfillmentCancelInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FulfillmentCancelResult"];
                };
            };
        };
    };
    fulfillmentDeliver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FulfillmentDeliverInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FulfillmentDeliverResult"];
                };
            };
        };
    };
    fulfillmentsPrintLabel: {
        parameters: {
            query?: {
                /** @description Language of the document; defaults to that of the shop, and to English where that is neither. */
                locale?: "en" | "ko";
                /** @description Size of labels: a page of 100 × 150 mm each, the default, or eight on a page of A4. */
                size?: "100x150" | "a4-labels";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
        };
    };
    fulfillmentsPrintPackingSlip: {
        parameters: {
            query?: {
                /** @description Language of the document; defaults to that of the shop, and to English where that is neither. */
                locale?: "en" | "ko";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
        };
    };
    fulfillmentShip: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FulfillmentShipInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FulfillmentShipResult"];
                };
            };
        };
    };
    fulfillmentTrack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FulfillmentTrackInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FulfillmentTrackResult"];
                };
            };
        };
    };
    carrierBatchCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CarrierBatchCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierBatchCreateResult"];
                };
            };
        };
    };
    carrierBatchRelease: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CarrierBatchReleaseInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierBatchReleaseResult"];
                };
            };
        };
    };
    carrierBatchProgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierBatchProgressResult"];
                };
            };
        };
    };
    fulfillmentsImportCarrierFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FulfillmentsImportCarrierFileResult"];
                };
            };
        };
    };
    fulfillmentsPrint: {
        parameters: {
            query: {
                /** @description Instead of ids: id of a carrier batch. */
                carrierBatch?: string;
                /** @description What to print. */
                document: "packingSlip" | "label";
                /** @description Instead of ids: ids of fulfillment orders, with commas between them; 1 to 100, each once. */
                fulfillmentOrders?: string;
                /** @description Ids of the fulfillments, with commas between them; 1 to 100, each once. */
                ids?: string;
                /** @description Language of the document; defaults to that of the shop, and to English where that is neither. */
                locale?: "en" | "ko";
                /** @description Size of labels: a page of 100 × 150 mm each, the default, or eight on a page of A4. */
                size?: "100x150" | "a4-labels";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
        };
    };
    graphqlAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GraphqlAnswerInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/graphql-response+json": unknown;
                    "application/json": unknown;
                };
            };
        };
    };
    guestErase: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GuestEraseInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuestEraseResult"];
                };
            };
        };
    };
    guestErasurePreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GuestErasurePreviewInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuestErasurePreviewResult"];
                };
            };
        };
    };
    importStart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportStartResult"];
                };
            };
        };
    };
    importCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportCancelInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportCancelResult"];
                };
            };
        };
    };
    importsReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                };
            };
        };
    };
    importRows: {
        parameters: {
            query?: {
                /** @description Only rows with a higher number, such as next of the page before. */
                after?: number;
                /** @description How many rows at most, 1 to 500; 100 when missing. */
                limit?: number;
                /** @description Only rows of which this became; all when missing. */
                status?: "applied" | "unchanged" | "rejected";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRowsResult"];
                };
            };
        };
    };
    invitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResult"];
                };
            };
        };
    };
    invitationsAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InvitationsAcceptInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationsAcceptResult"];
                };
            };
        };
    };
    listallMedia: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description Records per page; 0 only counts. */
                limit?: number;
                /** @description Page number, from 1. */
                page?: number;
                /** @description false returns as many records as one response may have. */
                pagination?: boolean;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
                /**
                 * @description Fields to sort by, separated by commas; a leading minus sorts in descending order. Paths follow relations. Indexed fields: `id`, `createdAt`, `updatedAt`, `filename`, `mimeType`.
                 * @example -createdAt
                 */
                sort?: string;
                /** @description Filter on allMedia: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See MediaWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Responses to client keys, and single records, have an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaList"];
                };
            };
        };
    };
    countallMedia: {
        parameters: {
            query?: {
                /** @description Filter on allMedia: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See MediaWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Responses to client keys, and single records, have an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"];
                };
            };
        };
    };
    orderCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCancelInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCancelResult"];
                };
            };
        };
    };
    orderCancelLines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCancelLinesInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCancelLinesResult"];
                };
            };
        };
    };
    orderCapture: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OrderCaptureInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCaptureResult"];
                };
            };
        };
    };
    orderCorrect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCorrectInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCorrectResult"];
                };
            };
        };
    };
    ordersPrintInvoice: {
        parameters: {
            query?: {
                /** @description Language of the document; defaults to that of the shop, and to English where that is neither. */
                locale?: "en" | "ko";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
        };
    };
    orderRefund: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRefundInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRefundResult"];
                };
            };
        };
    };
    orderReturnable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderReturnableResult"];
                };
            };
        };
    };
    orderTransition: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderTransitionInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderTransitionResult"];
                };
            };
        };
    };
    ordersImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrdersImportInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrdersImportResult"];
                };
            };
        };
    };
    paymentProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentProvidersResult"];
                };
            };
        };
    };
    operatorPaymentSessionCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PaymentSessionCancelInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCancelResult"];
                };
            };
        };
    };
    operatorPaymentSessionRelease: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionReleaseInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionReleaseResult"];
                };
            };
        };
    };
    operatorPaymentSessionResolve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionResolveInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionResolveResult"];
                };
            };
        };
    };
    operatorPaymentSessionFindAggregator: {
        parameters: {
            query: {
                /** @description The account's identifier at the provider. */
                accountKey: string;
                /** @description The environment, which must be that of the key. */
                environment: "test" | "live";
                /** @description Id of the payment at the provider: the one we sent, or the provider's own. */
                providerPaymentId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionFindAggregatorResult"];
                };
            };
        };
    };
    operatorPaymentSessionReconcileAggregator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionReconcileAggregatorInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionReconcileAggregatorResult"];
                };
            };
        };
    };
    operatorPaymentSessionCustomRetrieve: {
        parameters: {
            query?: {
                /** @description The provider's id of the payment. */
                providerPaymentId?: string;
                /** @description The provider's id of its session. */
                providerSessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCustomRetrieveResult"];
                };
            };
        };
    };
    operatorPaymentSessionCustomConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionCustomConfirmInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCustomConfirmResult"];
                };
            };
        };
    };
    permissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionsResult"];
                };
            };
        };
    };
    productVariantStock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductVariantStockInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductVariantStockResult"];
                };
            };
        };
    };
    productComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductCompleteResult"];
                };
            };
        };
    };
    productReplaceComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductReplaceCompleteInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductReplaceCompleteResult"];
                };
            };
        };
    };
    productDuplicate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProductDuplicateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductDuplicateResult"];
                };
            };
        };
    };
    productCreateComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductCreateCompleteInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductCreateCompleteResult"];
                };
            };
        };
    };
    productAdjustPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductAdjustPricesInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductAdjustPricesResult"];
                };
            };
        };
    };
    reportSettlement: {
        parameters: {
            query?: {
                /** @description First day, in the shop's time zone, such as 2026-01-01; defaults to the 30th day up to the last. */
                from?: string;
                /** @description Only this payment provider. */
                provider?: string;
                /** @description Last day; defaults to today. A report is about at most 1096 days. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportSettlementResult"];
                };
            };
        };
    };
    reportSummary: {
        parameters: {
            query?: {
                /** @description What to tell apart: day, week (from Monday), month, market, provider (of money alone), or product (of orders alone, most units first). */
                by?: "day" | "week" | "month" | "market" | "provider" | "product";
                /** @description A period to show beside: previous is as many days right before, previousYear the same dates a year earlier. */
                compare?: "previous" | "previousYear";
                /** @description First day, in the shop's time zone, such as 2026-01-01; defaults to the 30th day up to the last. */
                from?: string;
                /** @description How many rows of products to answer; default 50. */
                limit?: number;
                /** @description Last day; defaults to today. A report is about at most 1096 days. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportSummaryResult"];
                };
            };
        };
    };
    returnRequestCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnRequestCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnRequestCreateResult"];
                };
            };
        };
    };
    returnRequestApprove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReturnRequestApproveInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnRequestApproveResult"];
                };
            };
        };
    };
    returnRequestCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReturnRequestCancelInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnRequestCancelResult"];
                };
            };
        };
    };
    returnRequestReceive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReturnRequestReceiveInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnRequestReceiveResult"];
                };
            };
        };
    };
    returnRequestRefund: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReturnRequestRefundInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnRequestRefundResult"];
                };
            };
        };
    };
    returnRequestReject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReturnRequestRejectInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnRequestRejectResult"];
                };
            };
        };
    };
    returnRequestPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnRequestPreviewInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnRequestPreviewResult"];
                };
            };
        };
    };
    listSavedViews: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description Records per page; 0 only counts. */
                limit?: number;
                /** @description Page number, from 1. */
                page?: number;
                /** @description false returns as many records as one response may have. */
                pagination?: boolean;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
                /**
                 * @description Fields to sort by, separated by commas; a leading minus sorts in descending order. Paths follow relations. Indexed fields: `id`, `createdAt`, `updatedAt`, `name`, `collection`, `owner`, `shared`.
                 * @example -createdAt
                 */
                sort?: string;
                /** @description Filter on SavedViews: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See SavedViewWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Responses to client keys, and single records, have an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewList"];
                };
            };
        };
    };
    createSavedView: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedViewCreate"];
            };
        };
        responses: {
            /** @description The record as stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewWritten"];
                };
            };
        };
    };
    deleteManySavedViews: {
        parameters: {
            query: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description Maximum number of records to write. Without it, all are written; more than 500 are refused. */
                limit?: number;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
                /**
                 * @description Fields to sort by, separated by commas; a leading minus sorts in descending order. Paths follow relations. Indexed fields: `id`, `createdAt`, `updatedAt`, `name`, `collection`, `owner`, `shared`.
                 * @example -createdAt
                 */
                sort?: string;
                /** @description Filter on SavedViews: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See SavedViewWhere. */
                where: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted records, and why others were not deleted. All records succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewBulk"];
                };
            };
        };
    };
    updateManySavedViews: {
        parameters: {
            query: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description Maximum number of records to write. Without it, all are written; more than 500 are refused. */
                limit?: number;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
                /**
                 * @description Fields to sort by, separated by commas; a leading minus sorts in descending order. Paths follow relations. Indexed fields: `id`, `createdAt`, `updatedAt`, `name`, `collection`, `owner`, `shared`.
                 * @example -createdAt
                 */
                sort?: string;
                /** @description Filter on SavedViews: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See SavedViewWhere. */
                where: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedViewUpdate"];
            };
        };
        responses: {
            /** @description The changed records, and why others were not changed. All records succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewBulk"];
                };
            };
        };
    };
    getSavedView: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Responses to client keys, and single records, have an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    deleteSavedView: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
                expectedRevision?: number;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewDeleted"];
                };
            };
        };
    };
    updateSavedView: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedViewUpdate"];
            };
        };
        responses: {
            /** @description The record as stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewWritten"];
                };
            };
        };
    };
    countSavedViews: {
        parameters: {
            query?: {
                /** @description Filter on SavedViews: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See SavedViewWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Responses to client keys, and single records, have an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"];
                };
            };
        };
    };
    schemas: {
        parameters: {
            query?: {
                /** @description Slugs of the collections to describe, with commas in between. */
                collection?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemasResult"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: {
                /** @description Records of each collection: 1 to 20, default 5. */
                limit?: number;
                /** @description What to find; without a letter or digit it is refused. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
        };
    };
    serverPreviousCartCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ServerPreviousCartCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPreviousCart"];
                };
            };
        };
    };
    serverCartCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ServerCartCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartCreateResult"];
                };
            };
        };
    };
    serverCartMerge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerCartMergeInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartMergeResult"];
                };
            };
        };
    };
    serverCheckoutQuery: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description Records per page: 0 to 500, default 10. 0 only counts. */
                limit?: number;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Fields to sort by, separated by commas; a leading minus sorts in descending order. Newest first by default. */
                sort?: string;
                /** @description Filter on Checkouts: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See CheckoutWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutQueryResult"];
                };
            };
        };
    };
    serverCheckoutCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutCreateResult"];
                };
            };
        };
    };
    serverDiscountValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerDiscountValidateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerDiscountValidateResult"];
                };
            };
        };
    };
    serverOrderCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerOrderCheckoutInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCheckoutResult"];
                };
            };
        };
    };
    serverPaymentSessionConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionConfirmInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionConfirmResult"];
                };
            };
        };
    };
    serverPaymentSessionRelease: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionReleaseInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionReleaseResult"];
                };
            };
        };
    };
    serverPaymentSessionFindAggregator: {
        parameters: {
            query: {
                /** @description The account's identifier at the provider. */
                accountKey: string;
                /** @description The environment, which must be that of the key. */
                environment: "test" | "live";
                /** @description Id of the payment at the provider: the one we sent, or the provider's own. */
                providerPaymentId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionFindAggregatorResult"];
                };
            };
        };
    };
    serverPaymentSessionReconcileAggregator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionReconcileAggregatorInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionReconcileAggregatorResult"];
                };
            };
        };
    };
    serverPaymentSessionCustomRetrieve: {
        parameters: {
            query?: {
                /** @description The provider's id of the payment. */
                providerPaymentId?: string;
                /** @description The provider's id of its session. */
                providerSessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCustomRetrieveResult"];
                };
            };
        };
    };
    serverPaymentSessionCustomCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionCustomCreateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCustomCreateResult"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCustomCreateResult"];
                };
            };
        };
    };
    serverPaymentSessionCustomConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSessionCustomConfirmInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSessionCustomConfirmResult"];
                };
            };
        };
    };
    serverProductDetail: {
        parameters: {
            query?: {
                /** @description The product's id. */
                id?: string;
                /** @description Id or code of the market; without one, prices are in the shop's currency. */
                market?: string;
                /** @description The product's slug. */
                slug?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerProductDetailResult"];
                };
            };
        };
    };
    serverProductDetailCatalog: {
        parameters: {
            query?: {
                /** @description The product's id. */
                id?: string;
                /** @description Id or code of the market; without one, prices are in the shop's currency. */
                market?: string;
                /** @description The product's slug. */
                slug?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerProductDetailCatalogResult"];
                };
            };
        };
    };
    serverProductListing: {
        parameters: {
            query?: {
                /** @description Records per page: 0 to 500, default 10. 0 only counts. */
                limit?: number;
                /** @description Id or code of the market; without one, prices are in the shop's currency. */
                market?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Fields to sort by, separated by commas; a leading minus sorts in descending order. Newest first by default. */
                sort?: string;
                /** @description Filter on Products: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See ProductWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerProductListingResult"];
                };
            };
        };
    };
    serverProductStockCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductStockCheckInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerProductStockCheckResult"];
                };
            };
        };
    };
    tenantDelete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantDeleteInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantDeleteResult"];
                };
            };
        };
    };
    tenantDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantDeletionResult"];
                };
            };
        };
    };
    tenantResume: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TenantResumeInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantResumeResult"];
                };
            };
        };
    };
    tenantSuspend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantSuspendInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantSuspendResult"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageResult"];
                };
            };
        };
    };
    userInvitationRevoke: {
        parameters: {
            query?: {
                /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
                expectedRevision?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserInvitationRevokeResult"];
                };
            };
        };
    };
    listAllUserPreferences: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description Records per page; 0 only counts. */
                limit?: number;
                /** @description Page number, from 1. */
                page?: number;
                /** @description false returns as many records as one response may have. */
                pagination?: boolean;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
                /**
                 * @description Fields to sort by, separated by commas; a leading minus sorts in descending order. Paths follow relations. Indexed fields: `id`, `createdAt`, `updatedAt`, `user`.
                 * @example -createdAt
                 */
                sort?: string;
                /** @description Filter on AllUserPreferences: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See UserPreferencesWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Responses to client keys, and single records, have an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPreferencesList"];
                };
            };
        };
    };
    getUserPreferences: {
        parameters: {
            query?: {
                /** @description Levels of relations to return as records instead of ids. */
                depth?: number;
                /** @description `populate[collection][field]=true`: select for the related records of a collection. */
                populate?: Record<string, unknown>;
                /** @description `select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required. */
                select?: Record<string, unknown>;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Responses to client keys, and single records, have an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPreferences"];
                };
            };
        };
    };
    countAllUserPreferences: {
        parameters: {
            query?: {
                /** @description Filter on AllUserPreferences: a JSON object, or the same structure in brackets, such as `where[id][equals]=…`. See UserPreferencesWhere. */
                where?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. Responses to client keys, and single records, have an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"];
                };
            };
        };
    };
    userEndSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UserEndSessionsInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserEndSessionsResult"];
                };
            };
        };
    };
    userSecondFactorReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UserSecondFactorResetInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSecondFactorResetResult"];
                };
            };
        };
    };
    userPasswordChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPasswordChangeInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasswordChangeResult"];
                };
            };
        };
    };
    usersForgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsersForgotPasswordInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersForgotPasswordResult"];
                };
            };
        };
    };
    usersLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsersLoginInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersLoginResult"];
                };
            };
        };
    };
    userPasskeyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPasskeyLoginInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasskeyLoginResult"];
                };
            };
        };
    };
    userLoginPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserLoginPasskeyOptionsInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLoginPasskeyOptionsResult"];
                };
            };
        };
    };
    userPasskeyLoginBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasskeyLoginBeginResult"];
                };
            };
        };
    };
    usersLoginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsersLoginSecondFactorInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersLoginSecondFactorResult"];
                };
            };
        };
    };
    usersLogout: {
        parameters: {
            query?: {
                /** @description End all sessions of the user. */
                allSessions?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersLogoutResult"];
                };
            };
        };
    };
    usersMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersMeResult"];
                };
            };
        };
    };
    userPreferencesShow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPreferencesShowResult"];
                };
            };
        };
    };
    userPreferencesChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPreferencesChangeInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPreferencesChangeResult"];
                };
            };
        };
    };
    userPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasskeysResult"];
                };
            };
        };
    };
    userPasskeyAdd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPasskeyAddInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasskeyAddResult"];
                };
            };
        };
    };
    userPasskeyRename: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPasskeyRenameInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasskeyRenameResult"];
                };
            };
        };
    };
    userPasskeyRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasskeyRemoveResult"];
                };
            };
        };
    };
    userPasskeyBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasskeyBeginResult"];
                };
            };
        };
    };
    userReauthenticate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UserReauthenticateInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserReauthenticateResult"];
                };
            };
        };
    };
    userReauthenticationBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserReauthenticationBeginResult"];
                };
            };
        };
    };
    userRecoveryCodesRenew: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecoveryCodesRenewResult"];
                };
            };
        };
    };
    usersRefreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersRefreshTokenResult"];
                };
            };
        };
    };
    usersResetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsersResetPasswordInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersResetPasswordResult"];
                };
            };
        };
    };
    userSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSecondFactorResult"];
                };
            };
        };
    };
    userSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionsResult"];
                };
            };
        };
    };
    userSessionEnd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionEndResult"];
                };
            };
        };
    };
    userSessionsEndOthers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionsEndOthersResult"];
                };
            };
        };
    };
    userTotpConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserTotpConfirmInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserTotpConfirmResult"];
                };
            };
        };
    };
    userTotpDisable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserTotpDisableInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserTotpDisableResult"];
                };
            };
        };
    };
    userTotpEnroll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserTotpEnrollResult"];
                };
            };
        };
    };
    webhookDeliveryRedeliver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookDeliveryRedeliverInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryRedeliverResult"];
                };
            };
        };
    };
    webhookEndpointCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointCreateInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointCreateResult"];
                };
            };
        };
    };
    webhookEndpointDelete: {
        parameters: {
            query?: {
                /** @description The revision of the record that the change is based on, as the header If-Match. Refused if it is not the present one. */
                expectedRevision?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointDeleteResult"];
                };
            };
        };
    };
    webhookEndpointReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointReplayInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointReplayResult"];
                };
            };
        };
    };
    webhookEndpointRotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRotateSecretInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointRotateSecretResult"];
                };
            };
        };
    };
    webhookEndpointTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointTestInput"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointTestResult"];
                };
            };
        };
    };
}

/** The collections, by slug: their records, what they take and what they answer. */
export interface Collections {
    "api-keys": {
        record: components["schemas"]["ApiKey"];
        list: components["schemas"]["ApiKeyList"];
        where: components["schemas"]["ApiKeyWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "brands": {
        record: components["schemas"]["Brand"];
        list: components["schemas"]["BrandList"];
        where: components["schemas"]["BrandWhere"];
        create: components["schemas"]["BrandCreate"];
        created: components["schemas"]["BrandWritten"];
        update: components["schemas"]["BrandUpdate"];
        updated: components["schemas"]["BrandWritten"];
        removed: components["schemas"]["BrandDeleted"];
        bulk: components["schemas"]["BrandBulk"];
        browser: true;
    };
    "carrier-batches": {
        record: components["schemas"]["CarrierBatch"];
        list: components["schemas"]["CarrierBatchList"];
        where: components["schemas"]["CarrierBatchWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "carts": {
        record: components["schemas"]["Cart"];
        list: components["schemas"]["CartList"];
        where: components["schemas"]["CartWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: true;
    };
    "categories": {
        record: components["schemas"]["Category"];
        list: components["schemas"]["CategoryList"];
        where: components["schemas"]["CategoryWhere"];
        create: components["schemas"]["CategoryCreate"];
        created: components["schemas"]["CategoryWritten"];
        update: components["schemas"]["CategoryUpdate"];
        updated: components["schemas"]["CategoryWritten"];
        removed: components["schemas"]["CategoryDeleted"];
        bulk: components["schemas"]["CategoryBulk"];
        browser: true;
    };
    "checkouts": {
        record: components["schemas"]["Checkout"];
        list: components["schemas"]["CheckoutList"];
        where: components["schemas"]["CheckoutWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: true;
    };
    "comments": {
        record: components["schemas"]["Comment"];
        list: components["schemas"]["CommentList"];
        where: components["schemas"]["CommentWhere"];
        create: components["schemas"]["CommentCreate"];
        created: components["schemas"]["CommentWritten"];
        update: components["schemas"]["CommentUpdate"];
        updated: components["schemas"]["CommentWritten"];
        removed: components["schemas"]["CommentDeleted"];
        bulk: components["schemas"]["CommentBulk"];
        browser: false;
    };
    "customers": {
        record: components["schemas"]["Customer"];
        list: components["schemas"]["CustomerList"];
        where: components["schemas"]["CustomerWhere"];
        create: components["schemas"]["CustomerCreate"];
        created: components["schemas"]["CustomerWritten"];
        update: components["schemas"]["CustomerUpdate"];
        updated: components["schemas"]["CustomerWritten"];
        removed: components["schemas"]["CustomerDeleted"];
        bulk: components["schemas"]["CustomerBulk"];
        browser: true;
    };
    "discounts": {
        record: components["schemas"]["Discount"];
        list: components["schemas"]["DiscountList"];
        where: components["schemas"]["DiscountWhere"];
        create: components["schemas"]["DiscountCreate"];
        created: components["schemas"]["DiscountWritten"];
        update: components["schemas"]["DiscountUpdate"];
        updated: components["schemas"]["DiscountWritten"];
        removed: components["schemas"]["DiscountDeleted"];
        bulk: components["schemas"]["DiscountBulk"];
        browser: false;
    };
    "disputes": {
        record: components["schemas"]["Dispute"];
        list: components["schemas"]["DisputeList"];
        where: components["schemas"]["DisputeWhere"];
        create: never;
        created: never;
        update: components["schemas"]["DisputeUpdate"];
        updated: components["schemas"]["DisputeWritten"];
        removed: never;
        bulk: components["schemas"]["DisputeBulk"];
        browser: false;
    };
    "draft-orders": {
        record: components["schemas"]["DraftOrder"];
        list: components["schemas"]["DraftOrderList"];
        where: components["schemas"]["DraftOrderWhere"];
        create: components["schemas"]["DraftOrderCreate"];
        created: components["schemas"]["DraftOrderWritten"];
        update: components["schemas"]["DraftOrderUpdate"];
        updated: components["schemas"]["DraftOrderWritten"];
        removed: never;
        bulk: components["schemas"]["DraftOrderBulk"];
        browser: false;
    };
    "exports": {
        record: components["schemas"]["Export"];
        list: components["schemas"]["ExportList"];
        where: components["schemas"]["ExportWhere"];
        create: components["schemas"]["ExportStartInput"];
        created: components["schemas"]["ExportStartResult"];
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "fulfillment-orders": {
        record: components["schemas"]["FulfillmentOrder"];
        list: components["schemas"]["FulfillmentOrderList"];
        where: components["schemas"]["FulfillmentOrderWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "fulfillments": {
        record: components["schemas"]["Fulfillment"];
        list: components["schemas"]["FulfillmentList"];
        where: components["schemas"]["FulfillmentWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "guest-erasures": {
        record: components["schemas"]["GuestErasure"];
        list: components["schemas"]["GuestErasureList"];
        where: components["schemas"]["GuestErasureWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "import-results": {
        record: components["schemas"]["ImportResult"];
        list: components["schemas"]["ImportResultList"];
        where: components["schemas"]["ImportResultWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "imports": {
        record: components["schemas"]["Import"];
        list: components["schemas"]["ImportList"];
        where: components["schemas"]["ImportWhere"];
        create: never;
        created: components["schemas"]["ImportStartResult"];
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "market-prices": {
        record: components["schemas"]["MarketPrice"];
        list: components["schemas"]["MarketPriceList"];
        where: components["schemas"]["MarketPriceWhere"];
        create: components["schemas"]["MarketPriceCreate"];
        created: components["schemas"]["MarketPriceWritten"];
        update: components["schemas"]["MarketPriceUpdate"];
        updated: components["schemas"]["MarketPriceWritten"];
        removed: components["schemas"]["MarketPriceDeleted"];
        bulk: components["schemas"]["MarketPriceBulk"];
        browser: true;
    };
    "markets": {
        record: components["schemas"]["Market"];
        list: components["schemas"]["MarketList"];
        where: components["schemas"]["MarketWhere"];
        create: components["schemas"]["MarketCreate"];
        created: components["schemas"]["MarketWritten"];
        update: components["schemas"]["MarketUpdate"];
        updated: components["schemas"]["MarketWritten"];
        removed: components["schemas"]["MarketDeleted"];
        bulk: components["schemas"]["MarketBulk"];
        browser: true;
    };
    "media": {
        record: components["schemas"]["Media"];
        list: components["schemas"]["MediaList"];
        where: components["schemas"]["MediaWhere"];
        create: components["schemas"]["MediaCreate"];
        created: components["schemas"]["MediaWritten"];
        update: components["schemas"]["MediaUpdate"];
        updated: components["schemas"]["MediaWritten"];
        removed: components["schemas"]["MediaDeleted"];
        bulk: components["schemas"]["MediaBulk"];
        browser: true;
    };
    "notifications": {
        record: components["schemas"]["Notification"];
        list: components["schemas"]["NotificationList"];
        where: components["schemas"]["NotificationWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "orders": {
        record: components["schemas"]["Order"];
        list: components["schemas"]["OrderList"];
        where: components["schemas"]["OrderWhere"];
        create: never;
        created: never;
        update: components["schemas"]["OrderUpdate"];
        updated: components["schemas"]["OrderWritten"];
        removed: never;
        bulk: components["schemas"]["OrderBulk"];
        browser: true;
    };
    "pages": {
        record: components["schemas"]["Page"];
        list: components["schemas"]["PageList"];
        where: components["schemas"]["PageWhere"];
        create: components["schemas"]["PageCreate"];
        created: components["schemas"]["PageWritten"];
        update: components["schemas"]["PageUpdate"];
        updated: components["schemas"]["PageWritten"];
        removed: components["schemas"]["PageDeleted"];
        bulk: components["schemas"]["PageBulk"];
        browser: true;
    };
    "payment-sessions": {
        record: components["schemas"]["PaymentSession"];
        list: components["schemas"]["PaymentSessionList"];
        where: components["schemas"]["PaymentSessionWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "posts": {
        record: components["schemas"]["Post"];
        list: components["schemas"]["PostList"];
        where: components["schemas"]["PostWhere"];
        create: components["schemas"]["PostCreate"];
        created: components["schemas"]["PostWritten"];
        update: components["schemas"]["PostUpdate"];
        updated: components["schemas"]["PostWritten"];
        removed: components["schemas"]["PostDeleted"];
        bulk: components["schemas"]["PostBulk"];
        browser: true;
    };
    "product-options": {
        record: components["schemas"]["ProductOption"];
        list: components["schemas"]["ProductOptionList"];
        where: components["schemas"]["ProductOptionWhere"];
        create: components["schemas"]["ProductOptionCreate"];
        created: components["schemas"]["ProductOptionWritten"];
        update: components["schemas"]["ProductOptionUpdate"];
        updated: components["schemas"]["ProductOptionWritten"];
        removed: components["schemas"]["ProductOptionDeleted"];
        bulk: components["schemas"]["ProductOptionBulk"];
        browser: true;
    };
    "product-variants": {
        record: components["schemas"]["ProductVariant"];
        list: components["schemas"]["ProductVariantList"];
        where: components["schemas"]["ProductVariantWhere"];
        create: components["schemas"]["ProductVariantCreate"];
        created: components["schemas"]["ProductVariantWritten"];
        update: components["schemas"]["ProductVariantUpdate"];
        updated: components["schemas"]["ProductVariantWritten"];
        removed: components["schemas"]["ProductVariantDeleted"];
        bulk: components["schemas"]["ProductVariantBulk"];
        browser: true;
    };
    "products": {
        record: components["schemas"]["Product"];
        list: components["schemas"]["ProductList"];
        where: components["schemas"]["ProductWhere"];
        create: components["schemas"]["ProductCreate"];
        created: components["schemas"]["ProductWritten"];
        update: components["schemas"]["ProductUpdate"];
        updated: components["schemas"]["ProductWritten"];
        removed: components["schemas"]["ProductDeleted"];
        bulk: components["schemas"]["ProductBulk"];
        browser: true;
    };
    "provider-connections": {
        record: components["schemas"]["ProviderConnection"];
        list: components["schemas"]["ProviderConnectionList"];
        where: components["schemas"]["ProviderConnectionWhere"];
        create: components["schemas"]["ProviderConnectionCreate"];
        created: components["schemas"]["ProviderConnectionWritten"];
        update: components["schemas"]["ProviderConnectionUpdate"];
        updated: components["schemas"]["ProviderConnectionWritten"];
        removed: components["schemas"]["ProviderConnectionDeleted"];
        bulk: components["schemas"]["ProviderConnectionBulk"];
        browser: false;
    };
    "return-requests": {
        record: components["schemas"]["ReturnRequest"];
        list: components["schemas"]["ReturnRequestList"];
        where: components["schemas"]["ReturnRequestWhere"];
        create: components["schemas"]["ReturnRequestCreateInput"];
        created: components["schemas"]["ReturnRequestCreateResult"];
        update: components["schemas"]["ReturnRequestUpdate"];
        updated: components["schemas"]["ReturnRequestWritten"];
        removed: never;
        bulk: components["schemas"]["ReturnRequestBulk"];
        browser: true;
    };
    "roles": {
        record: components["schemas"]["Role"];
        list: components["schemas"]["RoleList"];
        where: components["schemas"]["RoleWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "shipping-policies": {
        record: components["schemas"]["ShippingPolicy"];
        list: components["schemas"]["ShippingPolicyList"];
        where: components["schemas"]["ShippingPolicyWhere"];
        create: components["schemas"]["ShippingPolicyCreate"];
        created: components["schemas"]["ShippingPolicyWritten"];
        update: components["schemas"]["ShippingPolicyUpdate"];
        updated: components["schemas"]["ShippingPolicyWritten"];
        removed: components["schemas"]["ShippingPolicyDeleted"];
        bulk: components["schemas"]["ShippingPolicyBulk"];
        browser: true;
    };
    "shop-profiles": {
        record: components["schemas"]["ShopProfile"];
        list: components["schemas"]["ShopProfileList"];
        where: components["schemas"]["ShopProfileWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "stock-movements": {
        record: components["schemas"]["StockMovement"];
        list: components["schemas"]["StockMovementList"];
        where: components["schemas"]["StockMovementWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "tags": {
        record: components["schemas"]["Tag"];
        list: components["schemas"]["TagList"];
        where: components["schemas"]["TagWhere"];
        create: components["schemas"]["TagCreate"];
        created: components["schemas"]["TagWritten"];
        update: components["schemas"]["TagUpdate"];
        updated: components["schemas"]["TagWritten"];
        removed: components["schemas"]["TagDeleted"];
        bulk: components["schemas"]["TagBulk"];
        browser: true;
    };
    "tenants": {
        record: components["schemas"]["Tenant"];
        list: components["schemas"]["TenantList"];
        where: components["schemas"]["TenantWhere"];
        create: never;
        created: never;
        update: components["schemas"]["TenantUpdate"];
        updated: components["schemas"]["TenantWritten"];
        removed: never;
        bulk: components["schemas"]["TenantBulk"];
        browser: false;
    };
    "transactions": {
        record: components["schemas"]["Transaction"];
        list: components["schemas"]["TransactionList"];
        where: components["schemas"]["TransactionWhere"];
        create: never;
        created: never;
        update: components["schemas"]["TransactionUpdate"];
        updated: components["schemas"]["TransactionWritten"];
        removed: never;
        bulk: components["schemas"]["TransactionBulk"];
        browser: false;
    };
    "user-invitations": {
        record: components["schemas"]["UserInvitation"];
        list: components["schemas"]["UserInvitationList"];
        where: components["schemas"]["UserInvitationWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "users": {
        record: components["schemas"]["User"];
        list: components["schemas"]["UserList"];
        where: components["schemas"]["UserWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "videos": {
        record: components["schemas"]["Video"];
        list: components["schemas"]["VideoList"];
        where: components["schemas"]["VideoWhere"];
        create: components["schemas"]["VideoCreate"];
        created: components["schemas"]["VideoWritten"];
        update: components["schemas"]["VideoUpdate"];
        updated: components["schemas"]["VideoWritten"];
        removed: components["schemas"]["VideoDeleted"];
        bulk: components["schemas"]["VideoBulk"];
        browser: true;
    };
    "webhook-deliveries": {
        record: components["schemas"]["WebhookDelivery"];
        list: components["schemas"]["WebhookDeliveryList"];
        where: components["schemas"]["WebhookDeliveryWhere"];
        create: never;
        created: never;
        update: never;
        updated: never;
        removed: never;
        bulk: never;
        browser: false;
    };
    "webhook-endpoints": {
        record: components["schemas"]["WebhookEndpoint"];
        list: components["schemas"]["WebhookEndpointList"];
        where: components["schemas"]["WebhookEndpointWhere"];
        create: components["schemas"]["WebhookEndpointCreateInput"];
        created: components["schemas"]["WebhookEndpointCreateResult"];
        update: components["schemas"]["WebhookEndpointUpdate"];
        updated: components["schemas"]["WebhookEndpointWritten"];
        removed: components["schemas"]["WebhookEndpointDeleteResult"];
        bulk: components["schemas"]["WebhookEndpointBulk"];
        browser: false;
    };
}

/** The operations of the shop's people, by method and path. */
export interface Routes {
    "POST /api/api-keys": "apiKeyCreate";
    "DELETE /api/api-keys/{id}": "apiKeysDelete";
    "POST /api/api-keys/{id}/revoke": "apiKeyRevoke";
    "POST /api/api-keys/{id}/rotate": "apiKeyRotate";
    "GET /api/background-failures": "backgroundFailures";
    "POST /api/customers/{id}/end-sessions": "customerEndSessions";
    "POST /api/customers/{id}/erase": "customerErase";
    "GET /api/customers/{id}/erasure": "customerErasure";
    "GET /api/customers/{id}/export": "customersExport";
    "POST /api/customers/{id}/merge": "customerMerge";
    "POST /api/draft-orders/{id}/calculate": "draftOrderCalculate";
    "POST /api/draft-orders/{id}/discard": "draftOrderDiscard";
    "POST /api/draft-orders/{id}/finalize": "draftOrderFinalize";
    "POST /api/draft-orders/{id}/payment-link": "draftOrderPaymentLink";
    "POST /api/draft-orders/{id}/payment-link/revoke": "draftOrderPaymentLinkRevoke";
    "GET /api/events": "events";
    "POST /api/exports": "exportStart";
    "POST /api/exports/{id}/cancel": "exportCancel";
    "POST /api/fulfillment-orders/{id}/complete": "fulfillmentOrderComplete";
    "POST /api/fulfillment-orders/{id}/fulfillments": "fulfillmentCreate";
    "POST /api/fulfillments/carrier-batches": "carrierBatchCreate";
    "POST /api/fulfillments/carrier-batches/{batch}/release": "carrierBatchRelease";
    "GET /api/fulfillments/carrier-batches/{id}": "carrierBatchProgress";
    "POST /api/fulfillments/carrier-file": "fulfillmentsImportCarrierFile";
    "POST /api/fulfillments/{id}/cancel": "fulfillmentCancel";
    "POST /api/fulfillments/{id}/deliver": "fulfillmentDeliver";
    "POST /api/fulfillments/{id}/ship": "fulfillmentShip";
    "POST /api/fulfillments/{id}/tracking": "fulfillmentTrack";
    "POST /api/graphql": "graphqlAnswer";
    "POST /api/guest-erasures/begin": "guestErase";
    "POST /api/guest-erasures/preview": "guestErasurePreview";
    "POST /api/imports": "importStart";
    "POST /api/imports/{id}/cancel": "importCancel";
    "GET /api/imports/{id}/rows": "importRows";
    "GET /api/invitations/{token}": "invitation";
    "POST /api/invitations/{token}/accept": "invitationsAccept";
    "GET /api/media": "listallMedia";
    "GET /api/media/count": "countallMedia";
    "POST /api/orders/import": "ordersImport";
    "POST /api/orders/{id}/cancel": "orderCancel";
    "POST /api/orders/{id}/cancel-lines": "orderCancelLines";
    "POST /api/orders/{id}/capture": "orderCapture";
    "POST /api/orders/{id}/correct": "orderCorrect";
    "POST /api/orders/{id}/refund": "orderRefund";
    "GET /api/orders/{id}/returnable": "orderReturnable";
    "POST /api/orders/{id}/transitions": "orderTransition";
    "GET /api/payment-providers": "paymentProviders";
    "GET /api/payment-sessions/aggregator/find": "operatorPaymentSessionFindAggregator";
    "POST /api/payment-sessions/aggregator/reconcile": "operatorPaymentSessionReconcileAggregator";
    "GET /api/payment-sessions/custom": "operatorPaymentSessionCustomRetrieve";
    "POST /api/payment-sessions/custom/confirm": "operatorPaymentSessionCustomConfirm";
    "POST /api/payment-sessions/{id}/cancel": "operatorPaymentSessionCancel";
    "POST /api/payment-sessions/{id}/release": "operatorPaymentSessionRelease";
    "POST /api/payment-sessions/{id}/resolve": "operatorPaymentSessionResolve";
    "GET /api/permissions": "permissions";
    "POST /api/product-variants/{id}/stock": "productVariantStock";
    "POST /api/products/complete": "productCreateComplete";
    "POST /api/products/prices/adjust": "productAdjustPrices";
    "GET /api/products/{id}/complete": "productComplete";
    "PUT /api/products/{id}/complete": "productReplaceComplete";
    "POST /api/products/{id}/duplicate": "productDuplicate";
    "GET /api/reports/settlement": "reportSettlement";
    "GET /api/reports/summary": "reportSummary";
    "POST /api/return-requests": "returnRequestCreate";
    "POST /api/return-requests/preview": "returnRequestPreview";
    "POST /api/return-requests/{id}/approve": "returnRequestApprove";
    "POST /api/return-requests/{id}/cancel": "returnRequestCancel";
    "POST /api/return-requests/{id}/receive": "returnRequestReceive";
    "POST /api/return-requests/{id}/refund": "returnRequestRefund";
    "POST /api/return-requests/{id}/reject": "returnRequestReject";
    "GET /api/saved-views": "listSavedViews";
    "POST /api/saved-views": "createSavedView";
    "PATCH /api/saved-views": "updateManySavedViews";
    "DELETE /api/saved-views": "deleteManySavedViews";
    "GET /api/saved-views/count": "countSavedViews";
    "GET /api/saved-views/{id}": "getSavedView";
    "PATCH /api/saved-views/{id}": "updateSavedView";
    "DELETE /api/saved-views/{id}": "deleteSavedView";
    "GET /api/schemas": "schemas";
    "GET /api/search": "search";
    "POST /api/tenants/{id}/delete": "tenantDelete";
    "GET /api/tenants/{id}/deletion": "tenantDeletion";
    "POST /api/tenants/{id}/resume": "tenantResume";
    "POST /api/tenants/{id}/suspend": "tenantSuspend";
    "GET /api/usage": "usage";
    "DELETE /api/user-invitations/{id}": "userInvitationRevoke";
    "GET /api/user-preferences": "listAllUserPreferences";
    "GET /api/user-preferences/count": "countAllUserPreferences";
    "GET /api/user-preferences/{id}": "getUserPreferences";
    "POST /api/users/change-password": "userPasswordChange";
    "POST /api/users/forgot-password": "usersForgotPassword";
    "POST /api/users/login": "usersLogin";
    "POST /api/users/login/passkey": "userPasskeyLogin";
    "POST /api/users/login/passkey-options": "userLoginPasskeyOptions";
    "POST /api/users/login/passkey/begin": "userPasskeyLoginBegin";
    "POST /api/users/login/second-factor": "usersLoginSecondFactor";
    "POST /api/users/logout": "usersLogout";
    "GET /api/users/me": "usersMe";
    "GET /api/users/me/preferences": "userPreferencesShow";
    "PATCH /api/users/me/preferences": "userPreferencesChange";
    "GET /api/users/passkeys": "userPasskeys";
    "POST /api/users/passkeys": "userPasskeyAdd";
    "POST /api/users/passkeys/begin": "userPasskeyBegin";
    "PATCH /api/users/passkeys/{passkey}": "userPasskeyRename";
    "POST /api/users/passkeys/{passkey}/remove": "userPasskeyRemove";
    "POST /api/users/reauthenticate": "userReauthenticate";
    "POST /api/users/reauthenticate/begin": "userReauthenticationBegin";
    "POST /api/users/recovery-codes": "userRecoveryCodesRenew";
    "POST /api/users/refresh-token": "usersRefreshToken";
    "POST /api/users/reset-password": "usersResetPassword";
    "GET /api/users/second-factor": "userSecondFactor";
    "GET /api/users/sessions": "userSessions";
    "POST /api/users/sessions/end-others": "userSessionsEndOthers";
    "DELETE /api/users/sessions/{session}": "userSessionEnd";
    "POST /api/users/totp/confirm": "userTotpConfirm";
    "POST /api/users/totp/disable": "userTotpDisable";
    "POST /api/users/totp/enroll": "userTotpEnroll";
    "POST /api/users/{id}/end-sessions": "userEndSessions";
    "POST /api/users/{id}/reset-second-factor": "userSecondFactorReset";
    "POST /api/webhook-deliveries/{id}/redeliver": "webhookDeliveryRedeliver";
    "POST /api/webhook-endpoints": "webhookEndpointCreate";
    "DELETE /api/webhook-endpoints/{id}": "webhookEndpointDelete";
    "POST /api/webhook-endpoints/{id}/replay": "webhookEndpointReplay";
    "POST /api/webhook-endpoints/{id}/rotate-secret": "webhookEndpointRotateSecret";
    "POST /api/webhook-endpoints/{id}/test": "webhookEndpointTest";
    "POST /api/{collection}/bulk": "bulkUpdate";
    "GET /api/{collection}/{id}/timeline": "timeline";
}
