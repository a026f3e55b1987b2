import { TRAINER_PORT_MESSAGE } from '../../app/contract/desktop.ts';
import { answer } from './answer.ts';
import { pageWebgpuBackend } from './backends/webgpu-page.ts';
import type { HostMessage } from './protocol.ts';
import { serveTrainer } from './serve.ts';
import { firstWorkingBackend } from './first-working-backend.ts';

/**
 * The trainer in a hidden, sandboxed window: the only place on the desktop where WebGPU works. Speaks the
 * protocol of the trainer process over the message port that arrives with `TRAINER_PORT_MESSAGE`.
 */

const BACKENDS = [pageWebgpuBackend];

/** A hidden window's timers are throttled to one per second; its messages are not. */
function serveOver(port: MessagePort): void {
  serveTrainer(
    {
      send: (message) => port.postMessage(message),
      onMessage(listener) {
        port.onmessage = ({ data }) => listener(data as HostMessage);
      },
    },
    (request, emit, supervision) => answer(request, emit, supervision, { backends: BACKENDS }),
    (request, choice) => firstWorkingBackend(request, choice, BACKENDS),
  );
}

window.addEventListener('message', ({ data, ports }) => {
  const [port] = ports;
  if (data === TRAINER_PORT_MESSAGE && port !== undefined) serveOver(port);
});
