import { formatBytes } from '../../../shared/format/bytes.ts';
import layout from '../../../shared/layout/layout.module.css';
import type { GraphModel } from '../use-graph.ts';
import { useGame } from './use-game.ts';

/** Says what a challenge asks for, above everything else: on a phone the scores are below the drawing. */
export function ChallengeBanner({ model }: { readonly model: GraphModel }) {
  const view = useGame(model);
  if (view === null || view.rival === null || view.rival === 'misfit' || view.rival.peak === null)
    return null;
  const { rival, now } = view;
  const goal = formatBytes(view.rival.peak);
  const isBeaten = now.peak !== null && rival.peak !== null && now.peak < rival.peak;
  return (
    <p className={layout['banner']} role="status">
      {isBeaten
        ? `You beat the challenge: ${formatBytes(now.peak ?? 0)} against ${goal}.`
        : `You were challenged: beat ${goal}.`}
    </p>
  );
}
