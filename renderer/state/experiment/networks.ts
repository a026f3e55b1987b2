import { type BesideNetwork, type Experiment, MAX_NETWORKS } from '../../../app/contract/experiment.ts';
import { isFileNetwork } from '../../../app/contract/opened-file.ts';

/** Place of a network in an experiment: 0 is the one in front, the others follow as in `also`. */
export type Place = number;

/** The experiment on each of its networks alone, the one in front first. */
export function singleNetworks(experiment: Experiment): Experiment[] {
  const { also = [], ...front } = experiment;
  const { input: _input, dropout: _dropout, checkpoints: _checkpoints, ...shared } = front;
  return [
    front,
    ...also.map(
      ({ model, batch = front.batch, input }): Experiment => ({
        ...shared,
        model,
        batch,
        ...(input === undefined ? {} : { input }),
        // A file has its own data type.
        ...(isFileNetwork(model) ? { dtype: 'float32' } : {}),
      }),
    ),
  ];
}

/** Adds a network beside the one in front, or takes it out wherever it is; the last one stays. */
export function withNetwork(experiment: Experiment, model: string, chosen: boolean): Experiment {
  const { also = [] } = experiment;
  const names = [experiment.model, ...also.map((beside) => beside.model)];
  if (chosen) {
    if (names.includes(model) || names.length >= MAX_NETWORKS) return experiment;
    return { ...experiment, also: [...also, { model }] };
  }
  const place = names.indexOf(model);
  return place < 0 ? experiment : withoutNetwork(experiment, place);
}

/** Without one network; where it was in front, the next comes there. */
export function withoutNetwork(experiment: Experiment, place: Place): Experiment {
  const { also = [] } = experiment;
  if (also.length === 0) return experiment;
  if (place > 0)
    return withAlso(
      experiment,
      also.filter((_, i) => i !== place - 1),
    );
  const next = toFront(experiment, 1);
  return withAlso(next, (next.also ?? []).slice(1));
}

/** Another network in front. Every network keeps the batch and the input that it has. */
export function toFront(experiment: Experiment, place: Place): Experiment {
  const { also = [], ...front } = experiment;
  const chosen = also[place - 1];
  if (chosen === undefined) return experiment;
  const { input, dropout: _dropout, checkpoints: _checkpoints, ...shared } = front;
  const batch = chosen.batch ?? front.batch;
  const own = (beside: BesideNetwork): BesideNetwork => {
    const { batch: own = front.batch, ...rest } = beside;
    return own === batch ? rest : { ...rest, batch: own };
  };
  const previous = own({ model: front.model, ...(input === undefined ? {} : { input }) });
  return {
    ...shared,
    model: chosen.model,
    batch,
    ...(chosen.input === undefined ? {} : { input: chosen.input }),
    ...(isFileNetwork(chosen.model) ? { dtype: 'float32' } : {}),
    also: [previous, ...also.filter((beside) => beside !== chosen).map(own)],
  };
}

/** One network at a batch or an input of its own; `undefined` takes that back. */
export function withNetworkSize(
  experiment: Experiment,
  place: Place,
  size: Pick<BesideNetwork, 'batch' | 'input'>,
): Experiment {
  const { also = [] } = experiment;
  return withAlso(
    experiment,
    also.map((beside, i) => {
      if (i !== place - 1) return beside;
      const { batch, input } = size;
      return {
        model: beside.model,
        ...(batch === undefined || batch === experiment.batch ? {} : { batch }),
        ...(input === undefined ? {} : { input }),
      };
    }),
  );
}

function withAlso(experiment: Experiment, also: readonly BesideNetwork[]): Experiment {
  const { also: _also, ...rest } = experiment;
  return also.length === 0 ? rest : { ...rest, also: [...also] };
}
