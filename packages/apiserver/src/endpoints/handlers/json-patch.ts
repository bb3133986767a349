import { isSameJson } from '@slipway/kube/json'
import { isRecord } from '@slipway/kube/object'
import { unprocessable } from '../../errors'

/** Total size of a patch's copies, so that a short patch cannot exhaust memory. Source: k8s.io/apiserver, config.go. */
const maxCopiedLength = 3 * 1024 * 1024

/** What a JSON pointer refers to: a member of an object or an element of a list. */
type Target = { holder: Record<string, unknown>; key: string } | { holder: unknown[]; key: string }

/**
 * Applies RFC 6902 in place. The result shares nothing with the patch. Only own members are read, whatever their
 * names.
 * @throws StatusError 422 if an operation is invalid or cannot be applied
 */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const root: Record<string, unknown> = { document }
  let copied = 0
  for (const operation of operations) {
    if (!isRecord(operation)) throw unprocessable()
    const { op, path, from, value } = operation
    switch (op) {
      case 'add':
        insert(resolvePointer(root, path), valueOf(operation))
        break
      case 'remove':
        remove(resolvePointer(root, path))
        break
      case 'replace':
        // Sets a missing member: RFC 6902 forbids this, but Kubernetes allows it (evanphx/json-patch v4, `replace`).
        write(resolvePointer(root, path), valueOf(operation))
        break
      case 'move': {
        if (typeof path !== 'string' || path.startsWith(`${String(from)}/`)) throw unprocessable()
        const moved = remove(resolvePointer(root, from))
        insert(resolvePointer(root, path), moved)
        break
      }
      case 'copy': {
        const text = JSON.stringify(read(resolvePointer(root, from)))
        copied += text.length
        if (copied > maxCopiedLength) throw unprocessable()
        insert(resolvePointer(root, path), JSON.parse(text))
        break
      }
      case 'test':
        if (!isSameJson(read(resolvePointer(root, path)), value)) throw unprocessable()
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

function resolvePointer(root: Record<string, unknown>, pointer: unknown): Target {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) throw unprocessable()
  const keys = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  keys[0] = 'document'
  let holder: unknown = root
  for (const key of keys.slice(0, -1)) holder = read(memberOf(holder, key))
  return memberOf(holder, keys.at(-1) ?? '')
}

function memberOf(holder: unknown, key: string): Target {
  if (Array.isArray(holder)) return { holder, key }
  // The only name that would not become an ordinary member.
  if (isRecord(holder) && key !== '__proto__') return { holder, key }
  throw unprocessable()
}

/** @param end the first index that is out of range */
function indexOf(key: string, end: number): number {
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) >= end) throw unprocessable()
  return Number(key)
}

function read({ holder, key }: Target): unknown {
  if (Array.isArray(holder)) return holder[indexOf(key, holder.length)]
  if (!Object.hasOwn(holder, key)) throw unprocessable()
  return holder[key]
}

function write({ holder, key }: Target, value: unknown) {
  if (Array.isArray(holder)) holder[indexOf(key, holder.length)] = value
  else holder[key] = value
}

function insert(target: Target, value: unknown) {
  const { holder, key } = target
  if (!Array.isArray(holder)) write(target, value)
  else holder.splice(key === '-' ? holder.length : indexOf(key, holder.length + 1), 0, value)
}

function remove(target: Target): unknown {
  const { holder, key } = target
  const value = read(target)
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
  return value
}
