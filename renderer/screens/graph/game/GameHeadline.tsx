import { formatCount } from '../../../shared/format/numbers.ts';
import { Headline } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { gameOf } from '../../../state/game/game.ts';
import { LEVELS, levelNumber, seedOf } from '../../../state/game/levels.ts';
import { openGame } from '../../../state/game/open-game.ts';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { GraphHeadlineProps } from '../headline/GraphHeadline.tsx';
import { NotDrawn } from '../headline/NotDrawn.tsx';

export function GameHeadline({ model, state }: GraphHeadlineProps) {
  const workspace = useWorkspace();
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const { level } = gameOf(experiment);
  const seed = seedOf(experiment.model);
  const usual = LEVELS.find(({ model: name }) => name === experiment.model);
  const title =
    usual?.title ??
    (seed === null
      ? (models.find(({ name }) => name === experiment.model)?.title ?? experiment.model)
      : `Random network ${seed}`);
  const number = levelNumber(level);
  const name = number > 0 ? `Level ${number} of ${LEVELS.length}: ${title}` : title;
  const { failure } = state;
  if (model === null || model.network.key !== state.wanted) {
    return <NotDrawn title={title} failure={failure} sentence={`There is no game on ${title}`} />;
  }
  const { tensors } = model.network.paper;
  return (
    <Headline
      sentence={
        <>
          {name}. Click some of <b>{formatCount(tensors.size - 2)}</b> tensors to keep, so that a training
          step needs as little memory as possible.
        </>
      }
    >
      {level === null && usual !== undefined ? (
        <StatusLine
          action={{ title: 'Play the level', run: () => openGame(workspace, usual) }}
        >{`Level ${levelNumber(usual)} is this network at its default size, batch ${usual.batch}. This is a separate game.`}</StatusLine>
      ) : (
        <StatusLine>
          {level?.teaches ??
            `Batch ${formatCount(experiment.batch)}. Input and output are always in memory. Scores stay on this device.`}
        </StatusLine>
      )}
    </Headline>
  );
}
