/**
 * Lets messages in, so that a run can be cancelled. A message and not a timer: a hidden window's timers
 * fire once a second, and a page's never within 4 ms of each other.
 */
export function yieldToMessages(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
