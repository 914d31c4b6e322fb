// A page that can be closed: run as a worker it adds an item to a cart, and is gone when it is terminated, with all that it
// knew but for its stores.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';
import { createClient } from '@cartwright/sdk';

/** folderStore keeps each value in a file. */
export function folderStore(folder) {
  const file = (key) => join(folder, encodeURIComponent(key));
  return {
    get: (key) => (readdirSync(folder).includes(encodeURIComponent(key)) ? readFileSync(file(key), 'utf8') : null),
    set: (key, value) => writeFileSync(file(key), value),
    remove: (key) => rmSync(file(key), { force: true }),
    keys: (prefix) => readdirSync(folder).map(decodeURIComponent).filter((key) => key.startsWith(prefix)),
  };
}

if (!isMainThread) {
  const { folder, config, input } = workerData;
  const client = createClient({ ...config, storage: folderStore(folder), pending: folderStore(folder) });
  await client.commerce.carts.addItem(input);
}
