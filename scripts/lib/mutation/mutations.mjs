import ts from 'typescript'
import { parse } from '../symbol-graph.mjs'

/**
 * A mistake in a module of the product, which a test of a requirement should notice.
 * @typedef {object} Mutation
 * @property {string} what
 * @property {number} start of the code that `after` replaces
 * @property {number} end
 * @property {string} after
 * @property {number} line from 1
 * @property {string} context the code around it that says what it is about
 * @property {Place} [place] that is executed if the mutation can be noticed; none if that is when the module is loaded
 *
 * An expression, and the code around it that records its execution; `record` is the call that does.
 * @typedef {{ start: number, end: number, open: string, close: string }} Place
 */

/** Name of the function, on `globalThis`, to which an instrumented module passes the key of each executed mutation. */
export const recorderName = 'slipwayRecordMutation'

/** @param {string} path @param {number} index */
export const keyOf = (path, index) => `${path}:${index}`

const opposites = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
])

/** What is changed of code that runs when the module is loaded: for which test it runs, only what it says can tell. */
const constants = new Set(['text changed', 'value changed', 'number changed'])

/**
 * The mutations of a module. Types have none, neither has what is only logged or thrown.
 * @param {string} path
 * @param {string} source
 * @returns {Mutation[]}
 */
export function mutationsIn(path, source) {
  const file = parse(path, source)
  /** @type {Mutation[]} */
  const mutations = []
  const visit = (/** @type {ts.Node} */ node, /** @type {boolean} */ isInFunction) => {
    if (hasNoBehavior(node)) return
    for (const { place, ...change } of changesOf(node, source)) {
      if (!isInFunction && !constants.has(change.what)) continue
      const line = file.getLineAndCharacterOfPosition(change.start).line + 1
      mutations.push({ line, context: contextOf(node), ...change, ...(isInFunction && { place }) })
    }
    ts.forEachChild(node, (child) => visit(child, isInFunction || ts.isFunctionLike(node)))
  }
  ts.forEachChild(file, (child) => visit(child, false))
  return mutations
}

/**
 * A module with one of its mutations.
 * @param {string} source
 * @param {Pick<Mutation, 'start' | 'end' | 'after'>} mutation
 */
export const mutate = (source, { start, end, after }) => source.slice(0, start) + after + source.slice(end)

/**
 * A module that records which of its mutations are executed, and otherwise behaves in the same way.
 * @param {string} path
 * @param {string} source
 */
export function instrument(path, source) {
  const insertions = mutationsIn(path, source).flatMap(({ place }, index) => {
    if (!place) return []
    const { start, end, open, close } = place
    const call = `globalThis.${recorderName}?.(${JSON.stringify(keyOf(path, index))})`
    // Among those at the same position, the end of an inner place comes before that of an outer one, its begin after it.
    return [
      { at: start, order: start === end ? -Infinity : index, text: open.replace('record', call) },
      { at: end, order: -index - 1, text: close },
    ]
  })
  insertions.sort((a, b) => a.at - b.at || a.order - b.order)
  const ends = [0, ...insertions.map(({ at }) => at)]
  return [
    ...insertions.map(({ at, text }, index) => source.slice(ends[index], at) + text),
    source.slice(ends.at(-1)),
  ].join('')
}

/** In longer code than this, in characters, one part says little about another. */
const maxContext = 240

/**
 * The statement or the expression around a node, unless it is long, with the name of the function that contains it. Lines
 * beside it may be about something else, such as the next item of a menu.
 * @param {ts.Node} node
 */
function contextOf(node) {
  const isOuter = (/** @type {ts.Node} */ outer) => ts.isBlock(outer) || ts.isSourceFile(outer)
  let around = node
  while (!isOuter(around.parent) && around.parent.getWidth() <= maxContext) around = around.parent
  const named = ts.findAncestor(
    around.parent,
    (outer) =>
      ts.isFunctionDeclaration(outer) ||
      ts.isMethodDeclaration(outer) ||
      ((ts.isVariableDeclaration(outer) || ts.isPropertyAssignment(outer)) &&
        outer.initializer !== undefined &&
        ts.isFunctionLike(outer.initializer)),
  )
  const name = named && 'name' in named && named.name ? /** @type {ts.Node} */ (named.name).getText() : ''
  return `${name} ${around.getText()}`
}

/** @param {ts.Node} node @param {string} source @returns {(Omit<Mutation, 'line' | 'context' | 'place'> & { place: Place })[]} */
function changesOf(node, source) {
  const [start, end] = [node.getStart(), node.end]
  const text = source.slice(start, end)
  const { parent } = node
  const isAttribute = ts.isJsxAttribute(parent)
  const isStatement =
    ts.isExpressionStatement(parent) && (ts.isBlock(parent.parent) || ts.isCaseOrDefaultClause(parent.parent))
  // A line that begins with a parenthesis would continue the one before.
  const place = {
    start,
    end,
    open: `${isAttribute ? '{' : isStatement ? ';' : ''}(record, `,
    close: isAttribute ? ')}' : ')',
  }
  const replaced = (/** @type {string} */ what, /** @type {string} */ after) => ({ what, start, end, after, place })
  const changes = isCondition(node) ? [replaced('condition negated', `!(${text})`)] : []

  const operator = ts.isBinaryExpression(node) ? node.operatorToken : undefined
  const opposite = opposites.get(operator?.getText() ?? '')
  if (operator && opposite) {
    const range = { start: operator.getStart(), end: operator.end }
    changes.push({ ...replaced('operator changed', opposite), ...range })
  } else if (ts.isBinaryExpression(node) && operator?.kind === ts.SyntaxKind.QuestionQuestionToken) {
    // Without a value nothing changes.
    const value = { start, end: node.left.end, open: '((value) => (value != null && record, value))(', close: ')' }
    changes.push({ ...replaced('value replaced by its fallback', `(${node.right.getText()})`), place: value })
  } else if (ts.isNumericLiteral(node) && isValue(node)) {
    changes.push(replaced('number changed', String(Number(node.text) + 1)))
  } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    changes.push(replaced('flag changed', String(text !== 'true')))
  } else if (ts.isJsxAttribute(node) && !node.initializer) {
    const value = { start: end, end, open: '={(record, ', close: 'true)}' }
    changes.push({ what: 'flag changed', start: end, end, after: '={false}', place: value })
  } else if (isText(node)) {
    changes.push(replaced('text changed', isAttribute ? '"mutated"' : "'mutated'"))
  } else if (isTechnicalValue(node)) {
    changes.push(replaced('value changed', isAttribute ? '"mutated"' : "'mutated'"))
  } else if (ts.isJsxText(node) && /^[^\n&`$\\]*\p{L}[^\n&`$\\]*$/u.test(text.trim())) {
    const trimmed = { start: end - text.trimStart().length, end: start + text.trimEnd().length }
    const quoted = { ...trimmed, open: '{(record, `', close: '`)}' }
    changes.push({ what: 'text changed', ...trimmed, after: 'mutated', place: quoted })
  } else if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) {
    const reversed = [...node.elements].reverse().map((element) => element.getText())
    if (node.elements.every(ts.isObjectLiteralExpression)) changes.push(replaced('order reversed', `[${reversed}]`))
  } else if (isStatement && !/^(super|['"])/.test(text)) {
    changes.push(replaced('call dropped', 'void 0'))
  }
  return changes
}

/** @param {ts.Node} node */
const hasNoBehavior = (node) =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isModuleDeclaration(node) ||
  ts.isTaggedTemplateExpression(node) ||
  (ts.isJsxAttribute(node) && stylingAttributes.test(node.name.getText())) ||
  // Users do not read what is logged or thrown by programming errors.
  (ts.isExpressionStatement(node) && /^(void )?console\./.test(node.getText())) ||
  (ts.isNewExpression(node) && /^(Type|Range)?Error$/.test(node.expression.getText()))

/** Attributes that change only how a component looks. */
const stylingAttributes =
  /^(class|className|style|d|viewBox|hasGutter|is(Compact|Fill|Filled|FullHeight|Horizontal|Inline|Narrow|Plain|Vertical|WidthLimited))$/

/** @param {ts.Node} node */
const isCondition = (node) =>
  (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node)

/** Whether a literal is a value, not the name of a property that is set or destructured. @param {ts.Node} node */
const isValue = (node) =>
  !('name' in node.parent && node.parent.name === node) &&
  !(ts.isBindingElement(node.parent) && node.parent.propertyName === node)

/** Attributes whose values users do not read. */
const technicalAttributes = /^(id|key|to|href|target|rel|type|name|variant|data-.*)$/

/** Whether a literal is a word of an API, a URL or the like. @param {ts.Node} node */
const isTechnicalValue = (node) =>
  ts.isStringLiteralLike(node) &&
  /^[\w./-]+$/.test(node.text) &&
  isValue(node) &&
  !(ts.isCallExpression(node.parent) && node.parent.expression.kind === ts.SyntaxKind.ImportKeyword)

/**
 * Whether a literal seems to be a text that users read: several words, or one that starts with a capital letter. What is
 * compared is not.
 * @param {ts.Node} node
 */
function isText(node) {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false
  const { parent } = node
  if (!isValue(node) || ts.isElementAccessExpression(parent) || ts.isCaseClause(parent)) return false
  if (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText())) return false
  // JSX and JavaScript read these differently.
  if (ts.isJsxAttribute(parent) && /[\\&\n]/.test(node.getText())) return false
  const attribute = ts.findAncestor(parent, ts.isJsxAttribute)
  if (attribute && technicalAttributes.test(attribute.name.getText())) return false
  const texts = ts.isTemplateExpression(node) ? [node.head, ...node.templateSpans.map((span) => span.literal)] : [node]
  return texts.some(({ text }) => /\p{L}/u.test(text) && (/\s/.test(text) || /^\p{Lu}\p{L}+/u.test(text)))
}
