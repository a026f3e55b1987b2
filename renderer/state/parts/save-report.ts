import { failureOf } from '../../../app/contract/client.ts';
import { reportHtml } from '../../../app/report/report.ts';
import { writeAddress } from '../experiment/address.ts';
import { fileNameOf } from '../experiment/file-name.ts';
import type { Action } from '../page/actions.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { measuredOverheads } from '../runs/measured.ts';
import { download } from '../../shared/charts/export-chart.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { reportOf } from '../comparison/report-of.ts';

/** Saves the comparison as one HTML file; says in the banner why it cannot. */
export async function saveReport(workspace: Workspace): Promise<void> {
  const { experiment: store, comparison, networks, catalog, runs, connection } = workspace;
  const { experiment, selected } = store.get();
  const { models, titles } = catalog.get();
  const { shown, wanted } = comparison.get();
  const say = (sentence: string): void => store.settle(store.get().experiment, [sentence]);
  if (shown === null || shown.key !== wanted) {
    say('The report has no rows yet. Wait until the first strategy is solved.');
    return;
  }
  try {
    const { version } = await connection.client.about();
    const { results, failures } = networks.get();
    const defaultInput = models.find(({ name }) => name === experiment.model)?.defaultInput ?? null;
    const report = reportOf({
      experiment,
      models,
      titles,
      front: shown,
      results,
      failures,
      selected,
      measured: measuredOverheads(runs.get().runs, experiment, defaultInput),
      link: writeAddress(store.get()),
      version,
      madeAt: new Date(),
    });
    download(
      new Blob([reportHtml(report)], { type: 'text/html;charset=utf-8' }),
      `${fileNameOf(experiment)}.html`,
    );
  } catch (error) {
    say(asSentence(failureOf(error).message));
  }
}

export function reportAction(workspace: Workspace): Action {
  return {
    id: 'report',
    group: 'Experiment',
    title: 'Save report (HTML)',
    words: 'export download comparison print document',
    run: () => void saveReport(workspace),
  };
}
