import { BadInputError } from '../../errors.ts';
import type { ByteSource } from '../byte-source.ts';
import { Cursor, truncated } from './cursor.ts';

/** A ModelProto starts with its IR version: field 1, a number. */
const ONNX_START = 0x08;

/** @param start the first bytes of a file */
export const isOnnx = (start: Uint8Array): boolean => start[0] === ONNX_START;

/** Payloads up to this stay: the shapes and axes that operations read are tiny tensors. */
const MAX_PAYLOAD = 4096;
const MAX_FIELD = 1 << 20;
const MAX_SKELETON = 96 << 20;
export const MAX_NODES = 200_000;
/** Bounds the time of a file that is all tiny fields. */
const MAX_FIELDS = 8_000_000;
const NOTHING = new Uint8Array(0);
const TOO_MANY_FIELDS = 'the ONNX file has too many fields to be a model';

/** Treatment of a message's length-delimited fields by number; others are copied. */
interface Rule {
  readonly messages?: Readonly<Record<number, Rule>>;
  /** Numbers of a tensor: kept when few. */
  readonly payload?: ReadonlySet<number>;
  readonly dropped?: ReadonlySet<number>;
  /** The field whose number in a message is limited. */
  readonly counts?: number;
}

const TENSOR: Rule = { payload: new Set([4, 5, 6, 7, 9, 10, 11]), dropped: new Set([12, 13, 16]) };
/** Subgraphs, sparse tensors and documentation say nothing about sizes. */
const ATTRIBUTE: Rule = { messages: { 5: TENSOR }, dropped: new Set([6, 10, 11, 13, 22, 23]) };
const NODE: Rule = { messages: { 5: ATTRIBUTE }, dropped: new Set([6, 9, 10]) };
const GRAPH: Rule = { counts: 1, messages: { 1: NODE, 5: TENSOR }, dropped: new Set([10, 14, 15, 16]) };
const MODEL: Rule = { messages: { 7: GRAPH }, dropped: new Set([6, 14, 20, 25, 26]) };

/**
 * Copies an ONNX model without its weights: a valid ModelProto whose large payloads, subgraphs and
 * documentation are left out. Reads only what it copies, so that 2 GB of weights cost neither time nor
 * memory. Nesting is as deep as the rules above and no deeper.
 *
 * @throws BadInputError in one sentence for a file that is truncated, broken or beyond the limits
 */
export function skimModel(source: ByteSource): Uint8Array<ArrayBuffer> {
  return new Skimmer(source).run();
}

class Skimmer {
  readonly #cursor: Cursor;
  /** All of the skeleton in order: one list, so that a message of any number of fields is never copied. */
  readonly #parts: Uint8Array[] = [];
  #kept = 0;
  #nodes = 0;
  #fields = 0;

  constructor(source: ByteSource) {
    this.#cursor = new Cursor(source);
  }

  run(): Uint8Array<ArrayBuffer> {
    this.#message(MODEL, this.#cursor.size);
    return join(this.#parts);
  }

  /** @returns the bytes that are kept of the message */
  #message(rule: Rule, end: number): number {
    const cursor = this.#cursor;
    const parts = this.#parts;
    let bytes = 0;
    const keep = (part: Uint8Array): void => {
      parts.push(this.#keep(part));
      bytes += part.length;
    };
    if (rule.counts !== undefined) this.#count(rule.counts, end);
    let payload = 0;
    while (cursor.position < end) {
      if (++this.#fields > MAX_FIELDS) throw new BadInputError(TOO_MANY_FIELDS);
      const tag = cursor.varint(end);
      const field = Math.floor(tag / 8);
      const wire = tag % 8;
      const drop = rule.dropped?.has(field) === true;
      const isPayload = rule.payload?.has(field) === true;
      if (wire === 2) {
        const length = cursor.varint(end);
        const next = cursor.position + length;
        if (next > end) throw truncated(cursor.position);
        const inner = rule.messages?.[field];
        if (inner !== undefined) {
          // The header says the size, which is known once the message is through.
          const place = parts.push(NOTHING) - 1;
          const size = this.#message(inner, next);
          const header = this.#keep(varints(tag, size));
          parts[place] = header;
          bytes += header.length + size;
        } else if (!drop && !(isPayload && length > MAX_PAYLOAD)) {
          if (length > MAX_FIELD) throw new BadInputError(`the ONNX file has a name of ${length} bytes`);
          keep(varints(tag, length));
          keep(cursor.take(length));
        }
        cursor.position = next;
      } else if (wire === 0) {
        const from = cursor.position;
        cursor.varint(end);
        const length = cursor.position - from;
        cursor.position = from;
        payload += length;
        const value = cursor.take(length);
        if (drop || (isPayload && payload > MAX_PAYLOAD)) continue;
        keep(varints(tag));
        keep(value);
      } else if (wire === 1 || wire === 5) {
        const length = wire === 1 ? 8 : 4;
        if (cursor.position + length > end) throw truncated(cursor.position);
        payload += length;
        const value = cursor.take(length);
        if (drop || (isPayload && payload > MAX_PAYLOAD)) continue;
        keep(varints(tag));
        keep(value);
      } else {
        throw truncated(cursor.position);
      }
    }
    if (cursor.position !== end) throw truncated(cursor.position);
    return bytes;
  }

  /** Counts before anything is copied, so that a file of millions of nodes costs a glance at a few. */
  #count(counted: number, end: number): void {
    const cursor = this.#cursor;
    const start = cursor.position;
    while (cursor.position < end) {
      const tag = cursor.varint(end);
      if (Math.floor(tag / 8) === counted && ++this.#nodes > MAX_NODES) {
        throw new BadInputError(`the ONNX file has more than ${MAX_NODES} nodes`);
      }
      if (++this.#fields > MAX_FIELDS) throw new BadInputError(TOO_MANY_FIELDS);
      const wire = tag % 8;
      if (wire === 0) cursor.varint(end);
      else if (wire === 2) {
        const length = cursor.varint(end);
        cursor.position += length;
      } else if (wire === 1) cursor.position += 8;
      else if (wire === 5) cursor.position += 4;
      else throw truncated(cursor.position);
    }
    cursor.position = start;
  }

  #keep(bytes: Uint8Array): Uint8Array {
    this.#kept += bytes.length + 16;
    if (this.#kept > MAX_SKELETON)
      throw new BadInputError('the ONNX file is too large even without its weights');
    return bytes;
  }
}

function varints(...values: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (let value of values) {
    while (value >= 128) {
      bytes.push((value % 128) + 128);
      value = Math.floor(value / 128);
    }
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
