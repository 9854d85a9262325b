const FACTORS: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]))?$/;

/**
 * A Kubernetes quantity as a number: `250m` is 0.25, `1Gi` is 1073741824, `1e3`
 * is 1000. undefined: this is no quantity, which is not the same as 0.
 *
 * Shape: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(quantity: unknown): number | undefined {
  if (typeof quantity === 'number') {
    return Number.isFinite(quantity) ? quantity : undefined;
  }
  const match = typeof quantity === 'string' ? QUANTITY.exec(quantity.trim()) : undefined;
  if (!match) {
    return undefined;
  }
  const [, digits, exponent, suffix] = match;
  return exponent ? Number(`${digits}${exponent}`) : Number(digits) * FACTORS[suffix ?? ''];
}
