import { colorOf } from '../../../state/strategies/identity.ts';
import { MAX_PLAYED } from '../model/games.ts';
import { type GrowthPoint, growthOf } from '../model/growth.ts';
import { chainPlay } from '../model/plays.ts';
import { type Field, useLayers } from '../parts/fields.tsx';
import { playerIdentity } from '../parts/identities.ts';
import classes from '../parts/learn.module.css';
import { LessonPage } from '../parts/LessonPage.tsx';
import { LineChart } from '../parts/LineChart.tsx';
import { PlayCard } from '../parts/PlayCard.tsx';

const CURVES = ['regular', 'memory-poor'].map((name) => ({
  identity: playerIdentity(name),
  points: (): readonly GrowthPoint[] => growthOf(name, MAX_PLAYED),
}));

export function PoorLesson() {
  const chosen = useLayers(9);
  const layers = chosen.value;
  const play = chainPlay(layers, 'memory-poor');
  return (
    <LessonPage
      lead="The other extreme keeps only the input. Before each backward step, everything it needs is recomputed from the start, and freed right after."
      fields={chosen.field}
      text={[
        `${play.timeline.peakBytes} pebbles are enough for ${layers} layers, and for a thousand: the memory does not depend on the length of the chain.`,
        `The price is time. After the forward pass over all N layers, the backward of the last layer needs another sweep over N layers, the one before it a sweep over N − 1, and so on. That is N + (N − 1) + … + 1, about N²/2 forwards. Here it is ${layers} + ${play.recomputes} = ${layers + play.recomputes} forwards instead of ${layers}.`,
        'Twice as many layers take four times as long. For a network of a hundred layers, [memory-poor](memory-poor) is a limit to compare with, not a way to train.',
      ]}
      more={
        <div className={classes['pair']}>
          <GrowthChart
            title="Memory against depth"
            yTitle="pebbles at the peak"
            of={({ peak }) => peak}
            layers={chosen}
          />
          <GrowthChart
            title="Work against depth"
            yTitle="forwards in one step"
            of={({ forwards }) => forwards}
            layers={chosen}
          />
        </div>
      }
      tries={[
        {
          text: 'Compare memory-poor with regular training on a chain of 32 convolutions: its curve is the lowest, and the longest.',
          action: 'Compare on a chain of 32',
          screen: 'compare',
          experiment: { model: 'chain-32', strategies: ['regular', 'memory-poor', 'chen-sqrt'] },
          selected: 'memory-poor',
        },
      ]}
    >
      <PlayCard
        title="Memory-poor on a chain"
        layers={layers}
        play={play}
        identity={playerIdentity('memory-poor')}
      />
    </LessonPage>
  );
}

interface GrowthChartProps {
  readonly title: string;
  readonly yTitle: string;
  readonly of: (point: GrowthPoint) => number;
  readonly layers: Field<number>;
}

function GrowthChart({ title, yTitle, of, layers: { value: layers, set } }: GrowthChartProps) {
  const curves = CURVES.map(({ identity, points }) => ({
    identity,
    points: points().map((point) => ({ x: point.layers, y: of(point) })),
  }));
  const here = curves.map(({ identity, points }) => ({ identity, value: points[layers - 2]!.y }));
  const text = `${layers} layers: ${here.map(({ identity, value }) => `${identity.title} ${value}`).join(', ')}`;
  return (
    <LineChart
      title={title}
      summary={`${title}, ${text}.`}
      fileName={title.toLowerCase().replaceAll(' ', '-')}
      height={208}
      xTitle="layers"
      yTitle={yTitle}
      series={curves.map(({ identity, points }) => ({
        id: identity.name,
        title: identity.title,
        color: colorOf(identity),
        dash: identity.dash,
        points,
      }))}
      marks={here.map(({ identity, value }) => ({
        x: layers,
        y: value,
        text: String(value),
        color: colorOf(identity),
      }))}
      cursor={{
        at: layers,
        min: 2,
        max: MAX_PLAYED,
        label: `Layers, ${title.toLowerCase()}`,
        note: `${layers} layers`,
        text,
        onMove: set,
      }}
      table={{
        caption: title,
        columns: ['Layers', ...curves.map(({ identity }) => identity.title)],
        rows: curves[0]!.points.map(({ x }, i) => [x, ...curves.map(({ points }) => points[i]!.y)]),
      }}
    />
  );
}
