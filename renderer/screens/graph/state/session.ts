import { type ComparisonStore, createComparisonStore } from '../../../state/comparison/comparison-store.ts';
import { createStore, type Store } from '../../../shared/store.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import { type Basis, createViewPart } from '../../../state/experiment/view-part.ts';
import { createGraphStore, graphKey, type GraphStore, type Network } from './graph-store.ts';
import { createLayouter, type Layouter } from '../layout/layouter.ts';
import type { CheckpointSet, ItemPaint } from './paint.ts';
import { VIEW_WORDS, type ViewState } from './view-state.ts';

/** State of the Graph screen that outlives it. */
export interface GraphSession {
  readonly graph: GraphStore;
  /** The user's own checkpoints against the optimum and live, whatever strategies are compared elsewhere. */
  readonly ownComparison: ComparisonStore;
  readonly view: Store<ViewState>;
  /** How the boxes look; they watch it themselves, so that a ring redraws one box and not all. */
  readonly paint: Store<ReadonlyMap<string, ItemPaint>>;
  /** Answers that the game has given away; empty until asked for. */
  readonly answers: Store<readonly CheckpointSet[]>;
  readonly layout: Layouter;
  readonly reconnected: () => void;
}

export function graphSession({ connection, experiment }: Workspace): GraphSession {
  const { client } = connection;
  const graph = createGraphStore(client);
  const ownComparison = createComparisonStore(client);
  const network: Basis<Network | null> = {
    get: () => graph.get().shown,
    subscribe: graph.subscribe,
    isOwn: () => graph.get().shown?.key === graphKey(experiment.get().experiment),
  };
  return {
    graph,
    ownComparison,
    view: createViewPart(experiment, 'graph', VIEW_WORDS, 0, network),
    paint: createStore<ReadonlyMap<string, ItemPaint>>(new Map()),
    answers: createStore<readonly CheckpointSet[]>([]),
    layout: createLayouter(
      () => new Worker(new URL('../layout/layout-worker.ts', import.meta.url), { type: 'module' }),
    ),
    reconnected: () => {
      graph.reconnected();
      ownComparison.reconnected();
    },
  };
}

/** Paint that looks the same stays the same object, so that its box is not drawn again. */
export function setPaint(
  store: Store<ReadonlyMap<string, ItemPaint>>,
  next: ReadonlyMap<string, ItemPaint>,
): void {
  const previous = store.get();
  const merged = new Map<string, ItemPaint>();
  for (const [key, paint] of next) {
    const known = previous.get(key);
    merged.set(key, known !== undefined && isSame(known, paint) ? known : paint);
  }
  store.set(merged);
}

function isSame(a: ItemPaint, b: ItemPaint): boolean {
  return (
    a.heat === b.heat &&
    a.tone === b.tone &&
    a.figure === b.figure &&
    a.isDim === b.isDim &&
    a.rings.length === b.rings.length &&
    a.rings.every(({ identity, count, hidden }, i) => {
      const other = b.rings[i];
      return (
        other !== undefined &&
        other.identity.name === identity.name &&
        other.count === count &&
        other.hidden.join() === hidden.join()
      );
    })
  );
}
