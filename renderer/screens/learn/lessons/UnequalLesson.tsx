import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import classes from '../parts/learn.module.css';
import { type AccessModel, accessModel, readCosts } from '../model/accessibility.ts';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import { AccessPicture } from '../parts/AccessPicture.tsx';
import { LineChart } from '../parts/LineChart.tsx';
import { SliderField } from '../parts/SliderField.tsx';
import { Term } from '../../../state/parts/Term.tsx';
import { Try } from '../parts/Try.tsx';
import { usePage } from '../../../state/parts/use-page.ts';

export function UnequalLesson() {
  const { params, set } = usePage();
  const costs = readCosts(params['costs']);
  const model = accessModel(costs);
  const { stops, best } = model;
  const most = stops.at(-1)!.maxTerm;
  const limit = wholeNumber(params['c'], 0, most, 9);
  const at = stops.findLastIndex(({ maxTerm }) => maxTerm <= limit);
  const stop = stops[at]!;
  const { choice } = stop;
  const optimum = stops[best]!;
  const setLimit = (c: number): void => set({ c });
  return (
    <>
      <p className={classes['lead']}>
        Real tensors differ: early layers of a network are often dozens of times as large as late ones. Equal
        steps are then a bad choice. Better keep small tensors, and let no <Term id="segment">segment</Term>{' '}
        grow too large.
      </p>
      <div className={classes['fields']}>
        <SliderField label="Max term C" value={limit} min={0} max={most} onValue={setLimit} />
        <LinkButton onClick={() => setLimit(optimum.maxTerm)}>Show the optimum</LinkButton>
        <LinkButton
          disabled={params['costs'] === undefined}
          onClick={() => set({ costs: undefined, c: undefined })}
        >
          Restore the sizes
        </LinkButton>
      </div>
      <div className={classes['wide']}>
        <AccessPicture
          model={model}
          stop={stop}
          onCost={(v, cost) => set({ costs: costs.map((old, i) => (i === v ? cost : old)).join(',') })}
        />
        <CostChart model={model} at={at} limit={limit} onLimit={setLimit} />
      </div>
      <p className={classes['reading']} role="status">
        C = {limit}: keep {choice.checkpoints.map((v) => `v${v}`).join(', ') || 'nothing'}. Checkpoints{' '}
        {choice.checkpointCost} + largest segment {choice.maxTerm} = <strong>Eq. 1 of {choice.cost}</strong>
        {choice.cost === optimum.choice.cost
          ? ', the least there is.'
          : `; the least is ${optimum.choice.cost}.`}
      </p>
      <div className={classes['text']}>
        <p>
          Fix a <Term id="max-term">max term C</Term>, the most that a segment may cost. An arc leads from one
          tensor to a later one when all that lies between fits into C. This is the{' '}
          <Term id="accessibility">accessibility graph</Term>.
        </p>
        <p>
          Every path from source to target is a set of checkpoints: the tensors it stops at. The cheapest
          path, where a stop costs the size of its tensor, keeps the fewest bytes under this C. It is a
          shortest path, and found at once.
        </p>
        <p>
          <Term id="eq1">Eq. 1</Term> adds the largest segment. A small C keeps too much, a large one leaves a
          large segment. Trying every C finds the optimum: Algorithm 1 of Feng and Huang.
        </p>
      </div>
      <Try
        trial={{ screen: 'graph', experiment: { model: 'vgg16', batch: 64 }, view: { panel: 'division' } }}
        action="Slide C on VGG-16"
      >
        VGG-16 is such a chain: move C over its curve and see which tensors stay.
      </Try>
    </>
  );
}

interface CostChartProps {
  readonly model: AccessModel;
  readonly at: number;
  readonly limit: number;
  readonly onLimit: (c: number) => void;
}

function CostChart({ model: { stops, best }, at, limit, onLimit }: CostChartProps) {
  const stop = stops[at]!;
  const optimum = stops[best]!;
  const text = `C = ${limit}: Eq. 1 ${stop.choice.cost}`;
  const green = colorOf(identityOf('optimal'));
  return (
    <LineChart
      title="Eq. 1 against C"
      summary={`Eq. 1 of the cheapest path for every max term C. ${text}; least ${optimum.choice.cost} at C = ${optimum.maxTerm}.`}
      fileName="eq1-against-max-term"
      height={290}
      xTitle="max term C"
      yTitle="size"
      series={[
        {
          id: 'total',
          title: 'Eq. 1',
          color: green,
          width: 2.5,
          isStair: true,
          points: stops.map(({ maxTerm, choice }) => ({ x: maxTerm, y: choice.cost })),
        },
        {
          id: 'checkpoints',
          title: 'Checkpoints alone',
          color: 'var(--zz-neutral)',
          dash: '5 4',
          isStair: true,
          points: stops.map(({ maxTerm, choice }) => ({ x: maxTerm, y: choice.checkpointCost })),
        },
      ]}
      marks={[
        { x: optimum.maxTerm, y: optimum.choice.cost, text: `least ${optimum.choice.cost}`, color: green },
        ...(at === best ? [] : [{ x: limit, y: stop.choice.cost, text: '', color: 'var(--zz-ink)' }]),
      ]}
      cursor={{
        at: limit,
        min: 0,
        max: stops.at(-1)!.maxTerm,
        label: 'Max term C, on the curve',
        note: `C = ${limit}: ${stop.choice.cost}`,
        text,
        onMove: onLimit,
      }}
      table={{
        caption: 'Eq. 1 for every max term',
        columns: ['C', 'Checkpoints kept', 'Their size', 'Largest segment', 'Eq. 1'],
        rows: stops.map(({ maxTerm, choice }) => [
          maxTerm,
          choice.checkpoints.map((v) => `v${v}`).join(' ') || 'none',
          choice.checkpointCost,
          choice.maxTerm,
          choice.cost,
        ]),
      }}
    />
  );
}
