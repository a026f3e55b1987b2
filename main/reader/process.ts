import { readMeasured } from '../../app/bridges/snapshot/read-measured.ts';
import { endOnRejection } from '../host/end-on-rejection.ts';
import { failureFrom } from '../host/failure.ts';
import { hostPort } from '../host/host-port.ts';
import { FileNetworks } from '../solver/file-networks.ts';
import type { FromReader, ReadResult, ToReader } from './protocol.ts';

/**
 * The process that reads untrusted files first. If a file uses up all memory, V8 aborts only this process and the lab
 * continues.
 */
endOnRejection();
const host = hostPort<FromReader, ToReader>(() => undefined);
host.onMessage(({ name, input }) => {
  try {
    host.send({ type: 'result', result: read(name, input) });
  } catch (error) {
    host.send({ type: 'failure', failure: failureFrom(error) });
  }
});
host.send({ type: 'ready' });

/** Keeps nothing of a file. */
function read(name: ToReader['name'], input: ToReader['input']): ReadResult {
  return name === 'importFile' ? new FileNetworks().open(input.name, input.bytes) : readMeasured(input.bytes);
}
