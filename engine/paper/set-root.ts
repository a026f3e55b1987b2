/**
 * The root of the set that v is in, in a forest of disjoint sets: a root is its own parent. Halves the path on the way,
 * so that any sequence of joins and questions is nearly linear.
 */
export function setRoot(parent: Int32Array, v: number): number {
  let at = v;
  while (parent[at] !== at) {
    parent[at] = parent[parent[at]!]!;
    at = parent[at]!;
  }
  return at;
}
