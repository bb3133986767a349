import { isScalar, LineCounter, parseDocument, visit } from 'yaml'

/** Members that an object has twice: the last one counts, and whoever is strict is told of the others. */

interface Frame {
  /** Of an object; a list has none. */
  keys: Set<string> | undefined
  step: string | number
}

/**
 * Error texts of a JSON text: `duplicate field "spec.x"`.
 * @param value what the text was read as
 */
export function duplicateMembers(text: string, value: unknown): string[] {
  // What is written as it would be written again has nothing twice: nearly always so, and quickly found out.
  if (JSON.stringify(value) === text.trimEnd()) return []
  const found = new Set<string>()
  const frames: Frame[] = []
  let awaitsKey = false
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    const frame = frames.at(-1)
    if (token === '{' || token === '[') {
      awaitsKey = token === '{'
      frames.push(awaitsKey ? { keys: new Set(), step: '' } : { keys: undefined, step: 0 })
    } else if (token === '}' || token === ']') {
      frames.pop()
      awaitsKey = false
    } else if (token === ',') {
      awaitsKey = frame?.keys !== undefined
      if (typeof frame?.step === 'number') frame.step++
    } else if (awaitsKey && frame?.keys) {
      const key = String(JSON.parse(token))
      frame.step = key
      if (frame.keys.has(key)) found.add(`duplicate field ${JSON.stringify(pathOf(frames))}`)
      frame.keys.add(key)
      awaitsKey = false
    }
  }
  return [...found]
}

const pathOf = (frames: readonly Frame[]): string =>
  frames
    .map(({ step }) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')

/** A YAML text, with the error texts of what it has twice. @throws Error for a text that is no YAML */
export function parseYaml(text: string): { value: unknown; duplicates: string[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines })
  const [error] = document.errors
  if (error) throw error
  const duplicates: string[] = []
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        const { line } = lines.linePos(key.range?.[0] ?? 0)
        if (seen.has(key.value)) duplicates.push(`  line ${line}: key ${JSON.stringify(key.value)} already set in map`)
        seen.add(key.value)
      }
    },
  })
  const value: unknown = document.toJS({ maxAliasCount })
  return { value, duplicates: duplicates.length > 0 ? [`yaml: unmarshal errors:\n${duplicates.join('\n')}`] : [] }
}

/** A few lines of YAML can stand for gigabytes. */
const maxAliasCount = 100
