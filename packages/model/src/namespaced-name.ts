import { asText } from '@slipway/kube/parse'

/** Where a run or an admission is, as plans and releases name it. */
export interface NamespacedName {
  /** `undefined` if the reference does not name one. */
  namespace: string | undefined
  name: string
}

/** Reads a reference of the form `namespace/name`; the text itself is the name if it has another form. */
export function parseNamespacedName(value: unknown): NamespacedName | undefined {
  const text = asText(value)
  if (!text) return undefined
  const [namespace, name, ...others] = text.split('/')
  return namespace && name && others.length === 0 ? { namespace, name } : { namespace: undefined, name: text }
}
