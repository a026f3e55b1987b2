import { describe, expect, it } from 'vitest';
import { comparisonRequestSchema } from '../../../app/contract/results.ts';
import { MAX_WAYS, type Way, waySchema, waysRequestSchema } from '../../../app/contract/ways.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { type Room, verdictOf } from '../../../engine/training-memory/verdict.ts';
import { compareEvents } from '../../../main/solver/compare.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { ranked, waysToFit } from '../../../main/solver/ways.ts';

const CONTEXT = 10_000_000;
const LANGUAGE = { model: 'llama-3.2-1b', batch: 4, input: 1024, optimizer: 'adamw' } as const;
const memory = new SolverMemory();

type Asked = Partial<Parameters<typeof waysRequestSchema.parse>[0] & object> & {
  model: string;
  batch: number;
};

const waysOf = (asked: Asked, room: Room): Way[] =>
  waysToFit(waysRequestSchema.parse({ ...asked, room }), {
    memory,
    control: NO_CONTROL,
    emit: () => undefined,
  });

/** Bytes of a strategy in the words of the comparison, and its verdict. */
function comparedAt(asked: Asked, strategy: string, room: Room) {
  let verdict: ReturnType<typeof verdictOf> = null;
  compareEvents(comparisonRequestSchema.parse({ ...asked, strategies: [strategy], room }), {
    memory: new SolverMemory(),
    control: NO_CONTROL,
    emit: (event) => {
      if (event.type === 'row') verdict = verdictOf(event.held, asked.batch, room);
    },
  });
  return verdict as ReturnType<typeof verdictOf>;
}

const regularBytes = (asked: Asked): number =>
  comparedAt(asked, 'regular', { memoryBytes: 2 ** 50, contextBytes: CONTEXT })!.totalBytes;
const share = (asked: Asked, of: number): Room => ({
  memoryBytes: Math.floor(regularBytes(asked) * of),
  contextBytes: CONTEXT,
});
const names = ({ change }: Way): string => Object.keys(change).sort().join(' ');

describe('the ways to fit', () => {
  const found = (
    [
      [LANGUAGE, [0.97, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1]],
      [{ ...LANGUAGE, lossChunk: 256 }, [0.8, 0.6]],
    ] as const
  ).flatMap(([asked, shares]) =>
    shares.map((of) => {
      const room = share(asked, of);
      return { asked, room, ways: waysOf(asked, room) };
    }),
  );

  it('are of every kind, and each has the bytes of the comparison of its changed setup', () => {
    const kinds = new Set<string>();
    for (const { asked, room, ways } of found) {
      expect(ways.length).toBeLessThanOrEqual(MAX_WAYS);
      for (const way of ways) {
        expect(waySchema.parse(way)).toEqual(way);
        const changed = { ...asked, ...way.change };
        expect(comparedAt(changed, way.strategy, room)).toMatchObject({
          fits: true,
          totalBytes: way.totalBytes,
        });
        kinds.add(way.strategy === 'regular' ? names(way) : `${names(way)} plan`.trim());
      }
    }
    const expected = [
      ...['plan', 'lossChunk', 'accumulate batch', 'batch', 'optimizer', 'precision'],
      ...['lora', 'baseBits lora'],
    ];
    expect([...kinds]).toEqual(expect.arrayContaining(expected));
    expect([...kinds].some((kind) => kind.includes('gpus'))).toBe(true);
  });

  it('are two steps together where none fits alone', () => {
    const asked = { model: 'llama-3.1-8b', batch: 1, input: 4096 };
    const room = { memoryBytes: 24 * 2 ** 30, contextBytes: CONTEXT };
    const ways = waysOf(asked, room);
    expect(ways[0]?.change).toEqual({ lora: 16, baseBits: '4' });
    for (const { change, strategy, totalBytes } of ways) {
      expect(comparedAt({ ...asked, ...change }, 'regular', room)?.fits).toBe(false);
      expect(comparedAt({ ...asked, ...change }, strategy, room)).toMatchObject({ fits: true, totalBytes });
    }
  });

  it('are several changes together where none fits even with a plan', () => {
    const asked = { model: 'llama-3.2-1b', batch: 1, input: 1024 };
    const room = { memoryBytes: 2.2 * 2 ** 30, contextBytes: CONTEXT };
    const fits = (change: Way['change'], strategy: string): boolean | undefined =>
      comparedAt({ ...asked, ...change }, strategy, room)?.fits;
    const ways = waysOf(asked, room);
    expect(ways.map(({ change }) => change)).toContainEqual({ lora: 16, baseBits: '4', precision: 'bf16' });
    for (const { change, strategy, totalBytes, overhead } of ways) {
      expect(comparedAt({ ...asked, ...change }, strategy, room)).toMatchObject({ fits: true, totalBytes });
      expect(fits(change, 'regular')).toBe(false);
      expect(overhead).toBeNull();
    }
    expect(fits({ lora: 16, baseBits: '4' }, 'budget')).not.toBe(true);
    expect(fits({ precision: 'bf16' }, 'budget')).not.toBe(true);
  });

  it('are also on the GPUs that there are where a single change needs more', () => {
    const asked = { model: 'whisper-small', batch: 4, input: 448 };
    const room = { memoryBytes: 2.2 * 2 ** 30, contextBytes: 0.75 * 2 ** 30 };
    const ways = waysOf(asked, room);
    expect(ways.map(names)).toEqual(['batch gpus shard', 'optimizer precision']);
    for (const { change, strategy, totalBytes } of ways)
      expect(comparedAt({ ...asked, ...change }, strategy, room)).toMatchObject({ fits: true, totalBytes });
  });

  it('are several machines, and fewer GPUs with another change', () => {
    const asked = { ...LANGUAGE, model: 'llama-4-scout', batch: 1, input: 512, precision: 'bf16' } as const;
    const room = { memoryBytes: 80 * 2 ** 30, contextBytes: CONTEXT };
    const ways = waysOf(asked, room);
    expect(ways.map(({ change }) => change)).toEqual([
      { gpus: 8, shard: 'fsdp2', lora: 16, loraTargets: 'attention' },
      { gpus: 16, shard: 'fsdp2' },
    ]);
    for (const { change, strategy, totalBytes } of ways)
      expect(comparedAt({ ...asked, ...change }, strategy, room)).toMatchObject({ fits: true, totalBytes });
  });

  it('take the plan that recomputes least, of those of milliseconds and a search', () => {
    const asked = { ...LANGUAGE, batch: 1, input: 4096, precision: 'bf16' } as const;
    const room = { memoryBytes: 7 * 2 ** 30, contextBytes: 0.75 * 2 ** 30 };
    const recompute = (change: Way['change'], strategy: string): number | null => {
      const request = comparisonRequestSchema.parse({ ...asked, ...change, strategies: [strategy], room });
      let found: number | null = null;
      compareEvents(request, {
        memory,
        control: NO_CONTROL,
        emit: (event) => {
          if (event.type !== 'row' || verdictOf(event.held, asked.batch, room)?.fits !== true) return;
          found = event.row.predictedOverhead;
        },
      });
      return found;
    };
    const ways = waysOf(asked, room);
    expect(ways.length).toBeGreaterThan(0);
    for (const { change, strategy } of ways) {
      expect(strategy).not.toBe('regular');
      const own = recompute(change, strategy)!;
      for (const other of ['chen-sqrt', 'chen-greedy', 'articulation', 'budget'])
        expect(recompute(change, other) ?? own, other).toBeGreaterThanOrEqual(own);
    }
    expect(ways.map(({ strategy }) => strategy)).toContain('budget');
  });

  it('are adapters of attention for a model with experts, whose frozen weights stay in their type', () => {
    const asked = {
      model: 'mixtral-8x7b',
      batch: 1,
      input: 1024,
      precision: 'bf16',
      optimizer: 'adamw',
    } as const;
    const room = { memoryBytes: 141 * 2 ** 30, contextBytes: CONTEXT };
    const tunings = waysOf(asked, room).filter(({ change }) => change.lora !== undefined);
    expect(tunings.map(({ change }) => change)).toEqual([{ lora: 16, loraTargets: 'attention' }]);
  });

  it('say what changes the result, and have no time that nothing predicts', () => {
    for (const { ways } of found) {
      for (const { change, overhead, changesResult, samplesAnUpdate } of ways) {
        const { precision, optimizer, lora, gpus, baseBits } = change;
        const isOther = [precision, optimizer, lora, baseBits].some((value) => value !== undefined);
        expect(changesResult).toBe(isOther || samplesAnUpdate !== LANGUAGE.batch);
        const isUnknown = [precision, gpus, baseBits].some((value) => value !== undefined);
        expect(overhead === null).toBe(isUnknown);
        // Frozen weights have no gradients to compute.
        if (lora !== undefined && overhead !== null) expect(overhead).toBeLessThan(0.1);
      }
    }
  });

  it('share the samples of an update among GPUs', () => {
    const sharded = found.flatMap(({ ways }) => ways).find(({ change }) => change.gpus !== undefined)!;
    expect(sharded.samplesAnUpdate).toBe(
      LANGUAGE.batch * (sharded.change.batch === undefined ? sharded.change.gpus! : 1),
    );
  });

  it('come in the order of result, time, GPUs and memory', () => {
    for (const { ways } of found) expect(ranked(ways)).toEqual(ways);
    const way = (part: Partial<Way>): Way => ({
      change: {},
      strategy: 'regular',
      totalBytes: 10,
      overhead: 0.1,
      changesResult: false,
      samplesAnUpdate: 1,
      ...part,
    });
    const order = [
      way({ totalBytes: 9 }),
      way({}),
      way({ overhead: 0.2, totalBytes: 1 }),
      way({ overhead: null, totalBytes: 1 }),
      way({ overhead: null, totalBytes: 1, change: { gpus: 2 } }),
      way({ overhead: null, totalBytes: 0, change: { gpus: 4 } }),
      way({ changesResult: true, overhead: -0.2 }),
      way({ changesResult: true, overhead: null }),
    ];
    expect(ranked([...order].reverse())).toEqual(order);
  });

  it('tell accumulated steps of a network with batch statistics from the same result', () => {
    const asked = { model: 'tiny-residual', batch: 64 };
    const ways = waysOf(asked, share(asked, 0.8));
    expect(ways.find(({ change }) => change.accumulate !== undefined)).toMatchObject({
      samplesAnUpdate: 64,
      changesResult: true,
    });
    expect(ways.filter(({ change }) => change.lora !== undefined || change.gpus !== undefined)).toEqual([]);
    expect(ways[0]).toMatchObject({ change: {}, changesResult: false });
  });

  it('send activations over a link', () => {
    const asked = { model: 'tiny-unet', batch: 128, linkGBps: 500, device: 'a100-40' } as const;
    const room = share(asked, 0.8);
    const offload = waysOf(asked, room).find(({ strategy }) => strategy === 'offload')!;
    expect(offload).toMatchObject({ change: {}, changesResult: false, overhead: expect.any(Number) });
    expect(comparedAt(asked, 'offload', room)?.totalBytes).toBe(offload.totalBytes);
  });

  it('are none where even all of them leave too much, and can be cancelled', () => {
    expect(waysOf(LANGUAGE, { memoryBytes: 2 * CONTEXT, contextBytes: CONTEXT })).toEqual([]);
    const request = waysRequestSchema.parse({ ...LANGUAGE, room: share(LANGUAGE, 0.5) });
    const tick = (): void => {
      throw new CancelledError();
    };
    expect(() => waysToFit(request, { memory, control: { tick }, emit: () => undefined })).toThrow(
      CancelledError,
    );
  });
});
