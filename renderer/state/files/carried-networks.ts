import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import type { ImportedNetwork } from '../../../app/contract/import-file.ts';
import { isFileNetwork, MAX_CARRIED } from '../../../app/contract/opened-file.ts';
import { packText, unpackText } from '../../shared/packed-text.ts';
import { type Carried, isUnopened, modelsOf, renamed } from '../experiment/address.ts';
import { FIRST_EXPERIMENT } from '../experiment/experiment.ts';
import type { ExperimentStore } from '../experiment/experiment-store.ts';

/** A network of a link unpacked; the importers have limits of their own. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_TITLE = 120;

type Importer = Pick<LabClient, 'importFile'>;

/** A network and what a link calls it: its title on the first line, the text of its file after it. */
export const packNetwork = (title: string, text: string): Promise<string> =>
  packText(`${title.replace(/\s+/g, ' ').slice(0, MAX_TITLE)}\n${text}`);

async function openNetwork(client: Importer, packed: string): Promise<ImportedNetwork> {
  const text = await unpackText(packed, MAX_BYTES).catch(() => {
    throw new Error('it is incomplete or damaged');
  });
  const end = text.indexOf('\n');
  const title = text.slice(0, Math.max(end, 0));
  if (end < 0 || title.length > MAX_TITLE) throw new Error('it was not made by a lab');
  // A title is no path, and has no ending that is left out.
  const name = `${title.replaceAll(/[\\/]/g, ' ')}.json`;
  const imported = await client.importFile({ name, bytes: new Blob([text.slice(end + 1)]) });
  if (imported.kind === 'plan') throw new Error('it is a plan, not a network');
  return imported;
}

/**
 * Opens the networks that the link in the address brings along, in the lab that the page is of, and has the experiment
 * name them as the lab does. What cannot be opened is said in one sentence, and the usual network takes its place.
 *
 * @param onOpened called with each network before the experiment names it
 */
export async function openCarried(
  client: Importer,
  store: ExperimentStore,
  onOpened: (network: ImportedNetwork) => void,
): Promise<void> {
  const { carried = {}, experiment } = store.get();
  const names = new Map<string, string>();
  const kept: Record<string, string> = {};
  const notices: string[] = [];
  for (const name of modelsOf(experiment).filter(isUnopened)) {
    const packed = carried[name];
    try {
      if (packed === undefined) throw new Error('the link does not contain it');
      const network = await openNetwork(client, packed);
      onOpened(network);
      names.set(name, network.model);
      kept[network.model] = packed;
    } catch (error) {
      const reason = failureOf(error).message.replace(/\.$/, '');
      names.set(name, FIRST_EXPERIMENT.model);
      notices.push(
        `The link’s network cannot be read: ${reason}. ${FIRST_EXPERIMENT.model} is shown instead.`,
      );
    }
  }
  store.carry(kept);
  const next = renamed(store.get().experiment, names);
  store.settle(withoutTwins(withoutInputs(next, new Set(names.values()))), notices);
}

/** A packed network has the sizes of its time; a graph file takes no other. */
function withoutInputs(experiment: Experiment, models: ReadonlySet<string>): Experiment {
  const { input, also, ...rest } = experiment;
  const front = models.has(experiment.model) || input === undefined ? {} : { input };
  const beside = also?.map(({ input: own, ...one }) =>
    models.has(one.model) || own === undefined ? one : { ...one, input: own },
  );
  return { ...rest, ...front, ...(beside === undefined ? {} : { also: beside }) };
}

/** Two damaged networks would both be the usual one. */
function withoutTwins(experiment: Experiment): Experiment {
  const { also, ...rest } = experiment;
  const others = (also ?? []).filter(({ model }) => model !== FIRST_EXPERIMENT.model);
  return others.length > 0 ? { ...rest, also: others } : rest;
}

export const hasUnopened = (experiment: Experiment): boolean => modelsOf(experiment).some(isUnopened);

/**
 * The networks from files that an experiment names, packed for a link.
 *
 * @param titleOf title of a network by its name
 * @throws Error in one sentence where they are too large for a link; what the lab throws
 */
export async function packNetworks(
  client: Pick<LabClient, 'exportFile'>,
  experiment: Experiment,
  titleOf: (model: string) => string,
): Promise<Carried> {
  const carried: Record<string, string> = {};
  let size = 0;
  for (const model of modelsOf(experiment).filter(isFileNetwork)) {
    const { input } =
      model === experiment.model
        ? experiment
        : (experiment.also?.find((beside) => beside.model === model) ?? experiment);
    const asked = { model, batch: 1, strategies: ['regular'], ...(input === undefined ? {} : { input }) };
    const { text } = await client.exportFile({ experiment: asked, strategy: 'regular', form: 'graph' });
    const packed = await packNetwork(titleOf(model), text);
    size += packed.length + 1;
    if (size > MAX_CARRIED) {
      throw new Error(
        `The network “${titleOf(model)}” is too large for a link: packed it has ${packed.length.toLocaleString('en')} letters, and a link holds ${MAX_CARRIED.toLocaleString('en')}. Send its file instead.`,
      );
    }
    carried[model] = packed;
  }
  return carried;
}
