import { formatCount, threeDigits } from '../../../shared/format/numbers.ts';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import { usePage } from '../../../state/parts/use-page.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import { counted, listed } from '../model/exercises/question.ts';
import { MAX_LAYERS } from '../model/games.ts';
import { chainPlay, playWithSegments } from '../model/plays.ts';
import { peakParts, segmentCurve } from '../model/segment-length.ts';
import { type Field, useLayers, useSlider } from '../parts/fields.tsx';
import { playerIdentity } from '../parts/identities.ts';
import classes from '../parts/learn.module.css';
import { LessonPage } from '../parts/LessonPage.tsx';
import { LineChart } from '../parts/LineChart.tsx';
import { PlayCard } from '../parts/PlayCard.tsx';
import { liveOf, tracePoints } from '../parts/trace.ts';

const CHEN = playerIdentity('chen-sqrt');

/** "when N = 100, we can reduce the memory cost to 20% of the original cost" (paper 000, section 4). */
const PAPER_LAYERS = 100;

export function SqrtLesson() {
  const { params, set } = usePage();
  const n = useLayers(36, {
    label: 'Layers N',
    min: 4,
    max: MAX_LAYERS,
    also: (layers) => (params['k'] === undefined ? {} : { k: Math.min(k.value, layers) }),
  });
  const layers = n.value;
  const k = useSlider('k', { label: 'Segment length k', min: 1, max: layers, first: 3 });
  const { points, best, least } = segmentCurve(layers);
  const point = points[k.value - 1]!;
  const play = playWithSegments(layers, k.value);
  return (
    <LessonPage
      lead="Keep every k-th tensor as a [gradient checkpoint](checkpoint). The backward pass then recomputes one [segment](segment) of k layers at a time. The memory is about N/k checkpoints plus one segment of k tensors."
      fields={
        <>
          {n.field}
          {k.field}
          <LinkButton onClick={() => set({ n: PAPER_LAYERS, k: Math.sqrt(PAPER_LAYERS), at: undefined })}>
            Show the paper’s N = {PAPER_LAYERS}
          </LinkButton>
        </>
      }
      text={[
        `With k = ${k.value} there are ${counted(point.checkpoints, 'checkpoint')} and segments of ${k.value} layers: k + N/k = ${threeDigits(point.formula)}, ${Math.round((100 * point.formula) / layers)} % of the tensors that regular training stores. The simulator counts ${point.peak} at the peak: ${partsOf(layers, k.value)}.`,
        `Short segments need many checkpoints; long ones make a segment large. Above √N, longer segments no longer help: each further layer costs one pebble and saves less than one checkpoint. The minimum is ${best.peak} pebbles, at k = ${least.map(({ k: one }) => one).join(', ')}; √${layers} is ${Number(Math.sqrt(layers).toFixed(1))}.`,
        'For every k, no layer is computed more than twice. That is one extra forward pass, about a third more time. Memory of √N for a third more time made the method famous.',
      ]}
      more={<ThreeStrategies layers={layers} />}
      tries={[
        {
          text: 'In a real network tensors differ in size, and √N is no longer optimal. Compare Chen’s rule with the optimum.',
          action: 'Compare on ResNet-50',
          screen: 'compare',
          experiment: { model: 'resnet50', batch: 64, strategies: ['regular', 'chen-sqrt', 'optimal'] },
          selected: 'chen-sqrt',
        },
      ]}
    >
      <div className={classes['pair']}>
        <CurveChart layers={layers} k={k} />
        <PlayCard
          title={`Segments of ${k.value}`}
          layers={layers}
          play={play}
          identity={CHEN}
          first={play.peakFrame}
        />
      </div>
    </LessonPage>
  );
}

const EXTREMES = ['regular', 'chen-sqrt', 'memory-poor'] as const;

function ThreeStrategies({ layers }: { readonly layers: number }) {
  const plays = EXTREMES.map((name) => {
    const play = chainPlay(layers, name);
    return { identity: playerIdentity(name), play, forwards: layers + play.recomputes };
  });
  const said = plays.map(
    ({ identity, play, forwards }) =>
      `${identity.title} ${play.timeline.peakBytes} pebbles and ${formatCount(forwards)} forwards`,
  );
  return (
    <LineChart
      title="Three strategies on one chain"
      summary={`Memory over one step of a chain of ${layers} layers: ${said.join('; ')}.`}
      fileName={`three-strategies-${layers}`}
      height={248}
      xTitle="operations"
      yTitle="pebbles"
      series={plays.map(({ identity, play }) => ({
        id: identity.name,
        title: identity.title,
        color: colorOf(identity),
        dash: identity.dash,
        width: identity.name === 'chen-sqrt' ? 2.5 : 1.5,
        isStair: true,
        points: tracePoints(liveOf(play)),
      }))}
      marks={plays.map(({ identity, play }) => ({
        x: play.frames.length,
        y: play.frames.at(-1)!.live,
        text: `${formatCount(play.frames.length)} operations`,
        color: colorOf(identity),
      }))}
      table={{
        caption: `Three strategies on a chain of ${layers} layers`,
        columns: ['Strategy', 'Pebbles at the peak', 'Forwards', 'Operations'],
        rows: plays.map(({ identity, play, forwards }) => [
          identity.title,
          play.timeline.peakBytes,
          forwards,
          play.frames.length,
        ]),
      }}
    />
  );
}

/** "the input, 9 checkpoints, 3 tensors of a segment and 2 gradients": what the peak consists of. */
function partsOf(layers: number, k: number): string {
  const { input, checkpoints, segment, gradients } = peakParts(layers, k);
  return listed([
    ...(input === 0 ? [] : ['the input']),
    ...(checkpoints === 0 ? [] : [counted(checkpoints, 'checkpoint')]),
    ...(segment === 0 ? [] : [`${counted(segment, 'tensor')} of a segment`]),
    ...(gradients === 0 ? [] : [counted(gradients, 'gradient')]),
  ]);
}

function CurveChart({
  layers,
  k: { value: k, set },
}: {
  readonly layers: number;
  readonly k: Field<number>;
}) {
  const { points, best } = segmentCurve(layers);
  const at = points[k - 1]!;
  const text = `k = ${k}: ${at.peak} pebbles, k + N/k = ${threeDigits(at.formula)}`;
  return (
    <LineChart
      title="Memory against segment length"
      summary={`Memory of a chain of ${layers} layers against the segment length k. ${text}. Minimum ${best.peak} at k = ${best.k}.`}
      fileName={`segment-length-${layers}`}
      height={328}
      xTitle="segment length k"
      yTitle="pebbles"
      series={[
        {
          id: 'peak',
          title: 'Peak, simulated',
          color: colorOf(CHEN),
          width: 2.5,
          points: points.map(({ k: x, peak }) => ({ x, y: peak })),
        },
        {
          id: 'formula',
          title: 'k + N/k',
          color: 'var(--zz-neutral)',
          dash: '5 4',
          points: points.map(({ k: x, formula }) => ({ x, y: formula })),
        },
        {
          id: 'theory',
          title: 'Eq. 1: checkpoints + largest segment',
          color: 'var(--zz-ink)',
          dash: '1.5 3',
          points: points.map(({ k: x, paperCost }) => ({ x, y: paperCost })),
        },
      ]}
      marks={[
        { x: best.k, y: best.peak, text: `minimum ${best.peak} at k = ${best.k}`, color: colorOf(CHEN) },
        ...(k === best.k ? [] : [{ x: k, y: at.peak, text: '', color: 'var(--zz-ink)' }]),
      ]}
      cursor={{
        at: k,
        min: 1,
        max: layers,
        label: 'Segment length k',
        text,
        note: `k = ${k}: ${at.peak}`,
        onMove: set,
      }}
      table={{
        caption: `Memory against segment length, ${formatCount(layers)} layers`,
        columns: ['k', 'Checkpoints', 'k + N/k', 'Eq. 1', 'Peak'],
        rows: points.map((point) => [
          point.k,
          point.checkpoints,
          Number(point.formula.toFixed(2)),
          point.paperCost,
          point.peak,
        ]),
      }}
    />
  );
}
