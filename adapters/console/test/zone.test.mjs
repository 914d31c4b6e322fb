import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localIn, midnight, momentIn } from '../files/base/zone.js';

test('a time of a zone is the moment at which its clocks show it, and the other way round', () => {
  for (const [local, zone, at] of [
    ['2026-01-31T14:30', 'Asia/Seoul', '2026-01-31T05:30:00.000Z'],
    ['2026-01-31T00:00', 'America/New_York', '2026-01-31T05:00:00.000Z'],
    ['2026-07-31T00:00', 'America/New_York', '2026-07-31T04:00:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'], // an hour after the clocks went forward
    ['2026-10-25T01:59', 'Europe/Berlin', '2026-10-24T23:59:00.000Z'],
    ['2026-05-05T05:45', 'Asia/Kathmandu', '2026-05-05T00:00:00.000Z'],
  ]) {
    assert.equal(momentIn(local, zone), at, `${local} in ${zone}`);
    assert.equal(localIn(at, zone), local, `${at} in ${zone}`);
  }
});

test('a day begins at midnight of the zone, also after the last of a month', () => {
  assert.equal(midnight('2026-01-31', 1, 'Asia/Seoul'), '2026-01-31T15:00:00.000Z');
  assert.equal(midnight('2026-03-29', 1, 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
});
