import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import { usePage } from '../../../state/parts/use-page.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { type AccessModel, accessModel, readCosts } from '../model/accessibility.ts';
import { AccessPicture } from '../parts/AccessPicture.tsx';
import { type Field, useSlider } from '../parts/fields.tsx';
import classes from '../parts/learn.module.css';
import { LessonPage } from '../parts/LessonPage.tsx';
import { LineChart } from '../parts/LineChart.tsx';

export function UnequalLesson() {
  const { params, set } = usePage();
  const costs = readCosts(params['costs']);
  const model = accessModel(costs);
  const { stops, best } = model;
  const limit = useSlider('c', { label: 'Max term C', min: 0, max: stops.at(-1)!.maxTerm, first: 9 });
  const at = stops.findLastIndex(({ maxTerm }) => maxTerm <= limit.value);
  const { choice } = stops[at]!;
  const optimum = stops[best]!;
  return (
    <LessonPage
      lead="Real tensors differ: early layers of a network are often dozens of times as large as late ones. Equal steps are then a bad choice. Better keep small tensors, and let no [segment](segment) grow too large."
      fields={
        <>
          {limit.field}
          <LinkButton onClick={() => limit.set(optimum.maxTerm)}>Show the optimum</LinkButton>
          <LinkButton
            disabled={params['costs'] === undefined}
            onClick={() => set({ costs: undefined, c: undefined })}
          >
            Restore the sizes
          </LinkButton>
        </>
      }
      text={[
        'Fix a [max term C](max-term), the most that a segment may cost. An arc leads from one tensor to a later one when all that lies between fits into C. This is the [accessibility graph](accessibility).',
        'Every path from source to target is a set of checkpoints: the tensors it stops at. The cheapest path, where a stop costs the size of its tensor, keeps the fewest bytes under this C. It is a shortest path, and found at once.',
        '[Eq. 1](eq1) adds the largest segment. A small C keeps too much, a large one leaves a large segment. Trying every C finds the optimum: Algorithm 1 of Feng and Huang.',
      ]}
      tries={[
        {
          text: 'VGG-16 is such a chain: move C over its curve and see which tensors stay.',
          action: 'Slide C on VGG-16',
          screen: 'graph',
          experiment: { model: 'vgg16', batch: 64 },
          view: { panel: 'division' },
        },
      ]}
    >
      <div className={classes['wide']}>
        <AccessPicture
          model={model}
          stop={stops[at]!}
          onCost={(v, cost) => set({ costs: costs.map((old, i) => (i === v ? cost : old)).join(',') })}
        />
        <CostChart model={model} at={at} limit={limit} />
      </div>
      <p className={classes['reading']} role="status">
        C = {limit.value}: keep {choice.checkpoints.map((v) => `v${v}`).join(', ') || 'nothing'}. Checkpoints{' '}
        {choice.checkpointCost} + largest segment {choice.maxTerm} = <strong>Eq. 1 of {choice.cost}</strong>
        {choice.cost === optimum.choice.cost
          ? ', the least there is.'
          : `; the least is ${optimum.choice.cost}.`}
      </p>
    </LessonPage>
  );
}

interface CostChartProps {
  readonly model: AccessModel;
  readonly at: number;
  readonly limit: Field<number>;
}

function CostChart({ model: { stops, best }, at, limit: { value: limit, set } }: CostChartProps) {
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
        onMove: set,
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
