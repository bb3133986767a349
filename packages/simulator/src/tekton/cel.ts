import { Environment, type ASTNode } from '@marcbachmann/cel-js'
import { operandsOf } from '@slipway/model/cel-ast'

const environment = new Environment()

/** Their cost is that of the expression. `matches` and macros could block the process for minutes. */
const supportedMethods = new Set(['contains', 'startsWith', 'endsWith', 'size'])

/**
 * Evaluates a `when` expression in CEL, whose variables Tekton has replaced before. Source: tektoncd/pipeline,
 * EvaluateCEL.
 * @throws Error with the message of the run's condition
 */
export function evaluateCel(expression: string): boolean {
  const parsed = environment.parse(expression)
  const unsupported = methodsOf(parsed.ast).find((name) => !supportedMethods.has(name))
  if (unsupported !== undefined) throw new Error(`the simulator does not support the function ${unsupported}`)
  const { valid, error } = environment.check(expression)
  if (!valid) throw error ?? new Error('not a valid expression')
  const result: unknown = parsed({})
  if (typeof result !== 'boolean') throw new Error(`The CEL expression ${expression} is not evaluated to a boolean`)
  return result
}

/** Names of all methods and macros that are called on a value. */
function methodsOf(node: ASTNode): string[] {
  const own = node.op === 'rcall' ? [node.args[0]] : []
  return [...own, ...operandsOf(node).flatMap(methodsOf)]
}
