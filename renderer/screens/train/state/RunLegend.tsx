import type { RunLook } from './run-look.ts';

export function RunLine({ color, dash, width }: Pick<RunLook, 'color' | 'dash' | 'width'>) {
  return (
    <svg width={24} height={8} aria-hidden="true" focusable="false">
      <line x1={1} x2={23} y1={4} y2={4} stroke={color} strokeWidth={width + 0.5} strokeDasharray={dash} />
    </svg>
  );
}

export function RunLegend({ looks }: { readonly looks: readonly RunLook[] }) {
  return (
    <>
      {looks.map((look) => (
        <span key={look.run.key}>
          <RunLine {...look} />
          {look.title}
        </span>
      ))}
    </>
  );
}
