// exp, log, logistic and rounding with the bits of tallymark.numeric: + - * /, Math.abs and comparisons alone, each of
// which the language rounds exactly and never fuses with another; so a line here is a line there. Engines may choose
// the bits of Math.exp, Math.log, ** and the like, and do.

const ROUND = 6755399441055744.0; // 1.5 * 2^52: adding it rounds a number below 2^51 to a whole one, ties to even
const LOG2_E = 1.4426950408889634;
const LN2_HIGH = 0.6931471805598903; // 42 bits, so n * LN2_HIGH is exact for |n| < 2048
const LN2_LOW = 5.497923018708371e-14;
const SQRT_HALF = 0.7071067811865476;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const TWO_54 = 18014398509481984.0;
const TWO_52 = 4503599627370496.0;

const view = new DataView(new ArrayBuffer(8));

/**
 * 2^n for a whole n from -1022 to 1023. Exact.
 * @param {number} n
 */
export function pow2(n) {
  view.setUint32(0, (n + 1023) << 20);
  view.setUint32(4, 0);
  return view.getFloat64(0);
}

/**
 * m of x = m * 2^e with 0.5 <= m < 1, for a positive normal x. Exact.
 * @param {number} x
 */
export function mantissa(x) {
  view.setFloat64(0, x);
  view.setUint32(0, (view.getUint32(0) & 0x000fffff) | 0x3fe00000);
  return view.getFloat64(0);
}

/**
 * e of the same.
 * @param {number} x
 */
export function exponent(x) {
  view.setFloat64(0, x);
  return (view.getUint32(0) >>> 20) - 1022;
}

/**
 * e^(r + lost) for |r| <= 0.3466 and a rounding error lost.
 * @param {number} r
 * @param {number} lost
 */
function expNear0(r, lost) {
  let p = 2.5000158390345263e-8;
  p = p * r + 2.763025771055661e-7;
  p = p * r + 2.755758611772252e-6;
  p = p * r + 2.4801493070920877e-5;
  p = p * r + 0.00019841269506787947;
  p = p * r + 0.0013888888943659173;
  p = p * r + 0.008333333333494418;
  p = p * r + 0.04166666666653004;
  p = p * r + 0.16666666666666413;
  p = p * r + 0.5000000000000011;
  return 1.0 + (r + (p * (r * r) + lost));
}

/**
 * e^x for |x| <= 708, held at the ends of that range; NaN counts as the lower end.
 * @param {number} x
 */
export function expNormal(x) {
  x = x > -708.0 ? x : -708.0;
  x = x < 708.0 ? x : 708.0;
  const n = x * LOG2_E + ROUND - ROUND;
  const head = x - n * LN2_HIGH; // exact
  const tail = n * LN2_LOW;
  const r = head - tail;
  return expNear0(r, head - r - tail) * pow2(n);
}

/**
 * The natural logarithm of x >= 0, subnormals too; log(0) is -Infinity, Infinity stays.
 * @param {number} x
 */
export function log(x) {
  const tiny = x < SMALLEST_NORMAL;
  const scaled = tiny ? x * TWO_54 : x;
  const usable = scaled > 0.0 && scaled < Infinity;
  const normal = usable ? scaled : 1.0;
  const m = mantissa(normal);
  let e = exponent(normal);
  e = tiny ? e - 54.0 : e;
  const low = m < SQRT_HALF;
  e = low ? e - 1.0 : e;
  const f = (low ? m + m : m) - 1.0; // exact
  const s = f / (2.0 + f);
  const z = s * s;
  let p = 0.14796177283345233;
  p = p * z + 0.15314029875370344;
  p = p * z + 0.18183565047783984;
  p = p * z + 0.22222198561102174;
  p = p * z + 0.28571428742485977;
  p = p * z + 0.3999999999941434;
  p = p * z + 0.6666666666666734;
  const h = 0.5 * f * f;
  const y = e * LN2_HIGH + (f - (h - (s * (h + z * p) + e * LN2_LOW)));
  return usable ? y : scaled > 0.0 ? Infinity : -Infinity;
}

/**
 * [E, 1 - E] with E = 1 / (1 + e^-x); 1 - E is no subtraction, so that it is exact far out too.
 * @param {number} x
 * @returns {[number, number]}
 */
export function logistic(x) {
  const t = expNormal(-Math.abs(x));
  const large = 1.0 / (1.0 + t);
  const small = t * large;
  return x >= 0.0 ? [large, small] : [small, large];
}

/**
 * The nearest whole number, ties to even (Math.round rounds them up).
 * @param {number} x
 */
export function halfEven(x) {
  const size = Math.abs(x);
  const whole = size < TWO_52 ? size + TWO_52 - TWO_52 : size;
  return x >= 0.0 ? whole : -whole;
}

/**
 * The nearest whole number, ties upwards.
 * @param {number} x
 */
export function halfUp(x) {
  const near = halfEven(x);
  return x - near === 0.5 ? near + 1.0 : near;
}
