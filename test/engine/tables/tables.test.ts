import { describe, expect, it } from 'vitest';
import { causeOf } from '../../../engine/tables/causes.ts';
import { CVPR_TABLE_2, ICLR_TABLE_1, ICLR_TABLE_2 } from '../../../engine/tables/paper-tables.ts';
import { tableCsv, tableLatex, tableMarkdown } from '../../../engine/tables/render.ts';
import { theoryTable } from '../../../engine/tables/theory-table.ts';
import { cvprTable, iclrTable } from '../../../engine/tables/training-tables.ts';

const cvpr = cvprTable();
const iclr = iclrTable();

describe('cvprTable', () => {
  it('has every row of the paper in its order', () => {
    expect(cvpr.rows.map((row) => row['network'])).toEqual(CVPR_TABLE_2.map((row) => row.network));
  });

  it('finds no valid random checkpoints on the NAS networks, as the paper did', () => {
    const random = cvpr.rows.map((row) => [row['network'], row['randomMB']]);
    expect(random.filter(([, value]) => value === null).map(([name]) => name)).toEqual([
      'nasnet',
      'amoebanet',
      'darts',
    ]);
  });

  it('never lets the optimum of Eq. 2 lose a network to regular training', () => {
    for (const row of cvpr.rows) expect(Number(row['optimalMB'])).toBeLessThan(Number(row['regularMB']));
  });

  it('explains every difference over 5 %, and nothing else', () => {
    for (const row of cvpr.rows) {
      const differences = ['regular', 'random', 'chen', 'optimal'].map((name) => row[`${name}DifferencePct`]);
      const large = differences.some((pct) => typeof pct === 'number' && Math.abs(pct) > 5.05);
      if (large) expect(row['cause'], String(row['network'])).not.toBe('');
      if (row['cause'] !== '') expect(differences.some((pct) => Math.abs(Number(pct)) > 4.95)).toBe(true);
    }
  });
});

describe('iclrTable', () => {
  it('keeps within 4 % of the Regular column on every row', () => {
    for (const row of iclr.rows) {
      const ratio = Number(row['savedMB']) / Number(row['paperRegularMB']);
      expect(Math.abs(ratio - 1), String(row['network'])).toBeLessThan(0.04);
    }
  });

  it('runs Chen by hand wherever the paper did', () => {
    const without = iclr.rows.filter((row) => row['chenMB'] === null).map((row) => row['network']);
    expect(without).toEqual(ICLR_TABLE_1.filter((row) => row.chenMB === null).map((row) => row.network));
  });
});

describe('theoryTable', () => {
  it('times each solution with the clock that it is given', () => {
    let clock = 0;
    const table = theoryTable(() => {
      clock += 500;
      return clock;
    });
    expect(table.rows).toHaveLength(ICLR_TABLE_2.length);
    for (const row of table.rows) expect(row['solverS']).toBe(0.5);
  });

  it('explains every cut-off more than 5 points off', () => {
    for (const row of theoryTable(() => 0).rows) {
      const far = Math.abs(Number(row['difference'])) > 5;
      expect(row['cause'] !== '', String(row['network'])).toBe(far);
    }
  });
});

describe('renderings', () => {
  it('writes one CSV record a row with as many fields as columns', () => {
    const lines = tableCsv(cvpr).trimEnd().split('\r\n');
    expect(lines).toHaveLength(cvpr.rows.length + 1);
    const fields = (line: string) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.length ?? 0;
    for (const line of lines) expect(fields(line) - 1).toBe(cvpr.columns.length);
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

  it('leaves LaTeX nothing that it would read as a command', () => {
    const lines = tableLatex(table).split('\n');
    const body = lines.find((line) => line.includes('quoted') && line.endsWith('\\\\')) ?? '';
    expect(body).toContain(
      'a \\& b\\_c\\textasciicircum{}2 \\textbackslash{} \\{50 \\%\\} \\textless{}$\\surd$n\\textgreater{} \\textasciitilde{} "quoted", | 3 $\\times$ \\$4 \\#5',
    );
    for (const line of tableLatex(cvpr).split('\n')) {
      if (!line.startsWith('%')) expect(line).not.toMatch(/[\^√×−]/);
    }
    const columns = tableLatex(cvpr)
      .split('\n')
      .filter((line) => line.endsWith('\\\\'))
      .map((line) => line.split(/(?<!\\)&/).length);
    expect(new Set(columns).size).toBe(1);
  });

  it('keeps a cell of Markdown and of CSV one cell', () => {
    const row = tableMarkdown(table)
      .split('\n')
      .find((line) => line.startsWith('| a &'));
    expect(row?.split(/(?<!\\)\|/)).toHaveLength(iclr.columns.length + 2);
    expect(tableCsv(table)).toContain('""quoted"", | 3');
  });
});

describe('causeOf', () => {
  it('says nothing of small differences and of what does not apply', () => {
    expect(causeOf('vgg16', 'cvpr', { column: 'ours', paperMB: 100, oursMB: 104 })).toBeNull();
    expect(causeOf('vgg16', 'cvpr', { column: 'chen', paperMB: null, oursMB: 104 })).toBeNull();
  });

  it('tells methods of measurement apart', () => {
    const larger = { column: 'ours', paperMB: 100, oursMB: 120 } as const;
    expect(causeOf('vgg16', 'iclr', larger)).toBe('difference-of-batches');
    expect(causeOf('nasnet', 'cvpr', { ...larger, oursMB: 80 })).toBe('small-tensors');
  });
});
