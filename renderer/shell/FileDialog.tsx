import { Button, Dialog } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ImportedNetwork, ImportedPlan } from '../../app/contract/import-file.ts';
import { coverageText } from '../../app/report/words.ts';
import { ownOf } from '../state/comparison/comparison.ts';
import { withStrategy } from '../state/experiment/experiment.ts';
import { DialogHead } from './DialogFrame.tsx';
import classes from './files.module.css';
import { Pairs, type PairsProps } from './Pairs.tsx';
import { asSentence } from '../shared/format/sentence.ts';
import { formatBytes } from '../shared/format/bytes.ts';
import { formatCount } from '../shared/format/numbers.ts';
import { useStore } from '../shared/store.ts';
import { useWorkspace } from '../state/workspace/use-workspace.ts';
import layout from '../shared/layout/layout.module.css';
import { chooseFile } from '../state/files/open-file.ts';

const FORMATS = {
  'zigzag-graph': 'zigzag-graph/1',
  onnx: 'ONNX',
  'hugging-face': 'config.json of a transformer',
  keras: 'Keras or TensorFlow.js layers model',
} as const;

/** A quiet notice in the corner: the file is already on the screen behind it, which stays in use. */
export function FileDialog({ opened }: { readonly opened: boolean }) {
  const workspace = useWorkspace();
  const close = (): void => workspace.page.openDialog(null);
  useWindowEvent('keydown', ({ key }) => {
    if (opened && key === 'Escape') close();
  });
  const file = useStore(workspace.files);
  const title = file?.imported?.title ?? file?.name ?? 'A model file';
  return (
    <Dialog
      opened={opened}
      onClose={close}
      role="dialog"
      aria-label={title}
      className={classes['file'] ?? ''}
      size={400}
      withBorder
      shadow="md"
    >
      <DialogHead title={title} />
      {file !== null && file.imported === null && file.refusal === null && (
        <p role="status">Reading the file…</p>
      )}
      {file?.imported?.kind === 'network' && <Summary network={file.imported} />}
      {file?.imported?.kind === 'plan' && <PlanSummary plan={file.imported} />}
      {file?.refusal && (
        <>
          <p className={layout['fault']} role="alert">
            {file.refusal}
          </p>
          <Button variant="default" onClick={() => chooseFile(workspace)}>
            Open another file…
          </Button>
        </>
      )}
    </Dialog>
  );
}

function Summary({ network }: { readonly network: ImportedNetwork }) {
  const { connection } = useWorkspace();
  const { summary } = network;
  const rows: readonly (readonly [string, string])[] = [
    ['Format', FORMATS[summary.format]],
    ['Operations', formatCount(summary.vertices)],
    ['Merged into others', formatCount(summary.folded)],
    ['Unsupported operations (size only)', summary.opaque.length === 0 ? 'none' : summary.opaque.join(', ')],
    ...(summary.coverage === null
      ? []
      : [['Recorded by size only', coverageText(summary.coverage)] as const]),
    ['Parameters', formatCount(summary.parameters)],
    ['Kept for backward', formatBytes(summary.keptBytes)],
    [
      'Largest tensors',
      summary.largestTensors.map(({ id, bytes }) => `${id} (${formatBytes(bytes)})`).join(', '),
    ],
  ];
  return (
    <>
      <p role="status">
        The experiment now uses this network. It is listed under “Your files”{' '}
        {connection.place === 'site'
          ? 'until this page is closed or reloaded. A link carries it if it is small enough.'
          : 'until the lab is closed.'}
      </p>
      {summary.notices.map((notice) => (
        <p key={notice}>{asSentence(notice)}</p>
      ))}
      <Details rows={rows} />
    </>
  );
}

function PlanSummary({ plan }: { readonly plan: ImportedPlan }) {
  const { comparison, experiment: store, catalog, page } = useWorkspace();
  const { shown } = useStore(comparison);
  const solved = shown?.solved.get('plan');
  const row = solved?.own === ownOf({ plan: plan.plan }) ? solved.row : undefined;

  const adopt = (checkpoints: readonly string[]): void => {
    const { experiment } = store.get();
    const order = catalog.get().strategies.map(({ name }) => name);
    store.change({ ...withStrategy(experiment, 'manual', true, order), checkpoints: [...checkpoints] });
    page.openDialog(null);
  };

  return (
    <>
      {row === undefined && <p role="status">Testing it on the network in front…</p>}
      {row?.applicable === true && (
        <p role="status">
          The plan runs on the network in front. It is drawn as “Your plan” beside the other strategies, at
          every batch size.
        </p>
      )}
      {row?.applicable === false && (
        <p className={layout['fault']} role="alert">
          {asSentence(row.reason ?? 'the plan does not fit this network')} Open the network that the plan was
          made for.
        </p>
      )}
      <Details
        rows={[
          ['Format', `zigzag-plan/${plan.version}`],
          ['Made for', plan.model || 'unknown'],
          ['Made by', plan.strategy || 'unknown'],
          ['Steps', formatCount(plan.steps)],
          ['Checkpoints', formatCount(plan.checkpoints)],
        ]}
      />
      {row?.applicable === true && row.checkpoints.length > 0 && (
        <Button variant="default" mt={16} onClick={() => adopt(row.checkpoints)}>
          Use its checkpoints as mine
        </Button>
      )}
    </>
  );
}

function Details(pairs: PairsProps) {
  return (
    <details>
      <summary>Details</summary>
      <Pairs {...pairs} />
    </details>
  );
}
