import { isRecord } from '../is-record.ts';
import { BadInputError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { FREE_AUX, type Schedule, STEP_KINDS } from '../schedule/schedule.ts';
import { parseJson } from './graph-file.ts';
import { shown } from './operation-fields.ts';
import type { PlanFile } from './plan-file.ts';

const STEPS_OF_FILES: readonly unknown[] = STEP_KINDS.filter((kind) => kind !== 'free-aux');
const STEPS_OF_VERSION_2: readonly unknown[] = ['send', 'fetch'];
const EXPECTED_STEP = 'expected forward, backward, free, hold-gradient, free-gradient, send or fetch';

/**
 * Reads a zigzag-plan/1 or /2 document (SPEC, file formats). Only its form is checked here; whether it fits a
 * network, `scheduleOf` says, and whether it trains it, the simulator.
 *
 * @throws BadInputError with the path of the fault, e.g. `steps[17][1]: expected an id, got 4`
 */
export function parsePlanFile(text: string): PlanFile {
  return readPlanDocument(parseJson(text));
}

export function isPlanDocument(document: unknown): boolean {
  return isRecord(document) && document['format'] === 'zigzag-plan';
}

/**
 * `parsePlanFile` for a document that was parsed already.
 * @throws BadInputError with the path of the fault
 */
export function readPlanDocument(document: unknown): PlanFile {
  if (!isRecord(document)) throw new BadInputError(`the file must hold an object, got ${shown(document)}`);
  if (document['format'] !== 'zigzag-plan') {
    throw new BadInputError(`expected "zigzag-plan", got ${shown(document['format'])}`, 'format');
  }
  const { version } = document;
  if (version !== 1 && version !== 2) {
    throw new BadInputError(`expected 1 or 2, got ${shown(version)}`, 'version');
  }
  const text = (field: string): string => {
    const value = document[field] ?? '';
    if (typeof value !== 'string') throw new BadInputError(`expected a text, got ${shown(value)}`, field);
    return value;
  };
  const figure = (field: string): number => {
    const value = document[field] ?? 0;
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new BadInputError(`expected a number from 0, got ${shown(value)}`, field);
    }
    return value;
  };
  const options = document['options'] ?? {};
  if (!isRecord(options)) throw new BadInputError(`expected an object, got ${shown(options)}`, 'options');
  return {
    format: 'zigzag-plan',
    version,
    model: text('model'),
    graphHash: text('graphHash'),
    strategy: text('strategy'),
    options,
    checkpoints: readList(document['checkpoints'] ?? [], 'checkpoints').map((id, i) =>
      readId(id, `checkpoints[${i}]`),
    ),
    steps: readList(document['steps'], 'steps').map((step, i) => readStep(step, i, version)),
    peakBytes: figure('peakBytes'),
    ...(document['regularPeakBytes'] === undefined ? {} : { regularPeakBytes: figure('regularPeakBytes') }),
    recomputeFraction: figure('recomputeFraction'),
    ...(document['parameters'] === undefined ? {} : { parameters: figure('parameters') }),
  };
}

/**
 * The steps of a plan on a graph, at whatever batch that graph has.
 * @throws BadInputError with the path of a vertex that the graph lacks
 */
export function scheduleOf(plan: PlanFile, graph: Graph): Schedule {
  const places = new Map(graph.ids.map((id, v) => [id, v]));
  const kinds = new Uint8Array(plan.steps.length);
  const vertices = new Int32Array(plan.steps.length);
  plan.steps.forEach(([kind = '', id = '', aux], i) => {
    const v = places.get(id);
    if (v === undefined) {
      throw new BadInputError(
        `${graph.name} has no vertex ${shown(id)}; the plan is for ${shown(plan.model)}`,
        `steps[${i}][1]`,
      );
    }
    kinds[i] = aux === undefined ? (STEP_KINDS as readonly string[]).indexOf(kind) : FREE_AUX;
    vertices[i] = v;
  });
  return { kinds, vertices };
}

function readStep(step: unknown, i: number, version: 1 | 2): readonly string[] {
  if (!Array.isArray(step) || step.length < 2 || step.length > 3) {
    throw new BadInputError('expected a kind of step and an id', `steps[${i}]`);
  }
  const [kind, id, aux] = step as readonly unknown[];
  if (!STEPS_OF_FILES.includes(kind)) {
    throw new BadInputError(`${EXPECTED_STEP}, got ${shown(kind)}`, `steps[${i}][0]`);
  }
  if (version === 1 && STEPS_OF_VERSION_2.includes(kind)) {
    throw new BadInputError(
      `${String(kind)} is a step of version 2, and the file says version 1`,
      `steps[${i}][0]`,
    );
  }
  const named = [kind as string, readId(id, `steps[${i}][1]`)];
  if (step.length === 2) return named;
  if (kind !== 'free' || aux !== 'aux') {
    throw new BadInputError(`expected "aux", and that of a free alone, got ${shown(aux)}`, `steps[${i}][2]`);
  }
  return [...named, 'aux'];
}

function readId(id: unknown, path: string): string {
  if (typeof id !== 'string' || id === '') throw new BadInputError(`expected an id, got ${shown(id)}`, path);
  return id;
}

function readList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BadInputError(`expected a list, got ${shown(value)}`, path);
  return value;
}
