// Compares the labels and the help of the server, app/words, and the console's own words for roles with what the API
// has, and prints which are missing and which nothing uses:
//
//   node scripts/words-of-schema.mjs OPENAPI.json
//
// A field's word is that of 'slug.path', as 'orders.lines.quantity', else that of its name, 'quantity'. An option's is that of
// 'slug.path.value', else that of its value. English has words only where the humanized name is not good English, so none
// is missing there, apart from those of collections and the help in place of descriptions that are for programs.
import { readFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);
const problems = [];

if (process.argv.length !== 3) {
  console.error('usage: node words-of-schema.mjs OPENAPI.json');
  process.exit(2);
}
const api = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// words imports a file of words. It is a module for browsers, which Node takes for one only when it comes as such.
async function words(name) {
  const text = readFileSync(new URL(`../files/words/${name}.js`, here), 'utf8');
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
}

// compare reports what is wanted and not there, and what is there and not wanted.
function compare(name, there, wanted, used = wanted) {
  for (const key of new Set(wanted)) if (!(key in there)) problems.push(`${name}: missing ${key}`);
  for (const key of Object.keys(there)) if (!used.includes(key)) problems.push(`${name}: unused ${key}`);
  for (const [key, value] of Object.entries(there)) {
    const texts = typeof value === 'string' ? [value] : Object.values(value);
    if (texts.some((text) => typeof text !== 'string' || text.trim() === '')) problems.push(`${name}: empty ${key}`);
  }
}

// catalog reads a catalog of the server: a line `name = words` for each name.
function catalog(name) {
  const text = readFileSync(new URL(`../../../app/words/${name}.txt`, here), 'utf8');
  return Object.fromEntries(text.trimEnd().split('\n').map((line) => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3)]));
}

// keysOf are the words that these places have: the one of the longest end of the path that has one, as 'seo.title' of
// 'products.seo.title', else the one of the last part. A word of a path that says what the last part's does is not used.
function keysOf(there, places) {
  const ends = ([path]) => path.split('.').map((_, i, parts) => parts.slice(i).join('.'));
  return [...new Set(places.map((place) => ends(place).find((end) => there[end] !== undefined && there[end] !== there[place[1]]) ?? place[1]))];
}

// schemaIn is the schema that an object of the document refers to first, or that of a list's records.
function schemaIn(object) {
  const name = JSON.stringify(object ?? null).match(/#\/components\/schemas\/(\w+)/)?.[1];
  return name && { name, ...api.components.schemas[name] };
}

// fieldsOf lists [path, schema] of all fields of a schema, also of those in groups and lists. Of references it follows those to groups with a
// name, as addresses: the others lead to records of other collections.
function fieldsOf(schema, before = '') {
  const group = (part) => {
    const to = part.$ref && api.components.schemas[part.$ref.split('/').at(-1)];
    return to && !('id' in to.properties) ? to : part;
  };
  const inside = (reference, path, part = group(reference)) => [
    ...Object.entries(part.properties ?? {}).flatMap(([name, field]) => [[path + name, field], ...inside(field, `${path}${name}.`)]),
    ...(part.items ? inside(part.items, path) : []),
    ...[...(part.anyOf ?? []), ...(part.oneOf ?? [])].flatMap((other) => inside(other, path)),
  ];
  return inside(schema, before);
}

// optionsOf are the values of a select, or of a list of selects.
function optionsOf(field) {
  const parts = [...(field.anyOf ?? []), ...(field.oneOf ?? []), ...(field.items ? [field.items] : [])];
  return [...(field.enum ?? []), ...parts.flatMap(optionsOf)].filter((value) => value !== null);
}

const isReadOnly = (field) => field.description?.includes('Read-only: it may be sent back as it was read.');
const lastOf = (path) => path.slice(path.lastIndexOf('.') + 1);
const slugs = Object.keys(api.paths).filter((path) => `${path}/count` in api.paths).map((path) => path.slice('/api/'.length));

const fields = []; // ['orders.lines.quantity', 'quantity']
const options = []; // ['orders.status.paid', 'paid']
const written = []; // as fields
for (const slug of slugs) {
  const path = `/api/${slug}`;
  const list = schemaIn(Object.values(api.paths[path].get.responses)[0]);
  const inputs = [schemaIn(api.paths[path].post?.requestBody), schemaIn(api.paths[`${path}/{id}`]?.patch?.requestBody)];
  const all = [schemaIn(list.properties.docs), ...inputs].filter(Boolean);
  for (const [at, field] of all.flatMap((schema) => fieldsOf(schema))) {
    fields.push([`${slug}.${at}`, lastOf(at)]);
    for (const value of optionsOf(field)) options.push([`${slug}.${at}.${value}`, String(value)]);
  }
  for (const [at, field] of inputs.filter(Boolean).flatMap((schema) => fieldsOf(schema))) {
    if (!isReadOnly(field)) written.push([`${slug}.${at}`, lastOf(at), field.description ?? '']);
  }
}

// What the parts of an address are called differs by country: the names in the data of the domain.
const data = readFileSync(new URL('../../../domain/address/data_gen.go', here), 'utf8').split('\n').filter((line) => line.includes('\t'));
for (const name of data.flatMap((line) => line.split('\t').slice(7, 11)).filter(Boolean)) fields.push([`addresses.${name}`, name]);

// Why something requires attention is a text in these records, whose values the checkouts of storefronts list.
for (const value of optionsOf(api.components.schemas.CheckoutRetrieveResult.properties.reason)) {
  for (const slug of ['checkouts', 'payment-sessions']) options.push([`${slug}.reason.${value}`, value]);
}

// valuesIn are what a pattern finds in the source of the domain.
const valuesIn = (file, pattern) =>
  [...readFileSync(new URL(`../../../domain/tenant/${file}`, here), 'utf8').matchAll(pattern)].map((match) => match[1]);
const permissions = valuesIn('permission.go', /Permission = "([\w:-]+)"/g);
const roles = [...valuesIn('tenant.go', /Role = "([\w-]+)"/g), ...valuesIn('permission.go', /Role = "([\w-]+)"/g)];

compare('permissions.ko', catalog('permissions.ko'), permissions.flatMap((name) => [`${name}.label`, `${name}.help`]));
for (const language of ['ko', 'en']) {
  compare(`collections.${language}`, catalog(`collections.${language}`), slugs.flatMap((slug) => [`${slug}.one`, `${slug}.many`]));
  compare(`roles.${language}`, await words(`roles.${language}`), roles);
}
for (const [name, places] of [['fields', fields], ['options', options], ['help', written]]) {
  const korean = catalog(`${name}.ko`);
  compare(`${name}.ko`, korean, keysOf(korean, places));
  const english = catalog(`${name}.en`);
  // The API's own descriptions are the help in English where they speak to people: who fills in a form knows of no null.
  const needed = name === 'help' ? places.filter(([, , description]) => /\bnull\b/i.test(description)) : [];
  compare(`${name}.en`, english, keysOf(english, needed), keysOf(english, places));
}

for (const problem of problems) console.log(problem);
process.exitCode = problems.length ? 1 : 0;
