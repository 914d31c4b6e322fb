// The names of words are numbers in dist/, and words are lists: t('orders.refund') is t('orders.17'), so that no name is sent. What is
// said by a name that is put together, such as `orders.state-${state}`, keeps it.
import { readFileSync, readdirSync } from 'node:fs';

/** Words that are found by what the API names, and not said by name. */
export const ofSchema = ['permissions', 'roles'];

/** numbering is which words are said by number. @param {string} root the folder with files/, with a slash at its end */
export async function numbering(root) {
  const names = readdirSync(`${root}files`, { recursive: true }).filter((name) => name.endsWith('.js') && !name.startsWith('vendor/'));
  const code = names.filter((name) => !name.startsWith('words/')).map((name) => readFileSync(`${root}files/${name}`, 'utf8')).join('\n');
  const begun = [...new Set([...code.matchAll(/`([a-z]+\.[\w-]*)\$\{/g)].map(([, start]) => start))];

  /** @type {Map<string, string>} what is said instead of a name */
  const numbers = new Map();
  /** @type {Map<string, string[]>} the names of an area in the order of their numbers */
  const lists = new Map();
  for (const [, area] of names.map((name) => /^words\/(\w+)\.en\.js$/.exec(name)).filter(Boolean)) {
    if (ofSchema.includes(area)) continue;
    const list = Object.keys(await wordsIn(`${area}.en`)).filter((name) => !begun.some((start) => `${area}.${name}`.startsWith(start)));
    lists.set(area, list);
    list.forEach((name, i) => numbers.set(`${area}.${name}`, `${area}.${i}`));
  }

  async function wordsIn(file) {
    const text = readFileSync(`${root}files/words/${file}.js`, 'utf8');
    return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default;
  }

  return {
    numbers,

    /** numbered is the source of a file of words with a list for those that have numbers. @param {string} file such as orders.ko */
    async numbered(file) {
      const words = await wordsIn(file);
      const list = lists.get(file.split('.')[0]) ?? [];
      const named = Object.fromEntries(Object.entries(words).filter(([name]) => !list.includes(name)));
      if (list.length === 0) return `export default ${JSON.stringify(named)};`;
      return `export default Object.assign(${JSON.stringify(list.map((name) => words[name]))}, ${JSON.stringify(named)});`;
    },
  };
}
