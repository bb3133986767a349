import type { Message, Type } from './message'
import spellings from './messages.json' with { type: 'json' }

// messages.json is generated from the Go types of Kubernetes: see scripts/control-plane/kubernetes/messages.

const known = new Map<string, Message>()

/** The message of a Go type, such as `core/v1.Pod`. @throws Error for a name that messages.json does not have */
export function messageNamed(name: string): Message {
  const found = known.get(name)
  if (found) return found
  const fields = (spellings as Record<string, Record<string, string>>)[name] // The file has such records only.
  if (!fields) throw new Error(`no message ${name}`)
  const message = Object.fromEntries(Object.entries(fields).map(([number, field]) => [number, fieldOf(field)]))
  known.set(name, message)
  return message
}

/** @param spelled such as `name string?`, or ` core/v1.VolumeSource` for an inline message */
function fieldOf(spelled: string): Message[number] {
  const [, name = '', type = '', omitsEmpty] = /^(\S*) (.*?)(\?)?$/.exec(spelled) ?? []
  return name ? [name, typeOf(type, !omitsEmpty)] : { inline: messageNamed(type) }
}

const special: Readonly<Record<string, Type>> = {
  bytes: { is: 'bytes' },
  time: { is: 'time' },
  microTime: { is: 'microTime' },
  intOrString: { is: 'intOrString' },
  quantity: { is: 'wrapped', of: { is: 'string', keepsZero: false }, empty: () => '0' },
  /** JSON text, such as a field set of server-side apply. */
  json: { is: 'wrapped', of: { is: 'json' }, empty: () => undefined },
  wrappedStrings: { is: 'wrapped', of: { is: 'list', of: { is: 'string', keepsZero: true } }, empty: () => [] },
}

/**
 * Typed clients always write scalars that are not pointers, so "", 0 and false mean "not set" wherever Go's JSON has
 * `omitempty`. In a pointer, or a field without `omitempty`, zero is a real value: gracePeriodSeconds: 0.
 */
function typeOf(spelled: string, keepsZero: boolean): Type {
  if (spelled.startsWith('[]')) {
    const of = typeOf(spelled.slice(2), true)
    return { is: 'list', of, keepsEmpty: keepsZero && of.is === 'string' }
  }
  if (spelled.startsWith('map ')) return { is: 'map', of: typeOf(spelled.slice(4), true) }
  if (spelled === 'string' || spelled === 'int' || spelled === 'bool') return { is: spelled, keepsZero }
  return special[spelled] ?? { is: 'message', message: messageNamed(spelled) }
}
