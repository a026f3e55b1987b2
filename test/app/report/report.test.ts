import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { commandLine, quoted } from '../../../app/report/command-line.ts';
import { passCurve } from '../../../app/report/curve.ts';
import { type Report, reportHtml } from '../../../app/report/report.ts';
import { identityOf } from '../../../app/report/strategy-looks.ts';
import { REPORT_COLORS } from '../../../app/report/style.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

function reportWith(name: string): Report {
  const strategy = {
    identity: { ...identityOf('optimal'), title: name },
    reason: null,
    peakBytes: 1024,
    cut: 0.5,
    savesNothing: false,
    lowerBoundBytes: null,
    paperCostBytes: 512,
    recomputeFraction: 0.3,
    predictedOverhead: 0.1,
    measuredOverhead: 0.12,
    measuredNote: '+12 % (+9 % to +14 %)',
    checkpoints: [name, 'b'],
    curve: [
      { x: 0, bytes: 512 },
      { x: 1, bytes: 1024 },
    ],
  };
  const refused = { ...strategy, reason: name, peakBytes: null, cut: null, checkpoints: [], curve: [] };
  return {
    headline: name,
    experiment: [['Network', name]],
    networks: [
      { title: name, facts: name, strategies: [strategy, refused], front: 'optimal' },
      { title: name, facts: name, strategies: [strategy, refused], front: null },
    ],
    link: `#/compare?model=${name}`,
    commands: [name],
    version: '1.0.0',
    madeAt: new Date(0),
  };
}

const tagsOf = (html: string): readonly string[] => html.match(/<\/?[a-z][^\s>]*/gi) ?? [];

describe('report', () => {
  it('writes hostile names as text, wherever they stand', () => {
    const harmless = tagsOf(reportHtml(reportWith('name')));
    for (const name of [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onload='x",
      '</style>',
      '--><b>',
      ']]>',
    ]) {
      expect(tagsOf(reportHtml(reportWith(name)))).toEqual(harmless);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(tagsOf(reportHtml(reportWith(name)))).toEqual(harmless);
      }),
    );
  });

  it('needs nothing from elsewhere and runs nothing', () => {
    const html = reportHtml(reportWith('name'));
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|javascript:|https?:\/\//i);
    expect(html).toContain("default-src 'none'");
  });

  it('shows figures, reasons, checkpoints by name and the date', () => {
    const html = reportHtml(reportWith('layer1'));
    for (const text of [
      '1.00 KiB',
      '50 %',
      '+10 % predicted, measured +12 % (+9 % to +14 %)',
      'layer1, b',
      '1970-01-01',
    ]) {
      expect(html).toContain(text);
    }
  });

  it('shows plans that save nothing', () => {
    const report = reportWith('net');
    const networks = report.networks.map((network) => ({
      ...network,
      strategies: network.strategies.map((one) => ({ ...one, cut: 0, savesNothing: true })),
    }));
    expect(reportHtml(report)).not.toContain('<td>nothing</td>');
    expect(reportHtml({ ...report, networks })).toContain('<td>nothing</td>');
  });

  it('has the colours of the lab', () => {
    const css = readFileSync(new URL('../../../renderer/shell/styles.css', import.meta.url), 'utf8');
    const [light = '', dark = ''] = css.split(':root[data-mantine-color-scheme="dark"]');
    for (const [colors, sheet] of [
      [REPORT_COLORS.light, light],
      [REPORT_COLORS.dark, dark],
    ] as const) {
      for (const [name, value] of Object.entries(colors)) {
        if (name !== 'page') expect(sheet).toContain(`--zz-${name}: ${value};`);
      }
    }
  });

  it('draws a curve that keeps the peak and both passes apart', () => {
    const row = solveRow(createProblem(buildModel('resnet18', { batch: 1 }), 'pytorch'), 'optimal', {
      seed: 0,
    });
    const { schedule, timeline } = row;
    if (schedule === null || timeline === null) throw new Error('no schedule');
    const curve = passCurve(schedule.kinds, timeline.backwardStart, timeline.live);
    expect(Math.max(...curve.map(({ bytes }) => bytes))).toBe(row.peakBytes);
    expect(curve.map(({ x }) => x)).toEqual([...curve.map(({ x }) => x)].sort((a, b) => a - b));
    expect(curve[0]?.x).toBe(0);
    expect(curve.at(-1)?.x).toBeLessThan(2);
    expect(curve.length).toBeLessThanOrEqual(801);
  });
});

describe('command line of an experiment', () => {
  const base = { models: ['resnet50'], batch: 64, profile: 'pytorch', dtype: 'float32', seed: 0 } as const;

  it('leaves out defaults', () => {
    expect(commandLine(base)).toBe('zigzag compare resnet50 --batch 64');
    expect(commandLine({ ...base, dtype: 'float16', seed: 3, input: 128 }, strategyOf('random'))).toBe(
      'zigzag solve resnet50 --batch 64 --input 128 --dtype float16 --seed 3 --strategy random',
    );
    expect(commandLine({ ...base, seed: 3, budgetBytes: 1e9 }, strategyOf('optimal'))).toBe(
      'zigzag solve resnet50 --batch 64 --strategy optimal',
    );
    expect(commandLine({ ...base, budgetBytes: 1e9 }, strategyOf('budget'))).toContain('--budget 1000000000');
    expect(commandLine({ ...base, budgetBytes: 1e9 }, strategyOf('chain-dp'))).toContain(
      '--budget 1000000000',
    );
  });

  it('quotes everything that a shell would interpret', () => {
    expect(quoted('a b; rm -rf $HOME')).toBe("'a b; rm -rf $HOME'");
    expect(quoted("it's")).toBe("'it'\\''s'");
    expect(quoted('nets/unet.onnx')).toBe('nets/unet.onnx');
  });
});
