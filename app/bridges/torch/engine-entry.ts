import { reply } from './answer.ts';
import { engineFactsModule } from './engine-facts.ts';

/**
 * The engine as one file without imports, for whatever runs JavaScript: Node beside Python, V8 inside it. It uses
 * nothing of either and leaves one function behind.
 */
Object.assign(globalThis, { zigzagReply: reply, zigzagFacts: engineFactsModule });
