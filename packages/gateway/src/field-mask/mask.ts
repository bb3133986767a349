import { lruCache } from '../lru-cache'
import { badRequest } from '../http-error'

/** The fields to include of an object. A field without subfields is included completely. */
export interface FieldMask {
  readonly fields: ReadonlyMap<string, FieldMask>
}

interface GrowingMask extends FieldMask {
  readonly fields: Map<string, GrowingMask>
}

export const maskLimits = { characters: 4096, fields: 128, depth: 16 }

/** Included in every object: without them, clients cannot tell objects or versions of an object apart. */
const alwaysIncluded = [['apiVersion'], ['kind'], ['metadata', 'uid'], ['metadata', 'resourceVersion']]

/** A console uses the same few masks all day, and thousands of watches share the parsed result. */
const recentMasks = lruCache<FieldMask>(256)

const plainName = /[A-Za-z0-9_$-]+/y
const quotedName = /`((?:[^`]|``)+)`/y
const controls = /[\u0000-\u001f\u007f]/

/**
 * Parses a mask such as ``metadata.name,metadata.labels.`example.com/team`,status.conditions.type``: comma-separated
 * field paths. A path applies to each element of an array. A name with characters other than letters, digits, `_`, `-`
 * and `$` is quoted with backticks (a backtick within it is doubled). Source: AIP-161, without its wildcards.
 * @param texts the values of all `fieldMask` parameters, which form one mask
 * @throws HttpError 400 with the position of the error
 */
export function parseFieldMask(texts: readonly string[]): FieldMask {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > maskLimits.characters) {
    throw badRequest(`fieldMask is longer than ${maskLimits.characters} characters.`)
  }
  const key = JSON.stringify(texts)
  const cached = recentMasks.get(key)
  if (cached) return cached
  const paths = texts.flatMap(parsePaths)
  if (paths.length > maskLimits.fields) throw badRequest(`fieldMask has more than ${maskLimits.fields} fields.`)
  const mask: GrowingMask = { fields: new Map() }
  for (const path of [...alwaysIncluded, ...paths]) add(mask, path)
  recentMasks.set(key, mask)
  return mask
}

function parsePaths(text: string): string[][] {
  const fail = (problem: string, at: number) => {
    const found = at < text.length ? `before ${JSON.stringify(text.slice(at, at + 20))}` : 'at the end'
    return badRequest(`fieldMask: ${problem} (character ${at + 1}, ${found}).`)
  }
  const paths: string[][] = []
  let path: string[] = []
  let at = 0
  const readName = (): string => {
    const name = nameAt(text, at)
    if (!name) {
      const isOpen = text[at] === '`' && text[at + 1] !== '`'
      throw fail(isOpen ? 'a backtick is not closed' : 'a field name is missing', at)
    }
    if (controls.test(name.text)) throw fail('a field name contains a control character', at)
    at += name.length
    return name.text
  }
  for (;;) {
    if (path.length === maskLimits.depth) throw fail(`a path is deeper than ${maskLimits.depth} fields`, at)
    path.push(readName())
    const next = text[at]
    if (next !== '.') {
      paths.push(path)
      path = []
      if (next === undefined) return paths
      if (next !== ',') throw fail('a name with this character must be quoted with backticks', at)
    }
    at++
  }
}

function nameAt(text: string, at: number): { text: string; length: number } | undefined {
  quotedName.lastIndex = at
  const quoted = quotedName.exec(text)
  if (quoted) return { text: (quoted[1] ?? '').replaceAll('``', '`'), length: quoted[0].length }
  plainName.lastIndex = at
  const plain = plainName.exec(text)
  return plain ? { text: plain[0], length: plain[0].length } : undefined
}

/** `spec` includes the whole field, whether it comes before or after `spec.params`. */
function add(mask: GrowingMask, path: readonly string[]): void {
  let { fields } = mask
  for (const [index, name] of path.entries()) {
    const present = fields.get(name)
    if (present?.fields.size === 0) return
    const next: GrowingMask = present ?? { fields: new Map() }
    fields.set(name, next)
    if (index === path.length - 1) next.fields.clear()
    ;({ fields } = next)
  }
}
