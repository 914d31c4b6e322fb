// Which screens and words are sent together: areas that the same people work in are one file, so that what they repeat is sent once,
// and what several groups use is another. The words of all screens but the first are one file. In the sources every screen and every
// file of words is loaded by itself.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { numbering } from './numbers.mjs';

/**
 * The areas by group: the first screen, the daily work, and the shop itself.
 * @type {Record<string, string[]>}
 */
const groups = {
  first: ['common', 'list', 'login', 'shell', 'today'],
  work: ['carriers', 'customers', 'discounts', 'drafts', 'orders', 'packing', 'payments', 'returns', 'transfers'],
  shop: [
    'account', 'categories', 'content', 'entry', 'events', 'inbox', 'mails', 'media', 'products', 'records', 'settings', 'stock', 'team', 'webhooks',
  ],
};
const groupOf = (area) => Object.keys(groups).find((group) => groups[group].includes(area)) ?? area;

/** What several groups use. */
const shared = ['base', 'parts', 'shell', 'screens/login', 'screens/records', 'screens/today'];

const screenImport = /import\('\.\.\/screens\/(\w+)\/(\w+)\.js'\)/g;
const wordsImport = '(await import(`../words/${key}.js`)).default';
const wordsLook = 'look(area, name.slice(area.length + 1))';

/**
 * grouping is how modules are loaded by group, and which words have numbers. A group is a module that is made here: `work.js` has screens,
 * `more.ko.js` words, and `words` knows where the words of an area are.
 * @param {string} root the folder with files/, with a slash at its end
 */
export async function grouping(root) {
  const names = readdirSync(`${root}files`, { recursive: true }).filter((name) => name.endsWith('.js'));
  const read = (name) => readFileSync(`${root}files/${name}`, 'utf8');
  const { numbers, numbered, named } = await numbering(root, groups.first);

  /** What is loaded when it is needed, as area and module. */
  const screens = names.filter((name) => !/^(vendor|words)\//.test(name)).flatMap((name) => [...read(name).matchAll(screenImport)].map(([, ...of]) => of));
  const screensOf = (group) => {
    const both = shared.flatMap((folder) => names.filter((name) => name.startsWith(`${folder}/`))).map((name) => `import './files/${name}';`);
    const own = screens.filter(([area]) => groupOf(area) === group);
    const placed = ofGroup(group).map((name) => `import './files/${name}';`);
    const exports = own.map(([area, name]) => `export { default as ${area}_${name} } from './files/screens/${area}/${name}.js';`);
    return [...both, ...placed, ...new Set(exports)].join('\n');
  };

  /** ofGroup is the modules of a group, in the order of order.json. */
  const ofGroup = (group) => {
    const order = existsSync(`${root}scripts/order.json`) ? JSON.parse(readFileSync(`${root}scripts/order.json`, 'utf8'))[group] ?? [] : [];
    const there = names.filter((name) => groupOf(name.split('/')[1] ?? '') === group && name.startsWith('screens/') && !shared.includes(dirname(name)));
    const at = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
    return there.sort((a, b) => at(a) - at(b) || (a < b ? -1 : 1));
  };

  const spoken = [...new Set(names.filter((name) => name.startsWith('words/')).map((name) => name.split(/[/.]/)[1]))];
  const wordsOf = async (group, language) => {
    const areas = spoken.filter((area) => (group === 'first') === groups.first.includes(area) && existsSync(`${root}files/words/${area}.${language}.js`));
    const by = await Promise.all(areas.map(async (area) => [area, await named(area, language)]));
    return `export default ${JSON.stringify({ ...numbered(areas, language), by: Object.fromEntries(by) })};`;
  };
  const directory = () => {
    const load = (language) => ['first', 'more'].map((group) => `() => import('group:${group}.${language}.js')`).join(', ');
    return `const files = { en: [${load('en')}], ko: [${load('ko')}] };
      export const numbered = { en: [], ko: [] };
      export const spoken = async (area, language) => {
        const { by, from, list } = (await files[language][${JSON.stringify(groups.first)}.includes(area) ? 0 : 1]()).default;
        list.forEach((word, i) => numbered[language][from + i] = word);
        return by[area];
      };`;
  };

  const loader = () => {
    const load = [...new Set(screens.map(([area]) => groupOf(area)))].map((group) => `${group}: () => import('group:${group}.js')`);
    return `const groups = { ${load} };
      export const screenIn = async (group, name) => ({ default: (await Promise.all([groups[group](), import('group:shared.js')]))[0][name] });`;
  };

  return {
    /** What is said instead of the names of words. */
    numbers,

    /** The modules of a group, in the order of order.json. */
    ofGroup,

    /** groupNamed is the source of a module that is made here. @param {string} name */
    groupNamed: async (name) => {
      const [group, language] = name.split('.');
      if (group === 'words' || group === 'screens') return group === 'words' ? directory() : loader();
      return language === 'js' ? screensOf(group) : wordsOf(group, language);
    },

    /** grouped is the source of a module that loads screens or words, loading their groups. @param {string} text */
    grouped: (text) => {
      const says = text.includes(wordsImport) && text.includes(wordsLook);
      if (!says && text.includes('../words/')) throw new Error('words are loaded or found in another way than groups.mjs knows');
      if (says) {
        const found = `(area ? ${wordsLook} : (loads.value, numbered[language.value][parseInt(name, 36)]))`;
        return `import { numbered, spoken } from 'group:words';\n${text.replace(wordsImport, 'await spoken(area, lang)').replace(wordsLook, found)}`;
      }
      const loads = text.replace(screenImport, (_, area, name) => `screenIn('${groupOf(area)}', '${area}_${name}')`);
      return loads === text ? text : `import { screenIn } from 'group:screens';\n${loads}`;
    },
  };
}
