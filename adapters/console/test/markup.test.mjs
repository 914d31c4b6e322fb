import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

// The policy of the page has the browser throw where text is parsed that nothing vouches for.
const root = new URL('../files/', import.meta.url);
const sources = readdirSync(root, { recursive: true }).filter((name) => /^(base|parts|screens|shell).*\.js$/.test(name))
  .map((file) => [file, readFileSync(new URL(file, root), 'utf8')]);

test('no text is parsed as markup that is not vouched for', () => {
  for (const [file, text] of sources) {
    assert.doesNotMatch(text, /parseFromString\((?!trusted\()|\.(innerHTML|outerHTML|srcdoc) = |insertAdjacentHTML/, file);
  }
});

// Screen readers tell what changes in a part of the page that they know: one that comes with its content is told by few.
test('what is told as it comes is told in a part that was there before', () => {
  for (const [file, text] of sources) assert.doesNotMatch(text, /&&\s*html`<[^>]*? (aria-live="|role="status")/, file);
});
