import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const row = (model: string, input: number, checkpointing?: 'reentrant') =>
  solveRow(createProblem(buildModel(model, { batch: 2, input }), 'pytorch'), 'per-block', {
    seed: 0,
    ...(checkpointing === undefined ? {} : { checkpointing }),
  });

describe('per-block', () => {
  it('keeps what crosses the border of a layer, and all beside the layers', () => {
    const { checkpoints, recomputeFraction, schedule } = row('gpt2', 16);
    expect(checkpoints).toEqual(['drop', ...Array.from({ length: 12 }, (_, i) => `h.${i}.mlp.add`)]);
    expect(recomputeFraction).toBeGreaterThan(0.3);
    expect(recomputeFraction).toBeLessThan(1);
    const graph = buildModel('gpt2', { batch: 2, input: 16 });
    const forwards = new Map<string, number>();
    schedule?.kinds.forEach((kind, t) => {
      const id = graph.ids[schedule.vertices[t] ?? 0] ?? '';
      if (kind === schedule.kinds[0]) forwards.set(id, (forwards.get(id) ?? 0) + 1);
    });
    const again = [...forwards].filter(([, count]) => count > 1).map(([id]) => id);
    expect(again.every((id) => id.startsWith('h.'))).toBe(true);
    expect(Math.max(...forwards.values())).toBe(2);
  });

  it('takes residual blocks as well', () => {
    expect(row('resnet50', 64).checkpoints).toHaveLength(17);
  });

  it('recomputes whole layers where segments run reentrant', () => {
    const [lazy, whole] = [row('gpt2', 16), row('gpt2', 16, 'reentrant')];
    expect(whole.checkpoints).toEqual(lazy.checkpoints);
    expect(whole.recomputeFlops!).toBeGreaterThan(lazy.recomputeFlops!);
  });

  it('needs blocks', () => {
    expect(row('vgg11', 32)).toMatchObject({
      applicable: false,
      reason: 'no module of several operations has a number, such as layers.0',
    });
  });
});
