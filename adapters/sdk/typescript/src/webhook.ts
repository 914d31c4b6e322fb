/**
 * Deliveries of events: checked, typed by collection, and answered so that what failed is delivered again. For servers and
 * workers; it needs WebCrypto and nothing else.
 *
 * @module
 */
export { changed, changes, WEBHOOK_OPERATIONS } from './webhook/event.js';
export type {
  Change,
  Changes,
  WebhookCollection,
  WebhookCreate,
  WebhookDelete,
  WebhookEvent,
  WebhookOperation,
  WebhookUpdate,
} from './webhook/event.js';
export { WebhookVerificationError } from './webhook/error.js';
export type { WebhookVerificationReason } from './webhook/error.js';
export { DEFAULT_TOLERANCE, verify } from './webhook/verify.js';
export type { VerifyOptions, WebhookHeaders, WebhookSecrets } from './webhook/verify.js';
export { MAX_DELIVERY_BYTES, webhook } from './webhook/handler.js';
export type { CollectionHandlers, EventHandler, WebhookHandlers, WebhookOptions } from './webhook/handler.js';
export { nodeHandler } from './webhook/node.js';
export type { NodeHandler, NodeRequest, NodeResponse } from './webhook/node.js';
