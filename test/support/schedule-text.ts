import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  FREE_AUX,
  FREE_GRADIENT,
  HOLD_GRADIENT,
  type Schedule,
  ScheduleBuilder,
  SEND,
} from '../../engine/schedule/schedule.ts';

const LETTERS = ['F', 'B', 'X', 'A', 'H', 'G', 'S', 'R'];
const KINDS: Record<string, number> = {
  F: FORWARD,
  B: BACKWARD,
  X: FREE,
  A: FREE_AUX,
  H: HOLD_GRADIENT,
  G: FREE_GRADIENT,
  S: SEND,
  R: FETCH,
};

/** A schedule drawn as `F1 F2 B2 X2 A1`: forward, backward, free (X), free-aux (A), hold-gradient (H), free-gradient (G), send (S) and fetch (R) of a vertex. */
export function steps(drawing: string): Schedule {
  const builder = new ScheduleBuilder();
  for (const step of drawing.trim().split(/\s+/)) {
    const kind = KINDS[step[0] ?? ''];
    if (kind === undefined) throw new Error(`unknown step ${step}`);
    builder.push(kind, Number(step.slice(1)));
  }
  return builder.build();
}

/** The drawing of a schedule; of the kinds named by `letters` alone where given. */
export function drawn(schedule: Schedule, letters = 'FBXAHGSR'): string {
  const shown: string[] = [];
  schedule.kinds.forEach((kind, t) => {
    const letter = LETTERS[kind] ?? '?';
    if (letters.includes(letter)) shown.push(`${letter}${schedule.vertices[t]}`);
  });
  return shown.join(' ');
}

/** Vertices that are recomputed, in order. */
export function recomputed({ kinds, vertices }: Schedule): number[] {
  const seen = new Set<number>();
  return [...vertices].filter((v, t) => kinds[t] === FORWARD && (seen.has(v) || !seen.add(v)));
}
