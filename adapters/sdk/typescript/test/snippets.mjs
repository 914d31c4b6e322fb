// The code in the README.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** root is the package. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const text = readFileSync(join(root, 'README.md'), 'utf8');

/** sections are the blocks of code by the heading of level two above them. */
export const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title] = part.split('\n', 1);
      return [title, [...part.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, code]) => ({ language, code }))];
    }),
);

/** moduleOf is all that a section says in JavaScript. */
export function moduleOf(title) {
  const blocks = sections.get(title).filter((b) => b.language === 'js');
  return blocks.map((b) => b.code).join('\n');
}

/** fileOf is what the module of a section is called. */
export const fileOf = (title) => `${title.toLowerCase().replace(/\W+/g, '-')}.mjs`;
