// Compares the words of the console with the code that says them, and prints which are missing, which nothing uses, and what
// differs between the languages: `node scripts/words.mjs`. Words for roles are checked by words-of-schema.mjs.
import { readFileSync, readdirSync } from 'node:fs';
import { ofSchema } from './numbers.mjs';

const files = new URL('../files/', import.meta.url);
const problems = [];

/** words imports a file of words, which is a module for browsers. */
async function words(name) {
  const text = readFileSync(new URL(`words/${name}`, files), 'utf8');
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
}

/** valuesIn are the names of the values that a word has in braces. */
const valuesIn = (word) => [...new Set(JSON.stringify(word).match(/{\w+}/g) ?? [])].sort().join();

const code = readdirSync(files, { recursive: true })
  .filter((name) => name.endsWith('.js') && !/^(vendor|words)\//.test(name))
  .map((name) => readFileSync(new URL(name, files), 'utf8'))
  .join('\n');
const names = readdirSync(new URL('words/', files));
const areas = [...new Set(names.map((name) => name.split('.')[0]))].filter((area) => !ofSchema.includes(area));

for (const area of areas) {
  const [english, korean] = await Promise.all([words(`${area}.en.js`), words(`${area}.ko.js`)]);
  for (const [name, word] of Object.entries(english)) {
    if (!(name in korean)) problems.push(`${area}.ko: missing ${name}`);
    else if (valuesIn(word) !== valuesIn(korean[name]) && typeof word === 'string') problems.push(`${area}.ko: ${name} has other values than in English`);
    if (typeof word !== 'string' && !(word.one && word.other)) problems.push(`${area}.en: ${name} is neither a text nor one and other`);
  }
  for (const [name, word] of Object.entries(korean)) {
    if (!(name in english)) problems.push(`${area}.en: missing ${name}`);
    if (typeof word !== 'string') problems.push(`${area}.ko: ${name} is no text`);
    else if (!/[가-힣]/.test(word) && word !== english[name]) problems.push(`${area}.ko: ${name} is not Korean`);
  }
  const said = new Set([...code.matchAll(new RegExp(`['\`]${area}\\.([\\w-]+)['\`]`, 'g'))].map((m) => m[1]));
  const begun = [...new Set([...code.matchAll(new RegExp(`\`${area}\\.([\\w-]*)\\$\\{`, 'g'))].map((m) => m[1]))];
  for (const name of said) if (!(name in english)) problems.push(`${area}: nothing is said by ${name}`);
  for (const name of Object.keys(english)) {
    if (!said.has(name) && !begun.some((start) => name.startsWith(start))) problems.push(`${area}: nothing uses ${name}`);
  }
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
