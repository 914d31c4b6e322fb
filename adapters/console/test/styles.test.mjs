import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../files/styles/', import.meta.url);

/** The classes that a file says something about by themselves, as `.card {` does and `.card .sum {` does not. */
function classesOf(text) {
  return [...text.matchAll(/^\.([\w-]+)(?: \{|,)$/gm)].map(([, name]) => name);
}

// All files are one style sheet in the end.
test('a class belongs to one file of styles', () => {
  const homes = new Map();
  for (const file of readdirSync(folder)) {
    for (const name of new Set(classesOf(readFileSync(new URL(file, folder), 'utf8')))) homes.set(name, [...(homes.get(name) ?? []), file]);
  }
  assert.ok(homes.size > 100);
  assert.deepEqual([...homes].filter(([, files]) => files.length > 1), []);
});

test('classes are those that stand alone', () => {
  assert.deepEqual(classesOf('.a,\n.b {\n  c: d;\n}\n.c .d {\n}\n  .e {'), ['a', 'b']);
});
