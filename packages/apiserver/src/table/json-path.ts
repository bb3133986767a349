import { isRecord } from '@slipway/kube/object'
import { ownValue } from '../apiextensions/json'

/**
 * The JSONPath of printer columns: `.a.b`, `['a']`, `[0]`, `[-1]`, `[*]`, `[?(@.a=="b")]`, dots in names escaped with a
 * backslash. Returns every value found.
 */
export type JsonPath = (value: unknown) => unknown[]

type Step = (value: unknown) => unknown[]

/** Returns `undefined` for a path with any other syntax. */
export function parseJsonPath(source: string): JsonPath | undefined {
  let rest = source
    .trim()
    .replace(/^\{(.*)\}$/, '$1')
    .replace(/^\$/, '')
  const steps: Step[] = []
  while (rest) {
    const parsed = parseStep(rest)
    if (!parsed) return undefined
    steps.push(parsed.step)
    rest = rest.slice(parsed.length)
  }
  return (value) => steps.reduce<unknown[]>((values, step) => values.flatMap(step), [value])
}

function parseStep(text: string): { step: Step; length: number } | undefined {
  for (const { pattern, make } of grammar) {
    const match = pattern.exec(text)
    const step = match && make(match[1] ?? '', match[2] ?? '', match[3] ?? '')
    if (step) return { step, length: match[0].length }
  }
  return undefined
}

interface Rule {
  pattern: RegExp
  make(a: string, b: string, c: string): Step | undefined
}

const all: Step = (value) => (Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [])

const field =
  (name: string): Step =>
  (value) => {
    const found = isRecord(value) ? ownValue(value, name) : undefined
    return found === undefined ? [] : [found]
  }

const grammar: readonly Rule[] = [
  { pattern: /^(?:\.\*|\[\*\])/, make: () => all },
  { pattern: /^\.((?:\\.|[^.[\]\\{}()?@'"*])+)/, make: (name) => field(name.replaceAll(/\\(.)/g, '$1')) },
  { pattern: /^\[(?:'([^']*)'|"([^"]*)")\]/, make: (single, double) => field(single || double) },
  {
    pattern: /^\[(-?\d+)\]/,
    make: (index) => (value) => {
      const item: unknown = Array.isArray(value) ? value.at(Number(index)) : undefined
      return item === undefined ? [] : [item]
    },
  },
  {
    pattern: /^\[\?\(\s*@([^=!<>\s]+)\s*(==|!=)\s*([^)]+?)\s*\)\]/,
    make(path, operator, literal) {
      const inner = parseJsonPath(path)
      const expected = literalOf(literal)
      if (!inner || expected === undefined) return undefined
      const matches = (item: unknown) => inner(item).some((found) => found === expected) === (operator === '==')
      return (value) => (Array.isArray(value) ? value.filter(matches) : [])
    },
  },
]

function literalOf(text: string): unknown {
  const quoted = /^'([^']*)'$|^"([^"]*)"$/.exec(text)
  if (quoted) return quoted[1] ?? quoted[2]
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}
