import { colorOf } from '../../../state/strategies/identity.ts';
import { playerIdentity } from '../parts/identities.ts';
import classes from '../parts/learn.module.css';
import { type GrowthPoint, growthOf } from '../model/growth.ts';
import { chainPlay } from '../model/plays.ts';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import type { PlotCurve } from '../../../shared/plot/PlotLine.tsx';
import { LineChart } from '../parts/LineChart.tsx';
import { ChainCard } from '../parts/ChainCard.tsx';
import { SliderField } from '../parts/SliderField.tsx';
import { Term } from '../../../state/parts/Term.tsx';
import { Try } from '../parts/Try.tsx';
import { usePage } from '../../../state/parts/use-page.ts';

const MOST = 24;
const STRATEGIES = ['regular', 'memory-poor'] as const;

export function PoorLesson() {
  const { params, set } = usePage();
  const layers = wholeNumber(params['n'], 2, MOST, 9);
  const setLayers = (n: number): void => set({ n, at: undefined });
  const play = chainPlay(layers, 'memory-poor');
  const { peakBytes } = play.timeline;
  const total = layers + play.recomputes;
  return (
    <>
      <p className={classes['lead']}>
        The other extreme keeps nothing but the input. Before each backward step everything it needs is
        computed again from the start, and forgotten right after.
      </p>
      <div className={classes['fields']}>
        <SliderField label="Layers" value={layers} min={2} max={MOST} onValue={setLayers} />
      </div>
      <ChainCard
        title="Memory-poor on a chain"
        layers={layers}
        play={play}
        identity={playerIdentity('memory-poor')}
        first={0}
      />
      <div className={classes['text']}>
        <p>
          {peakBytes} pebbles are enough for {layers} layers, and would be for a thousand: the memory does not
          depend on the length of the chain.
        </p>
        <p>
          The price is time. After a forward pass over all N layers, the last one makes another sweep over N
          layers, the one before it over N − 1, and so on: N + (N − 1) + … + 1, about N²/2. Here {layers} +{' '}
          {play.recomputes} = {total} forwards instead of {layers}.
        </p>
        <p>
          Twice as many layers take four times as long. For networks of a hundred layers{' '}
          <Term id="memory-poor">memory-poor</Term> is a limit to compare with and nothing to train with.
        </p>
      </div>
      <div className={classes['pair']}>
        <GrowthChart
          title="Memory against depth"
          yTitle="pebbles at the peak"
          of={({ peak }) => peak}
          layers={layers}
          onLayers={setLayers}
        />
        <GrowthChart
          title="Work against depth"
          yTitle="forwards in one step"
          of={({ forwards }) => forwards}
          layers={layers}
          onLayers={setLayers}
        />
      </div>
      <Try
        trial={{
          screen: 'compare',
          experiment: { model: 'chain-32', strategies: ['regular', 'memory-poor', 'chen-sqrt'] },
          selected: 'memory-poor',
        }}
        action="Compare on a chain of 32"
      >
        Lay memory-poor over regular training on a chain of 32 convolutions: the lowest curve, and the
        longest.
      </Try>
    </>
  );
}

interface GrowthChartProps {
  readonly title: string;
  readonly yTitle: string;
  readonly of: (point: GrowthPoint) => number;
  readonly layers: number;
  readonly onLayers: (layers: number) => void;
}

function GrowthChart({ title, yTitle, of, layers, onLayers }: GrowthChartProps) {
  const curves = STRATEGIES.map((name) => ({ identity: playerIdentity(name), points: growthOf(name, MOST) }));
  const series = curves.map(
    ({ identity, points }): PlotCurve => ({
      id: identity.name,
      title: identity.title,
      color: colorOf(identity),
      dash: identity.dash,
      points: points.map((point) => ({ x: point.layers, y: of(point) })),
    }),
  );
  const here = curves.map(({ identity, points }) => ({ identity, value: of(points[layers - 2]!) }));
  const text = `${layers} layers: ${here.map(({ identity, value }) => `${identity.title} ${value}`).join(', ')}`;
  return (
    <LineChart
      title={title}
      summary={`${title}, ${text}.`}
      fileName={title.toLowerCase().replaceAll(' ', '-')}
      height={208}
      xTitle="layers"
      yTitle={yTitle}
      series={series}
      marks={here.map(({ identity, value }) => ({
        x: layers,
        y: value,
        text: String(value),
        color: colorOf(identity),
      }))}
      cursor={{
        at: layers,
        min: 2,
        max: MOST,
        label: `Layers, ${title.toLowerCase()}`,
        note: `${layers} layers`,
        text,
        onMove: onLayers,
      }}
      table={{
        caption: title,
        columns: ['Layers', ...curves.map(({ identity }) => identity.title)],
        rows: curves[0]!.points.map((point, i) => [
          point.layers,
          ...curves.map(({ points }) => of(points[i]!)),
        ]),
      }}
    />
  );
}
