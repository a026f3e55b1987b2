import { Box } from '@mantine/core';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { StarRow } from '../../../state/parts/StarRow.tsx';
import { Term } from '../../../state/parts/Term.tsx';
import classes from './game.module.css';
import type { GameView, Standing } from './use-game.ts';

export function ScoreBoard({ view }: { readonly view: GameView }) {
  const { goals, now, best, rival, score } = view;
  const regularPeak = goals.peak?.regular ?? view.measureOf([]).peak;
  const sender = rival === 'misfit' ? null : rival;
  return (
    <table className={classes['scores']}>
      <thead>
        <tr>
          <th scope="col">Bytes</th>
          <th scope="col">Regular</th>
          <th scope="col">Now</th>
          <th scope="col">{score.revealed ? 'Best before' : 'Best'}</th>
          {sender !== null && <th scope="col">To beat</th>}
        </tr>
      </thead>
      <tbody>
        <tr data-measure="cost">
          <th scope="row">
            <Term id="eq2">Eq. 2</Term>
          </th>
          <td>{formatBytes(goals.cost.regular)}</td>
          <Cell of={now} measure="cost" nothing="no price" />
          <Cell of={best} measure="cost" />
          {sender !== null && <Cell of={sender} measure="cost" nothing="no price" />}
        </tr>
        <tr data-measure="peak">
          <th scope="row">
            <Term id="peak">Peak</Term>
          </th>
          <td>{regularPeak === null ? '…' : formatBytes(regularPeak)}</td>
          <Cell of={now} measure="peak" nothing="…" />
          <Cell of={best} measure="peak" />
          {sender !== null && <Cell of={sender} measure="peak" nothing="…" />}
        </tr>
      </tbody>
    </table>
  );
}

interface CellProps {
  readonly of: Standing;
  readonly measure: 'cost' | 'peak';
  readonly nothing?: string;
}

function Cell({ of, measure, nothing = 'none yet' }: CellProps) {
  const bytes = of[measure];
  return (
    <td>
      {bytes === null ? (
        <Box component="span" fz={12} fw={400} c="dimmed">
          {nothing}
        </Box>
      ) : (
        formatBytes(bytes)
      )}
      {bytes !== null && <StarRow stars={measure === 'cost' ? of.costStars : of.peakStars} />}
    </td>
  );
}
