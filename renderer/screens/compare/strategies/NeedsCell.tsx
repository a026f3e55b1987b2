import { Popover, UnstyledButton } from '@mantine/core';
import type { MouseEvent } from 'react';
import { TERM_SOURCES, TERM_TITLES } from '../../../../app/report/terms.ts';
import { batchText } from '../../../../app/report/words.ts';
import { TERMS } from '../../../../engine/training-memory/held.ts';
import type { Verdict } from '../../../../engine/training-memory/verdict.ts';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import layout from '../../../shared/layout/layout.module.css';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { chosenDevice } from '../../../state/experiment/device.ts';
import classes from '../compare.module.css';

const WHEN = {
  forward: 'in the forward pass',
  loss: 'at the loss',
  backward: 'in the backward pass',
  optimizer: 'while the optimizer steps',
} as const;

/** The figure of the strategy in front, which opens its parts. */
export function NeedsCell({ strategy, verdict }: { readonly strategy: string; readonly verdict: Verdict }) {
  const { experiment } = useLabView();
  const device = chosenDevice(experiment);
  const { totalBytes, terms, instant, overBytes, largestBatch } = verdict;
  const keep = (event: MouseEvent): void => event.stopPropagation();
  return (
    <Popover position="bottom-start" shadow="md" width={432} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes['needs']}
          onClick={keep}
          aria-label={`${formatBytes(totalBytes)}: memory of ${strategy}, part by part`}
        >
          {formatBytes(totalBytes)}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes['terms']} onClick={keep}>
        <h3>
          {strategy} at its peak: {WHEN[instant]}
        </h3>
        <dl className={layout['figures']}>
          {TERMS.filter((term) => terms[term] > 0).map((term) => (
            <div key={term} title={`${formatExactBytes(terms[term])}. ${TERM_SOURCES[term]}`}>
              <dt>
                {TERM_TITLES[term]}
                <small className={layout['note']}>{TERM_SOURCES[term]}</small>
              </dt>
              <dd>{formatBytes(terms[term])}</dd>
            </div>
          ))}
          <div className={classes['sum']}>
            <dt>Total</dt>
            <dd>{formatBytes(totalBytes)}</dd>
          </div>
          <div>
            <dt>{device.title}</dt>
            <dd>{formatBytes(device.memoryBytes)}</dd>
          </div>
        </dl>
        <p className={layout['note']} data-over={overBytes > 0 || undefined}>
          {overBytes > 0 ? `Over by ${formatBytes(overBytes)}` : 'Fits'}
          {largestBatch === 0
            ? '; not even one sample fits.'
            : `; the largest batch is ${batchText(largestBatch)}.`}
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}
