import { colorOf, type StrategyIdentity } from './identity.ts';

export function StrategyMark({ identity }: { readonly identity: StrategyIdentity }) {
  return (
    <svg width={24} height={8} aria-hidden="true" focusable="false" style={{ flex: 'none' }}>
      <line
        x1={1}
        x2={23}
        y1={4}
        y2={4}
        stroke={colorOf(identity)}
        strokeWidth={identity.width + 0.5}
        strokeDasharray={identity.dash}
      />
    </svg>
  );
}
