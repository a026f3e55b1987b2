import type { Experiment } from '../../../app/contract/experiment.ts';
import { type Place, singleNetworks } from './networks.ts';

export interface PlacedNetwork {
  readonly place: Place;
  readonly single: Experiment;
}

interface Named {
  readonly name: string;
  readonly title: string;
}

/** The networks in the catalogue's order, so that none moves when another comes to the front. */
export function orderedNetworks(experiment: Experiment, models: readonly Named[]): PlacedNetwork[] {
  const rank = new Map(models.map(({ name }, i) => [name, i]));
  const rankOf = ({ single }: PlacedNetwork): number => rank.get(single.model) ?? models.length;
  return singleNetworks(experiment)
    .map((single, place): PlacedNetwork => ({ place, single }))
    .sort(
      (a, b) =>
        rankOf(a) - rankOf(b) ||
        a.single.batch - b.single.batch ||
        (a.single.input ?? 0) - (b.single.input ?? 0),
    );
}

export function networkTitle(model: string, models: readonly Named[]): string {
  return models.find(({ name }) => name === model)?.title ?? model;
}
