/** Rules of the authors' program, its PyTorch and its cuDNN; any can be switched off to see its effect. */
export const AUTHORS_RULES = [
  'every-edge',
  'dictionary',
  'shared-gradients',
  'added-gradients',
  'weight-gradients',
  'workspace',
  'blocks',
] as const;
export type AuthorsRule = (typeof AUTHORS_RULES)[number];

/** `saved-inputs` is the profile `pytorch-1.5` in place of `pytorch`. */
export const MEMORY_RULES = [...AUTHORS_RULES, 'saved-inputs'] as const;
export type MemoryRule = (typeof MEMORY_RULES)[number];
