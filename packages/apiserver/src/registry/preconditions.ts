import { conflict } from '../errors'
import type { AnyObject, ResourceInfo } from '../resource'

export interface Precondition {
  uid?: string
  resourceVersion?: string
}

/** @throws StatusError 409 if the object does not meet the preconditions */
export function checkPreconditions(
  { type, terminate }: ResourceInfo,
  { metadata }: AnyObject,
  expected: Precondition = {},
) {
  const { name = '', uid, resourceVersion } = metadata
  const reject = (part: string, expectedValue: string, actual: string | undefined, remark: string) => {
    // Kinds with a finalization step are deleted by other code of the real server, with another message.
    if (terminate) throw conflict(type, name, preconditionFailed(part, expectedValue, actual))
    const detail = `the ${part} in the precondition (${expectedValue}) does not match the ${part} in record (${actual})`
    // The real server names the kind here, although it names the resource elsewhere.
    throw conflict({ group: type.group, plural: type.kind }, name, `${detail}. ${remark}`)
  }
  if (expected.uid && expected.uid !== uid) {
    reject('UID', expected.uid, uid, 'The object might have been deleted and then recreated')
  }
  if (expected.resourceVersion && expected.resourceVersion !== resourceVersion) {
    reject('ResourceVersion', expected.resourceVersion, resourceVersion, 'The object might have been modified')
  }
}

export const preconditionFailed = (part: string, expected: string, actual: string | undefined) =>
  `Precondition failed: ${part} in precondition: ${expected}, ${part} in object meta: ${actual}`
