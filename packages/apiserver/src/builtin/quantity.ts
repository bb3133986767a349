/** Resource quantities such as `500m` or `1Gi`. Source: k8s.io/apimachinery, api/resource/quantity.go. */

const pattern = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([KMGTPE]i|[numkMGTPE]))?$/

const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
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
}

/** Returns `undefined` for text that is not a quantity. */
export function parseQuantity(value: unknown): number | undefined {
  const [, digits, exponent, suffix = ''] = pattern.exec(String(value)) ?? []
  if (digits === undefined) return undefined
  return Number(digits) * (exponent ? 10 ** Number(exponent) : (factors[suffix] ?? 1))
}
