import { panBy, type StepExtent, type StepWindow, zoomAbout } from './step-window.ts';

/** Two fingers as they came down, in shares of the plot's width, and what was in view then. */
export interface Pinch {
  readonly a: number;
  readonly b: number;
  readonly window: StepWindow | null;
}

/** Fingers closer than this share would zoom by leaps. */
const LEAST_SHARE = 0.06;

/** The view after the fingers have moved: what was between them stays between them. */
export function followed(pinch: Pinch, a: number, b: number, extent: StepExtent): StepWindow | null {
  const before = (pinch.a + pinch.b) / 2;
  const { from, to } = pinch.window ?? { from: 0, to: extent.end };
  const factor = apart(a, b) / apart(pinch.a, pinch.b);
  const zoomed = zoomAbout(pinch.window, extent, from + before * (to - from), factor);
  if (zoomed === null) return null;
  return panBy(zoomed, extent, (before - (a + b) / 2) * (zoomed.to - zoomed.from));
}

const apart = (one: number, other: number): number => Math.max(Math.abs(one - other), LEAST_SHARE);
