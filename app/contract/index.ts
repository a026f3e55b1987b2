export * from './errors.ts';
export * from './experiment.ts';
export * from './lab.ts';
export * from './results.ts';
export * from './training.ts';
