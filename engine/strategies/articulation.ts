import { planFromCheckpoints, READS_CHECKPOINTING } from './strategy/from-checkpoints.ts';
import { splittingChain, whyNoChain } from './chen/splitting-chain.ts';
import type { Strategy } from './strategy/strategy.ts';

/**
 * OpenAI's automatic mode: the candidates are the graph separators of size 1 (articulation points) that backward
 * reads, or all separators where fewer than sqrt(N) of them are read. N is the number of tensors that backward reads.
 * About sqrt(N) candidates at equal steps are kept, all of them when there are no more than that.
 *
 * - Source: articles 002 and 003; `checkpoints='memory'` of openai/gradient-checkpointing.
 * - Guarantee: O(sqrt(n)) memory and one extra forward on a chain of n equal vertices.
 * - Time and space O(V + E); the original takes O(V^2).
 * - Assumptions: candidates spread evenly over the graph; costs are not looked at.
 * - Departures: the original drops tensors of up to 1,024 elements and operations of some names before
 *   it looks for candidates ("weird ops"), because TensorFlow's graphs hide separators behind them; the
 *   papers' graph has no such vertices, so all count.
 */
export const articulation: Strategy = {
  name: 'articulation',
  title: 'Articulation points (OpenAI)',
  source: 'Salimans & Bulatov, openai/gradient-checkpointing, 2018',
  cites: ['openai2018gradient'],
  guarantee: 'O(√n) memory on a chain of n equal vertices',
  takeFor: 'a comparison with OpenAI’s gradient-checkpointing in its automatic mode',
  reads: { ...READS_CHECKPOINTING },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options) {
    const { graph, memory, view } = problem;
    const { tensors, representative } = view;
    const chain = splittingChain(tensors);
    const reason = whyNoChain(problem, chain);
    if (reason !== null) return { applicable: false, reason };
    const read = new Set(memory.needs);
    read.delete(0);
    read.delete(graph.size - 1);
    const root = Math.sqrt(read.size);
    const separators = chain.vertices.slice(1, -1);
    const readSeparators = separators.filter((c) => read.has(representative[c] ?? 0));
    const candidates = readSeparators.length >= root ? readSeparators : separators;
    if (candidates.length <= Math.ceil(root)) return planFromCheckpoints(problem, options, candidates);
    const step = Math.ceil(candidates.length / root);
    return planFromCheckpoints(
      problem,
      options,
      candidates.filter((_, i) => i > 0 && i % step === 0),
    );
  },
};
