import { BadInputError } from '../../../engine/errors.ts';
import { type Graph, predecessorsOf, totalParameters } from '../../../engine/graph/graph.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import { CVPR_TABLE_2, type CvprRow } from '../../../engine/tables/paper-tables.ts';
import { MEASURED_STRATEGIES, rowPlans } from '../../../engine/tables/row-plans.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
// Parts of the build's text, so that an installed lab has them too.
import template from './zigzag_reproduce.py?raw';
import { moduleBody } from './stitch.ts';

/** The lines of the template that are replaced: by a module of the bridge, and by the networks. */
const PROFILED = '# <profiled>';
const NO_NETWORKS = 'NETWORKS = {}';
/** How often the random baseline is drawn. */
const SEEDS = 3;

/**
 * The Python file that measures CVPR Table 2 on whatever device runs it: zigzag_reproduce.py with the networks as
 * graphs and the plans of Random, Chen and Optimal at the paper's sizes. Solves all of them: some ten seconds.
 *
 * @param only one network of the table; all 18 where not given
 * @throws BadInputError where the table has no such network
 */
export function reproduceFile(only?: string, onNetwork: (network: string) => void = () => undefined): string {
  const rows = CVPR_TABLE_2.filter(({ network }) => only === undefined || network === only);
  if (rows.length === 0) {
    const names = CVPR_TABLE_2.map(({ network }) => network).join(', ');
    throw new BadInputError(`${only} is not in CVPR Table 2; choose from ${names}, or name none for all`);
  }
  const networks = rows.map((row) => {
    onNetwork(row.network);
    return `  ${JSON.stringify(row.network)}: ${JSON.stringify(networkData(row))}`;
  });
  const data = `NETWORKS = json.loads(r'''{\n${networks.join(',\n')}\n}''')`;
  return [[PROFILED, moduleBody('profiled')] as const, [NO_NETWORKS, data] as const].reduce(
    (text, [line, by]) => text.replace(`\n${line}\n`, () => `\n${by}\n`),
    template,
  );
}

function networkData({ network, batch, input }: CvprRow): unknown {
  const graph = buildModel(network, { batch: 1, input });
  const operations = new Map<string, number>();
  const vertices = graph.ids.slice(1).map((id, i) => {
    const text = JSON.stringify(operationData(graph, i + 1));
    const index = operations.get(text) ?? operations.size;
    operations.set(text, index);
    return [id, index, [...predecessorsOf(graph, i + 1)]];
  });
  const plans = MEASURED_STRATEGIES.flatMap((strategy) => {
    if (strategy === 'regular') return [];
    const found = rowPlans(network, strategy, SEEDS).map(({ seed, checkpoints, segments }) => ({
      ...(seed === null ? {} : { seed }),
      checkpoints,
      segments: segments.map(({ again, vertices: own }) => [again ? 1 : 0, ...own]),
    }));
    return [[strategy, found] as const];
  });
  return {
    batch,
    input,
    parameters: totalParameters(graph),
    operations: [...operations.keys()].map((text): unknown => JSON.parse(text)),
    vertices,
    plans: Object.fromEntries(plans),
  };
}

/** An operation and, where it has parameters, how many channels or features come in. */
function operationData(graph: Graph, v: number): unknown {
  const op = graph.operations[v] as Operation;
  const shape = graph.shapes[predecessorsOf(graph, v)[0] ?? 0] ?? [];
  if (op.kind === 'linear') return { ...op, in: shape.at(-1) };
  if (op.kind === 'conv2d' || op.kind === 'batch-norm') return { ...op, in: shape[1] };
  return op;
}
