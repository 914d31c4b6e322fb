const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A fresh idempotency key: `ik_` and 32 letters or digits from the platform's secure source. One logical operation has
 * one key; it is kept and used again until the outcome is known. Rule idempotency-1.
 */
export function createCommerceIdempotencyKey(): string {
  let key = 'ik_';
  while (key.length < 35) {
    for (const byte of crypto.getRandomValues(new Uint8Array(40))) {
      // 248 is the last multiple of 62: what lies above would make the first letters likelier.
      if (byte < 248 && key.length < 35) key += letters[byte % 62];
    }
  }
  return key;
}
