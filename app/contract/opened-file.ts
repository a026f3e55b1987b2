export const TOO_LARGE =
  'the file is larger than 64 MiB and not ONNX, whose weights are left out; save the network without its weights';

/** Letters of all networks packed into one link: mail, chats and browsers pass on as many. */
export const MAX_CARRIED = 32_000;
/** Letters of a whole link: its networks, and the longest view of them. */
export const MAX_LINK = 2 * MAX_CARRIED;

const FILE_PREFIX = 'file:';

/** True when an experiment's network came from a file, so it has no place in the zoo. */
export const isFileNetwork = (model: string): boolean => model.startsWith(FILE_PREFIX);
export const fileNetworkName = (hash: string): string => FILE_PREFIX + hash;

export const PLAN_NAME = /^plan:[0-9a-f]{16}$/;
export const planName = (hash: string): string => `plan:${hash}`;
