import { ActionIcon, Button, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { Icon } from '../../../shared/icons.tsx';
import classes from './learn.module.css';
import { type Player, SPEEDS, type Speed } from './use-player.ts';

const SPEED_TITLES: Readonly<Record<Speed, string>> = { slow: 'Slow', normal: 'Normal', fast: 'Fast' };

export function PlayerBar({ player, last }: { readonly player: Player; readonly last: number }) {
  const { at, playing } = player;
  return (
    <fieldset className={classes['player']}>
      <VisuallyHidden component="legend">Play-back</VisuallyHidden>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Go to the start"
        disabled={at === 0}
        onClick={() => player.seek(0)}
      >
        <Icon>
          <path d="M5 5v10M15 5.5 8.5 10l6.5 4.5z" />
        </Icon>
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Step back"
        disabled={at === 0}
        onClick={() => player.stepBy(-1)}
      >
        <Icon>
          <path d="m12 5-5 5 5 5" />
        </Icon>
      </ActionIcon>
      <Button size="sm" w={112} onClick={player.toggle}>
        {playing ? 'Pause' : at === last ? 'Play again' : 'Play'}
      </Button>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Step on"
        disabled={at === last}
        onClick={() => player.stepBy(1)}
      >
        <Icon>
          <path d="m8 5 5 5-5 5" />
        </Icon>
      </ActionIcon>
      <SegmentedControl
        size="xs"
        aria-label="Speed"
        value={player.speed}
        onChange={(value) => player.setSpeed(SPEEDS.find((speed) => speed === value) ?? 'normal')}
        data={SPEEDS.map((speed) => ({ value: speed, label: SPEED_TITLES[speed] }))}
      />
    </fieldset>
  );
}
