import { describe, expect, it } from 'vitest';
import { causesJson } from '../../../app/report/causes.ts';
import { tableLatex } from '../../../app/report/latex-table.ts';
import { causeLines, tableCsv, tableMarkdown } from '../../../app/report/table-forms.ts';
import { solvedTable } from '../../support/solved-tables.ts';

const cvpr = solvedTable('cvpr');
const iclr = solvedTable('iclr');

describe('causes', () => {
  const cause = [
    { kind: 'weight-gradients', column: 'regular', megabytes: 374.62 },
    { kind: 'weight-gradients', column: 'ours', megabytes: -2 },
    { kind: 'unexplained', column: 'regular', megabytes: 3.4, percent: 0.1 },
    { kind: 'unexplained', column: 'ours', megabytes: -12.31, percent: -4.2 },
    { kind: 'unexplained-time', points: 2.2 },
    { kind: 'own-design' },
  ] as const;

  it('name their columns with sizes, in order; small unexplained rests are left out', () => {
    const rows = [
      { network: 'a', cause },
      { network: 'b', cause: [] },
    ];
    expect(causeLines({ rows })).toEqual([
      'a: counted: new gradients of weights beside the accumulated ones (Regular: +375 MB; Optimal: -2.0 MB). unexplained ' +
        '(Optimal: -12 MB, 4.2 %). our own design: the paper prints this network as a figure only',
    ]);
  });

  it('are data for scripts: what, column, MB, and the rest by column', () => {
    expect(causesJson(cause)).toEqual({
      causes: [
        { what: 'weight-gradients', column: 'regular', MB: 374.6 },
        { what: 'weight-gradients', column: 'ours', MB: -2 },
      ],
      unexplainedMB: { regular: 3.4, ours: -12.3 },
      unexplainedOverheadPoints: 2.2,
    });
  });
});

describe('renderings', () => {
  it('writes one CSV record a row with as many fields as columns', () => {
    const lines = tableCsv(cvpr).trimEnd().split('\r\n');
    expect(lines).toHaveLength(cvpr.rows.length + 1);
    const fields = (line: string) => line.replace(/"([^"]|"")*"/g, '').split(',').length;
    for (const line of lines) expect(fields(line)).toBe(cvpr.columns.length);
  });

  it('writes a Markdown table with the rule under its heading', () => {
    const lines = tableMarkdown(iclr).split('\n');
    expect(lines[3]).toMatch(/^\| ---/);
    expect(lines.filter((line) => line.startsWith('| '))).toHaveLength(iclr.rows.length + 2);
  });

  it('writes LaTeX without a bare percent sign outside comments', () => {
    for (const line of tableLatex(cvpr).split('\n')) {
      if (!line.startsWith('%')) expect(line).not.toMatch(/(^|[^\\])%/);
    }
  });
});

describe('escaping', () => {
  const awkward = 'a & b_c^2 \\ {50 %} <√n> ~ "quoted", | 3 × $4 #5';
  const table = {
    ...iclr,
    notes: [awkward],
    rows: iclr.rows.slice(0, 1).map((row) => ({ ...row, network: awkward })),
  };

  it('leaves no command for LaTeX', () => {
    const lines = tableLatex(table).split('\n');
    const body = lines.find((line) => line.includes('quoted') && line.endsWith('\\\\')) ?? '';
    expect(body).toContain(
      "a \\& b\\_c\\textasciicircum{}2 \\textbackslash{} \\{50 \\%\\} \\textless{}$\\surd$n\\textgreater{} \\textasciitilde{} ``quoted'', \\textbar{} 3 $\\times$ \\$4 \\#5",
    );
    for (const line of tableLatex(cvpr).split('\n')) {
      // Powers are set as such.
      if (!line.startsWith('%')) expect(line.replace(/\$\d+\^\{\d+\}\$/g, '')).not.toMatch(/[\^√×−]/);
    }
  });

  it('keeps a cell of Markdown and of CSV one cell', () => {
    const row = tableMarkdown(table)
      .split('\n')
      .find((line) => line.startsWith('| a &'));
    expect(row?.split(/(?<!\\)\|/)).toHaveLength(iclr.columns.length + 2);
    expect(tableCsv(table)).toContain('""quoted"", | 3');
  });
});
