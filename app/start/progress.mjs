import { say } from './root.mjs';

const EVERY_MS = 200;
/** Time between lines if they cannot be overwritten. */
const LINE_EVERY_MS = 10_000;

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;

/**
 * @param {number} received bytes
 * @param {number | null} total bytes, where the server says
 */
export function progressText(received, total) {
  if (total === null || total <= 0) return megabytes(received);
  const percent = Math.floor((100 * Math.min(received, total)) / total);
  return `${megabytes(received)} of ${megabytes(total)} (${percent} %)`;
}

/**
 * How far a download is, on standard error: one line that is overwritten on a terminal, else a line now and then.
 *
 * @param {string} what
 */
export function progressLine(what) {
  const isTerminal = process.stderr.isTTY === true;
  let last = Date.now();
  let wrote = false;
  return {
    /** @param {number} received @param {number | null} total */
    show(received, total) {
      const now = Date.now();
      if (now - last < (isTerminal ? EVERY_MS : LINE_EVERY_MS)) return;
      last = now;
      const text = `${what}: ${progressText(received, total)}`;
      if (!isTerminal) return say(text);
      wrote = true;
      process.stderr.write(`\r\u001b[Kzigzag: ${text}`);
    },
    end() {
      if (wrote) process.stderr.write('\n');
    },
  };
}
