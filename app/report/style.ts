/** The lab's colours (renderer/shell/styles.css), because the file must stand alone. */
export const REPORT_COLORS = {
  light: {
    page: '#ffffff',
    raised: '#f4f5f6',
    hairline: '#e4e6e9',
    axis: '#878e96',
    ink: '#16191d',
    muted: '#585f68',
    neutral: '#6b7178',
    vermilion: '#d0520a',
    sky: '#2a8fc9',
    green: '#00835f',
    blue: '#0a5ea8',
    purple: '#b0578a',
    orange: '#b26a00',
    yellow: '#857a00',
    black: '#16191d',
  },
  dark: {
    page: '#1a1d20',
    raised: '#23272b',
    hairline: '#2a2e33',
    axis: '#79818a',
    ink: '#e8eaed',
    muted: '#a3abb4',
    neutral: '#9ba3ab',
    vermilion: '#f0803f',
    sky: '#79c6f2',
    green: '#22b98b',
    blue: '#4c9be8',
    purple: '#d98fb9',
    orange: '#e69f00',
    yellow: '#e3d84a',
    black: '#f2f3f5',
  },
} as const;

type Colors = Readonly<Record<string, string>>;

const variables = (colors: Colors): string =>
  Object.entries(colors)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

const STRATEGY_COLORS = [
  'neutral',
  'vermilion',
  'sky',
  'green',
  'blue',
  'purple',
  'orange',
  'yellow',
  'black',
];

/** Rules of pictures and lists of figures, each of which may be put below a selector. */
const PIECES = [
  'p{margin:0 0 8px}',
  'dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(208px,1fr));gap:8px 24px;margin:0}',
  'dt{color:var(--muted);font-size:12px;line-height:16px}',
  'dd{margin:0;overflow-wrap:anywhere}',
  'figure{margin:16px 0}',
  'svg{display:block;max-width:100%;height:auto}',
  'svg text{fill:var(--muted);font-size:12px}',
  'svg text.ink{fill:var(--ink)}',
  '.grid{stroke:var(--hairline)}',
  '.axis{stroke:var(--axis)}',
  '.line{fill:none;stroke-linejoin:round}',
  '.predicted,.measured{stroke-width:1}',
  ...STRATEGY_COLORS.map((name) => `.${name}{stroke:var(--${name})}`),
  '.mark{display:inline-block;width:24px;max-width:none;margin-right:8px;vertical-align:middle}',
  '.legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12px}',
];

/**
 * Rules of these pieces and of the element around them, which brings its own colours: light or dark as the reader's
 * system, whatever the page around it is.
 *
 * @param around selector of that element
 */
export function pictureStyle(around: string): string {
  const below = PIECES.map((rule) => `${around} ${rule.replaceAll(',.', `,${around} .`)}`);
  return `
${around}{color-scheme:light dark;${variables(REPORT_COLORS.light)};max-width:1040px;padding:16px;background:var(--page);color:var(--ink);font:14px/20px system-ui,sans-serif;font-variant-numeric:tabular-nums}
@media screen and (prefers-color-scheme:dark){${around}{${variables(REPORT_COLORS.dark)}}}
${below.join('\n')}
`;
}

/** Light or dark as the reader's system; always light on paper. */
export function reportStyle(): string {
  const fills = STRATEGY_COLORS.map(
    (name) => `.predicted.${name}{fill:var(--${name});fill-opacity:.3}.measured.${name}{fill:var(--${name})}`,
  ).join('');
  return `
:root{color-scheme:light dark;${variables(REPORT_COLORS.light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(REPORT_COLORS.dark)}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:32px 24px;max-width:1040px;background:var(--page);color:var(--ink);font:14px/20px system-ui,-apple-system,"Segoe UI","Noto Sans","Liberation Sans","DejaVu Sans",Arial,sans-serif;font-variant-numeric:tabular-nums}
h1{margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600}
h2{margin:32px 0 8px;font-size:16px;line-height:24px}
h3{margin:24px 0 8px;font-size:14px;line-height:20px}
.muted,figcaption{color:var(--muted);font-size:12px;line-height:16px}
${PIECES.join('\n')}
${fills}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:12px;line-height:16px}
caption{margin-bottom:8px;text-align:left;color:var(--muted)}
th,td{padding:8px;border-bottom:1px solid var(--hairline);text-align:right;font-weight:400;white-space:nowrap}
thead th{color:var(--muted)}
th:first-child,td.reason{text-align:left}
td.reason{white-space:normal}
tr.front{background:var(--raised)}
tr.front th,td.best{font-weight:600}
pre{margin:0 0 8px;padding:8px 16px;background:var(--raised);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/20px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
.ids{overflow-wrap:anywhere;font-size:12px}
@media print{body{max-width:none;padding:0}figure,table,tr,pre{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}th,td{padding:4px}}
`;
}
