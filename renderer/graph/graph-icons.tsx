import type { ReactNode } from 'react';

/** Icons of this screen, on the same 20 px grid as the lab's. */
function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      width={16}
      height={16}
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

export const MinusIcon = () => (
  <Icon>
    <path d="M4 10h12" />
  </Icon>
);
export const FitIcon = () => (
  <Icon>
    <path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" />
  </Icon>
);
export const OpenAllIcon = () => (
  <Icon>
    <path d="m6 7 4-4 4 4M6 13l4 4 4-4M4 10h12" />
  </Icon>
);
export const CloseAllIcon = () => (
  <Icon>
    <path d="m6 3 4 4 4-4M6 17l4-4 4 4M4 10h12" />
  </Icon>
);
