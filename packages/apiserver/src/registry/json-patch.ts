import { isRecord } from '@slipway/kube/object'
import { unprocessable } from '../errors'
import { isSameJson } from './equality'

/** How much all copies of a patch may add, so that no few lines fill the memory. Source: k8s.io/apiserver, config.go. */
const maxCopiedLength = 3 * 1024 * 1024

/** Where a pointer points to: a member of an object, or an element of a list. */
type Place = { holder: Record<string, unknown>; key: string } | { holder: unknown[]; key: string }

/**
 * RFC 6902, in place; nothing of the patch itself becomes part of the result. Only own members are looked at, whatever
 * they are called.
 * @throws StatusError 422 when an operation is none, or cannot be applied
 */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const root: Record<string, unknown> = { document }
  let copied = 0
  for (const operation of operations) {
    if (!isRecord(operation)) throw unprocessable()
    const { op, path, from, value } = operation
    switch (op) {
      case 'add':
        insert(placeOf(root, path), valueOf(operation))
        break
      case 'remove':
        take(placeOf(root, path))
        break
      case 'replace':
        // A member that is not there is set: RFC 6902 is stricter, Kubernetes is not (evanphx/json-patch v4, `replace`).
        write(placeOf(root, path), valueOf(operation))
        break
      case 'move': {
        if (typeof path !== 'string' || path.startsWith(`${String(from)}/`)) throw unprocessable()
        const moved = take(placeOf(root, from))
        insert(placeOf(root, path), moved)
        break
      }
      case 'copy': {
        const text = JSON.stringify(read(placeOf(root, from)))
        copied += text.length
        if (copied > maxCopiedLength) throw unprocessable()
        insert(placeOf(root, path), JSON.parse(text))
        break
      }
      case 'test':
        if (!isSameJson(read(placeOf(root, path)), value)) throw unprocessable()
        break
      default:
        throw unprocessable()
    }
  }
  return root['document']
}

function valueOf(operation: Record<string, unknown>): unknown {
  if (!Object.hasOwn(operation, 'value')) throw unprocessable()
  return structuredClone(operation['value'])
}

function placeOf(root: Record<string, unknown>, pointer: unknown): Place {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) throw unprocessable()
  const keys = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  keys[0] = 'document'
  let holder: unknown = root
  for (const key of keys.slice(0, -1)) holder = read(placeIn(holder, key))
  return placeIn(holder, keys.at(-1) ?? '')
}

function placeIn(holder: unknown, key: string): Place {
  if (Array.isArray(holder)) return { holder, key }
  // The one name that would not become a member like others.
  if (isRecord(holder) && key !== '__proto__') return { holder, key }
  throw unprocessable()
}

/** @param end the first index that is beyond */
function indexOf(key: string, end: number): number {
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) >= end) throw unprocessable()
  return Number(key)
}

function read({ holder, key }: Place): unknown {
  if (Array.isArray(holder)) return holder[indexOf(key, holder.length)]
  if (!Object.hasOwn(holder, key)) throw unprocessable()
  return holder[key]
}

function write({ holder, key }: Place, value: unknown) {
  if (Array.isArray(holder)) holder[indexOf(key, holder.length)] = value
  else holder[key] = value
}

function insert(place: Place, value: unknown) {
  const { holder, key } = place
  if (!Array.isArray(holder)) write(place, value)
  else holder.splice(key === '-' ? holder.length : indexOf(key, holder.length + 1), 0, value)
}

function take(place: Place): unknown {
  const { holder, key } = place
  const value = read(place)
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
  return value
}
