import { trainRequestSchema } from '../../app/contract/training.ts';
import { BadInputError } from '../../engine/errors.ts';
import { pageWebgpuBackend } from './backends/webgpu-page.ts';
import type { HostMessage } from './protocol.ts';
import { runTraining } from './run.ts';
import { serveTrainer } from './serve.ts';

/**
 * The trainer in a hidden, sandboxed window: the only place on the desktop where WebGPU works. Speaks the
 * protocol of the trainer process over the message port that arrives with `TRAINER_PORT_MESSAGE`.
 */

/** What the host posts to this window, with a port; a preload script may pass it on. */
export const TRAINER_PORT_MESSAGE = 'zigzag-trainer-port';

/** A window that is not shown is throttled to one timer a second; messages are not. */
function serveOver(port: MessagePort): void {
  serveTrainer(
    {
      send: (message) => port.postMessage(message),
      onMessage(listener) {
        port.onmessage = ({ data }) => listener(data as HostMessage);
      },
    },
    async (request, emit, supervision) => {
      const parsed = trainRequestSchema.parse(request);
      if (parsed.dataFolder !== undefined) {
        throw new BadInputError(
          'a page reads no folders; leave the folder out, or train on wasm',
          'dataFolder',
        );
      }
      if (parsed.largestBatch === true) {
        throw new BadInputError('a page measures no largest batch; use the command line', 'largestBatch');
      }
      await runTraining(parsed, emit, supervision, { backends: [pageWebgpuBackend] });
    },
    // The host notices that the port is gone and sends another.
    () => location.reload(),
  );
}

window.addEventListener('message', ({ data, ports }) => {
  const [port] = ports;
  if (data === TRAINER_PORT_MESSAGE && port !== undefined) serveOver(port);
});
