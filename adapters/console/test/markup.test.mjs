import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

// The policy of the page has the browser throw where text is parsed that nothing vouches for.
test('no text is parsed as markup that is not vouched for', () => {
  const root = new URL('../files/', import.meta.url);
  for (const file of readdirSync(root, { recursive: true }).filter((name) => /^(base|parts|screens|shell).*\.js$/.test(name))) {
    const text = readFileSync(new URL(file, root), 'utf8');
    assert.doesNotMatch(text, /parseFromString\((?!trusted\()|\.(innerHTML|outerHTML|srcdoc) = |insertAdjacentHTML/, file);
  }
});
