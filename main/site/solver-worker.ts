import { answering } from '../solver/answering.ts';
import type { SolverData, SolverNews, SolverReply, SolverRequest } from '../solver/protocol.ts';

/** Entry of the solver's thread in a page without a server. Its start data comes as the first message. */
const thread = globalThis as unknown as Pick<Worker, 'addEventListener' | 'postMessage'>;

let answer: ReturnType<typeof answering> | null = null;
thread.addEventListener('message', ({ data }: MessageEvent<SolverData | SolverRequest | SolverNews>) => {
  if (answer === null) {
    answer = answering(data as SolverData, (reply: SolverReply) => thread.postMessage(reply));
    return;
  }
  void answer(data as SolverRequest | SolverNews);
});
