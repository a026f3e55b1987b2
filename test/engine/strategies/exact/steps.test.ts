import { describe, expect, it } from 'vitest';
import { type StepGraph, stepGraph } from '../../../../engine/strategies/exact/step-graph.ts';
import { BACKWARD_STEP, START, type State, Steps } from '../../../../engine/strategies/exact/steps.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { measuredProblem } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { keeping } from '../../../support/stage-chains.ts';

type Drawn = { readonly [Set in keyof State]?: string };

/** The mask of vertices drawn as `1 3`. */
function maskOf(drawing = ''): number {
  const vertices = drawing.split(' ').filter((word) => word !== '');
  return vertices.reduce((mask, v) => mask | (1 << Number(v)), 0);
}

function drawingOf(mask: number): string {
  return [...Array(31).keys()].filter((v) => ((mask >> v) & 1) === 1).join(' ');
}

function stateOf({ live, aux, done, once, twice }: Drawn): State {
  return {
    live: maskOf(live),
    aux: maskOf(aux),
    done: maskOf(done),
    once: maskOf(once),
    twice: maskOf(twice),
  };
}

interface Asked {
  readonly counted?: boolean;
  readonly limit?: number;
  /** No backward goes at once when absent. */
  readonly calm?: number;
}

/** Successors of a state: `F2 6 B` and the values live then; other changes are not drawn. */
function nextOf(problem: Problem, from: Drawn, asked: Asked = {}): string[] {
  const { counted = false, limit = Number.POSITIVE_INFINITY, calm = -1 } = asked;
  const found: string[] = [];
  new Steps(stepGraph(problem), counted).next(stateOf(from), limit, calm, (next, step, bytes) => {
    const aux = next.aux === 0 ? '' : ` aux ${drawingOf(next.aux)}`;
    const kind = step >= BACKWARD_STEP ? 'B' : 'F';
    found.push(`${kind}${step % BACKWARD_STEP} ${bytes} B: ${drawingOf(next.live)}${aux}`);
  });
  return found.sort();
}

const chain = bytesProblem([1, 2, 3, 4], '0>1 1>2 2>3');
/** 1 keeps its input and 3 bytes besides, 2 its input, 3 nothing. */
const withAux = measuredProblem([
  { bytes: 1, flops: 0, inputs: [] },
  { bytes: 2, flops: 5, inputs: [0], ...keeping({ inputs: [0], auxBytes: 3 }) },
  { bytes: 4, flops: 7, inputs: [1], ...keeping({ inputs: [0] }) },
  { bytes: 6, flops: 11, inputs: [2], ...keeping() },
]);
/** 2 looks at 1, 4 overwrites 3. */
const shared = measuredProblem([
  { bytes: 1, flops: 0, inputs: [] },
  { bytes: 4, flops: 5, inputs: [0], ...keeping() },
  { bytes: 4, flops: 7, inputs: [1], ...keeping(), alias: 'view' },
  { bytes: 6, flops: 11, inputs: [2], ...keeping({ inputs: [0] }) },
  { bytes: 6, flops: 13, inputs: [3], ...keeping({ output: true }), alias: 'inplace' },
  { bytes: 2, flops: 17, inputs: [4], ...keeping() },
]);

describe('what may follow a state', () => {
  it('is every forward whose inputs live, and any of what it read may go', () => {
    expect(nextOf(chain, {})).toEqual(['F1 3 B: 1']);
    expect(nextOf(chain, { live: '1' })).toEqual(['F2 6 B: 1 2', 'F2 6 B: 2']);
    expect(nextOf(chain, { live: '2' })).toEqual([
      'F1 6 B: 1 2',
      // The target starts the backward: it may go as well.
      'F3 8 B: ',
      'F3 8 B: 2',
      'F3 8 B: 2 3',
      'F3 8 B: 3',
    ]);
    // Values that it did not read stay.
    expect(nextOf(chain, { live: '1 2' })).toEqual([
      'F3 10 B: 1',
      'F3 10 B: 1 2',
      'F3 10 B: 1 2 3',
      'F3 10 B: 1 3',
    ]);
  });

  it('is a backward whose consumers are done and whose needs live, once the target was forwarded', () => {
    expect(nextOf(chain, { live: '2 3' })).toEqual(['F1 10 B: 1 2 3']);
    // All that lives, the gradients of 3 and 2; 3 has no use left.
    expect(nextOf(chain, { live: '1 2 3', once: '3' })).toEqual(['B3 17 B: 1', 'B3 17 B: 1 2']);
    expect(nextOf(chain, { live: '1 2', once: '3' })).toEqual(['F3 10 B: 1 2 3', 'F3 10 B: 1 3']);
    expect(nextOf(chain, { live: '1 2', done: '3', once: '3' })).toEqual(['B2 11 B: ', 'B2 11 B: 1']);
    expect(nextOf(chain, { live: '1', done: '2 3', once: '3' })).toEqual(['B1 5 B: ']);
    expect(nextOf(chain, { done: '1 2 3', once: '3' })).toEqual([]);
  });

  it('recomputes what backward needs, with the gradients that are there', () => {
    // The gradient of 2 is.
    expect(nextOf(chain, { done: '3', once: '3' })).toEqual(['F1 6 B: 1']);
    expect(nextOf(chain, { live: '1', done: '3', once: '3' })).toEqual(['F2 9 B: 1 2', 'F2 9 B: 2']);
    expect(nextOf(chain, { done: '2 3', once: '3' })).toEqual(['F1 5 B: 1']);
  });

  it('leaves out what takes more than the limit', () => {
    const started = { live: '2 3', once: '3' };
    expect(nextOf(chain, started, { limit: 15 })).toEqual(['B3 15 B: ', 'B3 15 B: 2', 'F1 10 B: 1 2 3']);
    expect(nextOf(chain, started, { limit: 14 })).toEqual(['F1 10 B: 1 2 3']);
    expect(nextOf(chain, started, { limit: 9 })).toEqual([]);
    expect(nextOf(chain, { live: '1' }, { limit: 6 })).toHaveLength(2);
    expect(nextOf(chain, { live: '1' }, { limit: 5 })).toEqual([]);
  });

  it('lets a backward go at once where it fits and leaves no more than was', () => {
    const started = { live: '2 3', once: '3' };
    // 3 + 4 before; after it 3, and the gradient of 2.
    expect(nextOf(chain, started, { calm: 15 })).toEqual(['B3 15 B: ', 'B3 15 B: 2']);
    expect(nextOf(chain, started, { calm: 14 })).toHaveLength(3);
    expect(nextOf(chain, started, { limit: 14, calm: 99 })).toEqual(['F1 10 B: 1 2 3']);
    // 2 goes, and the gradient of the large 1 comes: 9 + 9 after it, 9 + 2 before.
    const narrow = bytesProblem([1, 9, 2, 1], '0>1 1>2 1>3 2>3');
    const before = { live: '1 2', done: '3', once: '3' };
    expect(nextOf(narrow, before, { calm: 99 })).toEqual(nextOf(narrow, before));
    const wide = bytesProblem([1, 3, 2, 2], '0>1 0>2 1>3 2>3');
    // Backward 1 alone fits at once; 2 may be forwarded otherwise.
    const oneLeft = { live: '1', done: '3', once: '3' };
    expect(nextOf(wide, oneLeft)).toEqual(['B1 9 B: ', 'F2 11 B: 1 2']);
    expect(nextOf(wide, oneLeft, { calm: 9 })).toEqual(['B1 9 B: ']);
  });

  it('lets no backward go at once that leaves more than was', () => {
    // Beside 1 and 2 the gradients of 2 and 3; after backward 2 that of 1 in the place of 2 and its own.
    const before = { live: '1 2', done: '4', once: '4' };
    const of = (first: number) => bytesProblem([1, first, 2, 1, 1], '0>1 1>2 0>3 2>4 3>4');
    const free = ['B2 24 B: ', 'B2 24 B: 1', 'F3 16 B: 1 2 3'];
    expect(nextOf(of(9), before)).toEqual(free);
    expect(nextOf(of(9), before, { calm: 99 })).toEqual(free);
    expect(nextOf(of(5), before, { calm: 99 })).toHaveLength(3);
    // 4 + 2 + 2 + 1 before, 4 + 4 + 1 after.
    expect(nextOf(of(4), before, { calm: 99 })).toEqual(['B2 14 B: ', 'B2 14 B: 1']);
    // Auxiliaries stay; 2 + 3 + 4 before, 3 + 2 after.
    expect(nextOf(withAux, { live: '1', aux: '1', done: '3', once: '3' }, { calm: 99 })).toEqual([
      'B2 12 B:  aux 1',
    ]);
  });

  it('hands the gradient of a view on only if none exists yet', () => {
    const twoReaders = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 4, flops: 0, inputs: [0], ...keeping() },
      { bytes: 4, flops: 0, inputs: [1], ...keeping(), alias: 'view' },
      { bytes: 2, flops: 0, inputs: [1], ...keeping() },
      { bytes: 1, flops: 0, inputs: [2, 3], ...keeping() },
    ]);
    // The gradients of 2 and 3, which becomes that of 1; where 3 made one, both live.
    expect(nextOf(twoReaders, { done: '4', once: '4' })).toContain('B2 7 B: ');
    expect(nextOf(twoReaders, { done: '3 4', once: '4' })).toContain('B2 9 B: ');
  });

  it('keeps of a forward its value, its auxiliary or both', () => {
    expect(nextOf(withAux, {})).toEqual(['F1 6 B:  aux 1', 'F1 6 B: 1', 'F1 6 B: 1 aux 1']);
    // A step that needs neither forwards nothing: 1 is not wanted again while its auxiliary lives.
    expect(nextOf(withAux, { aux: '1' })).toEqual([]);
    expect(nextOf(withAux, { live: '1', aux: '1' })).toEqual(['F2 10 B: 1 2 aux 1', 'F2 10 B: 2 aux 1']);
    expect(nextOf(withAux, { live: '1 2', aux: '1' })).toEqual(['F3 16 B: 1 2 aux 1', 'F3 16 B: 1 aux 1']);
  });

  it('needs the auxiliary for a backward, which lets go of it', () => {
    expect(nextOf(withAux, { aux: '1', done: '2 3', once: '3' })).toEqual(['B1 6 B: ']);
    expect(nextOf(withAux, { done: '2 3', once: '3' })).toContain('F1 8 B:  aux 1');
    // Counted with what lives: 6 bytes of 2's gradient and its input's.
    expect(nextOf(withAux, { live: '1', aux: '1', done: '3', once: '3' })).toEqual([
      'B2 12 B:  aux 1',
      'F2 14 B:  aux 1',
      'F2 14 B: 1 aux 1',
    ]);
  });

  it('counts a storage that several share once, and makes no value again while another looks at it', () => {
    expect(nextOf(shared, { live: '1' })).toEqual(['F2 5 B: 1 2', 'F2 5 B: 2']);
    expect(nextOf(shared, { live: '2' })).toEqual(['F3 11 B: 2 3', 'F3 11 B: 3']);
    // 4 destroys 3.
    expect(nextOf(shared, { live: '2 3' })).toEqual(['F4 11 B: 2 4']);
    // The gradient of a view becomes that of what it looks at: 1 + 4, not 8.
    expect(nextOf(shared, { done: '3 4 5', once: '5' })).toEqual(['B2 5 B: ', 'F1 9 B: 1']);
  });

  it('never frees what has no bytes, and makes it again for its auxiliary alone', () => {
    const hollow = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 0, flops: 5, inputs: [0], ...keeping({ auxBytes: 2 }) },
      { bytes: 0, flops: 7, inputs: [1], ...keeping({ inputs: [0] }) },
      { bytes: 3, flops: 11, inputs: [1, 2], ...keeping() },
    ]);
    expect(nextOf(hollow, {})).toEqual(['F1 3 B: 1', 'F1 3 B: 1 aux 1']);
    expect(nextOf(hollow, { live: '1' })).toEqual(['F1 3 B: 1', 'F1 3 B: 1 aux 1', 'F2 1 B: 1 2']);
    // 2 has no auxiliary: there is nothing to make it again for. After backward 3 nobody reads it.
    expect(nextOf(hollow, { live: '1 2', aux: '1', once: '3' })).toEqual([
      'B3 6 B: 1 aux 1',
      'F3 6 B: 1 2 aux 1',
    ]);
  });
});

describe('where forwards are counted', () => {
  const counted = { counted: true };
  it('forwards nothing a third time', () => {
    expect(nextOf(chain, { live: '2', once: '1 2' }, counted)).toContain('F1 6 B: 1 2');
    expect(nextOf(chain, { live: '2', once: '1 2', twice: '1' }, counted)).toEqual([]);
    expect(nextOf(chain, { live: '1', once: '1', twice: '1' }, counted)).toEqual(['F2 6 B: 1 2']);
  });

  it('leaves out what would have to be forwarded a third time: for its value or its auxiliary', () => {
    // 1 may not go: backward 2 needs it. Where its backward has run nothing does.
    expect(nextOf(chain, { live: '1 2', done: '3', once: '1 2 3', twice: '1' }, counted)).toEqual([
      'B2 11 B: 1',
    ]);
    expect(nextOf(chain, { live: '1', done: '2 3', once: '1 2 3', twice: '1' }, counted)).toEqual([
      'B1 5 B: ',
    ]);
    expect(nextOf(withAux, { live: '1', once: '1', twice: '1' }, counted)).toEqual([]);
    expect(nextOf(withAux, { live: '1', aux: '1', once: '1', twice: '1' }, counted)).toEqual([
      'F2 10 B: 1 2 aux 1',
    ]);
    // 2 needs no value of its own: it may go though it was forwarded twice, once the target has read it.
    const late = { live: '1 2', aux: '1', once: '1 2', twice: '2' };
    expect(nextOf(withAux, late, counted)).toEqual(['F3 16 B: 1 2 aux 1', 'F3 16 B: 1 aux 1']);
  });

  it('leaves out what the target or an auxiliary would need a third time', () => {
    const plain = (inputs: number[], auxBytes = 0) => ({
      bytes: 2,
      flops: 0,
      inputs,
      ...keeping({ auxBytes }),
    });
    const twoReaders = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      plain([0]),
      plain([1]),
      plain([1, 2]),
    ]);
    // No backward needs anything, but the target reads 1 too.
    expect(nextOf(twoReaders, { live: '1', once: '1', twice: '1' }, counted)).toEqual(['F2 5 B: 1 2']);
    expect(nextOf(twoReaders, { live: '1', once: '1' }, counted)).toEqual(['F2 5 B: 1 2', 'F2 5 B: 2']);
    const late = measuredProblem([{ bytes: 1, flops: 0, inputs: [] }, plain([0]), plain([1], 3), plain([2])]);
    // If the auxiliary of 2 or its value is freed, 2 is forwarded once more and reads 1.
    expect(nextOf(late, { live: '1', once: '1', twice: '1' }, counted)).toEqual([
      'F2 8 B: 1 2',
      'F2 8 B: 1 2 aux 2',
      'F2 8 B: 1 aux 2',
      'F2 8 B: 2 aux 2',
    ]);
  });

  it('counts as work what is recomputed; else every forward', () => {
    const works = (from: Drawn, counts: boolean): Set<string> => {
      const found = new Set<string>();
      new Steps(stepGraph(withAux), counts).next(stateOf(from), 99, -1, (next, step, _bytes, work) => {
        found.add(`${step}: ${work}, once ${drawingOf(next.once)}, twice ${drawingOf(next.twice)}`);
      });
      return found;
    };
    expect(works({}, true)).toEqual(new Set(['1: 0, once 1, twice ']));
    expect(works({ once: '1' }, true)).toEqual(new Set(['1: 5, once 1, twice 1']));
    expect(works({ once: '1' }, false)).toEqual(new Set(['1: 5, once 1, twice ']));
    expect(works({}, false)).toEqual(new Set(['1: 5, once , twice ']));
    expect(works({ live: '2', aux: '1' }, false)).toEqual(new Set(['3: 11, once 3, twice ']));
    expect(works({ aux: '1', done: '2 3', once: '3' }, false)).toEqual(new Set(['33: 0, once 3, twice ']));
  });
});

describe('the number of a state', () => {
  /** Every state that can be reached. */
  function reached(graph: StepGraph, steps: Steps): State[] {
    const known = new Map([[JSON.stringify(START), START]]);
    for (const state of known.values()) {
      steps.next(state, Number.POSITIVE_INFINITY, -1, (next) => known.set(JSON.stringify(next), next));
    }
    expect([...known.values()].some(({ done }) => done === graph.all)).toBe(true);
    return [...known.values()];
  }

  it('tells any two states apart', () => {
    for (const problem of [chain, withAux, shared]) {
      const graph = stepGraph(problem);
      for (const counted of [false, true]) {
        const steps = new Steps(graph, counted);
        const states = reached(graph, steps);
        // How often a vertex was forwarded whose backward has run matters no more.
        const different = states.map(({ once, twice, ...rest }) =>
          JSON.stringify({ ...rest, once: once & ~rest.done, twice: twice & ~rest.done }),
        );
        const started = new Set(states.map(({ once }) => once & graph.target));
        expect(started.size).toBe(2);
        expect(new Set(states.map((state) => steps.keyOf(state))).size).toBe(new Set(different).size);
      }
    }
  });

  it('may leave out how often vertices were forwarded', () => {
    const graph = stepGraph(withAux);
    const counted = new Steps(graph, true);
    const free = new Steps(graph, false);
    const state = stateOf({ live: '1', aux: '1', done: '', once: '1 2 3', twice: '2' });
    expect(counted.keyOf(state, false)).toBe(free.keyOf({ ...state, once: maskOf('3'), twice: 0 }));
    expect(counted.keyOf(state, false)).not.toBe(counted.keyOf(state));
    expect(counted.keyOf({ ...state, once: maskOf('1 2') }, false)).not.toBe(counted.keyOf(state, false));
  });
});
