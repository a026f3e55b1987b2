import { STEP_TERMS, type HeldCurve, type Instant, type StepTerm } from '../training-memory/held.ts';
import { CUBLAS_WORKSPACE_BYTES } from '../training-memory/allocator.ts';
import { keepsGradients } from '../training-memory/setup.ts';
import type { Measured, MeasuredDevice, MeasuredResult, Phase } from './measured.ts';
import { condensed, mostIn } from './condensed.ts';
import type { BarName, ExplainedBar, ExplainedPhase, Explanation, Prediction } from './explanation.ts';
import { notesOn, requireSame } from './notes.ts';

/** The gradient of the loss is made at the beginning of backward, which is when the loss holds the most. */
const PHASE_OF: Readonly<Record<Instant, Exclude<Phase, 'unknown'>>> = {
  forward: 'forward',
  loss: 'backward',
  backward: 'backward',
  optimizer: 'optimizer',
};
const PREDICTED_PHASES = ['forward', 'backward', 'optimizer'] as const;

/**
 * Lays what was measured over what was predicted. The two are matched by phase: the terms of the prediction are those of
 * its highest instant in the phase in which the device held the most. What neither the prediction nor the allocator's
 * own figures account for is left, and said. Time O(instants).
 *
 * @param device which of a snapshot's; its first that recorded a step where not given
 * @throws BadInputError in one sentence where `measure` says that it ran another network or batch
 */
export function explain(prediction: Prediction, measured: Measured, device?: MeasuredDevice): Explanation {
  if (measured.kind === 'measure') {
    requireSame(prediction, measured);
    return explainResult(prediction, measured);
  }
  const chosen = device ?? measured.devices[0]!;
  return explainStep(prediction, chosen);
}

function explainStep(prediction: Prediction, device: MeasuredDevice): Explanation {
  const { held } = prediction;
  const { step } = device;
  const { peak } = step;
  const highest = highestIn(held, null);
  const at = highestIn(held, peak.phase) ?? highest!;
  const { workspaceBytes } = peak;
  // While the optimizer steps its temporaries are in that term too, and no library asks for them.
  const temporaries = held.terms.workspace[at]! - CUBLAS_WORKSPACE_BYTES;
  const bars = barsOf(
    prediction,
    at,
    [
      workspaceBytes === null
        ? ['workspace', held.terms.workspace[at]!, 'predicted']
        : ['workspace', workspaceBytes + temporaries, temporaries > 0 ? 'predicted' : 'measured'],
      ['rounding', peak.allocatedBytes - peak.requestedBytes, 'measured'],
      ['fragmentation', peak.reservedBytes - peak.allocatedBytes, 'measured'],
    ],
    peak.reservedBytes,
  );
  const peaks = {
    predicted: { bytes: held.totals[highest!]!, phase: PHASE_OF[held.kinds[highest!]!] },
    measured: { bytes: peak.allocatedBytes, phase: peak.phase },
  };
  const unknown = step.phases.find(({ phase }) => phase === 'unknown');
  const phases = PREDICTED_PHASES.map((phase): ExplainedPhase => {
    const own = step.phases.filter((one) => one.phase === phase);
    const allocated = own.flatMap((one) => [...one.allocated]);
    const instants = held.kinds.flatMap((kind, t) => (PHASE_OF[kind] === phase ? [held.totals[t]!] : []));
    return {
      phase,
      predictedBytes: highestOf(instants),
      measuredBytes: highestOf(allocated),
      predicted: condensed(instants),
      allocated,
      reserved: own.flatMap((one) => [...one.reserved]),
    };
  });
  return {
    phases:
      unknown === undefined
        ? phases
        : [
            ...phases,
            {
              phase: 'unknown',
              predictedBytes: null,
              measuredBytes: highestOf(unknown.allocated),
              predicted: [],
              allocated: unknown.allocated,
              reserved: unknown.reserved,
            },
          ],
    bars,
    measuredBytes: peak.reservedBytes,
    peaks,
    notes: notesOn(prediction, device, peaks),
  };
}

/**
 * Bars of `measure`: the inputs and what one step allocates and releases, so neither weights nor the optimizer's
 * state, nor on a CPU anything but tensors. It frees no gradients before the step on CUDA: those are there already, and
 * what a backward makes comes beside them.
 */
function explainResult(prediction: Prediction, { device, peakBytes }: MeasuredResult): Explanation {
  const { held, setup } = prediction;
  const all = held.terms.gradients.at(-1) ?? 0;
  const passing = (t: number): number =>
    device === 'cpu' || !keepsGradients(setup) ? 0 : Math.max(0, held.terms.gradients[t]! - all);
  const counted = (t: number): number => held.terms.activations[t]! + passing(t);
  const isOfStep = (t: number): boolean => held.kinds[t] === 'forward' || held.kinds[t] === 'backward';
  let at = 0;
  held.totals.forEach((_, t) => {
    if (isOfStep(t) && counted(t) > counted(at)) at = t;
  });
  const only: Readonly<Record<StepTerm, Float64Array>> = {
    ...held.terms,
    weights: zero(held),
    copies: zero(held),
    optimizer: zero(held),
    gradients: Float64Array.from(held.totals, (_, t) => passing(t)),
    loss: zero(held),
  };
  const rounding = device === 'cpu' ? 0 : held.terms.rounding[at]! - held.lastingRounding;
  const bars = barsOf(
    { ...prediction, held: { ...held, terms: only } },
    at,
    [['rounding', rounding, 'predicted']],
    peakBytes,
  );
  const phase = PHASE_OF[held.kinds[at]!];
  return {
    phases: (['forward', 'backward'] as const).map((one) => {
      const instants = held.kinds.flatMap((kind, t) => (kind === one ? [counted(t)] : []));
      return {
        phase: one,
        predictedBytes: highestOf(instants),
        measuredBytes: null,
        predicted: condensed(instants),
        allocated: [],
        reserved: [],
      };
    }),
    bars,
    measuredBytes: peakBytes,
    peaks: { predicted: { bytes: counted(at), phase }, measured: { bytes: peakBytes, phase: 'unknown' } },
    notes: [
      `measure counts the inputs and what a step allocates and releases: neither weights nor the optimizer's state${device === 'cpu' ? ', and on a CPU nothing is rounded' : ''}.`,
    ],
  };
}

const zero = ({ totals }: HeldCurve): Float64Array => new Float64Array(totals.length);

/** The instant of the most, of a phase or of all; null if none exists in that phase. */
function highestIn({ kinds, totals }: HeldCurve, phase: Phase | null): number | null {
  let found: number | null = null;
  kinds.forEach((kind, t) => {
    if (phase !== null && PHASE_OF[kind] !== phase) return;
    if (found === null || totals[t]! > totals[found]!) found = t;
  });
  return found;
}

const highestOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : mostIn(values, 0, values.length);

/** Predicted bars at one instant, then what the device says of itself, then what is left. */
function barsOf(
  { held, paperCostBytes }: Prediction,
  at: number,
  device: readonly (readonly [BarName, number, ExplainedBar['by']])[],
  measuredBytes: number,
): ExplainedBar[] {
  const theory = paperCostBytes ?? 0;
  const bars: ExplainedBar[] = [];
  let from = 0;
  const add = (name: BarName, bytes: number, by: ExplainedBar['by']): void => {
    bars.push({ name, bytes, from, by });
    from += bytes;
  };
  add('theory', theory, 'theory');
  add('activations', held.terms.activations[at]! - theory, 'predicted');
  for (const term of STEP_TERMS)
    if (term !== 'activations' && term !== 'inFlight' && term !== 'workspace' && term !== 'rounding')
      add(term, held.terms[term][at]!, 'predicted');
  for (const [name, bytes, by] of device) add(name, bytes, by);
  add('unexplained', measuredBytes - from, 'left');
  return bars;
}
