export const BACKENDS = ['tensorflow', 'webgpu', 'wasm', 'cpu'] as const;

export type Backend = (typeof BACKENDS)[number];

/** Backends tried by default, in order. `cpu` is left out: it is the reference, and slow. */
export const TRIED_BACKENDS: readonly Backend[] = BACKENDS.filter((name) => name !== 'cpu');
