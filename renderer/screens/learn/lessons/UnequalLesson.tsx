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
      lead="Real tensors differ in size: the early ones of a network are often dozens of times as large as the late ones. Checkpoints at equal distances are then a bad choice. It is better to keep small tensors, and to let no [segment](segment) grow too large."
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
        'Choose a [max term C](max-term), the largest size that a segment may have. Draw an arc from one tensor to a later one if everything between them fits into C. This is the [accessibility graph](accessibility).',
        'Every path from source to target is a set of checkpoints: the tensors where it stops. Let each stop cost the size of its tensor. Then the cheapest path keeps the fewest bytes for this C. It is a shortest path, which is fast to find.',
        '[Eq. 1](eq1) adds the largest segment. A small C keeps too many tensors; a large C allows a large segment. Trying every C finds the optimum. This is Algorithm 1 of Feng and Huang.',
      ]}
      tries={[
        {
          text: 'VGG-16 is such a chain. Move C along its curve and see which tensors are kept.',
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
        {choice.cost === optimum.choice.cost ? ', the minimum.' : `; the minimum is ${optimum.choice.cost}.`}
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
      summary={`Eq. 1 of the cheapest path for every max term C. ${text}; minimum ${optimum.choice.cost} at C = ${optimum.maxTerm}.`}
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
        { x: optimum.maxTerm, y: optimum.choice.cost, text: `minimum ${optimum.choice.cost}`, color: green },
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
