// Prints what the files of dist/ weigh as browsers get them, by brotli and by gzip, and what a reader of each language gets in all:
// `node scripts/sizes.mjs`. The server completes index.html, and so compresses it by gzip alone. No page loads LICENSES.txt, so it is not
// part of that.
import { readFileSync, readdirSync } from 'node:fs';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const sizes = readdirSync(dist).map((file) => {
  const body = readFileSync(new URL(file, dist));
  const isPacked = file.endsWith('.br');
  const gz = gzipSync(isPacked ? brotliDecompressSync(body) : body, { level: 9 }).length;
  return { name: file.replace(/\.br$/, ''), br: isPacked ? body.length : gz, gz };
});
const line = (br, gz, name) => console.log(String(br).padStart(7), String(gz).padStart(7), name);
line('br', 'gz', '');
for (const { name, br, gz } of sizes.sort((a, b) => b.br - a.br)) line(br, gz, name);
for (const language of ['en', 'ko']) {
  const read = sizes.filter(({ name }) => name !== 'LICENSES.txt' && (!/\.(en|ko)-/.test(name) || name.includes(`.${language}-`)));
  const sum = (of) => read.reduce((all, one) => all + one[of], 0);
  line(sum('br'), sum('gz'), `in all, ${language}`);
}
