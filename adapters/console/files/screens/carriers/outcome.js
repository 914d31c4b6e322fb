// What an import did, row by row.

/** @typedef {import('./plan.js').PlannedRow} PlannedRow */
/** @typedef {{ row: number, message: string }} Note */
/** @typedef {{ applied: number, unchanged: number, errors: Note[], warnings: Note[], moreErrors: number, moreWarnings: number }} Report of the shop */
/** @typedef {{ applied: number, doubt: boolean }} Outcome doubt: what the shop counted is not what its records say */

/**
 * outcomesOf tells of each row what became of it: the shop's own refusals and warnings, and of all others what its records say now.
 * @param {Report} report
 * @param {PlannedRow[]} before what was expected
 * @param {PlannedRow[]} now the same rows, looked up again
 * @returns {{ rows: (PlannedRow & { said?: string })[], outcome: Outcome }}
 */
export function outcomesOf(report, before, now) {
  const refused = new Map(report.errors.map((e) => [e.row, e.message]));
  const warned = new Map(report.warnings.map((w) => [w.row, w.message]));
  const rows = now.map((row, i) => {
    const expected = before[i] ?? row;
    const said = refused.get(row.number);
    if (said !== undefined) return { ...row, verdict: /** @type {const} */ ('bad'), why: expected.verdict === 'bad' ? expected.why : 'refused', said };
    const left = row.verdict === 'same' && expected.verdict === 'ships';
    return { ...row, ...(left && { verdict: /** @type {const} */ ('ships'), why: 'shipped', units: expected.units }), said: warned.get(row.number) };
  });
  const count = (/** @type {string} */ verdict) => rows.filter((r) => r.verdict === verdict).length;
  const lost = rows.some((r) => r.verdict === 'ships' && r.why !== 'shipped');
  const doubt = lost || count('ships') !== report.applied || count('same') !== report.unchanged || count('bad') !== report.errors.length + report.moreErrors;
  return { rows: /** @type {any} */ (rows), outcome: { applied: report.applied, doubt } };
}
