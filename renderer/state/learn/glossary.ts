import type { LessonId } from './lessons.ts';

export interface GlossaryEntry {
  readonly id: string;
  readonly term: string;
  readonly also?: string;
  readonly text: string;
  /** The lesson that explains it with a picture. */
  readonly lesson?: LessonId;
}

const ENTRIES: readonly GlossaryEntry[] = [
  {
    id: 'accessibility',
    term: 'accessibility graph',
    text: 'A graph with an edge from one tensor to a later one if everything strictly between them costs at most C, the max term. A path from source to target is then a set of checkpoints, and no segment costs more than C.',
    lesson: 'unequal',
  },
  {
    id: 'activation',
    term: 'activation',
    also: 'feature map output',
    text: 'The result of an operation in the forward pass.',
    lesson: 'regular',
  },
  {
    id: 'auxiliary',
    term: 'auxiliary',
    also: 'indices masks saved',
    text: 'Data other than activations that an operation saves for backward: the indices of a max pool, the mask of a dropout, the batch statistics of a batch norm.',
    lesson: 'theory',
  },
  {
    id: 'backward',
    term: 'backward pass',
    also: 'backpropagation gradient',
    text: 'The second half of a training step, from the loss back to the input. Each operation turns the gradient of its output into the gradients of its inputs and its weights.',
    lesson: 'regular',
  },
  {
    id: 'branch',
    term: 'branch segment',
    also: 'parallel',
    text: 'An independent segment made of several segments that share only their two ends, such as the two sides of a residual block. Each branch can be recomputed without the others.',
    lesson: 'branches',
  },
  {
    id: 'budget',
    term: 'budget',
    text: 'The limit on the live bytes of a training step. The budget strategy searches for the least recompute within it.',
    lesson: 'budget',
  },
  {
    id: 'checkpoint',
    term: 'gradient checkpoint',
    also: 'gc kept',
    text: 'A tensor kept from the first forward until the backward of the segment that ends or begins with it. (A file with saved weights is also called a checkpoint; it is unrelated.)',
    lesson: 'sqrt',
  },
  {
    id: 'complicate',
    term: 'complicate segment',
    also: 'complex',
    text: 'The papers’ word for an independent segment that is neither linear nor branch: no vertex splits it, and no parts of it run side by side.',
    lesson: 'branches',
  },
  {
    id: 'computation-graph',
    term: 'computation graph',
    text: 'The papers’ view of a network: vertices are stored tensors, edges the operations between them. Eq. 1 and Eq. 2 are defined on it. Operations that need no tensor of their own share a vertex or lie on an edge.',
    lesson: 'branches',
  },
  {
    id: 'cut-off',
    term: 'cut-off',
    also: 'saved saving',
    text: 'Memory saved against regular training, in percent. This is the papers’ term.',
    lesson: 'theory',
  },
  {
    id: 'device-context',
    term: 'device context',
    also: 'cuda cudnn driver',
    text: 'Memory that the driver and its libraries take on a device before the first tensor is allocated. No strategy can save it.',
    lesson: 'theory',
  },
  {
    id: 'division-tree',
    term: 'division tree',
    text: 'The whole graph divided into independent segments, these into smaller ones, down to single edges. Every graph has exactly one.',
    lesson: 'branches',
  },
  {
    id: 'dynamic-programming',
    term: 'dynamic programming',
    also: 'dp chain-dp',
    text: 'The best plan for a chain consists of the best plans for its two parts. Keep one tensor; finish everything to its right in the remaining memory, then everything to its left. Every part is solved once for every budget, and looked up afterwards.',
    lesson: 'budget',
  },
  {
    id: 'eq1',
    term: 'Eq. 1',
    also: 'equation paper cost',
    text: 'The papers’ cost of a chain: the sum of the checkpoints plus the largest segment between them. Source and target are not counted.',
    lesson: 'unequal',
  },
  {
    id: 'eq2',
    term: 'paper cost (Eq. 2)',
    also: 'equation cost theory',
    text: 'The papers’ cost of any graph: bytes of the checkpoints plus the largest segment. It leaves out gradients and counts all checkpoints at once, so the lab never calls it a peak.',
    lesson: 'theory',
  },
  {
    id: 'gradient',
    term: 'gradient',
    text: 'The derivative of the loss: how it changes with each element of a tensor. It takes as many bytes as the tensor itself.',
    lesson: 'regular',
  },
  {
    id: 'graph',
    term: 'graph',
    also: 'network dag',
    text: 'A network as operations and their results; each comes after its inputs. It has one source and one target and no cycle.',
    lesson: 'pebbles',
  },
  {
    id: 'in-place',
    term: 'in-place operation',
    text: 'An operation that writes its output over its input, such as most ReLUs. Allowed only when nothing else needs the old value.',
    lesson: 'theory',
  },
  {
    id: 'independent-segment',
    term: 'independent segment',
    also: 'is closed set',
    text: 'A part of the graph with one source and one target whose inside is not connected to anything outside. With its source kept it can be recomputed alone.',
    lesson: 'branches',
  },
  {
    id: 'linear',
    term: 'linear segment',
    also: 'chain',
    text: 'An independent segment that a vertex inside splits into two segments, which meet only there.',
    lesson: 'branches',
  },
  {
    id: 'live',
    term: 'live',
    also: 'liveness',
    text: 'A tensor is live from the step that computes it to the last step that uses it, or until it is freed and recomputed.',
    lesson: 'pebbles',
  },
  {
    id: 'lower-set',
    term: 'lower set',
    text: 'A set of operations that contains everything its members read. Its border cuts the graph at several tensors at once, even where no single vertex can.',
    lesson: 'branches',
  },
  {
    id: 'max-term',
    term: 'max term C',
    text: 'The largest size that a segment may have. The papers’ algorithms find the cheapest checkpoints for every C and take the best sum.',
    lesson: 'unequal',
  },
  {
    id: 'memory-poor',
    term: 'memory-poor',
    text: 'The strategy that keeps only the input and recomputes everything else before every backward step. On a chain it needs constant memory and a quadratic number of forwards.',
    lesson: 'poor',
  },
  {
    id: 'offload',
    term: 'offloading',
    also: 'send fetch host memory link pcie swap save_on_cpu',
    text: 'Sending an activation to the host’s memory after its use in the forward, and fetching it before backward needs it. It takes time on the link but no recompute. The device waits only for tensors that arrive too late.',
    lesson: 'budget',
  },
  {
    id: 'overhead',
    term: 'time overhead',
    text: 'Iteration time under a schedule divided by the regular iteration time, minus one. It is predicted from FLOPs or measured; the label says which.',
    lesson: 'budget',
  },
  {
    id: 'pareto',
    term: 'Pareto front',
    also: 'trade-off',
    text: 'The plans that no other plan beats in both memory and recompute. Along the front, less memory always means more recompute.',
    lesson: 'budget',
  },
  {
    id: 'peak',
    term: 'peak',
    text: 'The largest sum of live bytes at any instant of one training step: activations, gradients and auxiliaries. Weights, their gradients and the optimizer’s state are stationary and shown apart.',
    lesson: 'regular',
  },
  {
    id: 'pebble',
    term: 'pebble',
    text: 'A token on a vertex: its tensor is in memory. The number of pebbles on the board is the memory in use.',
    lesson: 'pebbles',
  },
  {
    id: 'profile',
    term: 'profile',
    text: 'The set of tensors that each operation saves for backward. It depends on the framework: pytorch for predictions, tfjs for this lab’s own trainer.',
    lesson: 'theory',
  },
  {
    id: 'recompute',
    term: 'recompute',
    also: 're-forward rematerialization recomputation',
    text: 'Running part of the forward pass again during backward, because its tensors were not kept. Also called re-forward or rematerialization.',
    lesson: 'pebbles',
  },
  {
    id: 'reentrant',
    term: 'reentrant',
    also: 'use_reentrant non-reentrant torch.utils.checkpoint',
    text: 'PyTorch’s segments with use_reentrant=True. In backward the whole segment is recomputed; its output and the output’s gradient are held until its backward has ended. Non-reentrant recomputes only what is missing and frees it after its last use.',
    lesson: 'sqrt',
  },
  {
    id: 'recompute-fraction',
    term: 'recompute fraction',
    text: 'Recomputed forward work divided by the forward work of one step. In FLOPs, or in bytes if a graph has no FLOPs.',
    lesson: 'budget',
  },
  {
    id: 'revolve',
    term: 'Revolve',
    also: 'griewank binomial',
    text: 'Griewank and Walther’s schedule for a chain with a given number of checkpoint slots. It needs the fewest forwards, by a binomial rule.',
    lesson: 'budget',
  },
  {
    id: 'schedule',
    term: 'schedule',
    text: 'The list of steps of one training step: forward, backward and free. A second forward of the same vertex is a recompute. The simulator replays it and counts the bytes.',
    lesson: 'pebbles',
  },
  {
    id: 'segment',
    term: 'segment',
    text: 'The part of a network between two neighbouring checkpoints. Its tensors are recomputed together when backward reaches it.',
    lesson: 'sqrt',
  },
  {
    id: 'source',
    term: 'source and target',
    also: 'input loss',
    text: 'The first and the last vertex of a graph: the input batch, which is stored during the whole step, and the output from which the loss is computed.',
    lesson: 'regular',
  },
  {
    id: 'splitting-vertex',
    term: 'splitting vertex',
    also: 'articulation point separator',
    text: 'A vertex that every path from source to target passes. If it is kept, nothing before it is needed to recompute the vertices after it.',
    lesson: 'branches',
  },
  {
    id: 'stationary',
    term: 'stationary memory',
    also: 'weights optimizer',
    text: 'Weights, their gradients and the optimizer’s state: constant during the step, and the same for every strategy.',
    lesson: 'theory',
  },
  {
    id: 'treewidth',
    term: 'treewidth',
    also: 'tree decomposition min-fill bags',
    text: 'The distance of a graph from a tree: 1 for a chain or a tree, 2 with residual blocks, and larger when more paths run side by side and mix. Small values make exact methods fast.',
    lesson: 'branches',
  },
  {
    id: 'workspace',
    term: 'workspace',
    also: 'kernel temporary',
    text: 'Memory that a kernel needs only while it runs. The predicted peak of activations leaves it out; the trainer measures it and shows it separately.',
    lesson: 'theory',
  },
  {
    id: 'zigzag',
    term: 'zigzag',
    text: 'The saw-tooth curve of live memory over one training step with recompute. Each tooth is one segment that is recomputed and then freed.',
    lesson: 'pebbles',
  },
];

export const GLOSSARY: readonly GlossaryEntry[] = [...ENTRIES].sort((a, b) =>
  a.term.localeCompare(b.term, 'en'),
);

/** Entries that contain every word of a query, in the term, its other names or its text; terms first. */
export function searchGlossary(query: string): readonly GlossaryEntry[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const inTerm = ({ term, also = '' }: GlossaryEntry): string => `${term} ${also}`.toLowerCase();
  const found = GLOSSARY.filter((entry) =>
    words.every((word) => `${inTerm(entry)} ${entry.text.toLowerCase()}`.includes(word)),
  );
  const named = found.filter((entry) => words.every((word) => inTerm(entry).includes(word)));
  return [...named, ...found.filter((entry) => !named.includes(entry))];
}
