import { failureOf } from '../../../app/contract/client.ts';
import type { ExportForm } from '../../../app/contract/export-file.ts';
import { frontRow, strategyRows, withLeftBudget } from '../comparison/rows.ts';
import type { Action } from '../page/actions.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { download } from '../../shared/charts/export-chart.ts';
import type { Workspace } from '../workspace/workspace.ts';

const FORMS: readonly { readonly form: ExportForm; readonly title: string; readonly ending: string }[] = [
  { form: 'plan', title: 'Save plan', ending: '.plan.json' },
  { form: 'graph', title: 'Save graph', ending: '.graph.json' },
  { form: 'dot', title: 'Save drawing (DOT)', ending: '.dot' },
];

export function saveActions(workspace: Workspace): Action[] {
  return FORMS.map(({ form, title, ending }) => ({
    id: `save-${form}`,
    group: 'Experiment',
    title,
    words: 'export download zigzag json graphviz',
    run: () => void save(workspace, form, ending),
  }));
}

export function savePlan(workspace: Workspace, strategy: string): Promise<void> {
  return save(workspace, 'plan', '.plan.json', strategy);
}

async function save(
  { catalog, comparison, connection, experiment: store }: Workspace,
  form: ExportForm,
  ending: string,
  chosen?: string,
): Promise<void> {
  const { experiment, selected } = store.get();
  const { titles } = catalog.get();
  const rows = strategyRows({ results: comparison.get().shown, experiment, titles, measured: new Map() });
  const strategy = chosen ?? frontRow(rows, selected)?.identity.name ?? experiment.strategies[0] ?? 'regular';
  try {
    const { text } = await connection.client.exportFile({
      experiment: withLeftBudget(
        experiment,
        rows.find(({ identity }) => identity.name === strategy),
      ),
      strategy,
      form,
    });
    const name = experiment.model.replace(':', '-') + (form === 'graph' ? '' : `-${strategy}`);
    download(
      new Blob([text], { type: form === 'dot' ? 'text/vnd.graphviz' : 'application/json' }),
      name + ending,
    );
  } catch (error) {
    store.settle(store.get().experiment, [asSentence(failureOf(error).message)]);
  }
}
