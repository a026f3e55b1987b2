import { expect, it } from 'vitest';
import { readGraphDocument } from '../../../engine/exchange/graph-file.ts';
import { createProblem } from '../../../engine/problem.ts';
import { budget } from '../../../engine/strategies/budget/budget.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { expectRunOnce } from '../../support/run-once.ts';

/** A capture under autocast: in each layer a norm, the cast of its weight, their product and an addition. */
function captured(layers: number, castBytes: number) {
  const keeps = (...inputs: number[]) => ({ inputs, output: false, auxBytes: 0, fixedAuxBytes: 0 });
  const vertices: object[] = [{ id: 'in', op: 'inputs', bytes: 4096 }];
  const edges: [string, string][] = [];
  let last = 'in';
  for (let n = 0; n < layers; n++) {
    const at = (name: string) => `${n}.${name}`;
    vertices.push(
      { id: at('norm'), op: 'norm', bytes: 4096, flops: 9000, keeps: keeps(0) },
      { id: at('cast'), op: 'cached_cast', bytes: castBytes, flops: 10, fixed: true, keeps: keeps() },
      { id: at('product'), op: 'mm', bytes: 2048, flops: 90_000, keeps: keeps(0, 1) },
      { id: at('add'), op: 'add', bytes: 4096, flops: 2000, keeps: keeps() },
    );
    edges.push(
      [last, at('norm')],
      ['in', at('cast')],
      [at('norm'), at('product')],
      [at('cast'), at('product')],
      [last, at('add')],
      [at('product'), at('add')],
    );
    last = at('add');
  }
  return readGraphDocument({ format: 'zigzag-graph', version: 1, order: 'given', vertices, edges });
}

it('a cast that autocast keeps is recomputed by no strategy', () => {
  expectRunOnce(captured(6, 3072));
});

it('dropping casts that autocast keeps makes nothing fit', () => {
  const problem = createProblem(captured(8, 65_536), 'pytorch');
  const options = { seed: 0, budgetBytes: 8 * 65_536, slots: 1 };
  expect(() => budget.plan(problem, options, NO_CONTROL)).toThrow('no known schedule fits 512 KiB');
});
