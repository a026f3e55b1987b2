import { useSize } from '../../../shared/use-size.ts';
import { PictureCard } from './PictureCard.tsx';
import classes from './learn.module.css';
import type { MaskPair } from '../model/mistakes.ts';

export interface MaskPictureProps {
  readonly pair: MaskPair;
  readonly columns: number;
  readonly replayed: boolean;
}

const HEIGHT = 232;
const TOP = 32;

export function MaskPicture({ pair, columns, replayed }: MaskPictureProps) {
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const { first, again, different } = pair;
  const rows = Math.ceil(first.length / columns);
  const half = width / 2;
  const cell = Math.floor(Math.min((half - 40) / columns, (HEIGHT - TOP - 16) / rows));
  const table = {
    caption: 'Dropout masks',
    columns: ['Element', 'First forward', 'Recompute'],
    rows: first.map((kept, i) => [i + 1, kept ? 'kept' : 'dropped', again[i] ? 'kept' : 'dropped']),
  };
  const grids = [
    { name: 'first', title: 'First forward', mask: first },
    { name: 'again', title: replayed ? 'Recompute, same seed' : 'Recompute, another seed', mask: again },
  ];
  return (
    <PictureCard
      layer="masks"
      size={size}
      title="Dropout masks"
      summary={`The recompute treats ${different} of ${first.length} elements differently.`}
      fileName="dropout-masks"
      height={HEIGHT}
      table={table}
      footer={
        <p className={classes['reading']} role="status">
          {different === 0
            ? 'Both masks are equal: gradient and loss belong to the same forward.'
            : `${different} of ${first.length} elements differ: the gradient belongs to a different network.`}
        </p>
      }
    >
      {grids.map(({ name, title, mask }, g) => (
        <g key={name} transform={`translate(${g * half + 8} 0)`}>
          <text x={0} y={18} fill="var(--zz-muted)">
            {title}
          </text>
          {mask.map((kept, i) => {
            const x = (i % columns) * cell;
            const y = TOP + Math.floor(i / columns) * cell;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an element is its index
              <g key={i}>
                <rect
                  x={x}
                  y={y}
                  width={cell - 3}
                  height={cell - 3}
                  rx={2}
                  fill={kept ? 'var(--zz-hold-checkpoints)' : 'var(--zz-card)'}
                  stroke="var(--zz-axis)"
                />
                {name === 'again' && kept !== first[i] && (
                  <path
                    data-different=""
                    d={`M${x + 4} ${y + 4}L${x + cell - 7} ${y + cell - 7}M${x + cell - 7} ${y + 4}L${x + 4} ${y + cell - 7}`}
                    stroke="var(--zz-danger)"
                    strokeWidth={2}
                  />
                )}
              </g>
            );
          })}
        </g>
      ))}
    </PictureCard>
  );
}
