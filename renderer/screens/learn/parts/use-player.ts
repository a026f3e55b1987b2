import { useEffect, useRef, useState } from 'react';
import { useActions } from '../../../state/parts/use-actions.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { playerKey } from './player-key.ts';

export const SPEEDS = ['slow', 'normal', 'fast'] as const;
export type Speed = (typeof SPEEDS)[number];

const FRAMES_PER_SECOND: Readonly<Record<Speed, number>> = { slow: 1.5, normal: 4, fast: 16 };
/** Fast plays of any length end within this. */
const LONGEST_FAST_SECONDS = 12;

export interface Player {
  readonly at: number;
  readonly playing: boolean;
  readonly speed: Speed;
  readonly toggle: () => void;
  readonly stepBy: (by: number) => void;
  readonly seek: (frame: number) => void;
  readonly setSpeed: (speed: Speed) => void;
}

export interface PlayerOptions {
  readonly frames: number;
  readonly at: number;
  readonly onRest: (at: number) => void;
}

/** Plays frames one after another; nothing starts by itself. Space plays, arrows step, Home and End jump. */
export function usePlayer({ frames, at: wanted, onRest }: PlayerOptions): Player {
  const last = frames - 1;
  const [at, setAt] = useState(wanted);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>('normal');
  const shown = Math.min(at, last);
  /** Frame that the link was told last, so that its answer is not taken for a wish. */
  const told = useRef(wanted);
  const rest = (frame: number): void => {
    told.current = frame;
    onRest(frame);
  };
  const latestRest = useRef(rest);
  latestRest.current = rest;

  const rate =
    speed === 'fast'
      ? Math.max(FRAMES_PER_SECOND.fast, frames / LONGEST_FAST_SECONDS)
      : FRAMES_PER_SECOND[speed];
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => setAt((now) => Math.min(now + 1, last)), 1000 / rate);
    return () => clearInterval(timer);
  }, [playing, rate, last]);
  useEffect(() => {
    if (!playing || shown < last) return;
    setPlaying(false);
    latestRest.current(last);
  }, [playing, shown, last]);
  // Another link, or another play that begins elsewhere.
  useEffect(() => {
    if (wanted === told.current) return;
    told.current = wanted;
    setAt(wanted);
  }, [wanted]);

  const seek = (frame: number): void => {
    const next = Math.min(Math.max(frame, 0), last);
    setPlaying(false);
    setAt(next);
    if (next !== told.current) rest(next);
  };
  const toggle = (): void => {
    if (playing) rest(shown);
    else if (shown === last) setAt(0);
    setPlaying(!playing);
  };
  const player: Player = {
    at: shown,
    playing,
    speed,
    toggle,
    stepBy: (by) => seek(shown + by),
    seek,
    setSpeed,
  };
  useKeys(player, last);
  useOffers(player);
  return player;
}

/** Elements that use the arrow keys or letters themselves. */
const BUSY =
  'input, textarea, select, [contenteditable="true"], [role="slider"], [role="menu"], [role="listbox"]';
const PRESSED_BY_SPACE = 'button, a, summary, label';

function useKeys(player: Player, last: number): void {
  const { page } = useWorkspace();
  const latest = useRef(player);
  latest.current = player;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (page.get().dialog !== null) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest(BUSY) != null) return;
      if (event.key === ' ' && target?.closest(PRESSED_BY_SPACE) != null) return;
      const meaning = playerKey(event.key, event.shiftKey);
      if (meaning === null) return;
      event.preventDefault();
      const { current } = latest;
      if (meaning === 'toggle') current.toggle();
      else if (meaning === 'first') current.seek(0);
      else if (meaning === 'last') current.seek(last);
      else current.stepBy(meaning);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [last, page]);
}

function useOffers(player: Player): void {
  const group = 'Learn';
  useActions([
    { id: 'play', group, title: 'Play or pause the lesson', shortcut: 'Space', run: player.toggle },
    { id: 'step-on', group, title: 'One step forward', shortcut: '→', run: () => player.stepBy(1) },
    { id: 'step-back', group, title: 'One step back', shortcut: '←', run: () => player.stepBy(-1) },
  ]);
}
