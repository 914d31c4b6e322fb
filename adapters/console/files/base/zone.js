// Moments and what the clocks of a time zone show at them.

/** @type {Map<string, Intl.DateTimeFormat>} */
const clocks = new Map();

/**
 * shown is what the clock of a zone shows at a moment, as milliseconds of a day in UTC.
 * @param {number} at
 * @param {string} zone
 */
function shown(at, zone) {
  let format = clocks.get(zone);
  if (!format) {
    const two = /** @type {const} */ ('2-digit');
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: two, day: two, hour: two, minute: two, second: two });
    clocks.set(zone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const clock = new Date(Date.UTC(2000, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second));
  clock.setUTCFullYear(part.year ?? 0, (part.month ?? 1) - 1, part.day); // Date.UTC takes the year 26 for 1926
  return clock.getTime() + (at % 1000);
}

/**
 * momentIn is the moment at which the clock of a zone shows a time. A time that is skipped when the clocks change is moved on.
 * @param {string} local such as 2026-01-31T14:30
 * @param {string} zone
 * @returns {string} RFC 3339, UTC
 */
export function momentIn(local, zone) {
  const wanted = Date.parse(`${local}Z`);
  // The offset of the zone at the moment itself may differ from that at the first guess, on the day the clocks change.
  const guess = wanted - (shown(wanted, zone) - wanted);
  return new Date(wanted - (shown(guess, zone) - guess)).toISOString();
}

/**
 * localIn is what the clock of a zone shows at a moment, as inputs of the browser take it: 2026-01-31T14:30.
 * @param {string} at
 * @param {string} zone
 */
export function localIn(at, zone) {
  return new Date(shown(Date.parse(at), zone)).toISOString().slice(0, 16);
}

/**
 * midnight is the moment at which a day begins in a zone.
 * @param {string} day such as 2026-01-31
 * @param {number} after days after it
 * @param {string} zone
 */
export function midnight(day, after, zone) {
  const date = new Date(`${day}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + after);
  return momentIn(date.toISOString().slice(0, 16), zone);
}
