import ts from 'typescript'

const idPattern = /[A-Z]{2,7}-\d{2,3}/
const leadingIds = new RegExp(`^(${idPattern.source}(?:,\\s*${idPattern.source})*)(?:\\s|$)`)

/**
 * The ids of a requirements list: the first cell of each table row. Struck-through ids no longer hold.
 * @param {string} markdown
 * @returns {string[]}
 */
export const requirementIds = (markdown) =>
  [...markdown.matchAll(new RegExp(`^\\| *(${idPattern.source}) *\\|`, 'gm'))].map((match) => match[1] ?? '')

/**
 * The ids a test file cites: those its titles begin with. A title is the first string given to `describe`, `it` or
 * `test` (also `it.skipIf(…)('…')` and the like), or the first string of a row given to `.each` or `.for`.
 * @param {string} fileName
 * @param {string} source
 * @returns {string[]} each id once
 */
export function citedIds(fileName, source) {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true)
  /** @type {Set<string>} */
  const ids = new Set()
  const cite = (/** @type {string | undefined} */ title) => {
    for (const id of title?.match(leadingIds)?.[1]?.split(/,\s*/) ?? []) ids.add(id)
  }
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isCallExpression(node) && isTestFunction(node.expression)) {
      const [first] = node.arguments
      cite(textOf(first))
      if (isTable(node.expression)) rowsOf(first, file).forEach((row) => cite(firstTextIn(row)))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...ids]
}

/**
 * Per area (the part of an id before the dash): how many requirements tests cite, and which none cites. A citation is a
 * claim: whether the test proves it, a reader judges.
 * @param {string[]} required
 * @param {Iterable<string>} cited
 */
export function coverage(required, cited) {
  const known = new Set(cited)
  /** @type {Map<string, { area: string, total: number, uncited: string[] }>} */
  const areas = new Map()
  for (const id of required) {
    const area = areaOf(id)
    const entry = areas.get(area) ?? { area, total: 0, uncited: [] }
    areas.set(area, entry)
    entry.total++
    if (!known.has(id)) entry.uncited.push(id)
  }
  return [...areas.values()]
}

/**
 * Ids of one area in short: `['LIVE-01', 'LIVE-02', 'LIVE-03', 'LIVE-07']` is `01-03, 07`.
 * @param {string[]} ids in ascending order
 */
export function ranges(ids) {
  /** @type {string[][]} */
  const runs = []
  for (const number of ids.map((id) => id.slice(areaOf(id).length + 1))) {
    const run = runs.at(-1)
    if (run && Number(run.at(-1)) + 1 === Number(number)) run.push(number)
    else runs.push([number])
  }
  return runs.map((run) => (run.length > 1 ? `${run[0]}-${run.at(-1)}` : run[0])).join(', ')
}

/** @param {string} id */
const areaOf = (id) => id.split('-')[0] ?? id

/**
 * Whether an expression that is called defines tests: `it`, `it.each`, `test.describe`, `it.skipIf(…)`, `it.each(…)`.
 * @param {ts.Expression} expression
 * @returns {boolean}
 */
function isTestFunction(expression) {
  if (ts.isIdentifier(expression)) return ['describe', 'it', 'test'].includes(expression.text)
  if (ts.isPropertyAccessExpression(expression)) return isTestFunction(expression.expression)
  if (ts.isCallExpression(expression)) return isTestFunction(expression.expression)
  return false
}

/** @param {ts.Expression} expression */
const isTable = (expression) =>
  ts.isPropertyAccessExpression(expression) && ['each', 'for'].includes(expression.name.text)

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

/**
 * An expression without `as const`, `satisfies T` and parentheses.
 * @param {ts.Expression | undefined} expression
 * @returns {ts.Expression | undefined}
 */
function bare(expression) {
  if (!expression) return undefined
  const isWrapped =
    ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) || ts.isParenthesizedExpression(expression)
  return isWrapped ? bare(expression.expression) : expression
}
