export const BACKENDS = ['tensorflow', 'webgpu', 'wasm', 'cpu'] as const;

export type Backend = (typeof BACKENDS)[number];

/** Those that are tried where none is asked for, in order: `cpu` is the reference, and slow. */
export const TRIED_BACKENDS: readonly Backend[] = BACKENDS.filter((name) => name !== 'cpu');
