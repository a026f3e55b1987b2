/** As many steps as a page holds beside its text. */
export const MAX_PRINTED = 6;

/**
 * The frames of a play that are printed: all where that is not too many; else the first, the last, those that are told to
 * matter, and evenly chosen ones between them.
 *
 * @param frames how many there are
 * @param marks frames that must not be left out, as far as there is room
 */
export function printedFrames(frames: number, marks: readonly number[], most = MAX_PRINTED): number[] {
  if (frames <= most) return Array.from({ length: frames }, (_, i) => i);
  const chosen = new Set([0, frames - 1]);
  for (const mark of marks) if (chosen.size < most && mark >= 0 && mark < frames) chosen.add(mark);
  const evenly = Array.from({ length: most }, (_, i) => Math.round((i * (frames - 1)) / (most - 1)));
  // Frames furthest from the chosen ones first, so that no stretch is left out.
  while (chosen.size < most) {
    const gap = (frame: number): number => Math.min(...[...chosen].map((one) => Math.abs(one - frame)));
    const free = evenly.filter((frame) => !chosen.has(frame));
    if (free.length === 0) break;
    chosen.add(free.reduce((best, frame) => (gap(frame) > gap(best) ? frame : best)));
  }
  return [...chosen].sort((a, b) => a - b);
}
