import type { Experiment } from '../../../app/contract/experiment.ts';
import { createStore, type Store } from '../../shared/store.ts';
import type { Address, Carried, ReadAddress } from './address.ts';

export type View = Readonly<Record<string, string>>;

/** Shared state of all screens, and the user's position. Only the experiment is undone and redone. */
export interface LabView extends Address {
  /** The device's memory that the budget was asked to keep to, while that budget stands. */
  readonly budgetLimit?: number | undefined;
  readonly past: readonly Experiment[];
  readonly future: readonly Experiment[];
  /** Sentences about what could not be read from a link. */
  readonly notices: readonly string[];
}

export interface ExperimentStore extends Pick<Store<LabView>, 'get' | 'subscribe'> {
  /**
   * Replaces the experiment and remembers the previous one. Changes with the same `merge` word in quick
   * succession (typing a number) are undone together.
   */
  change(next: Experiment, merge?: string): void;
  /** Replaces it without a trace: what the lab itself settles, such as a strategy that it lacks. */
  settle(next: Experiment, notices: readonly string[]): void;
  /** Takes a share of the peak of regular training as the budget, once that peak is known. */
  wantShare(share: number | undefined): void;
  /** Keeps the budget's plan within so much of the device's memory (`createLimitSearch`). */
  wantLimit(limit: number | undefined): void;
  /** Networks that the address is to bring along from now on, by name. */
  carry(carried: Carried): void;
  undo(): void;
  redo(): void;
  goTo(screen: string): void;
  select(strategy: string | null): void;
  /** Saves a screen's settings: in the link for the screen in front, until it returns for another. */
  setView(view: View, screen?: string): void;
  /** The view of the screen in front, or as another was left. */
  viewOf(screen: string): View;
  open(address: ReadAddress): void;
  dismissNotices(): void;
}

const MAX_UNDO = 100;
const MERGE_MS = 800;
const NO_VIEW: View = {};

export function createExperimentStore(first: ReadAddress, now: () => number = Date.now): ExperimentStore {
  const { faults, ...address } = first;
  const store = createStore<LabView>({ ...address, past: [], future: [], notices: faults });
  const left = new Map<string, View>();
  let lastMerge: { readonly word: string; readonly at: number } | null = null;

  const patch = (part: Partial<LabView>): void => store.set({ ...store.get(), ...part });

  const remembering = (next: Experiment, merge?: string): Partial<LabView> => {
    const { experiment, past, budgetShare, budgetLimit } = store.get();
    const merges = merge !== undefined && lastMerge?.word === merge && now() - lastMerge.at < MERGE_MS;
    lastMerge = merge === undefined ? null : { word: merge, at: now() };
    const kept = merges ? past : [...past, experiment].slice(-MAX_UNDO);
    const isOther = next.budgetBytes !== experiment.budgetBytes;
    const wanted = isOther
      ? { budgetShare: undefined, budgetLimit: undefined }
      : { budgetShare, budgetLimit };
    return { experiment: next, past: kept, future: [], ...wanted };
  };

  const viewOf = (screen: string): View => {
    const { screen: front, view } = store.get();
    return (screen === front ? view : left.get(screen)) ?? NO_VIEW;
  };
  const leave = (next: string): void => {
    const { screen, view = NO_VIEW } = store.get();
    if (screen !== next) left.set(screen, view);
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    change: (next, merge) => {
      if (!sameExperiment(next, store.get().experiment)) patch(remembering(next, merge));
    },
    settle: (next, notices) => patch({ experiment: next, notices: [...store.get().notices, ...notices] }),
    wantShare: (budgetShare) => patch({ budgetShare }),
    wantLimit: (budgetLimit) => patch({ budgetLimit }),
    carry: (carried) => patch({ carried: { ...store.get().carried, ...carried } }),
    undo: () => {
      const { past, future, experiment } = store.get();
      const previous = past.at(-1);
      if (previous === undefined) return;
      lastMerge = null;
      patch({
        experiment: previous,
        budgetLimit: undefined,
        past: past.slice(0, -1),
        future: [experiment, ...future],
      });
    },
    redo: () => {
      const { past, future, experiment } = store.get();
      const [next, ...rest] = future;
      if (next === undefined) return;
      lastMerge = null;
      patch({ experiment: next, budgetLimit: undefined, past: [...past, experiment], future: rest });
    },
    goTo: (screen) => {
      if (screen === store.get().screen) return;
      const view = viewOf(screen);
      leave(screen);
      patch({ screen, view });
    },
    select: (selected) => patch({ selected }),
    setView: (view, screen = store.get().screen) => {
      if (screen === store.get().screen) patch({ view });
      else left.set(screen, view);
    },
    viewOf,
    open: ({ faults: notices, screen, selected, experiment, budgetShare, view = {}, carried = {} }) => {
      const changed = sameExperiment(experiment, store.get().experiment) ? {} : remembering(experiment);
      leave(screen);
      // All at once: the address would write a new screen with the former experiment, and lose the way forward.
      const brought = { ...store.get().carried, ...carried };
      patch({ ...changed, screen, selected, budgetShare, notices, view, carried: brought });
    },
    dismissNotices: () => patch({ notices: [] }),
  };
}

export function sameExperiment(a: Experiment, b: Experiment): boolean {
  return a === b || identityKey(a) === identityKey(b);
}

function identityKey(experiment: Experiment): string {
  const parts = Object.entries(experiment).filter(([, value]) => value !== undefined);
  return JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}
