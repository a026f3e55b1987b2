import { type Code, get, lines, real, set, vector } from './text.ts';

/** Below this the exponential is 0, above the other infinite or near it. */
const LOWEST = -87.33654;
const HIGHEST = 88.37626;
/** ln 2 in two parts, the first of which loses nothing when it is multiplied by a whole number. */
const LN2 = [0.693359375, -2.1219444e-4] as const;
/** Moshier's Cephes library, expf: a relative error below 2^-23. */
const POLYNOMIAL = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
] as const;

/** Vectors that `exponential` needs. */
export const EXPONENTIAL_LOCALS = ['power', 'rest', 'clamped'] as const;

/** Puts e^x of the vector `from` into the vector `to`; another one than `from`. */
export function exponential(from: string, to: string): Code {
  const x = get('rest');
  const polynomial = POLYNOMIAL.slice(1).reduce(
    (sum, coefficient) => vector('add', vector('mul', sum, x), real(coefficient)),
    real(POLYNOMIAL[0]),
  );
  const two = `(i32x4.shl (i32x4.add (i32x4.trunc_sat_f32x4_s ${get('power')}) (v128.const i32x4 127 127 127 127)) (i32.const 23))`;
  return lines(
    set('clamped', vector('pmin', vector('pmax', get(from), real(LOWEST)), real(HIGHEST))),
    set('power', vector('nearest', vector('mul', get('clamped'), real(Math.LOG2E)))),
    set('rest', vector('sub', get('clamped'), vector('mul', get('power'), real(LN2[0])))),
    set('rest', vector('sub', x, vector('mul', get('power'), real(LN2[1])))),
    set(to, vector('add', vector('add', vector('mul', vector('mul', polynomial, x), x), x), real(1))),
    set(to, vector('mul', get(to), two)),
    set(to, `(v128.and ${get(to)} ${vector('ge', get(from), real(LOWEST))})`),
  );
}
