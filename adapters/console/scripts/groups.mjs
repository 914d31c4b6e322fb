// Which screens and words are sent together: areas that the same people work in are one file, so that what they repeat is sent once,
// and what several groups use is another. In the sources every screen and every file of words is loaded by itself.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** The areas by group. Words that are in none have a file of their own. @type {Record<string, string[]>} */
const groups = {
  first: ['collections', 'common', 'fields', 'list', 'login', 'options', 'shell', 'today'],
  sales: ['orders', 'payments', 'returns'],
  buyers: ['customers', 'discounts', 'drafts'],
  goods: ['categories', 'content', 'media', 'products', 'stock'],
  parcels: ['carriers', 'packing', 'transfers'],
  office: ['account', 'entry', 'events', 'inbox', 'permissions', 'records', 'roles', 'settings', 'setup', 'team', 'webhooks'],
};
const groupOf = (area) => Object.keys(groups).find((group) => groups[group].includes(area)) ?? area;

/** What several groups use. */
const shared = ['base', 'parts', 'shell', 'screens/login', 'screens/records', 'screens/today'];

const screenImport = /import\('\.\.\/screens\/(\w+)\/(\w+)\.js'\)/g;
const wordsImport = '(await import(`../words/${key}.js`)).default';

/**
 * grouping is how modules are loaded by group. A group is a module that is made here: `sales.js` has screens, `sales.ko.js` words,
 * and `words` knows where the words of an area are.
 * @param {string} root the folder with files/, with a slash at its end
 */
export function grouping(root) {
  const names = readdirSync(`${root}files`, { recursive: true }).filter((name) => name.endsWith('.js'));
  const spoken = [...new Set(names.filter((name) => name.startsWith('words/')).map((name) => name.split(/[/.]/)[1]))];
  const parts = shared.flatMap((folder) => names.filter((name) => name.startsWith(`${folder}/`))).map((name) => `import './files/${name}';`);

  const screens = (group) => {
    const found = names.filter((name) => !/^(vendor|words)\//.test(name)).flatMap((name) => [...readFileSync(`${root}files/${name}`, 'utf8').matchAll(screenImport)]);
    const own = new Set(found.filter(([, area]) => groupOf(area) === group).map(([, area, name]) => `export { default as ${area}_${name} } from './files/screens/${area}/${name}.js';`));
    return [...parts, ...own].join('\n');
  };
  const areasOf = (group, language) => spoken.filter((area) => groupOf(area) === group && existsSync(`${root}files/words/${area}.${language}.js`));
  const words = (group, language) => {
    const areas = areasOf(group, language);
    return [...areas.map((area) => `import ${area} from './files/words/${area}.${language}.js';`), `export default { ${areas.join(', ')} };`].join('\n');
  };
  const directory = () => {
    const all = [...new Set(spoken.map(groupOf))];
    const load = (language) => `{ ${all.filter((group) => areasOf(group, language).length > 0).map((group) => `${group}: () => import('group:${group}.${language}.js')`).join(', ')} }`;
    const by = spoken.filter((area) => groupOf(area) !== area).map((area) => `${area}: '${groupOf(area)}'`);
    return `const groups = { ${by.join(', ')} }, files = { en: ${load('en')}, ko: ${load('ko')} };
      export const spoken = async (area, language) => (await files[language][groups[area] ?? area]()).default[area];`;
  };

  return {
    /** groupNamed is the source of a module that is made here. @param {string} name */
    groupNamed: (name) => {
      const [group, language] = name.split('.');
      return group === 'words' ? directory() : language === 'js' ? screens(group) : words(group, language);
    },

    /** grouped is the source of a module that loads screens or words, loading their groups. @param {string} text */
    grouped: (text) =>
      text
        .replace(screenImport, (_, area, name) => `Promise.all([import('group:${groupOf(area)}.js'), import('group:shared.js')]).then(([all]) => ({ default: all.${area}_${name} }))`)
        .replace(wordsImport, 'await spoken(area, lang)')
        .replace(/^/, text.includes(wordsImport) ? "import { spoken } from 'group:words';\n" : ''),
  };
}
