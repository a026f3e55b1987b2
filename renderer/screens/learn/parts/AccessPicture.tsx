import { useState } from 'react';
import { useSize } from '../../../shared/use-size.ts';
import { PictureCard } from './PictureCard.tsx';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import classes from './learn.module.css';
import { type AccessModel, type AccessStop, MIN_COST, MAX_COST, pathOf } from '../model/accessibility.ts';
import { Disc } from './SmallGraph.tsx';

export interface AccessPictureProps {
  readonly model: AccessModel;
  readonly stop: AccessStop;
  readonly onCost: (vertex: number, cost: number) => void;
}

const HEIGHT = 240;
const LINE = 184;
const TOP = 24;
const MAX_RADIUS = 20;
const GREEN = colorOf(identityOf('optimal'));

export function AccessPicture({ model, stop, onCost }: AccessPictureProps) {
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const { costs, leaps } = model;
  const pitch = Math.max(1, width) / costs.length;
  // Above its field in the row of sizes.
  const x = (vertex: number): number => (vertex + 0.5) * pitch;
  const radius = (cost: number): number =>
    Math.max(5, Math.min(MAX_RADIUS, pitch / 2 - 4) * Math.sqrt(cost / Math.max(...costs)));
  const path = pathOf(model, stop);
  const isOn = (from: number, to: number): boolean =>
    path[path.indexOf(from) + 1] === to && path.includes(from);
  const allowed = leaps.filter(({ cost }) => cost <= stop.maxTerm);
  const longest = Math.max(...allowed.map(({ from, to }) => to - from));
  // The longest arc reaches the top; its middle is halfway to the control point.
  const apex = (from: number, to: number): number =>
    LINE - ((LINE - TOP) * (to - from)) / Math.max(longest, 3);
  const arc = (from: number, to: number): string =>
    `M${x(from)} ${LINE}Q${(x(from) + x(to)) / 2} ${2 * apex(from, to) - LINE} ${x(to)} ${LINE}`;
  const kept = path.slice(1, -1).map((v) => `v${v}`);
  return (
    <PictureCard
      layer="access"
      size={size}
      title="Accessibility graph"
      summary={`With C = ${stop.maxTerm}, ${allowed.length} of ${leaps.length} arcs are allowed. The cheapest path keeps ${kept.join(', ') || 'nothing'}.`}
      fileName="accessibility-graph"
      height={HEIGHT}
      table={tableOf(model, stop)}
      footer={
        <fieldset className={classes['costs']}>
          <legend>Size of each tensor</legend>
          {costs.map((cost, v) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a vertex is its index
            <CostField key={v} label={`v${v}`} cost={cost} onCost={(next) => onCost(v, next)} />
          ))}
        </fieldset>
      }
    >
      {allowed.map(({ from, to }) => (
        <path
          key={`${from} ${to}`}
          d={arc(from, to)}
          fill="none"
          stroke="var(--zz-axis)"
          strokeOpacity={0.55}
        />
      ))}
      {allowed
        .filter(({ from, to }) => isOn(from, to))
        .map(({ from, to, cost }) => (
          <g key={`${from} ${to}`} data-path={`${from} ${to}`}>
            <path d={arc(from, to)} fill="none" stroke={GREEN} strokeWidth={3} />
            {cost > 0 && (
              <text
                x={(x(from) + x(to)) / 2}
                y={apex(from, to) - 6}
                textAnchor="middle"
                fill="var(--zz-ink)"
                stroke="var(--zz-card)"
                strokeWidth={4}
                paintOrder="stroke"
              >
                {cost}
              </text>
            )}
          </g>
        ))}
      {costs.map((cost, v) => {
        const isEnd = v === 0 || v === costs.length - 1;
        const isKept = path.includes(v) && !isEnd;
        return (
          <Disc
            key={x(v)}
            at={{ x: x(v), y: LINE }}
            radius={radius(cost)}
            fill={isKept ? GREEN : isEnd ? 'var(--zz-hold-input)' : 'var(--zz-card)'}
            stroke={isKept ? GREEN : 'var(--zz-axis)'}
            note={v === 0 ? 'source' : isEnd ? 'target' : String(cost)}
            noteAt={40}
            noteSize={isEnd && pitch < 40 ? 10 : undefined}
            data={{ 'data-kept': isKept || undefined }}
          />
        );
      })}
    </PictureCard>
  );
}

/** A draft stays until the field is left; only valid sizes are taken. */
function CostField({ label, cost, onCost }: { label: string; cost: number; onCost: (cost: number) => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        min={MIN_COST}
        max={MAX_COST}
        value={draft ?? String(cost)}
        onChange={(event) => {
          setDraft(event.currentTarget.value);
          const next = event.currentTarget.valueAsNumber;
          if (Number.isInteger(next) && next >= MIN_COST && next <= MAX_COST) onCost(next);
        }}
        onBlur={() => setDraft(null)}
      />
    </label>
  );
}

function tableOf(model: AccessModel, stop: AccessStop) {
  return {
    caption: `Arcs of the chain, allowed if they cost at most C = ${stop.maxTerm}`,
    columns: ['Leap', 'Cost in between', 'Allowed', 'On the path'],
    rows: model.leaps.map(({ from, to, cost }) => {
      const path = pathOf(model, stop);
      const isOn = path.includes(from) && path[path.indexOf(from) + 1] === to;
      return [`v${from} to v${to}`, cost, cost <= stop.maxTerm ? 'yes' : 'no', isOn ? 'yes' : 'no'];
    }),
  };
}
