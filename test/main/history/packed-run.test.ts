import { describe, expect, it } from 'vitest';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { runContentSchema } from '../../../app/contract/recorded-run.ts';
import { afterEvent } from '../../../app/contract/run-content.ts';
import { derive } from '../../../app/contract/run-summary.ts';
import { checksum, contentSum } from '../../../main/history/checksum.ts';
import { packDoubles, packJson, unpackDoubles, unpackJson } from '../../../main/history/pack.ts';
import { packRun } from '../../../main/history/packed-run.ts';
import { requestOf, wholeRun } from './events.ts';

const CONTENT = runContentSchema.parse(wholeRun().reduce(afterEvent, emptyContent()));
/** As the database hands bytes out. */
const handedOut = (bytes: Uint8Array | null): ArrayBuffer => Uint8Array.from(bytes ?? []).buffer;

describe('what is packed', () => {
  it('comes back as it was, JSON and doubles, wherever it lies in memory', () => {
    const value = { a: [1, null, 'ä'], b: { c: 0.1 } };
    expect(unpackJson(handedOut(packJson(value)))).toEqual(value);
    const doubles = [0, -0, 0.1, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY];
    expect(unpackDoubles(handedOut(packDoubles(doubles)))).toEqual(doubles);
    expect(unpackDoubles(handedOut(packDoubles([])))).toEqual([]);
    // Most of a prediction repeats itself.
    expect(packDoubles(new Array(1000).fill(400)).length).toBeLessThan(200);
  });
});

describe('a packed run', () => {
  it('has its request, what a list shows, what is small, and each iteration as three doubles', () => {
    const request = requestOf();
    const packed = packRun(request, CONTENT, true);
    expect(JSON.parse(packed.request)).toEqual(JSON.parse(JSON.stringify(request)));
    expect(JSON.parse(packed.summary)).toEqual(derive(request, CONTENT));
    const { start, measured, iterationMs, loss, drift, ...facts } = CONTENT;
    expect(JSON.parse(packed.facts)).toEqual(facts);
    expect(unpackJson(handedOut(packed.start))).toEqual(start);
    expect(unpackDoubles(handedOut(packed.measured))).toEqual(measured);
    const none = Number.POSITIVE_INFINITY;
    expect(drift).toEqual([]);
    expect([...packed.iterations]).toEqual(iterationMs.flatMap((ms, i) => [ms, loss[i], none]));
  });

  it('has no number where a loss is none, and a drift where there is one', () => {
    const content = { ...CONTENT, loss: [Number.NaN, Number.NEGATIVE_INFINITY, 0], drift: [0.5] };
    const none = Number.POSITIVE_INFINITY;
    expect([...packRun(requestOf(), content, true).iterations]).toEqual([
      ...[10, none, 0.5],
      ...[11, none, none],
      ...[12, 0, none],
    ]);
  });

  it('packs its start when that is wanted, and nothing of a run that has told nothing', () => {
    const request = requestOf();
    const { start, startSum } = packRun(request, CONTENT, true);
    expect(startSum).toBe(checksum([start]));
    const later = packRun(request, CONTENT, false);
    expect([later.start, later.startSum]).toEqual([null, null]);
    const empty = packRun(request, emptyContent(), true);
    expect([empty.start, empty.startSum, empty.measured, [...empty.iterations]]).toEqual([
      ...[null, null, null],
      [],
    ]);
  });

  it('has the sum of all but its start', () => {
    for (const withStart of [true, false]) {
      const { request, facts, measured, iterations, ...packed } = packRun(requestOf(), CONTENT, withStart);
      expect(packed.contentSum).toBe(contentSum(request, facts, measured, iterations));
    }
  });
});
