/** Small enough for both sides to stay in the first cache. */
const BLOCK = 32;

/** to[c][r] = from[r][c] of a matrix [rows, columns], block by block. */
export function transposeBlocked(
  from: Float32Array,
  fromAt: number,
  to: Float32Array,
  toAt: number,
  rows: number,
  columns: number,
): void {
  for (let r0 = 0; r0 < rows; r0 += BLOCK) {
    const r1 = Math.min(rows, r0 + BLOCK);
    for (let c0 = 0; c0 < columns; c0 += BLOCK) {
      const c1 = Math.min(columns, c0 + BLOCK);
      for (let r = r0; r < r1; r++) {
        let source = fromAt + r * columns + c0;
        let target = toAt + c0 * rows + r;
        for (let c = c0; c < c1; c++) {
          to[target] = from[source++]!;
          target += rows;
        }
      }
    }
  }
}
