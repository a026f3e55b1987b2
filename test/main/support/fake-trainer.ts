import { fileURLToPath } from 'node:url';

/** The program of a trainer process without training; what it does is said there. */
export const FAKE_TRAINER = fileURLToPath(new URL('./fake-trainer.mjs', import.meta.url));
