import { fromBinary, fromJson, toBinary, toJson, type JsonValue } from '@bufbuild/protobuf';
import { ModelProtoSchema } from '../../app/bridges/onnx/schema.ts';
import { between, chance, pick, type Rng } from './rng.ts';

/*
 * Structure-aware mutation: a file is taken apart, a few of its parts are changed for ones that readers find hard,
 * and it is put together again, so that a mutant gets past the first check that a random byte fails. The same
 * generator state gives the same mutant.
 */

type Parent = unknown[] | Record<string, unknown>;

/** A part of a document: what it lies in, and where. */
interface Place {
  readonly parent: Parent;
  readonly key: string | number;
}

const NUMBERS: readonly number[] = [
  ...[0, -1, 1, 2, 3, 0.5, 64, 1000, 65_536, 2 ** 31, 2 ** 32, 2 ** 40],
  ...[2 ** 52, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308, -1e9],
];
const TEXTS: readonly string[] = [
  ...['', ' ', '0', '-1', '9223372036854775807', '9007199254740993', '1e999', 'AAAA'],
  ...['__proto__', 'constructor', 'toString', 'input', 'relu', 'opaque', 'inplace', 'view', 'zigzag_source'],
  ...[
    'zigzag_target',
    'inputs',
    'outputs',
    'a\nb',
    '\u0000',
    '\u001b[31m',
    '\u202e',
    '\ud800',
    'x'.repeat(5000),
  ],
];
const OTHERS = (): readonly unknown[] => [
  null,
  true,
  false,
  [],
  {},
  [[]],
  { toString: 1 },
  [null],
  { config: {} },
];

/** One to `most` changes in a copy of a JSON document. */
export function mutatedJson(rng: Rng, document: unknown, most = 4): unknown {
  const root = { document: structuredClone(document) };
  for (let changes = between(rng, 1, most); changes > 0; changes--) {
    const places = placesIn(root);
    if (places.length > 0) change(rng, places);
  }
  return root.document;
}

/** The same of an ONNX file; the file itself where no change of some gives a message of its form. */
export function mutatedOnnx(rng: Rng, file: Uint8Array, most = 4): Uint8Array {
  const document = toJson(ModelProtoSchema, fromBinary(ModelProtoSchema, file));
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      const mutant = mutatedJson(rng, document, most) as JsonValue;
      return toBinary(ModelProtoSchema, fromJson(ModelProtoSchema, mutant, { ignoreUnknownFields: true }));
    } catch {
      // Values of another form; the next one may have this form.
    }
  }
  return file;
}

/** Changes of single bytes, pieces that are left out, repeated or moved. */
export function mutatedBytes(rng: Rng, file: Uint8Array, most = 6): Uint8Array {
  let bytes = file.slice();
  for (let changes = between(rng, 1, most); changes > 0 && bytes.length > 0; changes--) {
    const from = rng.below(bytes.length);
    const to = Math.min(bytes.length, from + between(rng, 1, 64));
    const kind = rng.below(4);
    if (kind <= 1) bytes[from] = rng.below(256);
    else if (kind === 2) bytes = Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(to)]);
    else bytes = Uint8Array.from([...bytes.subarray(0, to), ...bytes.subarray(from)]);
  }
  return bytes;
}

/** Every part of a document, but not the whole of it; found without recursion, however deep it is. */
function placesIn(root: Parent): readonly Place[] {
  const places: Place[] = [];
  const waiting: Parent[] = [];
  for (const value of Object.values(root)) if (isParent(value)) waiting.push(value);
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    const keys = Array.isArray(parent) ? parent.keys() : Object.keys(parent);
    for (const key of keys) {
      places.push({ parent, key });
      const value = valueAt({ parent, key });
      if (isParent(value)) waiting.push(value);
    }
  }
  return places;
}

function isParent(value: unknown): value is Parent {
  return typeof value === 'object' && value !== null;
}

function valueAt({ parent, key }: Place): unknown {
  return (parent as Record<string | number, unknown>)[key];
}

function put({ parent, key }: Place, value: unknown): void {
  // Not an assignment: "__proto__" is a name like any other.
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

function change(rng: Rng, places: readonly Place[]): void {
  const place = pick(rng, places);
  const { parent, key } = place;
  const value = valueAt(place);
  const kind = rng.below(10);
  if (kind <= 3) put(place, chance(rng, 0.8) ? akin(rng, value) : alien(rng));
  else if (kind === 4 && Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (kind === 4) Reflect.deleteProperty(parent, key);
  else if (kind <= 6) put(place, structuredClone(valueAt(pick(rng, alikes(places, value)))));
  else if (kind === 7 && Array.isArray(parent)) {
    for (let copies = between(rng, 1, 3); copies > 0; copies--)
      parent.splice(Number(key), 0, structuredClone(value));
  } else if (kind === 8) {
    const other = pick(
      rng,
      places.filter((one) => one.parent === parent),
    );
    const [mine, others] = [value, valueAt(other)];
    put(place, others);
    put(other, mine);
  } else {
    const named = pick(rng, places);
    if (!Array.isArray(parent)) put({ parent, key: String(named.key) }, structuredClone(value));
    else put(place, akin(rng, value));
  }
}

/** Places whose values are of the same kind, which is where a value means something. */
function alikes(places: readonly Place[], value: unknown): readonly Place[] {
  // Nothing that the place itself lies in: a copy would grow without end.
  const kindOf = (one: unknown): string => (Array.isArray(one) ? 'list' : typeof one);
  const size = sizeOf(value);
  return places.filter((place) => {
    const other = valueAt(place);
    return kindOf(other) === kindOf(value) && sizeOf(other) <= size + 8;
  });
}

function sizeOf(value: unknown): number {
  return isParent(value) ? Object.keys(value).length : 1;
}

function akin(rng: Rng, value: unknown): unknown {
  if (typeof value === 'number') return chance(rng, 0.5) ? value + pick(rng, [-1, 1]) : pick(rng, NUMBERS);
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return alien(rng);
  // Protocol buffers write long integers as texts.
  if (/^-?\d+$/.test(value))
    return String(
      BigInt(
        Math.trunc(
          pick(
            rng,
            NUMBERS.filter((x) => Math.abs(x) < 2 ** 63),
          ),
        ),
      ),
    );
  return chance(rng, 0.5) ? pick(rng, TEXTS) : `${value}${pick(rng, TEXTS)}`;
}

function alien(rng: Rng): unknown {
  return pick<unknown>(rng, [...OTHERS(), ...NUMBERS, ...TEXTS]);
}
