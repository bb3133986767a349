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
 * @property {string[]} fixtures names of the fixtures that the test asks for
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

  /** @param {ts.Node} node @param {Pick<Citation, 'ids' | 'alwaysRuns' | 'uses'>} group */
  const visit = (node, group) => {
    if (!ts.isCallExpression(node) || !isTestFunction(node.expression)) {
      const inner = isChoice(node) ? { ...group, alwaysRuns: false } : group
      ts.forEachChild(node, (child) => visit(child, inner))
      return
    }
    const titles = titlesOf(node, file)
    const ids = [...group.ids, ...titles.flatMap(idsAtStart)]
    const alwaysRuns = group.alwaysRuns && !isConditional(node.expression) && !hasEmptyTable(node, file)
    if (isGroup(node.expression)) {
      const isLeftOut = (/** @type {ts.Node} */ inner) => (inner !== node && isTestCall(inner)) || assertsNothing(inner)
      const uses = [...group.uses, ...usesIn(node, names, isLeftOut)]
      const inner = { ids, alwaysRuns: alwaysRuns && !statementsOf(node).some(skipsGroup), uses }
      node.arguments.forEach((argument) => visit(argument, inner))
      return
    }
    if (ids.length === 0) return
    citations.push({
      path: file.fileName,
      title: titles[0] ?? '',
      ids: [...new Set(ids)],
      alwaysRuns: alwaysRuns && !skipsItself(node),
      fixtures: fixturesOf(node),
      uses: [...group.uses, ...usesIn(node, names, assertsNothing)],
    })
  }

  const hooks = file.statements
    .filter(ts.isExpressionStatement)
    .flatMap((statement) => usesIn(statement, names, (inner) => isTestCall(inner) || assertsNothing(inner)))
  visit(file, { ids: [], alwaysRuns: !file.statements.some(skipsGroup), uses: hooks })
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

/** Whether only one of several branches runs. @param {ts.Node} node */
const isChoice = (node) =>
  ts.isIfStatement(node) ||
  ts.isConditionalExpression(node) ||
  (ts.isBinaryExpression(node) &&
    [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken].includes(
      node.operatorToken.kind,
    ))

/** The statements of the function that defines a group. @param {ts.CallExpression} group @returns {readonly ts.Node[]} */
function statementsOf(group) {
  const define = group.arguments.find((argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument))
  return define && ts.isBlock(define.body) ? define.body.statements : []
}

/**
 * Whether a statement may skip every test beside it: a hook that skips, or `test.skip(isElsewhere, 'why')`.
 * @param {ts.Node} statement
 */
function skipsGroup(statement) {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return false
  const { expression: called, arguments: values } = statement.expression
  const isHook = ['beforeAll', 'beforeEach'].includes(modifiersOf(called).at(-1) ?? rootOf(called))
  if (isHook) return skipsItself(statement.expression)
  const skips = ['skip', 'fixme'].includes(modifiersOf(called).at(-1) ?? '') && rootOf(called) === 'test'
  return skips && textOf(values[0]) === undefined
}

/** Whether a node is an assertion without a matcher: `expect(x)` alone. @param {ts.Node} node */
const assertsNothing = (node) =>
  ts.isCallExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'expect' &&
  (ts.isExpressionStatement(node.parent) || ts.isVoidExpression(node.parent) || ts.isAwaitExpression(node.parent))

/** The fixtures of a Playwright test: `page` of `({ page }) => …`. @param {ts.CallExpression} call */
function fixturesOf(call) {
  const run = call.arguments.find((argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument))
  const pattern = run?.parameters[0]?.name
  if (!pattern || !ts.isObjectBindingPattern(pattern)) return []
  return pattern.elements.map(({ propertyName, name }) => (propertyName ?? name).getText())
}

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
const tableOf = (call, file) => (isTable(call) ? (rowsOf(call.arguments[0], file) ?? []) : [])

/** Whether a test has a table without rows, and never runs. @param {ts.CallExpression} call @param {ts.SourceFile} file */
const hasEmptyTable = ({ expression }, file) =>
  ts.isCallExpression(expression) && isTable(expression) && rowsOf(expression.arguments[0], file)?.length === 0

/** @param {ts.CallExpression} call */
const isTable = ({ expression }) =>
  ts.isPropertyAccessExpression(expression) && ['each', 'for'].includes(expression.name.text)

/**
 * The rows of a table, written in place or as a constant of the same file.
 * @param {ts.Expression | undefined} table
 * @param {ts.SourceFile} file
 * @returns {readonly ts.Expression[] | undefined} `undefined` if they are made elsewhere
 */
function rowsOf(table, file) {
  const literal = bare(table)
  if (!literal) return undefined
  if (ts.isArrayLiteralExpression(literal)) return literal.elements
  if (!ts.isIdentifier(literal)) return undefined
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && name.text === literal.text) return rowsOf(initializer, file)
    }
  }
  return undefined
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
