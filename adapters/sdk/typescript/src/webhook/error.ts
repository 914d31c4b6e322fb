/**
 * Why a delivery was not accepted. `webhook_secret_invalid` is a mistake of ours, not of the sender: the secret is not one.
 */
export type WebhookVerificationReason =
  | 'webhook_secret_invalid'
  | 'webhook_headers_missing'
  | 'webhook_timestamp_invalid'
  | 'webhook_timestamp_out_of_tolerance'
  | 'webhook_signature_mismatch'
  | 'webhook_payload_invalid';

const sentences: Record<WebhookVerificationReason, string> = {
  webhook_secret_invalid: 'A webhook secret is whsec_ and the base64 of 24 to 64 bytes; this is none.',
  webhook_headers_missing: 'The request has no webhook-id, webhook-timestamp or webhook-signature.',
  webhook_timestamp_invalid: 'The webhook-timestamp is no time.',
  webhook_timestamp_out_of_tolerance: 'The delivery was signed too long ago, or in the future; is the clock right?',
  webhook_signature_mismatch: 'No signature of the delivery was made with this secret, over these bytes.',
  webhook_payload_invalid: 'The delivery is signed, and its body is no event.',
};

/** WebhookVerificationError says that a delivery is not to be trusted. It repeats nothing of it, and never the secret. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  /** What is wrong, for programs. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason) {
    super(sentences[reason]);
    this.reason = reason;
  }
}
