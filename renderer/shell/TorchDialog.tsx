import { Box, Button, Flex, SegmentedControl } from '@mantine/core';
import { useEffect, useState } from 'react';
import { failureOf } from '../../app/contract/client.ts';
import type { ModelInfoRow } from '../../app/contract/results.ts';
import { planFileName, type TorchUse } from '../../app/contract/torch-use.ts';
import { type TorchLines, torchLines, type TorchSource } from '../../app/report/torch-lines.ts';
import { download } from '../shared/charts/export-chart.ts';
import { copyText } from '../shared/copy-text.ts';
import { formatBytes } from '../shared/format/bytes.ts';
import { formatCount, formatPercent } from '../shared/format/numbers.ts';
import { asSentence } from '../shared/format/sentence.ts';
import layout from '../shared/layout/layout.module.css';
import { useStore } from '../shared/store.ts';
import { networkTitle } from '../state/experiment/network-order.ts';
import type { TorchPlan } from '../state/page/page-store.ts';
import { useWorkspace } from '../state/workspace/use-workspace.ts';
import { DialogFrame } from './DialogFrame.tsx';
import classes from './torch.module.css';

const OWN = 'own';
const WIDTH = 720;
const FILE = 'zigzag_torch.py';
const SCRIPTS: Readonly<Record<TorchUse['scripts'][number]['form'], Omit<TorchLines, 'text'>>> = {
  script: { title: 'In your program, with PyTorch', fileName: 'train.py' },
  'trainer-script': { title: 'In your program, with the Trainer of transformers', fileName: 'train.py' },
  torchtitan: { title: 'A configuration of torchtitan', fileName: 'counted.py' },
};

export function TorchDialog({ opened }: { readonly opened: boolean }) {
  const { page } = useWorkspace();
  const asked = useStore(page, (state) => state.torchPlan);
  return (
    <DialogFrame opened={opened} title={`${asked?.title ?? 'A plan'} in PyTorch`} size={WIDTH}>
      {opened && asked !== null && <Answer asked={asked} />}
    </DialogFrame>
  );
}

function Answer({ asked }: { readonly asked: TorchPlan }) {
  const { connection } = useWorkspace();
  const [use, setUse] = useState<TorchUse | string | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    const { experiment, strategy } = asked;
    connection.client.torchUse({ experiment, strategy }, { signal: controller.signal }).then(
      (answer) => setUse(answer),
      (error) => controller.signal.aborted || setUse(failureOf(error).message),
    );
    return () => controller.abort();
  }, [asked, connection]);

  if (use === null) return <p role="status">Solving the plan in PyTorch’s order…</p>;
  if (typeof use === 'string') {
    return (
      <p className={layout['fault']} role="alert">
        {asSentence(use)}
      </p>
    );
  }
  return <Use asked={asked} use={use} />;
}

function Use({ asked, use }: { readonly asked: TorchPlan; readonly use: TorchUse }) {
  const { catalog } = useWorkspace();
  const { models, strategies } = useStore(catalog);
  const { experiment, strategy } = asked;
  const { plan, reason, isCaptured } = use;
  const isReplanned = use.isReplanned && plan !== null;
  const choices =
    plan === null || isCaptured || isReplanned ? [] : [...use.models.map(({ library }) => library), OWN];
  const [chosen, setChosen] = useState<string | null>(null);
  const choice = chosen ?? choices[0] ?? OWN;
  const make = use.models.find(({ library }) => library === choice) ?? null;
  const title = networkTitle(experiment.model, models);
  const isOwn = plan === null || (make === null && !isCaptured && !isReplanned);
  const planName = isOwn ? planFileName('model', strategy) : plan.fileName;
  const info = strategies.find((one) => one.name === strategy);
  const lines = torchLines({
    make: isOwn ? null : make,
    isCaptured: isCaptured && plan !== null,
    isReplanned,
    planName,
    reads: readsOf(models.find((row) => row.name === experiment.model)),
    capture: {
      input: { ...experiment, models: [], plan: undefined },
      strategy: { name: strategy, reads: info?.reads ?? {} },
    },
  });

  const scripts = use.scripts.map(({ form, text }) => <Paste key={form} part={{ ...SCRIPTS[form], text }} />);
  // Their scripts contain the line that applies the plan.
  const shown = isReplanned && scripts.length > 1 ? lines.slice(0, 1) : lines;
  if (use.isNeedless)
    return (
      <div className={classes['torch']}>
        <p role="status">{asSentence(`no plan is needed in PyTorch: ${reason}`)}</p>
        {scripts}
      </div>
    );
  return (
    <div className={classes['torch']}>
      {plan !== null && (
        <p role="status">
          A step peaks at <strong>{formatBytes(plan.peakBytes)}</strong> instead of{' '}
          {formatBytes(plan.regularPeakBytes)} and recomputes {formatPercent(plan.recomputeFraction)} of the
          forward pass
          {plan.sends !== undefined && `, and sends ${formatCount(plan.sends)} tensors to host memory`}{' '}
          (predicted, at batch {experiment.batch}).{' '}
          {asked.peakBytes !== null &&
            asked.peakBytes !== plan.peakBytes &&
            `PyTorch runs operations in the program’s order; in its own order the plan peaks at ${formatBytes(asked.peakBytes)}. `}
          {isReplanned ? (
            <>
              PyTorch computes this network with other operations, so <code>plan_model</code> captures your
              model at its first training step and plans it again within this peak. That step checks every
              recomputed tensor.
            </>
          ) : (
            <>
              <code>verify</code> checks that loss and gradients of your model are bit-identical to plain
              training.
            </>
          )}
        </p>
      )}
      {reason !== null && (
        <p className={classes['reason']} role="status">
          {asSentence(`this plan cannot be used in PyTorch directly: ${reason}`)}
          {!isCaptured && ' Capture your own model to get one that can.'}
        </p>
      )}
      {choices.length > 1 && (
        <SegmentedControl
          aria-label="Model"
          value={choice}
          onChange={setChosen}
          data={choices.map((value) => ({
            value,
            label: value === OWN ? 'Your own model' : `${value}’s ${title}`,
          }))}
        />
      )}
      <Flex component="section" direction="column" gap={8} aria-label="Files">
        {!isReplanned && <FileRow name={FILE} note="one file, requires only torch" text={use.file} />}
        {!isOwn && plan !== null && <FileRow name={planName} note="next to your program" text={plan.text} />}
      </Flex>
      {shown.map((part) => (
        <Paste key={part.title} part={part} />
      ))}
      {scripts}
    </div>
  );
}

/** A captured model that reads no images may read anything. */
function readsOf(row: ModelInfoRow | undefined): TorchSource['reads'] {
  if (row?.inputUnit === 'tokens') return 'input_ids';
  return row === undefined || row.defaultInput > 0 ? 'images' : 'inputs';
}

function FileRow({
  name,
  note,
  text,
}: {
  readonly name: string;
  readonly note: string;
  readonly text: string;
}) {
  return (
    <div className={classes['row']}>
      <code>{name}</code>
      <span className={layout['note']}>{note}</span>
      <CopyButton what={name} text={text} />
      <DownloadButton name={name} text={text} />
    </div>
  );
}

function Paste({ part: { title, text, fileName } }: { readonly part: TorchLines }) {
  return (
    <section aria-label={title}>
      <div className={classes['row']}>
        <Box component="h3" fz={14} lh="24px">
          {title}
        </Box>
        <CopyButton what={title} text={text} />
        {fileName !== null && <DownloadButton name={fileName} text={text} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it in a small window */}
      <pre className={classes['lines']} data-command={fileName === null || undefined} tabIndex={0}>
        {text.trimEnd()}
      </pre>
    </section>
  );
}

function CopyButton({ what, text }: { readonly what: string; readonly text: string }) {
  const [done, setDone] = useState<boolean | null>(null);
  const label = done === null ? 'Copy' : done ? 'Copied' : 'Not allowed';
  return (
    <Button
      variant="default"
      size="compact-xs"
      aria-label={`${label}: ${what}`}
      onClick={() => void copyText(text).then(setDone)}
    >
      {label}
    </Button>
  );
}

function DownloadButton({ name, text }: { readonly name: string; readonly text: string }) {
  const type = name.endsWith('.json') ? 'application/json' : 'text/x-python';
  return (
    <Button
      variant="default"
      size="compact-xs"
      aria-label={`Download ${name}`}
      onClick={() => download(new Blob([text], { type }), name)}
    >
      Download
    </Button>
  );
}
