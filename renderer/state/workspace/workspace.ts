import type { LabConnection } from '../../../app/contract/connection.ts';
import type { Imported } from '../../../app/contract/import-file.ts';
import { type ComparisonStore, createComparisonStore } from '../comparison/comparison-store.ts';
import { createNetworksStore, type NetworksStore } from '../comparison/networks-store.ts';
import { bytesOfBudget } from '../../../engine/options/budget.ts';
import { createLimitSearch } from '../comparison/budget-limit.ts';
import { keyOf } from '../comparison/comparison.ts';
import { regularPeak } from '../comparison/rows.ts';
import { createResultsCache } from '../comparison/answers.ts';
import type { ReadAddress } from '../experiment/address.ts';
import { withModel, withoutUnknown, withStrategy } from '../experiment/experiment.ts';
import { experimentFiles } from '../files/experiment-files.ts';
import { createExperimentStore, type ExperimentStore } from '../experiment/experiment-store.ts';
import { hasUnopened, openCarried } from '../files/carried-networks.ts';
import { fileRow } from '../files/file-row.ts';
import { createFilesStore, type FilesStore } from '../files/files-store.ts';
import { createMeasurementsStore, type MeasurementsStore } from '../files/measurements.ts';
import { createMeasuredFileStore, type MeasuredFileStore } from '../files/measured-file.ts';
import { GIVEN_PLAN } from '../files/given-plan.ts';
import { type CatalogStore, createCatalogStore } from '../catalog/catalog-store.ts';
import { createPageStore, type PageStore } from '../page/page-store.ts';
import { createHistoryStore, type HistoryStore } from '../runs/history-store.ts';
import { createRunsStore, type RunsStore } from '../runs/runs-store.ts';

/** Everything that outlives a screen, in one place; screens reach it through `useWorkspace`. */
export interface Workspace {
  readonly connection: LabConnection;
  readonly catalog: CatalogStore;
  readonly experiment: ExperimentStore;
  readonly comparison: ComparisonStore;
  readonly networks: NetworksStore;
  readonly files: FilesStore;
  /** Measurements of a device, for the papers' table. */
  readonly measurements: MeasurementsStore;
  readonly measuredFile: MeasuredFileStore;
  readonly runs: RunsStore;
  readonly history: HistoryStore;
  readonly page: PageStore;
  /** Makes a screen's state when it is first asked for, and keeps it for this workspace. */
  readonly keep: <T extends object>(create: (workspace: Workspace) => T) => T;
  /** Starts what the workspace does by itself; returns how to stop. */
  readonly start: () => () => void;
}

/** @param screens ids of the screens that a file may name */
export function createWorkspace(
  connection: LabConnection,
  address: ReadAddress,
  screens: readonly string[],
): Workspace {
  const { client } = connection;
  const catalog = createCatalogStore(client);
  const experiment = createExperimentStore(address);
  const results = createResultsCache();
  const comparison = createComparisonStore(client, results);
  const networks = createNetworksStore(client, results, comparison);
  const history = createHistoryStore(client, (numbers) => runs.number(numbers));
  const runs = createRunsStore(client, {
    nextNumber: () => Math.max(0, ...history.get().lines.map(({ number }) => number)) + 1,
    onChange: () => void history.load(),
  });
  const page = createPageStore();
  const measurements = createMeasurementsStore(client, experiment);
  const measuredFile = createMeasuredFileStore(client, experiment);
  const kinds = [measuredFile, measurements, experimentFiles(experiment, screens)].map(({ is, open }) => ({
    is,
    open: (file: File) => {
      page.openDialog(null);
      return open(file);
    },
  }));
  const onOpened = (imported: Imported): void => {
    const before = experiment.get().experiment;
    if (imported.kind === 'network') {
      const row = fileRow(imported);
      catalog.add(row);
      experiment.change(withModel(before, row));
      return;
    }
    const order = catalog.get().strategies.map(({ name }) => name);
    experiment.change({ ...withStrategy(before, GIVEN_PLAN, true, order), plan: imported.plan });
    experiment.select(GIVEN_PLAN);
  };
  const files = createFilesStore(client, onOpened, kinds);
  const kept = new Map<unknown, object>();
  /** A page that was reloaded finds the files that this lab still keeps. */
  const recall = async (): Promise<void> => {
    const kept = await client.openedFiles().catch(() => []);
    for (const imported of kept) if (imported.kind === 'network') catalog.add(fileRow(imported));
  };

  const settle = (): void => {
    const { strategies, loaded } = catalog.get();
    if (!loaded) return;
    const view = experiment.get();
    const { next, unknown, changed } = withoutUnknown(
      view.experiment,
      strategies.map(({ name }) => name),
    );
    if (!changed) return;
    const notices = unknown.map(
      (name) => `This lab does not have the strategy “${name}”, so it was left out.`,
    );
    experiment.settle(next, notices);
  };
  let isOpening = false;
  /** A link is opened once; one that is followed meanwhile comes after it. */
  const openLink = async (): Promise<void> => {
    if (isOpening || !hasUnopened(experiment.get().experiment)) return;
    isOpening = true;
    await openCarried(client, experiment, (network) => catalog.add(fileRow(network)));
    isOpening = false;
    await openLink();
  };
  const takeShare = (): void => {
    const { experiment: now, budgetShare: share } = experiment.get();
    const { shown } = comparison.get();
    if (share === undefined || shown?.key !== keyOf(now) || !shown.solved.has('regular')) return;
    const budgetBytes = bytesOfBudget({ share }, () => regularPeak(shown, now.batch));
    experiment.wantShare(undefined);
    experiment.change({ ...now, budgetBytes }, 'budget');
  };
  const nextBudget = createLimitSearch();
  const takeLimit = (): void => {
    const view = experiment.get();
    const budgetBytes = nextBudget(view, comparison.get().shown);
    if (budgetBytes === null) return;
    const next = { ...view.experiment, budgetBytes };
    // The user's own step is undone, not the tries after it.
    if (view.experiment.budgetBytes !== undefined) experiment.settle(next, []);
    else {
      experiment.change(next, 'budget');
      experiment.wantLimit(view.budgetLimit);
    }
  };
  const compare = (): void => {
    void openLink();
    // The strategies decide what is asked for, and a network of a link has no name before it is open.
    if (!catalog.get().loaded || hasUnopened(experiment.get().experiment)) return;
    comparison.show(experiment.get().experiment);
    networks.show(experiment.get().experiment);
  };
  const reconnect = (): void => {
    if (connection.state !== 'open') return;
    void catalog.load();
    catalog.reconnected();
    if (history.get().loaded) void history.load();
    comparison.reconnected();
    networks.reconnected();
    for (const part of kept.values()) {
      if ('reconnected' in part && typeof part.reconnected === 'function') part.reconnected();
    }
  };

  const workspace: Workspace = {
    connection,
    catalog,
    experiment,
    comparison,
    networks,
    files,
    measurements,
    measuredFile,
    runs,
    history,
    page,
    keep: <T extends object>(create: (of: Workspace) => T): T => {
      const known = (kept.get(create) as T | undefined) ?? create(workspace);
      kept.set(create, known);
      return known;
    },
    start: () => {
      let shown = experiment.get().experiment;
      const stops = [
        catalog.subscribe(() => {
          settle();
          compare();
        }),
        comparison.subscribe(takeShare),
        experiment.subscribe(takeShare),
        comparison.subscribe(takeLimit),
        experiment.subscribe(takeLimit),
        experiment.subscribe(() => {
          if (experiment.get().experiment === shown) return;
          shown = experiment.get().experiment;
          settle();
          compare();
        }),
        connection.subscribe(reconnect),
      ];
      void catalog.load();
      void recall();
      void openLink();
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  return workspace;
}
