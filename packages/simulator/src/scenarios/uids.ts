import { hexDigits } from '../keyed-random'
import type { World } from '../tekton/facts'

/** A deterministic placeholder for the uid that the cluster will assign to an object. */
export function uidFor({ random }: World, kind: string, namespace: string, name: string): string {
  const digits = hexDigits(random(`uid ${kind} ${namespace}/${name}`), 30)
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(12, 15)}`,
    `a${digits.slice(15, 18)}`,
    digits.slice(18, 30),
  ]
  return parts.join('-')
}
