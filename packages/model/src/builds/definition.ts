import { type KubeObject, nameOf } from '@slipway/kube/object'

/** An object whose `spec` users edit. */
export type Defined = KubeObject & { spec: object }

/** Whether two versions of an object differ only in what the platform writes, such as their status. */
export const hasSameDefinition = <T extends Defined>(a: T, b: T): boolean =>
  JSON.stringify(definitionOf(a)) === JSON.stringify(definitionOf(b))

const definitionOf = ({ spec, ...object }: Defined) => [
  nameOf(object),
  object.metadata.labels,
  object.metadata.annotations,
  spec,
]
