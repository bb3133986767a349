import type { ASTNode } from '@marcbachmann/cel-js'

/** The expressions that a CEL expression is composed of. */
export const operandsOf = ({ args }: ASTNode): ASTNode[] => nodesIn(args)

/** What stands there depends on the operator: nodes, names and values, also in lists. */
const nodesIn = (args: unknown): ASTNode[] => {
  if (Array.isArray(args)) return args.flatMap(nodesIn)
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : []
}
