import { Button } from '@mantine/core';
import type { ImportedNetwork } from '../../app/contract/import-file.ts';
import { DialogFrame } from '../frame/DialogFrame.tsx';
import frame from '../frame/frame.module.css';
import { formatBytes } from '../shared/format/bytes.ts';
import { formatCount } from '../shared/format/numbers.ts';
import { useStore } from '../shared/store.ts';
import { useWorkspace } from '../use-workspace.ts';
import classes from './files.module.css';
import { chooseFile } from './open-file.ts';

const FORMATS = {
  'zigzag-graph': 'zigzag-graph/1',
  onnx: 'ONNX',
  keras: 'Keras or TensorFlow.js layers model',
} as const;

/** What was understood of the file that was opened last, or why nothing was. */
export function FileDialog({ opened }: { readonly opened: boolean }) {
  const { files } = useWorkspace();
  const file = useStore(files);
  const title = file?.network?.title ?? file?.name ?? 'A model file';
  return (
    <DialogFrame opened={opened} title={title}>
      {file !== null && file.network === null && file.refusal === null && <p role="status">Reading it…</p>}
      {file?.network && <Summary network={file.network} />}
      {file?.refusal && (
        <>
          <p className={classes['refusal']} role="alert">
            {file.refusal}
          </p>
          <Button size="compact-sm" variant="default" onClick={() => chooseFile(files)}>
            Open another file…
          </Button>
        </>
      )}
    </DialogFrame>
  );
}

function Summary({ network }: { readonly network: ImportedNetwork }) {
  const { summary } = network;
  const rows: readonly (readonly [string, string])[] = [
    ['Format', FORMATS[summary.format]],
    ['Operations', formatCount(summary.vertices)],
    ['Folded into others', formatCount(summary.folded)],
    ['Known by bytes alone', summary.opaque.length === 0 ? 'none' : summary.opaque.join(', ')],
    ['Parameters', formatCount(summary.parameters)],
    ['Kept for backward', formatBytes(summary.keptBytes)],
    [
      'Largest tensors',
      summary.largestTensors.map(({ id, bytes }) => `${id} (${formatBytes(bytes)})`).join(', '),
    ],
  ];
  return (
    <>
      <p className={frame['prose']} role="status">
        The network is now the one of the experiment, and in the list of networks under “Your files” until the
        lab is closed.
      </p>
      <dl className={frame['pairs']}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
