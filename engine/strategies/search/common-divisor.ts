/** The largest integer that divides all sizes (integers); 1 when all are 0. Tensor sizes have a large one. */
export function commonDivisor(sizes: Iterable<number>): number {
  let divisor = 0;
  for (const size of sizes) {
    let [a, b] = [size, divisor];
    while (a !== 0) [a, b] = [b % a, a];
    divisor = b;
  }
  return Math.max(1, divisor);
}
