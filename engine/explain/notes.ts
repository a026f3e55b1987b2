import { formatBytes } from '../bytes.ts';
import { BadInputError } from '../errors.ts';
import type { Explanation, Prediction } from './explanation.ts';
import type { MeasuredDevice, MeasuredResult, OutOfMemory, Phase } from './measured.ts';

/** Beyond both, what lies there at the start of a step is something else than was predicted. */
const START_SHARE = 0.05;
const START_BYTES = 1024 * 1024;

const IN_PHASE: Readonly<Record<Phase, string>> = {
  forward: 'in forward',
  backward: 'in backward',
  optimizer: "in the optimizer's step",
  unknown: 'in a phase that is unknown',
};

/** @throws BadInputError in one sentence that says what differs */
export function requireSame({ parameters, batch }: Prediction, measured: MeasuredResult): void {
  const count = (value: number): string => value.toLocaleString('en');
  if (measured.parameters !== null && measured.parameters !== parameters)
    throw new BadInputError(
      `the measured network has ${count(measured.parameters)} parameters, and this one has ${count(parameters)}: open the measured network`,
    );
  if (measured.batch !== null && measured.batch !== batch)
    throw new BadInputError(
      `the measured batch is ${count(measured.batch)}, and this experiment has ${count(batch)}: set the batch to ${count(measured.batch)}`,
    );
}

/** Gaps of the recording, and places where it and the prediction do not speak of the same. */
export function notesOn(
  prediction: Prediction,
  device: MeasuredDevice,
  { predicted, measured }: Explanation['peaks'],
): string[] {
  const { evidence, lostBeginning, unusual, outOfMemory } = device;
  const notes: string[] = [];
  const start = startNote(prediction, device);
  if (start !== null) notes.push(start);
  for (const event of outOfMemory) notes.push(outOfMemoryNote(event));
  if (lostBeginning !== null)
    notes.push(
      `The recording lost its beginning, or began late: ${lostBeginning}. All bytes are still correct.`,
    );
  if (evidence === null)
    notes.push(
      'Forward, backward and the optimizer cannot be distinguished: the recording has no stacks and no names. Record with context="all", its default.',
    );
  if (evidence === 'threads')
    notes.push(
      'Backward was recognised by allocations without a Python stack, which autograd’s thread makes. Record with stacks="all" to be certain.',
    );
  if (measured.phase !== 'unknown' && measured.phase !== predicted.phase)
    notes.push(
      `The measured peak is ${IN_PHASE[measured.phase]}, the predicted one ${IN_PHASE[predicted.phase]} (${formatBytes(predicted.bytes)}); the bars explain the measured one.`,
    );
  if (unusual !== null) notes.push(`Rounding is uncertain: ${unusual}.`);
  return notes;
}

/** Memory held when a step begins has no part in any plan, so it tells whether the network is the same. */
function startNote({ held }: Prediction, { step, lostBeginning }: MeasuredDevice): string | null {
  if (step.phases[0]?.phase !== 'forward' || (lostBeginning !== null && step.number === 1)) return null;
  const { weights, optimizer, gradients } = held.terms;
  const [own, state, all] = [weights[0] ?? 0, optimizer[0] ?? 0, gradients.at(-1) ?? 0];
  const isNear = (bytes: number): boolean =>
    Math.abs(step.startBytes - bytes) <= Math.max(START_SHARE * bytes, START_BYTES);
  const begun = `When the step began ${formatBytes(step.startBytes)} were held`;
  const atStart = held.kinds[0] === 'forward' ? (gradients[0] ?? 0) : 0;
  if (isNear(own + state + atStart)) return null;
  if (isNear(own + state + all))
    return `${begun}: weights, the optimizer’s state and the previous step’s gradients.`;
  if (isNear(own)) return `${begun}: only the weights; the optimizer had no state yet.`;
  return (
    `${begun}, and weights and the optimizer’s state are predicted to be ${formatBytes(own + state)}: ` +
    'the recording has another network, precision or optimizer, or other data is on the device.'
  );
}

function outOfMemoryNote({ step, phase, requestedBytes, freeBytes, allocatedBytes }: OutOfMemory): string {
  const where = step === null ? 'before the first step' : `${IN_PHASE[phase]} of step ${step}`;
  return (
    `Memory ran out ${where}: ${formatBytes(requestedBytes)} were requested, ${formatBytes(allocatedBytes)} were ` +
    `allocated and the driver had ${formatBytes(freeBytes)} left.`
  );
}
