import { compoundLayout } from './compound.ts';
import type { LayoutReply, LayoutRequest } from './layouter.ts';

/** Entry of the page's own thread for layouts: a large one must not hold up a key or a drag. */
interface ThreadScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<LayoutRequest>) => void): void;
  postMessage(reply: LayoutReply): void;
}

const scope = globalThis as unknown as ThreadScope;

scope.addEventListener('message', ({ data }) => {
  const { id, boxes, edges, aspect } = data;
  scope.postMessage({ id, drawing: compoundLayout(boxes, edges, aspect) });
});
