// What is sent of what was counted.
import { amountIn } from '../../base/amount.js';

/** arrivals are the lines of which something else is said than that all of it came. @param {any} typed @param {readonly any[]} lines */
export const arrivals = (typed, lines) =>
  lines.flatMap(({ orderLine }) => {
    const { quantity = null, condition = '', restock = null } = typed?.[orderLine] ?? {};
    if (quantity === null && !condition && restock === null) return [];
    return [{ orderLine, ...(quantity !== null && { quantity: amountIn(quantity) }), ...(condition && { condition }), ...(restock !== null && { restock }) }];
  });
