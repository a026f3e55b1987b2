import { formatCount, threeDigits } from '../../../shared/format/numbers.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import { playerIdentity } from '../parts/identities.ts';
import classes from '../parts/learn.module.css';
import { MAX_LAYERS } from '../model/games.ts';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import { chainPlay, playWithSegments } from '../model/plays.ts';
import { peakParts, type SegmentCurve, segmentCurve } from '../model/segment-length.ts';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import { LineChart } from '../parts/LineChart.tsx';
import { ChainCard } from '../parts/ChainCard.tsx';
import { SliderField } from '../parts/SliderField.tsx';
import { tracePoints } from '../parts/trace.ts';
import { Term } from '../../../state/parts/Term.tsx';
import { Try } from '../parts/Try.tsx';
import { usePage } from '../../../state/parts/use-page.ts';

const CHEN = playerIdentity('chen-sqrt');

/** "when N = 100, we can reduce the memory cost to 20% of the original cost" (paper 000, section 4). */
const PAPER_LAYERS = 100;

export function SqrtLesson() {
  const { params, set } = usePage();
  const layers = wholeNumber(params['n'], 4, MAX_LAYERS, 36);
  const k = wholeNumber(params['k'], 1, layers, 3);
  const setK = (next: number): void => set({ k: next, at: undefined });
  const curve = segmentCurve(layers);
  const play = playWithSegments(layers, k);
  const point = curve.points[k - 1]!;
  return (
    <>
      <p className={classes['lead']}>
        Keep one tensor in every k, a <Term id="checkpoint">gradient checkpoint</Term>. Backward then computes
        one <Term id="segment">segment</Term> of k layers again at a time. Memory is about N/k checkpoints
        plus one segment of k.
      </p>
      <div className={classes['fields']}>
        <SliderField
          label="Layers N"
          value={layers}
          min={4}
          max={MAX_LAYERS}
          onValue={(n) => set({ n, k: Math.min(k, n), at: undefined })}
        />
        <SliderField label="Segment length k" value={k} min={1} max={layers} onValue={setK} />
        <LinkButton onClick={() => set({ n: PAPER_LAYERS, k: Math.sqrt(PAPER_LAYERS), at: undefined })}>
          Show the paper’s N = {PAPER_LAYERS}
        </LinkButton>
      </div>
      <div className={classes['pair']}>
        <CurveChart layers={layers} curve={curve} k={k} onK={setK} />
        <ChainCard
          title={`Segments of ${k}`}
          layers={layers}
          play={play}
          identity={CHEN}
          first={play.peakFrame}
        />
      </div>
      <div className={classes['text']}>
        <p>
          With k = {k} there are {counted(point.checkpoints, 'checkpoint')} and segments of {k}: k + N/k ={' '}
          {threeDigits(point.formula)}, {Math.round((100 * point.formula) / layers)} % of what regular
          training stores. The simulator counts {point.peak} at the peak: {partsOf(layers, k)}.
        </p>
        <p>
          Short segments leave many checkpoints, long ones a large segment. Beyond √N longer segments stop
          helping: every layer that a segment gains costs a pebble, and saves less than one checkpoint. The
          least is {curve.best.peak} pebbles, at k = {curve.least.map(({ k: one }) => one).join(', ')}; √
          {layers} is {Number(Math.sqrt(layers).toFixed(1))}.
        </p>
        <p>
          Whatever k is, no layer is computed more than twice: one extra forward pass, about a third more
          time. Memory of √N for a third more time is the bargain that made the method known.
        </p>
      </div>
      <ThreeStrategies layers={layers} />
      <Try
        trial={{
          screen: 'compare',
          experiment: { model: 'resnet50', batch: 64, strategies: ['regular', 'chen-sqrt', 'optimal'] },
          selected: 'chen-sqrt',
        }}
        action="Compare on ResNet-50"
      >
        On a real network tensors are of unequal size, and √N is not the best any more: lay Chen’s rule beside
        the optimum.
      </Try>
    </>
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
        points: tracePoints(play),
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

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** "the input, 9 checkpoints, 3 tensors of a segment and 2 gradients": what the peak consists of. */
function partsOf(layers: number, k: number): string {
  const { input, checkpoints, segment, gradients } = peakParts(layers, k);
  const parts = [
    ...(input === 0 ? [] : ['the input']),
    ...(checkpoints === 0 ? [] : [counted(checkpoints, 'checkpoint')]),
    ...(segment === 0 ? [] : [`${counted(segment, 'tensor')} of a segment`]),
    ...(gradients === 0 ? [] : [counted(gradients, 'gradient')]),
  ];
  return new Intl.ListFormat('en-GB').format(parts);
}

interface CurveChartProps {
  readonly layers: number;
  readonly curve: SegmentCurve;
  readonly k: number;
  readonly onK: (k: number) => void;
}

function CurveChart({ layers, curve: { points, best }, k, onK }: CurveChartProps) {
  const at = points[k - 1]!;
  const text = `k = ${k}: ${at.peak} pebbles, k + N/k = ${threeDigits(at.formula)}`;
  return (
    <LineChart
      title="Memory against segment length"
      summary={`Memory of a chain of ${layers} layers against the segment length k. ${text}. Least ${best.peak} at k = ${best.k}.`}
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
        { x: best.k, y: best.peak, text: `least ${best.peak} at k = ${best.k}`, color: colorOf(CHEN) },
        ...(k === best.k ? [] : [{ x: k, y: at.peak, text: '', color: 'var(--zz-ink)' }]),
      ]}
      cursor={{
        at: k,
        min: 1,
        max: layers,
        label: 'Segment length k',
        text,
        note: `k = ${k}: ${at.peak}`,
        onMove: onK,
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
