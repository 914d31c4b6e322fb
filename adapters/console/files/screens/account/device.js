/** Browsers and systems by what they call themselves; who claims to be several is the first of these. @type {[RegExp, string][]} */
const browsers = [
  [/Edg/, 'Edge'], [/SamsungBrowser/, 'Samsung Internet'], [/Whale/, 'Whale'],
  [/OPR\//, 'Opera'], [/Firefox|FxiOS/, 'Firefox'], [/Chrome|CriOS/, 'Chrome'], [/Safari/, 'Safari'],
];

/** @type {[RegExp, string][]} */
const systems = [
  [/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'], [/CrOS/, 'ChromeOS'], [/Linux/, 'Linux'],
];

/** deviceOf is how people call what they sit at: `Chrome · macOS`; else what the client called itself. @param {string} agent */
export function deviceOf(agent) {
  const name = (/** @type {[RegExp, string][]} */ list) => list.find(([pattern]) => pattern.test(agent))?.[1];
  return [name(browsers), name(systems)].filter(Boolean).join(' · ') || agent.slice(0, 60);
}
