import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { icons } from '../files/vendor/icons.js';

test('every icon that is named is there', () => {
  const root = new URL('../files/', import.meta.url);
  const files = readdirSync(root, { recursive: true }).filter((name) => /^(parts|screens|shell).*\.js$/.test(name));
  const named = /\bicon(?:=|: )["']([\w-]+)["']|<\$\{Icon\} name="([\w-]+)"|\brecords\('[\w-]+', '([\w-]+)'\)/g;
  for (const file of files) {
    for (const [, ...names] of readFileSync(new URL(file, root), 'utf8').matchAll(named)) {
      const name = names.find(Boolean);
      assert.ok(icons[name], `${file} shows ${name}`);
    }
  }
});
