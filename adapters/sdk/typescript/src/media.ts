import { createCommerceIdempotencyKey } from './key.js';
import type { MutationOptions } from './pending.js';
import type { Send } from './transport.js';
import type { Upload } from './types.js';

/**
 * uploader sends files to the media collection. The same key goes with every try, so that none is stored twice; but a file
 * is no text that could be written down, and so an upload that is given up is not among the pending operations.
 */
export function uploader(send: Send, credentials: Record<string, string>) {
  return ({ file, filename, ...fields }: Upload, options: MutationOptions = {}) => {
    const { signal, timeout, idempotencyKey = createCommerceIdempotencyKey() } = options;
    const body = new FormData();
    body.append('_payload', JSON.stringify(fields));
    if (filename === undefined) body.append('file', file);
    else body.append('file', file, filename);
    const headers = { ...credentials, Accept: 'application/json', 'Idempotency-Key': idempotencyKey };
    return send({ method: 'POST', path: '/api/media', body, headers }, { signal, timeout, repeat: true });
  };
}
