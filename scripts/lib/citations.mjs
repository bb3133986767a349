import ts from 'typescript'
import { bare, topLevelNames, usesIn } from './symbol-graph.mjs'

const idPattern = /[A-Z]{2,7}-\d{2,3}/
const leadingIds = new RegExp(`^(${idPattern.source}(?:,\\s*${idPattern.source})*)(?:\\s|$)`)

/**
 * @typedef {import('./symbol-graph.mjs').Use} Use
 *
 * @typedef {object} Citation of ids by a test
 * @property {string} path
 * @property {string} title
 * @property {string[]} ids also those of the groups around it
 * @property {boolean} alwaysRuns and is expected to pass
 * @property {Use[]} uses what the test, its groups and the hooks of its file use
 */

/**
 * The tests of a file that cite requirements. A title is the first string given to `describe`, `it` or `test`, or the
 * first string of a row given to `.each` or `.for`; ids count at its beginning. A group cites through its tests.
 * @param {ts.SourceFile} file
 * @returns {Citation[]}
 */
export function citationsIn(file) {
  const names = topLevelNames(file)
  /** @type {Citation[]} */
  const citations = []

  /** @param {ts.Node} node @param {Omit<Citation, 'path' | 'title'>} group */
  const visit = (node, group) => {
    if (!ts.isCallExpression(node) || !isTestFunction(node.expression)) {
      ts.forEachChild(node, (child) => visit(child, group))
      return
    }
    const titles = titlesOf(node, file)
    const ids = [...group.ids, ...titles.flatMap(idsAtStart)]
    const alwaysRuns = group.alwaysRuns && !isConditional(node.expression)
    if (isGroup(node.expression)) {
      const uses = [...group.uses, ...usesIn(node, names, (inner) => inner !== node && isTestCall(inner))]
      node.arguments.forEach((argument) => visit(argument, { ids, alwaysRuns, uses }))
      return
    }
    if (ids.length === 0) return
    citations.push({
      path: file.fileName,
      title: titles[0] ?? '',
      ids: [...new Set(ids)],
      alwaysRuns: alwaysRuns && !skipsItself(node),
      uses: [...group.uses, ...usesIn(node, names)],
    })
  }

  const hooks = file.statements
    .filter(ts.isExpressionStatement)
    .flatMap((statement) => usesIn(statement, names, isTestCall))
  visit(file, { ids: [], alwaysRuns: true, uses: hooks })
  return citations
}

/** @param {string} title */
const idsAtStart = (title) => title.match(leadingIds)?.[1]?.split(/,\s*/) ?? []

/** @param {ts.Node} node */
const isTestCall = (node) => ts.isCallExpression(node) && isTestFunction(node.expression)

/**
 * Whether an expression that is called defines tests: `it`, `it.each`, `test.describe`, `it.skipIf(…)`, `it.each(…)`.
 * @param {ts.Expression} expression
 * @returns {boolean}
 */
function isTestFunction(expression) {
  return (
    ['describe', 'it', 'test'].includes(rootOf(expression)) && !modifiersOf(expression).some((name) => hooks.has(name))
  )
}

/** Functions of Playwright's `test` that define no test; `test.skip(…)` within a test defines none either. */
const hooks = new Set([
  'beforeAll',
  'beforeEach',
  'afterAll',
  'afterEach',
  'step',
  'use',
  'extend',
  'setTimeout',
  'slow',
  'info',
])

/** @param {ts.Expression} expression */
const isGroup = (expression) => rootOf(expression) === 'describe' || modifiersOf(expression).includes('describe')

/** Whether a test does not run everywhere, or is expected to fail. @param {ts.Expression} expression */
const isConditional = (expression) => modifiersOf(expression).some((name) => conditional.has(name))

const conditional = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fails', 'fixme', 'fail'])

/** Whether a test may skip itself while it runs: `test.skip(…)`, `context.skip()`. @param {ts.Node} node */
function skipsItself(node) {
  let found = false
  const visit = (/** @type {ts.Node} */ inner) => {
    if (ts.isCallExpression(inner) && inner !== node) {
      const called = inner.expression
      const name = ts.isPropertyAccessExpression(called) ? called.name.text : ts.isIdentifier(called) ? called.text : ''
      found ||= ['skip', 'fixme'].includes(name)
    }
    ts.forEachChild(inner, visit)
  }
  visit(node)
  return found
}

/** `it` of `it.skipIf(…).each(…)`. @param {ts.Expression} expression @returns {string} */
function rootOf(expression) {
  if (ts.isIdentifier(expression)) return expression.text
  return ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression)
    ? rootOf(expression.expression)
    : ''
}

/** `skipIf` and `each` of `it.skipIf(…).each(…)`. @param {ts.Expression} expression @returns {string[]} */
function modifiersOf(expression) {
  if (ts.isPropertyAccessExpression(expression)) return [...modifiersOf(expression.expression), expression.name.text]
  return ts.isCallExpression(expression) ? modifiersOf(expression.expression) : []
}

/**
 * The title of a test, and those in the rows of its table.
 * @param {ts.CallExpression} call
 * @param {ts.SourceFile} file
 * @returns {string[]}
 */
function titlesOf(call, file) {
  const rows = ts.isCallExpression(call.expression) ? tableOf(call.expression, file) : []
  return [textOf(call.arguments[0]), ...rows.map(firstTextIn)].filter((title) => title !== undefined)
}

/** @param {ts.CallExpression} call @param {ts.SourceFile} file */
const tableOf = ({ expression, arguments: [table] }, file) =>
  ts.isPropertyAccessExpression(expression) && ['each', 'for'].includes(expression.name.text) ? rowsOf(table, file) : []

/**
 * The rows of a table, written in place or as a constant of the same file.
 * @param {ts.Expression | undefined} table
 * @param {ts.SourceFile} file
 * @returns {readonly ts.Expression[]}
 */
function rowsOf(table, file) {
  const literal = bare(table)
  if (!literal) return []
  if (ts.isArrayLiteralExpression(literal)) return literal.elements
  if (!ts.isIdentifier(literal)) return []
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && name.text === literal.text) return rowsOf(initializer, file)
    }
  }
  return []
}

/**
 * The first string of a row: of `'a'`, of `['a', 1]`, or of `{ title: 'a', expected: 1 }`.
 * @param {ts.Expression} row
 * @returns {string | undefined}
 */
function firstTextIn(row) {
  const literal = bare(row)
  if (!literal) return undefined
  if (ts.isArrayLiteralExpression(literal)) return literal.elements.map(textOf).find((text) => text !== undefined)
  if (ts.isObjectLiteralExpression(literal)) {
    const values = literal.properties.map((property) => ts.isPropertyAssignment(property) && property.initializer)
    return values.map((value) => (value ? textOf(value) : undefined)).find((text) => text !== undefined)
  }
  return textOf(literal)
}

/**
 * Text of a string or of the beginning of a template.
 * @param {ts.Expression | undefined} expression
 */
function textOf(expression) {
  const literal = bare(expression)
  if (!literal) return undefined
  if (ts.isStringLiteralLike(literal)) return literal.text
  return ts.isTemplateExpression(literal) ? literal.head.text : undefined
}
