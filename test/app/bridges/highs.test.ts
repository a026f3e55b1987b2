import loadHighs from 'highs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHighsSolver } from '../../../app/bridges/highs.ts';
import { MilpSolverError } from '../../../engine/strategies/milp/milp-solver.ts';
import { compareCommand } from '../../../app/cli/commands/compare.ts';
import { supervised } from '../../../main/trainer/supervision.ts';
import { createTask } from '../../../main/trainer/task.ts';

vi.mock('highs', { spy: true });
afterEach(() => void vi.mocked(loadHighs).mockReset());

const rows = async (): Promise<{ strategy: string; applicable: boolean; reason: string | null }[]> => {
  const printed: string[] = [];
  const out = (text: string): void => void printed.push(text);
  const terminal = { out, err: () => undefined, progressVisible: false, columns: 100 };
  await compareCommand(['chain-5'], { json: true }, terminal);
  return JSON.parse(printed.join('\n')).rows;
};

describe('without a working HiGHS', () => {
  it.each([new RangeError('WebAssembly.instantiate(): Out of memory'), 'a text', 12345])(
    'a comparison continues if loading fails with %s',
    async (fault) => {
      vi.mocked(loadHighs).mockRejectedValue(fault);
      const found = await rows();
      expect(found.find(({ strategy }) => strategy === 'milp')).toMatchObject({
        applicable: false,
        reason: 'no MILP solver is loaded here',
      });
      expect(found.find(({ strategy }) => strategy === 'live')?.applicable).toBe(true);
    },
  );

  it.each([new RangeError('no memory\n at once'), 'aborted', 12345])(
    'a comparison continues if solving fails with %s',
    async (fault) => {
      const real = await loadHighs();
      vi.mocked(loadHighs).mockResolvedValue({
        ...real,
        withModel: () => {
          throw fault;
        },
      });
      const milp = (await rows()).find(({ strategy }) => strategy === 'milp');
      expect(milp?.applicable).toBe(false);
      expect(milp?.reason).toMatch(
        /^the MILP solver failed here \(HiGHS: (no memory|aborted|12345)\); try live/,
      );
      const solver = await createHighsSolver();
      const request = { limitSeconds: 1, tolerance: 0, onProgress: () => false };
      expect(() => solver.solve({} as Parameters<typeof solver.solve>[0], request)).toThrow(MilpSolverError);
    },
  );

  it('a training says that it does not apply', async () => {
    const request = {
      model: 'chain-5',
      batch: 1,
      strategy: 'milp',
      iterations: 1,
      seed: 0,
      learningRate: 0.01,
      momentum: 0.9,
    };
    const task = await createTask(request, supervised(), () => Promise.reject(new Error('no memory')));
    expect(() => task.solve('milp')).toThrow(/no MILP solver is loaded here/);
  });
});
