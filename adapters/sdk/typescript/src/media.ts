import { createCommerceIdempotencyKey } from './key.js';
import type { MutationOptions } from './pending.js';
import type { Send } from './transport.js';

/** A file with what is said of it. */
interface Sent {
  file: Blob;
  filename?: string;
}

/**
 * uploader sends files to where they are stored. The same key goes with every try, so that none is stored twice; but a file
 * is no text that could be written down, and so an upload that is given up is not among the pending operations.
 */
export function uploader(send: Send, credentials: () => Record<string, string>, path: string) {
  return ({ file, filename, ...fields }: Sent, options: MutationOptions = {}) => {
    const { signal, timeout, idempotencyKey = createCommerceIdempotencyKey() } = options;
    const body = new FormData();
    // Operations that take the file alone refuse other members; a record comes with its own, however few.
    if (path === '/api/media' || Object.keys(fields).length > 0) body.append('_payload', JSON.stringify(fields));
    if (filename === undefined) body.append('file', file);
    else body.append('file', file, filename);
    const headers = { ...credentials(), Accept: 'application/json', 'Idempotency-Key': idempotencyKey };
    return send({ method: 'POST', path, body, headers }, { signal, timeout, repeat: true });
  };
}
