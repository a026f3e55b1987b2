import { BACKWARD, FORWARD } from '../../engine/schedule/schedule.ts';

/** A step-after line: `x` runs from 0 over 1 (end of forward) to 2 (end of backward), `bytes` holds until the next. */
export interface CurvePoint {
  readonly x: number;
  readonly bytes: number;
}

/** As wide as the picture is drawn: more points are not seen. */
const COLUMNS = 800;

/**
 * Live bytes over one training step with both passes as long as each other. A column of the picture that holds
 * several steps shows the largest of them, so the peak is never lost.
 *
 * @param backwardStart first step of backward
 */
export function passCurve(
  kinds: ArrayLike<number>,
  backwardStart: number,
  live: ArrayLike<number>,
): CurvePoint[] {
  let forward = 0;
  let backward = 0;
  for (let t = 0; t < kinds.length; t++) {
    if (kinds[t] !== FORWARD && kinds[t] !== BACKWARD) continue;
    if (t < backwardStart) forward += 1;
    else backward += 1;
  }
  const points: { x: number; bytes: number }[] = [];
  let place = -1;
  let column = -1;
  for (let t = 0; t < kinds.length; t++) {
    if (kinds[t] === FORWARD || kinds[t] === BACKWARD) place += 1;
    const at = Math.max(place, 0);
    const x = at < forward ? at / forward : 1 + (at - forward) / Math.max(1, backward);
    const bytes = live[t] ?? 0;
    const next = Math.floor((x / 2) * COLUMNS);
    const last = points.at(-1);
    if (last === undefined || next !== column) points.push({ x, bytes });
    else last.bytes = Math.max(last.bytes, bytes);
    column = next;
  }
  return points;
}
