import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

test('every class that has a style is said by the code', () => {
  const root = new URL('../files/', import.meta.url);
  const read = (name) => readFileSync(new URL(name, root), 'utf8');
  const code = readdirSync(root, { recursive: true }).filter((name) => /^(parts|screens|shell).*\.js$/.test(name)).map(read);
  const said = new Set(code.flatMap((text) => text.split(/[^\w-]+/)));
  // Some are put together, such as `block-${kind}`.
  const begun = code.flatMap((text) => [...text.matchAll(/[\w-]+-(?=\$\{)/g)].map(([start]) => start));
  for (const name of readdirSync(new URL('styles/', root))) {
    const rules = read(`styles/${name}`).replace(/\/\*[^]*?\*\//g, '');
    for (const [, one] of rules.matchAll(/\.([a-z][\w-]*)/gi)) {
      assert.ok(said.has(one) || begun.some((start) => one.startsWith(start)), `nothing has the class ${one} of ${name}`);
    }
  }
});
