import type { ParamValue } from '@slipway/model/runs/tekton'

/**
 * Returns the value of a variable such as `params.revision` or `tasks.clone.results.commit`; `undefined` if it is
 * unknown.
 */
export type Variables = (name: string) => ParamValue | undefined

const variable = /\$\(([^()$]+)\)/g
const wholeArray = /^\$\(([^()$]+)\[\*\]\)$/

/**
 * Replaces each `$(name)` in a value; unknown variables are left as they are. A list element `$(name[*])` is replaced
 * by all elements of that list. Source: Tekton, docs/variables.md.
 */
export function substitute<T>(value: T, variables: Variables): T {
  // A string, list or object is replaced by a value of the same type.
  return replaced(value, variables) as T
}

function replaced(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return replacedText(value, variables)
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown) => {
      const result = replaced(element, variables)
      const isSpread = typeof element === 'string' && wholeArray.test(element)
      return isSpread && Array.isArray(result) ? (result as unknown[]) : [result]
    })
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, replaced(field, variables)]))
  }
  return value
}

function replacedText(text: string, variables: Variables): ParamValue {
  const name = wholeArray.exec(text)?.[1]
  const whole = name === undefined ? undefined : variables(name)
  if (whole !== undefined && typeof whole !== 'string') return whole
  return text.replace(variable, (match, expression: string) => {
    const found = lookUp(expression, variables)
    return typeof found === 'string' ? found : match
  })
}

/** Looks up a variable (`a["b"]` is the same as `a.b`), or an element (`a[0]`) or field (`a.key`) of one. */
function lookUp(expression: string, variables: Variables): ParamValue | undefined {
  const name = expression.trim().replace(/\[["']([^"']+)["']\]/g, '.$1')
  const known = variables(name)
  if (known !== undefined) return known
  const [, list, index] = /^(.*)\[(\d+)\]$/.exec(name) ?? []
  if (list !== undefined) {
    const values = variables(list)
    return Array.isArray(values) ? values[Number(index)] : undefined
  }
  const dot = name.lastIndexOf('.')
  const fields = dot > 0 ? variables(name.slice(0, dot)) : undefined
  return typeof fields === 'object' && !Array.isArray(fields) ? fields[name.slice(dot + 1)] : undefined
}

export interface ResultReference {
  task: string
  result: string
}

/** All references `$(tasks.{task}.results.{result}…)` in the value. */
export function resultReferences(value: unknown): ResultReference[] {
  const text = JSON.stringify(value) ?? ''
  return [...text.matchAll(/\$\(tasks\.([^.()]+)\.results(?:\.([^.()[\]\\]+)|\[\\?["']([^"'\\]+)\\?["']\])/g)].map(
    ([, task = '', plain, quoted]) => ({ task, result: plain ?? quoted ?? '' }),
  )
}
