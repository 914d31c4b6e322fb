// Compares the words of the example storefront with the code that says them, and prints which are missing, which nothing uses, and
// what differs between the languages: `node scripts/words.mjs`.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../example/', import.meta.url);
const problems = [];

/** What a language is written with. */
const signs = { ko: /[가-힣]/, ja: /[ぁ-んァ-ヶ一-龠]/ };

/** words imports a file of words, which is a module for browsers. */
async function words(language) {
  const text = readFileSync(new URL(`words.${language}.js`, folder), 'utf8');
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
}

/** forms are the texts of a word: one, or those for one and for other numbers. */
const forms = (word) => (typeof word === 'string' ? [word] : Object.values(word));

/** valuesIn are the names of the values that a word has in braces. */
const valuesIn = (word) => [...new Set(forms(word).join().match(/{\w+}/g) ?? [])].sort().join();

const code = readdirSync(folder)
  .filter((name) => name.endsWith('.js') && !/^(words\.\w+|cartwright-sdk)\.js$/.test(name))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');
const english = await words('en');

const said = new Set([...code.matchAll(/'([a-z]+\.(?!json)[\w-]+)'/g)].map(([, name]) => name));
const begun = [...code.matchAll(/`([a-z]+\.)\${/g)].map(([, start]) => start);
const areas = new Set(Object.keys(english).map((name) => name.split('.')[0]));
for (const name of said) if (areas.has(name.split('.')[0]) && !(name in english)) problems.push(`en: nothing is said by ${name}`);
for (const [name, word] of Object.entries(english)) {
  if (!said.has(name) && !begun.some((start) => name.startsWith(start))) problems.push(`en: nothing uses ${name}`);
  if (typeof word !== 'string' && Object.keys(word).join() !== 'one,other') problems.push(`en: ${name} is neither a text nor one and other`);
}
for (const [language, sign] of Object.entries(signs)) {
  const translated = await words(language);
  for (const [name, word] of Object.entries(english)) {
    const own = translated[name];
    if (own === undefined) problems.push(`${language}: missing ${name}`);
    else if (typeof own !== 'string') problems.push(`${language}: ${name} is no text`);
    else if (valuesIn(own) !== valuesIn(word)) problems.push(`${language}: ${name} has other values than in English`);
    else if (!sign.test(own) && own !== word) problems.push(`${language}: ${name} is not in its language`);
  }
  for (const name of Object.keys(translated)) if (!(name in english)) problems.push(`${language}: nothing says ${name} in English`);
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
