import { ActionIcon, Button, Flex, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { Icon } from '../../../shared/icons.tsx';
import classes from './learn.module.css';
import { type Player, SPEEDS, type Speed } from './use-player.ts';

const SPEED_TITLES: Readonly<Record<Speed, string>> = { slow: 'Slow', normal: 'Normal', fast: 'Fast' };

export function PlayerBar({ player, last }: { readonly player: Player; readonly last: number }) {
  const { at, playing } = player;
  return (
    <Flex component="fieldset" wrap="wrap" align="center" gap={8} className={classes['player']}>
      <VisuallyHidden component="legend">Play-back</VisuallyHidden>
      <Move
        label="Go to the start"
        path="M5 5v10M15 5.5 8.5 10l6.5 4.5z"
        off={at === 0}
        onClick={() => player.seek(0)}
      />
      <Move label="Step back" path="m12 5-5 5 5 5" off={at === 0} onClick={() => player.stepBy(-1)} />
      <Button size="sm" w={112} onClick={player.toggle}>
        {playing ? 'Pause' : at === last ? 'Play again' : 'Play'}
      </Button>
      <Move label="Step on" path="m8 5 5 5-5 5" off={at === last} onClick={() => player.stepBy(1)} />
      <SegmentedControl
        aria-label="Speed"
        value={player.speed}
        onChange={(value) => player.setSpeed(SPEEDS.find((speed) => speed === value) ?? 'normal')}
        data={SPEEDS.map((speed) => ({ value: speed, label: SPEED_TITLES[speed] }))}
      />
    </Flex>
  );
}

interface MoveProps {
  readonly label: string;
  readonly path: string;
  readonly off: boolean;
  readonly onClick: () => void;
}

function Move({ label, path, off, onClick }: MoveProps) {
  return (
    <ActionIcon variant="default" size={36} aria-label={label} disabled={off} onClick={onClick}>
      <Icon>
        <path d={path} />
      </Icon>
    </ActionIcon>
  );
}
