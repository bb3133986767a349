import { fastifyCookie } from '@fastify/cookie'

/**
 * A value stored in as many cookies as it needs: `name`, `name.1`, `name.2`, ... The first starts with their number, so
 * that one left over from a longer value is never read as part of a shorter one.
 */
export interface ChunkedCookie {
  /** Returns `undefined` if a part is missing. @param header the `Cookie` header */
  read(header: string | undefined): string | undefined
  /** The `Set-Cookie` headers, including those that remove obsolete parts. @param header the request's `Cookie` header */
  write(value: string, maxAgeMs: number, header?: string): string[]
  remove(header: string | undefined): string[]
}

/** Browsers silently drop a cookie larger than 4096 bytes, including its name and attributes. */
const chunkLength = 3_800
const maxChunks = 16

/** @param path for which browsers send it; empty for the whole host */
export function chunkedCookie(name: string, { isHttps, path }: { isHttps: boolean; path: string }): ChunkedCookie {
  const attributes = { httpOnly: true, sameSite: 'lax', path: path || '/', secure: isHttps } as const
  const partName = (index: number) => (index === 0 ? name : `${name}.${index}`)
  const removal = (part: string) => fastifyCookie.serialize(part, '', { ...attributes, maxAge: 0 })
  /** The names of our cookies in the request, from the given part on. */
  const partsFrom = (first: number, header: string | undefined) => {
    const sent = cookiesOf(header)
    return Array.from({ length: maxChunks }, (_, index) => index)
      .filter((index) => index >= first && sent[partName(index)] !== undefined)
      .map(partName)
  }

  return {
    read(header) {
      const sent = cookiesOf(header)
      const [, count, first] = /^(\d{1,2})~(.*)$/.exec(sent[name] ?? '') ?? []
      if (count === undefined || first === undefined || Number(count) > maxChunks) return undefined
      const rest = Array.from({ length: Math.max(0, Number(count) - 1) }, (_, index) => sent[partName(index + 1)])
      return rest.includes(undefined) ? undefined : [first, ...rest].join('')
    },

    write(value, maxAgeMs, header) {
      const count = Math.max(1, Math.ceil(value.length / chunkLength))
      if (count > maxChunks) throw new Error('The value does not fit into cookies.')
      const options = { ...attributes, maxAge: Math.floor(maxAgeMs / 1000) }
      const parts = Array.from({ length: count }, (_, index) => {
        const part = value.slice(index * chunkLength, (index + 1) * chunkLength)
        return fastifyCookie.serialize(partName(index), index === 0 ? `${count}~${part}` : part, options)
      })
      return [...parts, ...partsFrom(count, header).map(removal)]
    },

    remove: (header) => [removal(name), ...partsFrom(1, header).map(removal)],
  }
}

export const cookiesOf = (header: string | undefined): Record<string, string | undefined> =>
  header ? fastifyCookie.parse(header) : {}
