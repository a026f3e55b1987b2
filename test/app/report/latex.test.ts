import { describe, expect, it } from 'vitest';
import { findLatex, NO_LATEX } from '../../../app/start/latex.mjs';
import { bibtex, ENTRY_KEYS } from '../../../app/report/bibtex.ts';
import { LATEX_LAYOUTS, MEASURED_GROUPS } from '../../../app/report/latex-layouts.ts';
import { tableLatex } from '../../../app/report/latex-table.ts';
import { latexText } from '../../../app/report/latex-text.ts';
import { type ReproducedTable, TABLE_NAMES } from '../../../engine/tables/table.ts';
import { withColumns } from '../../../engine/tables/measured.ts';
import { compiled } from '../../support/latex.ts';
import { solvedTable } from '../../support/solved-tables.ts';
import { skippedFor } from '../../support/skipped.ts';

const reason = findLatex() ? '' : NO_LATEX;

const tables = new Map(TABLE_NAMES.map((name) => [name, solvedTable(name)]));
const cvpr = tables.get('cvpr') as ReproducedTable;

/** CVPR Table 2 as if VGG-16 had been measured on a device with an awkward name. */
const measured = withColumns(cvpr, {
  device: 'GPU_1 & 50 % 模',
  columns: MEASURED_GROUPS.flatMap(({ cells }) => cells).map(({ key }) => ({
    key,
    title: `${key}, GPU_1 & 50 % 模`,
    from: 'both' as const,
    digits: 0,
  })),
  notes: ['failed: α ≤ ½ — "out of memory" #3 ^~\\'],
  cells: {
    vgg16: { deviceBatch: 8, deviceInput: 224, deviceRegularMB: 1234.5, deviceOptimalMB: 'out of memory' },
  },
});

/** Cells of the line of a table that begins with a text. */
const lineOf = (text: string, start: string): string[] =>
  (text.split('\n').find((line) => line.startsWith(start)) ?? '').replace(/ \\\\$/, '').split(/ (?<!\\)& /);

describe('tables in LaTeX', () => {
  it('have every column that they lay out', () => {
    for (const [name, { columns }] of tables) {
      const keys = columns.map(({ key }) => key);
      const cells = LATEX_LAYOUTS[name].groups.flatMap((group) => group.cells);
      expect(keys).toEqual(expect.arrayContaining(cells.map(({ key }) => key)));
    }
  });

  it('are grouped as Table 2 is printed: sections, headings over their columns, the least memory in bold', () => {
    const text = tableLatex(cvpr);
    expect(text.indexOf('Linear network')).toBeLessThan(text.indexOf('VGG-19, batch 64'));
    expect(text.indexOf('VGG-19, batch 64')).toBeLessThan(text.indexOf('Non-linear network'));
    expect(text.indexOf('Non-linear network')).toBeLessThan(text.indexOf('ResNet-18, batch 256'));
    expect(text).toContain('\\multicolumn{3}{c}{Chen (MB)}');
    expect(text).toMatch(/\\cmidrule\(lr\)\{2-3\}/);
    expect(lineOf(text, 'VGG-16').slice(0, 9)).toEqual([
      'VGG-16, batch 64',
      '5136',
      '5136',
      '4352',
      '\\textbf{3565}',
      '3565',
      '3957',
      '3957',
      '\\textbf{3565}',
    ]);
    // The paper has no figure of Chen's there, and that is no zero.
    expect(lineOf(text, 'ResNet-50')[7]).toBe('--');
    expect(text).not.toContain('saved: kept');
  });

  it('have a caption, a label and as many cells in every line', () => {
    for (const [name, table] of tables) {
      const text = tableLatex(table);
      expect(text).toContain(`\\label{tab:zigzag-${name}}`);
      expect(text).toContain(`\\cite{${LATEX_LAYOUTS[name].cites}}, and Zigzag~\\cite{zigzag}.}`);
      expect(text).toMatch(/^[\x20-\x7e\n]*$/);
      const columns = LATEX_LAYOUTS[name].groups.flatMap(({ cells }) => cells);
      const shown = columns.filter(({ key }) => key !== 'measuredOverheadPct').length + 1;
      const lines = text.split('\\midrule').slice(1).join('').split('\\bottomrule')[0] ?? '';
      for (const line of lines.split('\n').filter((part) => / & /.test(part)))
        expect(line.split(/ (?<!\\)& /)).toHaveLength(shown);
    }
  });

  it('name the batch of a row once', () => {
    const text = tableLatex(tables.get('figure1') as ReproducedTable);
    expect(lineOf(text, 'Batch 256')[0]).toBe('Batch 256 at 224 pixels');
  });

  it('put what was measured on a device into a table of its own', () => {
    const text = tableLatex(measured);
    expect(text).toContain('\\label{tab:zigzag-cvpr-measured}');
    expect(text).toContain('Device: GPU\\_1 \\& 50 \\% [U+6A21].');
    expect(lineOf(text.slice(text.indexOf('cvpr-measured')), 'VGG-16')).toContain('1235');
    expect(tableLatex(cvpr)).not.toContain('cvpr-measured');
  });
});

it('a text in LaTeX is ASCII that prints as it reads', () => {
  expect(latexText('Rémi Çelik, "50 %" of 2^20 √n × 3 | a_b')).toBe(
    "R{\\'e}mi {\\c C}elik, ``50 \\%'' of $2^{20}$ $\\surd$n $\\times$ 3 \\textbar{} a\\_b",
  );
  expect(latexText('Łukasz Øre naïve')).toBe('{\\L}ukasz {\\O}re na{\\"i}ve');
});

describe.skipIf(reason !== '')(`a paper with every table${skippedFor(reason)}`, () => {
  it('compiles with Debian’s TeX: nothing undefined, nothing wider than the page, no source wrong', () => {
    const all = [...tables.values()].map((table) => tableLatex(table === cvpr ? measured : table));
    const { status, log, bibliography, bibtexLog } = compiled(all, bibtex('0.1.0'));
    expect(status).toEqual([0, 0, 0, 0]);
    expect(log.match(/^Overfull \\hbox.*|.*(?:Citation|Reference) .* undefined.*/gm)).toBeNull();
    expect(bibtexLog).not.toMatch(/^Warning|error message/m);
    for (const key of ENTRY_KEYS) expect(bibliography).toContain(`\\bibitem{${key}}`);
  });

  it('would show what is wrong', () => {
    const broken = compiled(['\\cite{nobody}'], '@misc{a, title = {A}}\n@article{b, title = {B}}');
    expect(broken.log).toMatch(/Citation .*nobody.* undefined/);
    expect(broken.bibtexLog).toMatch(/^Warning/m);
  });
});
