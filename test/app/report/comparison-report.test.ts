import { TERMS } from '../../../engine/training-memory/held.ts';
import type { Verdict } from '../../../engine/training-memory/verdict.ts';
import { reportHtml } from '../../../app/report/report.ts';
import { USUAL_SETUP } from '../../../engine/training-memory/setup.ts';
import { describe, expect, it } from 'vitest';
import {
  type ComparedNetwork,
  comparisonReport,
  type ComparisonReportInput,
} from '../../../app/report/comparison-report.ts';
import type { ReportStrategy } from '../../../app/report/report.ts';
import { identityOf } from '../../../app/report/strategy-looks.ts';

const KIB = 1024;

function strategy(name: string, peakBytes: number, more: Partial<ReportStrategy> = {}): ReportStrategy {
  return {
    identity: identityOf(name, name),
    reason: null,
    peakBytes,
    cut: 1 - peakBytes / (4 * KIB),
    savesNothing: false,
    lowerBoundBytes: null,
    paperCostBytes: null,
    recomputeFraction: null,
    predictedOverhead: null,
    measuredOverhead: null,
    measuredNote: null,
    checkpoints: [],
    curve: [],
    ...more,
  };
}

function network(title: string, peakBytes: number, more: Partial<ComparedNetwork> = {}): ComparedNetwork {
  return {
    title,
    batch: 2000,
    head: {
      input: 32,
      parameters: 12_345,
      vertices: 7,
      tensorVertices: 5,
      tensorEdges: 4,
      stationaryBytes: KIB,
      setup: USUAL_SETUP,
    },
    failure: null,
    regularBytes: 4 * KIB,
    strategies: [strategy('regular', 4 * KIB), strategy('live', peakBytes, { predictedOverhead: 0.24 })],
    front: 'live',
    ...more,
  };
}

function reportOf(
  networks: ComparisonReportInput['networks'],
  followed: string | null = null,
  more: Partial<ComparisonReportInput['experiment']> = {},
) {
  const report = comparisonReport({
    experiment: { batch: 2000, dtype: 'float32', profile: 'pytorch', seed: 0, ...more },
    networks,
    followed,
    link: null,
    commands: [],
    version: '1.0.0',
    madeAt: new Date(0),
  });
  return {
    headline: report.headline.replaceAll('\u202f', ' '),
    facts: report.networks.map(({ facts }) => facts.replaceAll('\u202f', ' ')),
    experiment: new Map(report.experiment),
  };
}

describe('report of a comparison', () => {
  it('shows everything that a device holds, and if it fits', () => {
    const terms = Object.fromEntries(TERMS.map((term) => [term, KIB])) as Verdict['terms'];
    const verdict = (totalBytes: number, overBytes: number): Verdict => ({
      totalBytes,
      overBytes,
      terms,
      fits: overBytes === 0,
      instant: 'backward',
      largestBatch: 7,
    });
    const strategies = [
      strategy('regular', 4 * KIB, { verdict: verdict(9 * KIB, 2 * KIB) }),
      strategy('live', KIB, { verdict: verdict(6 * KIB, 0), predictedOverhead: 0.24 }),
    ];
    const judged = network('Net', KIB, { strategies });
    expect(reportOf([judged]).headline).toBe(
      'Net at batch 2 000 needs 9.00 KiB; live needs 6.00 KiB for 24 % more time (predicted).',
    );
    const { experiment } = reportOf([judged], null, {
      precision: 'amp-bf16',
      optimizer: 'adam',
      accumulate: 4,
    });
    expect(experiment.has('Data type')).toBe(false);
    expect(experiment.get('Precision')).toBe('mixed, bfloat16 (AMP)');
    expect(experiment.get('Optimizer')).toBe('Adam');
    expect(experiment.get('Accumulation')).toBe('4 steps');
    const page = reportHtml(
      comparisonReport({
        experiment: { batch: 1, dtype: 'float32', profile: 'pytorch', seed: 0 },
        networks: [judged],
        followed: null,
        link: null,
        commands: [],
        version: '1.0.0',
        madeAt: new Date(0),
      }),
    );
    expect(page).toContain('<td>over by 2.00 KiB</td><td>7</td>');
    expect(page).toContain('>6.00 KiB</td><td>yes</td><td>7</td>');
  });

  it('says of one network what it needs and what the strategy in front needs', () => {
    const net = network('Net', KIB);
    expect(reportOf([net]).headline).toBe(
      'Net at batch 2 000 needs 4.00 KiB; live needs 1.00 KiB for 24 % more time (predicted).',
    );
    expect(reportOf([{ ...net, front: 'regular' }]).headline).toBe(
      'Net at batch 2 000 needs 4.00 KiB for one regular training step.',
    );
  });

  it('follows one strategy over several networks, where two are solved', () => {
    const [a, b] = [network('A', KIB), network('B', 2 * KIB)];
    expect(reportOf([a, b], 'live').headline).toBe('live saves most on A (75 %) and least on B (50 %).');
    expect(reportOf([a, { ...b, strategies: [] }], 'live').headline).toMatch(/^A at batch/);
    expect(reportOf([a, b]).headline).toBe('2 networks under every strategy');
  });

  it('shows each network’s facts, or why they are missing', () => {
    const waiting = network('B', KIB, { head: null });
    expect(reportOf([network('A', KIB), waiting, { ...waiting, failure: 'Refused.' }]).facts).toEqual([
      'Batch 2 000, 32 × 32 pixels, 12 345 parameters, 7 operations; computation graph of 5 vertices and ' +
        '4 edges; weights, gradients and momentum take 1.00 KiB besides.',
      'Batch 2 000. Not solved yet.',
      'Batch 2 000. Refused.',
    ]);
  });

  it('names the requested settings of the experiment', () => {
    const { experiment } = reportOf([network('A', KIB)], null, { checkpoints: ['a', 'b'] });
    expect([...experiment.keys()]).toEqual([
      'Network',
      'Batch',
      'Profile',
      'Data type',
      'Seed',
      'Own checkpoints',
    ]);
  });
});
