/**
 * Phrases of WebAssembly's text format, from which the kernels of this folder are written. Numbers are i32 unless
 * said otherwise; addresses are bytes from the start of the heap and unsigned, so loops count instead of comparing
 * them: the heap may end where they wrap around.
 */
export type Code = string;

export const lines = (...parts: readonly (Code | readonly Code[])[]): Code => parts.flat().join('\n');

export const get = (name: string): Code => `(local.get $${name})`;
export const set = (name: string, value: Code): Code => `(local.set $${name} ${value})`;
export const int = (value: number): Code => `(i32.const ${value})`;
export const add = (first: Code, ...rest: readonly Code[]): Code =>
  rest.reduce((sum, term) => `(i32.add ${sum} ${term})`, first);
export const sub = (a: Code, b: Code): Code => `(i32.sub ${a} ${b})`;
export const mul = (a: Code, b: Code): Code => `(i32.mul ${a} ${b})`;
/** Bytes of so many floats. */
export const floats = (count: Code): Code => `(i32.shl ${count} (i32.const 2))`;
export const min = (a: Code, b: Code): Code => `(select ${a} ${b} (i32.lt_s ${a} ${b}))`;
/** Moves an address, or a number, on. */
export const move = (name: string, by: Code | number): Code =>
  set(name, add(get(name), typeof by === 'number' ? int(by) : by));
export const loadInt = (at: Code, offset = 0): Code => `(i32.load offset=${offset} ${at})`;

export const load = (at: Code, offset = 0): Code => `(v128.load offset=${offset} align=4 ${at})`;
export const store = (at: Code, value: Code, offset = 0): Code =>
  `(v128.store offset=${offset} align=4 ${at} ${value})`;
/** One float in all four lanes. */
export const loadSplat = (at: Code, offset = 0): Code => `(v128.load32_splat offset=${offset} align=4 ${at})`;
export const loadFloat = (at: Code, offset = 0): Code => `(f32.load offset=${offset} ${at})`;
export const storeFloat = (at: Code, value: Code, offset = 0): Code =>
  `(f32.store offset=${offset} ${at} ${value})`;
export const vector = (operation: string, ...operands: readonly Code[]): Code =>
  `(f32x4.${operation} ${operands.join(' ')})`;
export const ZEROS: Code = '(v128.const i32x4 0 0 0 0)';
/** Four lanes of two vectors: 0 to 3 of the first, 4 to 7 of the second. */
export const shuffle = (a: Code, b: Code, ...from: readonly number[]): Code =>
  `(i8x16.shuffle ${from.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)).join(' ')} ${a} ${b})`;

export const when = (condition: Code, then: Code, otherwise?: Code): Code =>
  `(if ${condition} (then ${then})${otherwise === undefined ? '' : ` (else ${otherwise})`})`;

/** As long as the number is at least `step`: the body, then `step` less. */
export const countDown = (name: string, step: number, body: Code): Code => `
(block (loop
  (br_if 1 (i32.lt_s ${get(name)} ${int(step)}))
  ${body}
  ${move(name, -step)}
  (br 0)))`;

/** For the number from 0 to less than `end`, by `step`. */
export const countUp = (name: string, end: Code, step: number, body: Code): Code => `
${set(name, int(0))}
(block (loop
  (br_if 1 (i32.ge_s ${get(name)} ${end}))
  ${body}
  ${move(name, step)}
  (br 0)))`;

/** Four floats at a time, or one, in the first lane. */
export interface Access {
  read(address: string, offset?: number): Code;
  write(address: string, value: Code): Code;
  readonly bytes: number;
}

export const FOUR: Access = {
  read: (address, offset = 0) => load(get(address), offset),
  write: (address, value) => store(get(address), value),
  bytes: 16,
};
export const ONE: Access = {
  read: (address, offset = 0) => `(v128.load32_zero offset=${offset} align=4 ${get(address)})`,
  write: (address, value) => `(v128.store32_lane align=4 0 ${get(address)} ${value})`,
  bytes: 4,
};

/** For `count` floats from each of the addresses on, which end after them; the count ends at 0. */
export const stream = (count: string, addresses: readonly string[], body: (access: Access) => Code): Code =>
  lines(
    [FOUR, ONE].map((access) =>
      countDown(
        count,
        access.bytes / 4,
        lines(
          body(access),
          addresses.map((address) => move(address, access.bytes)),
        ),
      ),
    ),
  );

export const splat = (value: Code): Code => `(f32x4.splat ${value})`;
export const real = (value: number): Code => splat(`(f32.const ${value})`);
/** Sum of the four lanes, as f32. */
export const laneSum = (name: string): Code => {
  const lane = (i: number): Code => `(f32x4.extract_lane ${i} ${get(name)})`;
  return `(f32.add (f32.add ${lane(0)} ${lane(1)}) (f32.add ${lane(2)} ${lane(3)}))`;
};

export interface Locals {
  /** In the order in which they are passed. */
  readonly parameters?: readonly string[];
  /** Parameters of type f32, after all others. */
  readonly reals?: readonly string[];
  readonly ints?: readonly string[];
  readonly vectors?: readonly string[];
  /** f32 */
  readonly scalars?: readonly string[];
}

/** A function without a result, exported under its name. */
export function func(name: string, locals: Locals, body: Code): Code {
  const list = (word: string, type: string, names: readonly string[] = []): string =>
    names.map((local) => `(${word} $${local} ${type})`).join(' ');
  return lines(
    `(func $${name} (export "${name}")`,
    list('param', 'i32', locals.parameters),
    list('param', 'f32', locals.reals),
    list('local', 'i32', locals.ints),
    list('local', 'v128', locals.vectors),
    list('local', 'f32', locals.scalars),
    body,
    ')',
  );
}
