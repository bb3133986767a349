import ts from 'typescript'
import { bare, parse } from './symbol-graph.mjs'

/**
 * Optional properties of the console's own types that no file of the product writes, such as a prop that only tests set.
 * Names are compared, not types: one that is written anywhere counts as written everywhere.
 * @param {object} repository
 * @param {string[]} repository.files of the product
 * @param {(path: string) => string | undefined} repository.read
 * @param {{ symbol: string, why: string }[]} exceptions what others write, such as a server; symbols are `path#name`
 * @returns {{ unset: string[], needless: string[] }} also the exceptions that are not needed
 */
export function findUnsetOptions({ files, read }, exceptions) {
  /** @type {{ symbol: string, name: string }[]} */
  const options = []
  /** @type {Set<string>} */
  const written = new Set()
  for (const path of files) {
    const visit = (/** @type {ts.Node} */ node) => {
      if (ts.isPropertySignature(node) && node.questionToken && path.startsWith('packages/console/src/')) {
        const name = textOf(node.name)
        options.push({ symbol: `${path}#${name}`, name })
      }
      const name = nameWrittenBy(node)
      if (name) written.add(textOf(name))
      ts.forEachChild(node, visit)
    }
    visit(parse(path, read(path) ?? ''))
  }
  const unset = options.filter(({ name }) => !written.has(name)).map(({ symbol }) => symbol)
  const excepted = new Set(exceptions.map(({ symbol }) => symbol))
  return {
    unset: unset.filter((symbol) => !excepted.has(symbol)),
    needless: [...excepted].filter((symbol) => !unset.includes(symbol)),
  }
}

/** The name of the property to which a node gives a value. @param {ts.Node} node */
function nameWrittenBy(node) {
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) return node.name
  if (ts.isMethodDeclaration(node) || ts.isJsxAttribute(node)) return node.name
  const target = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && bare(node.left)
  return target && ts.isPropertyAccessExpression(target) ? target.name : undefined
}

/** @param {ts.Node} name */
const textOf = (name) => (ts.isStringLiteralLike(name) ? name.text : name.getText())
