import { isRecord } from '@slipway/kube/object'
import { tooLargeBecause } from '../errors'
import type { AnyObject, ResourceInfo } from '../resource'
import { utf8Length } from '../utf8-length'

/** Largest stored object: etcd's request size limit. */
const maxStoredBytes = 1.5 * 1024 * 1024
/** Overhead of a string in protobuf: its tag and its length. */
const framing = 4

/**
 * The real server stores custom objects as JSON and built-in ones as protobuf, where strings need no escapes.
 * @throws StatusError 413
 */
export function assertSize({ isCustom }: ResourceInfo, object: AnyObject, text: string): void {
  // No UTF-16 code unit takes more than three bytes.
  if (text.length * 3 <= maxStoredBytes) return
  if ((isCustom ? utf8Length(text) : messageLength(object)) > maxStoredBytes) {
    throw tooLargeBecause('etcdserver: request is too large')
  }
}

/** Approximate size of a value in protobuf. */
function messageLength(value: unknown): number {
  if (typeof value === 'string') return utf8Length(value) + framing
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + messageLength(item), framing)
  if (!isRecord(value)) return framing
  return Object.entries(value).reduce((sum, [key, item]) => sum + utf8Length(key) + messageLength(item), framing)
}
