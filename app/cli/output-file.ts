import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { BadInputError } from '../../engine/errors.ts';
import { OPEN_AT_ONCE } from '../bridges/file-source.ts';

/** Refusal for pipes and devices: opening a pipe waits for a reader, and a device stores nothing. */
const NO_FILE = 'is a pipe or a device; name a file';

/**
 * Checks that a file can be written, before the work that fills it.
 * @throws BadInputError that names the option
 */
export function requireWritable(path: string, option: string): void {
  const state = stateOf(path);
  if (state?.isDirectory() === true) throw new BadInputError(`${option}: ${path} is a folder; name a file`);
  if (state?.isFile() === false) throw new BadInputError(`${option}: ${path} ${NO_FILE}`);
  try {
    accessSync(state === undefined ? dirname(path) : path, constants.W_OK);
  } catch {
    throw new BadInputError(`${option}: ${path} cannot be written; choose another place`);
  }
}

/** State of a path; undefined below anything that is not a folder. */
function stateOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Writes a file, or writes over it.
 * @throws BadInputError that names the option
 */
export function writeOutput(path: string, text: string, option: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | OPEN_AT_ONCE);
    if (!fstatSync(descriptor).isFile()) throw new Error(NO_FILE);
    writeFileSync(descriptor, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadInputError(`${option}: ${path} cannot be written: ${reason}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
