import type { LabClient } from '../../app/contract/client.ts';
import type { ExperimentInput } from '../../app/contract/experiment.ts';
import { chance, pick, type Rng } from '../support/rng.ts';

/** Needs of one action of a page. */
export interface Doing {
  readonly lab: LabClient;
  readonly rng: Rng;
  /** Cancels its calls. */
  readonly signal: AbortSignal;
}

export type Action = (doing: Doing) => Promise<void>;

const QUICK = ['alexnet', 'vgg16', 'resnet18', 'tiny-residual', 'tiny-unet', 'tiny-transformer', 'chain-32'];
const SLOW = ['resnet101', 'densenet161', 'gpt2', 'unet'];
const TRAINED = ['tiny-residual', 'tiny-dropout', 'tiny-transformer'];
const STRATEGIES = ['regular', 'chen-sqrt', 'optimal', 'live', 'random'];

function drawn(rng: Rng, models: readonly string[] = QUICK): ExperimentInput {
  const strategies = STRATEGIES.filter((_, index) => index === 0 || chance(rng, 0.5));
  return { model: pick(rng, models), batch: 1 + rng.below(32), strategies, seed: rng.below(1000) };
}

/** Reads a stream to its end, or to the event after which the page wants no more. */
async function read<T>(events: AsyncIterable<T>, enough: (event: T, count: number) => boolean = () => false) {
  let count = 0;
  for await (const event of events) if (enough(event, ++count)) break;
}

const compare: Action = async ({ lab, rng, signal }) => read(await lab.compare(drawn(rng), { signal }));

/** A search that ticks, and one that may lose its thread: which it is the draw decides. */
const cancel: Action = async ({ lab, rng, signal }, after = 1 + rng.below(3)) => {
  const control = new AbortController();
  signal.addEventListener('abort', () => control.abort(), { once: true });
  const asked = { ...drawn(rng, SLOW), strategies: ['regular', 'optimal', 'live'] };
  const events = await lab.compare(asked, { signal: control.signal });
  await read(events, (_, count) => {
    if (count >= after) control.abort();
    return false;
  }).catch((error: unknown) => {
    if (!control.signal.aborted) throw error;
  });
};

/** Leaves the stream without a word, as a component that is taken off the screen does. */
const leave: Action = async ({ lab, rng, signal }) =>
  read(await lab.compare(drawn(rng, SLOW), { signal }), (event) => event.type === 'row');

const look: Action = async ({ lab, rng, signal }) => {
  const { strategies: _, ...network } = drawn(rng);
  await lab.graphView(network, { signal });
  await lab.liveTensors({ ...network, strategy: 'optimal' }, { signal });
};

const limits: Action = async ({ lab, rng, signal }) => {
  const memoryBytes = 2 ** (28 + rng.below(6));
  await read(await lab.limits({ ...drawn(rng, TRAINED), memoryBytes }, { signal }));
};

const frontier: Action = async ({ lab, rng, signal }) => {
  const { strategies: _, ...network } = drawn(rng, TRAINED);
  await read(await lab.pareto(network, { signal }));
};

/** A file of its own each time, so that the lab has to forget one for it. */
const importNetwork: Action = async ({ lab, rng, signal }) => {
  const experiment = drawn(rng, TRAINED);
  const { text } = await lab.exportFile({ experiment, strategy: 'regular', form: 'graph' });
  const file = { ...JSON.parse(text), name: `soak ${rng.below(2 ** 31)}` };
  const imported = await lab.importFile({ name: 'soak.json', bytes: new Blob([JSON.stringify(file)]) });
  if (imported.kind !== 'network') throw new Error('a network was taken for a plan');
  await read(await lab.compare({ ...drawn(rng), model: imported.model }, { signal }));
  await lab.openedFiles();
};

const train: Action = async ({ lab, rng, signal }, isCut = chance(rng, 0.3)) => {
  const request = {
    model: pick(rng, TRAINED),
    batch: 1 + rng.below(4),
    strategy: pick(rng, ['regular', 'optimal', 'chen-sqrt']),
    iterations: 1 + rng.below(4),
    backend: 'wasm' as const,
  };
  const events = await lab.train(request, { signal });
  await read(events, ({ event }) => isCut && event === 'iteration');
};

/** Another client may have removed the run in the meantime, which is no fault. */
const GONE = 'this run is no longer in the history; choose another';

const history: Action = async ({ lab, rng }) => {
  const { runs } = await lab.listRuns();
  const own = runs.filter(({ source, outcome }) => source === 'lab' && outcome !== 'running');
  if (own.length === 0) return;
  const { id } = pick(rng, own);
  const isHere = await lab.openRun({ id }).then(
    () => true,
    (error: Error) => {
      if (error.message === GONE) return false;
      throw error;
    },
  );
  if (!isHere) return;
  await lab.removeRuns({ ids: [id] });
  await lab.restoreRuns({ ids: [id] });
  await lab.annotateRun({ id, note: `seen ${rng.below(1000)} times` });
};

/** The same run under another name: it is new to the history, and an old one goes. */
const importRuns: Action = async ({ lab, rng }) => {
  const { runs } = await lab.listRuns();
  const [done] = runs.filter(({ outcome }) => outcome === 'done');
  if (done === undefined) return;
  const { text } = await lab.exportRuns({ ids: [done.id] });
  await lab.importRuns({ bytes: copies(text, 5, rng), makeRoom: true });
};

/** A file of runs with as many copies of its first run as asked for. */
export function copies(text: string, count: number, rng: Rng): Blob {
  const file = JSON.parse(text) as { readonly runs: readonly object[] };
  const named = (): object => ({ ...file.runs[0], id: `soak-${rng.below(2 ** 31)}-${rng.below(2 ** 31)}` });
  return new Blob([JSON.stringify({ ...file, runs: Array.from({ length: count }, named) })]);
}

/** Refused calls cost nothing either. */
const refused: Action = async ({ lab, rng }) => {
  const isRefused = await lab.compare({ ...drawn(rng), model: `no-${rng.below(1e6)}` }).then(
    () => false,
    () => true,
  );
  if (!isRefused) throw new Error('a network that is not there was compared');
};

const about: Action = async ({ lab }) => {
  await Promise.all([lab.about(), lab.catalog(), lab.listRuns(), lab.openedFiles()]);
};

export const ACTIONS: Readonly<Record<string, Action>> = {
  about,
  compare,
  cancel,
  leave,
  look,
  limits,
  frontier,
  'import a network': importNetwork,
  train,
  history,
  'import runs': importRuns,
  'be refused': refused,
};
