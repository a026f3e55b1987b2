import type { ReactNode } from 'react';

/** Line icons on a 20 px grid, drawn for this lab; decoration only, the label beside them is the name. */
export function Icon({ children, size = 20 }: { readonly children: ReactNode; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** An icon of one path. */
const drawn =
  (path: string, size = 20, strokeWidth = 1.5) =>
  () => (
    <Icon size={size}>
      <path d={path} strokeWidth={strokeWidth} />
    </Icon>
  );

export const HeightIcon = drawn('M10 3v14M6.5 6.5 10 3l3.5 3.5M6.5 13.5 10 17l3.5-3.5', 16);
export const CompareIcon = drawn('M2.5 16.5 6 7l2.5 6.5L11 5l3 11.5 3.5-8');
export const GraphIcon = () => (
  <Icon>
    <circle cx={10} cy={4} r={1.75} />
    <circle cx={5} cy={10} r={1.75} />
    <circle cx={15} cy={10} r={1.75} />
    <circle cx={10} cy={16} r={1.75} />
    <path d="m8.9 5.4-2.8 3.2M11.1 5.4l2.8 3.2M6.1 11.4l2.8 3.2M13.9 11.4l-2.8 3.2" />
  </Icon>
);
export const TablesIcon = () => (
  <Icon>
    <rect x={2.5} y={3.5} width={15} height={13} rx={1.5} />
    <path d="M2.5 8h15M8 8v8.5M13 8v8.5" />
  </Icon>
);
export const LimitsIcon = () => (
  <Icon>
    <path d="M2.5 5h15M2.5 16.5 8.5 12l3.5-4.5L13.75 5" />
    <path d="M13.75 8v.01M13.75 11v.01M13.75 14v.01M13.75 16.75v.01" />
  </Icon>
);
export const LearnIcon = drawn(
  'M10 5.5C8.5 4.25 5.75 3.75 2.5 4v11.5c3.25-.25 6 .25 7.5 1.5 1.5-1.25 4.25-1.75 7.5-1.5V4c-3.25-.25-6 .25-7.5 1.5ZM10 5.5V17',
);
export const TrainIcon = () => (
  <Icon>
    <circle cx={10} cy={10} r={7.5} />
    <path d="m8.25 6.9 4.75 3.1-4.75 3.1z" />
  </Icon>
);
export const DotsIcon = drawn('M4.5 10h.01M10 10h.01M15.5 10h.01', 20, 2.5);
export const UndoIcon = drawn('M7 4 3.5 7.5 7 11M3.5 7.5h8.25a4.25 4.25 0 0 1 0 8.5H8');
export const RedoIcon = drawn('m13 4 3.5 3.5L13 11M16.5 7.5H8.25a4.25 4.25 0 0 0 0 8.5H12');
export const LinkIcon = drawn(
  'M8.5 11.5a3.25 3.25 0 0 0 4.6 0l2.65-2.65a3.25 3.25 0 0 0-4.6-4.6L10 5.4M11.5 8.5a3.25 3.25 0 0 0-4.6 0l-2.65 2.65a3.25 3.25 0 0 0 4.6 4.6L10 14.6',
);
export const SearchIcon = () => (
  <Icon>
    <circle cx={8.75} cy={8.75} r={5.5} />
    <path d="m13 13 4 4" />
  </Icon>
);
export const PlusIcon = drawn('M10 4v12M4 10h12', 16);
export const MinusIcon = drawn('M4 10h12', 16);
export const WholeIcon = drawn(
  'M2.5 4.5v11M17.5 4.5v11M5.5 10h9M8 7.25 5.25 10 8 12.75M12 7.25 14.75 10 12 12.75',
  16,
);
export const CloseIcon = drawn('m5 5 10 10M15 5 5 15', 14, 2);
export const FitIcon = drawn('M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4', 16);
export const OpenAllIcon = drawn('m6 7 4-4 4 4M6 13l4 4 4-4M4 10h12', 16);
export const CloseAllIcon = drawn('m6 3 4 4 4-4M6 17l4-4 4 4M4 10h12', 16);
