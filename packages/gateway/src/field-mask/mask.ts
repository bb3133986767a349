import { lruCache } from '../lru-cache'
import { badRequest } from '../http-error'

/** What is kept of an object: these fields. A field without fields of its own is kept whole. */
export interface FieldMask {
  readonly fields: ReadonlyMap<string, FieldMask>
}

interface GrowingMask extends FieldMask {
  readonly fields: Map<string, GrowingMask>
}

export const maskLimits = { characters: 4096, fields: 128, depth: 16 }

/** Kept of every object, asked for or not: without them a client cannot tell one from another or from its past. */
const always = [['apiVersion'], ['kind'], ['metadata', 'uid'], ['metadata', 'resourceVersion']]

/** A console asks by the same few masks all day: thousands of watches share what was made of them. */
const known = lruCache<FieldMask>(256)

const plainName = /[A-Za-z0-9_$-]+/y
const quotedName = /`((?:[^`]|``)+)`/y
const controls = /[\u0000-\u001f\u007f]/

/**
 * Reads a mask such as ``metadata.name,metadata.labels.`example.com/team`,status.conditions.type``: paths of fields with
 * commas between them. Arrays are looked through; a name with other characters than letters, digits, `_`, `-` and `$`
 * stands in backticks (one within it is doubled). Source: AIP-161, without its wildcards.
 * @param texts one for each parameter of the query; together they are one mask
 * @throws Refusal 400 that tells the place
 */
export function parseFieldMask(texts: readonly string[]): FieldMask {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > maskLimits.characters) {
    throw badRequest(`fieldMask is longer than ${maskLimits.characters} characters.`)
  }
  const key = JSON.stringify(texts)
  const before = known.get(key)
  if (before) return before
  const paths = texts.flatMap(pathsOf)
  if (paths.length > maskLimits.fields) throw badRequest(`fieldMask has more than ${maskLimits.fields} fields.`)
  const mask: GrowingMask = { fields: new Map() }
  for (const path of [...always, ...paths]) add(mask, path)
  known.set(key, mask)
  return mask
}

function pathsOf(text: string): string[][] {
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
    if (controls.test(name.text)) throw fail('a field name has a control character', at)
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
      if (next !== ',') throw fail('a name with this character must stand in backticks', at)
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

/** A field that is kept whole stays so, whichever of `spec` and `spec.params` comes first. */
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
