import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import type { PanelProps } from '../state/panel-props.ts';
import classes from './game.module.css';
import { hintsFor } from './hints.ts';
import type { GameView } from './use-game.ts';

export function Hints({ model, onBag, view }: PanelProps & { readonly view: GameView }) {
  const { batch } = useLabView().experiment;
  const [shown, setShown] = useState(0);
  const { judged = null, targets } = view;
  const hints = useMemo(
    () => hintsFor({ paper: model.network.paper, own: model.own, batch, judged, targets }),
    [model, batch, judged, targets],
  );
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        disabled={shown >= hints.length}
        onClick={() => setShown(shown + 1)}
      >
        {shown === 0 ? 'Hint' : 'Next hint'}
      </Button>
      <div className={classes['said']} role="status">
        <ul className={classes['hints']}>
          {hints.slice(0, shown).map(({ text, vertices }) => (
            <li key={text}>
              {text} {vertices.length > 0 && <LinkButton onClick={() => onBag(vertices)}>Show it</LinkButton>}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
