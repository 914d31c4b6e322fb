// Prints what the files of dist/ weigh, compressed, and what a reader of each language gets in all: `node scripts/sizes.mjs`. No page
// loads LICENSES.txt, so it is not part of that.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const weightOf = (name, body) => (name.endsWith('.gz') ? body : gzipSync(body, { level: 9 })).length;
const sizes = readdirSync(dist).map((name) => ({ name, bytes: weightOf(name, readFileSync(new URL(name, dist))) }));
for (const { name, bytes } of sizes.sort((a, b) => b.bytes - a.bytes)) console.log(String(bytes).padStart(7), name);
for (const language of ['en', 'ko']) {
  const read = sizes.filter(({ name }) => name !== 'LICENSES.txt' && (!/\.(en|ko)-/.test(name) || name.includes(`.${language}-`)));
  console.log(String(read.reduce((sum, { bytes }) => sum + bytes, 0)).padStart(7), `in all, ${language}`);
}
