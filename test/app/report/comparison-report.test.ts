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

  it('says the facts of each network, or why there are none', () => {
    const waiting = network('B', KIB, { head: null });
    expect(reportOf([network('A', KIB), waiting, { ...waiting, failure: 'Refused.' }]).facts).toEqual([
      'Batch 2 000, input 32 × 32, 12 345 parameters, 7 operations; computation graph of 5 vertices and ' +
        '4 edges; weights, gradients and momentum take 1.00 KiB besides.',
      'Batch 2 000. Not solved yet.',
      'Batch 2 000. Refused.',
    ]);
  });

  it('names of the experiment what was asked', () => {
    const { experiment } = reportOf([network('A', KIB)], null, { checkpoints: ['a', 'b'] });
    expect([...experiment.keys()]).toEqual([
      'Network',
      'Batch',
      'Data type',
      'Profile',
      'Seed',
      'Own checkpoints',
    ]);
  });
});
