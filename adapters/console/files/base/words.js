// What the console says, in the reader's language. Words of an area are loaded with its first screen, in one language only.
import { batch, computed, signal } from '../vendor/ui.js';
import { recall, remember } from './memory.js';

export { collectionLabel, collectionWord, fieldLabel, helpOf, humanize, optionLabel } from './schema.js';

/** @typedef {'en' | 'ko'} Language */
/** @typedef {string | { one: string, other: string }} Word one is for the number 1, in languages that tell it apart */
/** @typedef {Record<string, Word>} Words */
/** @typedef {Record<string, string | number | null | undefined>} Values */

/** @type {readonly Language[]} */
export const languages = ['en', 'ko'];

/** @type {import('../vendor/ui.js').Signal<Language>} */
export const language = signal(chosen());

/**
 * inOrder is the parts of a person's name in the order of the reader's language.
 * @template T
 * @param {T} first @param {T} last @returns {T[]}
 */
export const inOrder = (first, last) => (language.value === 'ko' ? [last, first] : [first, last]);

/** The locale for numbers, money and times. */
export const locale = computed(() => (language.value === 'ko' ? 'ko-KR' : 'en-GB'));

/** @type {Map<string, Words>} by area and language */
const loaded = new Map();

/** Counts what was loaded, so that what is shown follows. */
const loads = signal(0);

/** @returns {Language} */
function chosen() {
  const kept = recall('language');
  const asked = kept ? [kept] : navigator.languages;
  for (const tag of asked) for (const one of languages) if (tag.toLowerCase().startsWith(one)) return one;
  return 'en';
}

/** What else brings its words in another language, before that is shown: it answers with what shows them. @type {(next: Language) => Promise<() => void>} */
let bring = async () => () => {};

/** bringing sets what else brings its words. @param {typeof bring} how */
export const bringing = (how) => {
  bring = how;
};

/** Counts the choices of a language: what was chosen last is shown, however late the words of others come. */
let choices = 0;

/** @param {Language} next */
export async function speak(next) {
  const choice = ++choices;
  remember('language', next);
  await Promise.all(areas().map((area) => load(area, next)));
  const show = await bring(next);
  if (choice !== choices) return;
  batch(() => {
    language.value = next;
    show();
  });
  document.documentElement.lang = next;
}

const areas = () => [...new Set([...loaded.keys()].map((key) => key.split('.')[0] ?? ''))];

/**
 * words loads the words of areas, such as `orders`.
 * @param {...string} names
 */
export async function words(...names) {
  await Promise.all(names.map((name) => load(name, language.value)));
}

/**
 * @param {string} area
 * @param {Language} lang
 */
async function load(area, lang) {
  const key = `${area}.${lang}`;
  if (loaded.has(key)) return;
  const all = (await import(`../words/${key}.js`)).default;
  loaded.set(key, all);
  loads.value++;
}

/**
 * look finds a word without an own name in the code, such as the name of a role: undefined where there is none.
 * @param {string} area
 * @param {...string} names the first that there is a word for wins
 * @returns {any}
 */
export function look(area, ...names) {
  loads.value;
  const all = loaded.get(`${area}.${language.value}`);
  for (const name of names) if (all && Object.hasOwn(all, name)) return all[name];
  return undefined;
}

/**
 * t is a word by its name: the part before the first dot is its area. Values stand in braces, `{n}` decides between
 * one and other.
 * @param {string} name
 * @param {Values} [values]
 * @returns {string}
 */
export function t(name, values) {
  const area = name.slice(0, Math.max(name.indexOf('.'), 0));
  const word = look(area, name.slice(area.length + 1));
  if (word === undefined) return name;
  return fill(word, values);
}

/**
 * fill puts values into a word.
 * @param {Word} word
 * @param {Values} [values]
 * @returns {string}
 */
export function fill(word, values = {}) {
  const text = typeof word === 'string' ? word : values.n === 1 ? word.one : word.other;
  return text.replace(/{(\w+)}/g, (_, name) => {
    const value = values[name];
    return typeof value === 'number' ? value.toLocaleString(locale.value) : String(value ?? '');
  });
}
