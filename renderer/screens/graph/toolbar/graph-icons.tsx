import { Icon } from '../../../shared/icons.tsx';

export const MinusIcon = () => (
  <Icon size={16}>
    <path d="M4 10h12" />
  </Icon>
);
export const FitIcon = () => (
  <Icon size={16}>
    <path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" />
  </Icon>
);
export const OpenAllIcon = () => (
  <Icon size={16}>
    <path d="m6 7 4-4 4 4M6 13l4 4 4-4M4 10h12" />
  </Icon>
);
export const CloseAllIcon = () => (
  <Icon size={16}>
    <path d="m6 3 4 4 4-4M6 17l4-4 4 4M4 10h12" />
  </Icon>
);
