import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A bundle of an entry, as a shop's page or worker gets it. */
async function bundle(entry, options = {}) {
  const stdin = { contents: `import * as sdk from '${entry}'; globalThis.sdk = sdk;`, resolveDir: root };
  const { outputFiles } = await build({
    stdin, bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, logLevel: 'silent', legalComments: 'none', ...options,
  });
  return outputFiles[0].text;
}

/** The conditions that Vite resolves a page's imports with. */
const vite = { conditions: ['module', 'browser', 'production', 'import', 'default'] };

test('the root entry stays below 12 kB', async () => {
  const size = gzipSync(await bundle('@cartwright/sdk'), { level: 9 }).length;
  console.log(`root entry: ${size} bytes with gzip`);
  assert.ok(size < 12_000, `${size} bytes`);
});

test('the root entry has nothing that only a server may do', async () => {
  const text = await bundle('@cartwright/sdk');
  for (const word of ['/server/', 'payment-sessions/custom', 'reconcile', 'return-requests', 'draft-orders', 'sk_']) {
    assert.ok(!text.includes(word), word);
  }
  assert.ok(text.includes('/payment-sessions/aggregator'), 'the test reads the right text');
});

for (const entry of ['server', 'webhook']) {
  test(`the ${entry} entry cannot be put into a page`, async () => {
    for (const options of [{}, vite, { platform: 'browser', mainFields: ['browser', 'module'] }]) {
      await assert.rejects(bundle(`@cartwright/sdk/${entry}`, options), /Could not resolve/);
    }
  });

  test(`the ${entry} entry can be put on a server, also one at the edge`, async () => {
    const places = [{ platform: 'node' }, { conditions: ['workerd', 'worker', 'browser'] }, { conditions: ['edge-light', 'browser'] }, { conditions: ['deno'] }];
    for (const options of places) assert.ok((await bundle(`@cartwright/sdk/${entry}`, options)).length > 1000);
  });
}
