/** The value known of a key, computed the first time; a WeakMap keeps it for as long as the key lives. */
export function getOrCompute<Key extends object, Value>(
  known: WeakMap<Key, Value>,
  key: Key,
  compute: () => Value,
): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = compute();
    known.set(key, value);
  }
  return value;
}
