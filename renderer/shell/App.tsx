import '@mantine/core/styles.css';
import './styles.css';
import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core';
import { Frame } from './Frame.tsx';
import { WorkspaceContext } from '../state/workspace/use-workspace.ts';
import type { Workspace } from '../state/workspace/workspace.ts';

export interface AppProps {
  readonly workspace: Workspace;
  /** For the style elements that Mantine adds at run time. */
  readonly nonce: string;
}

export function App({ workspace, nonce }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <WorkspaceContext value={workspace}>
        <Frame />
      </WorkspaceContext>
    </MantineProvider>
  );
}

const INK: MantineColorsTuple = [
  '#f6f7f8',
  '#eceef0',
  '#dfe2e5',
  '#c6cacf',
  '#a3abb4',
  '#79818a',
  '#585f68',
  '#3c434b',
  '#23282e',
  '#16191d',
];

/** Mantine's dark surfaces in the hue of ours; 0 is text, 7 the page. */
const DARK: MantineColorsTuple = [
  '#e8eaed',
  '#c6cacf',
  '#a3abb4',
  '#79818a',
  '#353a40',
  '#2a2e33',
  '#23272b',
  '#1a1d20',
  '#15181a',
  '#121416',
];

/**
 * Calm on purpose: buttons and marks of the lab itself are ink on paper, because colour means strategy.
 * Shade 8 and the overridden dimmed and error colours pass the contrast checks in both themes.
 */
const theme = createTheme({
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", "DejaVu Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  primaryColor: 'ink',
  primaryShade: { light: 8, dark: 2 },
  autoContrast: true,
  // Mantine takes the text of a filled button from the light theme's shade, also in the dark one.
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...(input.variant === 'filled' && { color: 'var(--mantine-primary-color-contrast)' }),
  }),
  defaultRadius: 6,
  respectReducedMotion: true,
  focusRing: 'auto',
  cursorType: 'pointer',
  colors: { ink: INK, dark: DARK },
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    Button: { defaultProps: { size: 'compact-sm' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { allowDeselect: false } },
    Switch: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
});

const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': 'var(--zz-card)',
    '--mantine-color-text': 'var(--zz-ink)',
    '--mantine-color-dimmed': 'var(--zz-muted)',
    '--mantine-color-placeholder': 'var(--zz-muted)',
    '--mantine-color-error': 'var(--zz-danger)',
    '--mantine-color-default-border': 'var(--zz-border)',
  },
  dark: {
    '--mantine-color-body': 'var(--zz-card)',
    '--mantine-color-text': 'var(--zz-ink)',
    '--mantine-color-dimmed': 'var(--zz-muted)',
    '--mantine-color-placeholder': 'var(--zz-muted)',
    '--mantine-color-error': 'var(--zz-danger)',
    '--mantine-color-default': 'var(--zz-raised)',
    '--mantine-color-default-border': 'var(--zz-border)',
  },
});
