import { Table } from '@mantine/core';
import { StrategyName } from '../../../state/strategies/StrategyName.tsx';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { fourGpus, GPUS } from './four-gpus.ts';
import layout from '../../../shared/layout/layout.module.css';
import { DataTable } from '../../../shared/layout/DataTable.tsx';
import classes from '../limits.module.css';
import type { LimitsView } from '../use-limits.ts';

/** The table of Figure 1 of paper 000, for this network and device. */
export function FourGpuTable({ view }: { readonly view: LimitsView }) {
  const { experiment } = useLabView();
  const found = fourGpus(view.rows, experiment.batch);
  const isPapers =
    experiment.model === 'resnet50' && view.device.name === 'rtx-2080-ti' && !view.device.edited;
  return (
    <section className={`${layout['card']} ${classes['card']}`} aria-label={`On ${GPUS} devices`}>
      <h2>
        {GPUS} × {view.device.title}
      </h2>
      <DataTable row={36}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{view.network}</Table.Th>
            <Table.Th scope="col">Regular</Table.Th>
            <Table.Th scope="col">
              {found === null ? 'Checkpointed' : <StrategyName identity={found.strategy.identity} />}
            </Table.Th>
            <Table.Th scope="col">More</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(found?.lines ?? []).map(({ what, regular, checkpointed, gain }) => (
            <Table.Tr key={what}>
              <Table.Th scope="row">{what}</Table.Th>
              <Table.Td>{regular}</Table.Td>
              <Table.Td data-best="">{checkpointed}</Table.Td>
              <Table.Td>{gain}</Table.Td>
            </Table.Tr>
          ))}
          {found === null && (
            <Table.Tr>
              <Table.Td colSpan={4} data-said>
                {view.state.running === null
                  ? 'Compare a strategy beside regular training to see the gain.'
                  : 'Solving…'}
              </Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </DataTable>
      <p className={layout['note']}>
        As in Figure 1 of Feng &amp; Huang, CVPR 2021: data-parallel training splits a batch evenly, so {GPUS}{' '}
        devices hold {GPUS} times the batch of one, each with its own weights and context.
        {isPapers && (
          <>
            {' '}
            <em>
              Paper: “on 4 RTX2080Ti GPUs, regular training can typically train a ResNet50 image
              classification model of 3 × 224 × 224 input size with 256 batch size”; with checkpoints 512 at
              224 pixels, or 256 at 320.
            </em>
          </>
        )}
      </p>
    </section>
  );
}
