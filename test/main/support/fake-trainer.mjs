import { once } from 'node:events';

/**
 * A trainer process without training. The model of a request says what it does: `exit` and `kill` end the
 * process, `hang` and `stubborn` fall silent (`stubborn` ignores cancel as well), `oom` runs out of
 * memory, `slow` counts iterations until it is cancelled and holds while it is paused, `patient` asks for a
 * second of patience and is silent until it is told to go on, any other ends after two.
 */
const START = {
  event: 'start',
  backend: 'cpu',
  backendReason: 'a fake',
  device: 'none',
  input: 32,
  strategy: 'regular',
  stationaryBytes: 1,
  predictedPeakBytes: 1,
  predictedOverhead: 0,
  recomputeFraction: 0,
  ids: [],
};
const ITERATION_MS = 5;
const NONE = { perSample: [], fixed: [] };
const TIMELINE = {
  kinds: [],
  vertices: [],
  backwardStart: 0,
  live: NONE,
  checkpoints: NONE,
  recomputed: NONE,
  gradients: NONE,
  auxiliaries: NONE,
};
const DONE = {
  event: 'done',
  backend: 'cpu',
  strategy: 'regular',
  predictedPeakBytes: 1,
  measuredPeakBytes: 1,
  stationaryBytes: 1,
  iterationMs: [1, 1],
  loss: [1, 1],
};

const cancelled = new Set();
const paused = new Set();

/** @param {unknown} message */
const send = (message) => process.send?.(message);

/** @param {number} id @param {{ model: string, batch: number, iterations: number }} request */
async function run(id, { model, batch, iterations }) {
  send({ type: 'event', id, event: { ...START, model, batch, iterations, timeline: TIMELINE } });
  if (model === 'exit') {
    process.stderr.write('Error: the fake gave up\n    at nowhere\n');
    process.exit(9);
  }
  if (model === 'kill') process.kill(process.pid, 'SIGKILL');
  if (model === 'hang' || model === 'stubborn') return;
  if (model === 'oom') {
    const failure = { code: 'OUT_OF_MEMORY', message: 'No room for 5 bytes.', data: { bytes: 5 } };
    send({ type: 'error', id, failure });
    return;
  }
  if (model === 'patient') {
    send({ type: 'patience', id, ms: 1000 });
    await once(process, 'message');
  }
  for (let iteration = 0; model === 'slow' || iteration < 2; iteration++) {
    send({
      type: 'event',
      id,
      event: { event: 'iteration', iteration, ms: 1, loss: 1, measuredPeakBytes: 1 },
    });
    await new Promise((resolve) => setTimeout(resolve, ITERATION_MS));
    if (paused.has(id)) {
      send({ type: 'event', id, event: { event: 'paused', paused: true } });
      while (paused.has(id) && !cancelled.has(id)) await once(process, 'message');
      send({ type: 'event', id, event: { event: 'paused', paused: false } });
    }
    if (cancelled.has(id)) {
      send({ type: 'error', id, failure: { code: 'CANCELLED', message: 'Cancelled.' } });
      return;
    }
  }
  send({ type: 'event', id, event: DONE });
  send({ type: 'end', id });
}

process.on('message', (/** @type {import('../../../main/trainer/protocol.ts').HostMessage} */ message) => {
  if (message.type === 'run') void run(message.id, message.request);
  else if (message.type === 'cancel') cancelled.add(message.id);
  else if (message.paused) paused.add(message.id);
  else paused.delete(message.id);
});
process.on('disconnect', () => process.exit(0));
console.log('a trainer may print; nobody must see it');
if (process.env['FAKE_TRAINER'] !== 'deaf') send({ type: 'ready' });
