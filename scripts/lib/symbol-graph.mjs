import { posix } from 'node:path'
import ts from 'typescript'

/**
 * Which symbols of the repository use which others: what can be reached from the product's entry points, and what a
 * test exercises. A symbol is `path#name`; a member of an object that a module declares is `path#name.member`; what a
 * module does when it is loaded is `path#`. Symbols of libraries are `library#name`. Types are left out: nothing of
 * them is left when the code runs.
 */

/**
 * What a piece of code uses: a name of its module, with the member if only that is used, or exports of another module
 * (`undefined`: all of them).
 * @typedef {{ name: string, member?: string } | { from: string, exports: string[] | undefined }} Use
 *
 * @typedef {object} Module
 * @property {string} path
 * @property {Map<string, Use[]>} declarations by name, or by `name.member`
 * @property {Map<string, string[]>} members of the declared objects
 * @property {Map<string, { from: string, name: string }>} imports by local name; `*` is the whole module
 * @property {Map<string, { from?: string, name: string }>} exports by exported name
 * @property {string[]} allFrom modules all of whose exports are exported again
 * @property {string[]} loads modules that are loaded with this one
 * @property {Use[]} body what the module uses when it is loaded, besides the values of its constants
 */

/**
 * @param {string} path
 * @param {string} source
 * @returns {ts.SourceFile}
 */
export const parse = (path, source) => ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)

/**
 * @param {ts.SourceFile} file
 * @returns {Module}
 */
export function readModule(file) {
  /** @type {Module} */
  const module = {
    path: file.fileName,
    declarations: new Map(),
    members: new Map(),
    imports: new Map(),
    exports: new Map(),
    allFrom: [],
    loads: [],
    body: [],
  }
  const names = topLevelNames(file)
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) readImport(statement, module)
    else if (ts.isExportDeclaration(statement)) readExport(statement, module)
    else if (ts.isExportAssignment(statement)) {
      module.exports.set('default', { name: 'default' })
      module.declarations.set('default', usesIn(statement.expression, names))
    } else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) readVariable(declaration, module, names)
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isEnumDeclaration(statement)
    ) {
      module.declarations.set(statement.name?.text ?? 'default', usesIn(statement, names))
    } else if (!ts.isTypeAliasDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) {
      module.body.push(...usesIn(statement, names))
    }
    for (const name of isExported(statement) ? namesDeclaredBy(statement) : []) module.exports.set(name, { name })
  }
  return module
}

/** @param {ts.ImportDeclaration} statement @param {Module} module */
function readImport({ importClause, moduleSpecifier }, module) {
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return
  const from = textOf(moduleSpecifier)
  const { name, namedBindings } = importClause ?? {}
  if (name) module.imports.set(name.text, { from, name: 'default' })
  if (namedBindings && ts.isNamespaceImport(namedBindings))
    module.imports.set(namedBindings.name.text, { from, name: '*' })
  const elements = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : []
  const values = elements.filter(({ isTypeOnly }) => !isTypeOnly)
  for (const { name, propertyName } of values) {
    module.imports.set(name.text, { from, name: (propertyName ?? name).text })
  }
  if (elements.length === 0 || values.length > 0) module.loads.push(from)
}

/** @param {ts.ExportDeclaration} statement @param {Module} module */
function readExport({ isTypeOnly, exportClause, moduleSpecifier }, module) {
  if (isTypeOnly) return
  const from = moduleSpecifier && textOf(moduleSpecifier)
  if (from) module.loads.push(from)
  if (!exportClause) module.allFrom.push(from ?? '')
  else if (ts.isNamedExports(exportClause)) {
    for (const { name, propertyName, isTypeOnly } of exportClause.elements) {
      if (!isTypeOnly) module.exports.set(name.text, { from, name: (propertyName ?? name).text })
    }
  } else module.exports.set(exportClause.name.text, { from, name: '*' })
}

/** @param {ts.VariableDeclaration} declaration @param {Module} module @param {Set<string>} names */
function readVariable({ name, initializer }, module, names) {
  const value = bare(initializer)
  const members = ts.isIdentifier(name) && value && ts.isObjectLiteralExpression(value) ? membersOf(value) : undefined
  if (!members || !ts.isIdentifier(name)) {
    const uses = initializer ? usesIn(initializer, names) : []
    for (const bound of boundNames(name)) module.declarations.set(bound, uses)
    return
  }
  module.members.set(name.text, [...members.keys()])
  module.declarations.set(
    name.text,
    [...members.keys()].map((member) => ({ name: name.text, member })),
  )
  for (const [member, node] of members) module.declarations.set(`${name.text}.${member}`, usesIn(node, names))
}

/**
 * The members of an object whose names are all written in it.
 * @param {ts.ObjectLiteralExpression} literal
 * @returns {Map<string, ts.Node> | undefined}
 */
function membersOf({ properties }) {
  /** @type {Map<string, ts.Node>} */
  const members = new Map()
  for (const property of properties) {
    const { name } = property
    if (!name || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return undefined
    members.set(name.text, property)
  }
  return members
}

/** @param {ts.SourceFile} file */
export function topLevelNames(file) {
  const names = new Set(file.statements.flatMap((statement) => namesDeclaredBy(statement)))
  for (const { importClause } of file.statements.filter(ts.isImportDeclaration)) {
    if (importClause?.name) names.add(importClause.name.text)
    const bindings = importClause?.namedBindings
    if (bindings && ts.isNamespaceImport(bindings)) names.add(bindings.name.text)
    else for (const { name } of bindings?.elements ?? []) names.add(name.text)
  }
  return names
}

/**
 * What a node uses, of the names of its module and of modules that it loads when it runs.
 * @param {ts.Node} node
 * @param {Set<string>} names of the module
 * @param {(node: ts.Node) => boolean} [isLeftOut] nodes not to look into
 * @returns {Use[]}
 */
export function usesIn(node, names, isLeftOut = () => false) {
  /** @type {Use[]} */
  const uses = []
  const visit = (/** @type {ts.Node} */ node, /** @type {ReadonlySet<string>} */ hidden) => {
    if (isLeftOut(node)) return
    if (ts.isExpressionWithTypeArguments(node)) return visit(node.expression, hidden)
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node)) {
      if (names.has(node.text) && !hidden.has(node.text) && isReference(node)) uses.push({ name: node.text })
      return
    }
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const { text: name } = node.expression
      if (names.has(name) && !hidden.has(name)) uses.push({ name, member: node.name.text })
      return
    }
    const loaded = moduleLoadedBy(node)
    if (loaded) uses.push(loaded)
    const own = namesInScopeOf(node).filter((name) => names.has(name))
    const within = own.length > 0 ? new Set([...hidden, ...own]) : hidden
    ts.forEachChild(node, (child) => visit(child, within))
  }
  visit(node, new Set())
  return uses
}

/**
 * Whether an identifier stands for a value, rather than being the name of a property or of a declaration.
 * @param {ts.Identifier} identifier
 */
function isReference(identifier) {
  const { parent } = identifier
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if ('name' in parent && parent.name === identifier) return false
  return !('propertyName' in parent && parent.propertyName === identifier)
}

/**
 * `import('./x')`, with the exports that are taken of it, and `new URL('./x', import.meta.url)`.
 * @param {ts.Node} node
 * @returns {Use | undefined}
 */
function moduleLoadedBy(node) {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments
    return specifier && ts.isStringLiteral(specifier)
      ? { from: specifier.text, exports: exportsTaken(node) }
      : undefined
  }
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'URL') return undefined
  const [specifier, base] = node.arguments ?? []
  return specifier && ts.isStringLiteral(specifier) && base?.getText() === 'import.meta.url'
    ? { from: specifier.text, exports: [] }
    : undefined
}

/**
 * @param {ts.CallExpression} call an `import()`
 * @returns {string[] | undefined} `undefined`: all
 */
function exportsTaken(call) {
  const { parent } = call
  if (ts.isAwaitExpression(parent)) {
    const outer = ts.isParenthesizedExpression(parent.parent) ? parent.parent.parent : parent.parent
    if (ts.isPropertyAccessExpression(outer)) return [outer.name.text]
    return ts.isVariableDeclaration(outer) ? propertiesOf(outer.name) : undefined
  }
  if (!ts.isPropertyAccessExpression(parent) || parent.name.text !== 'then') return undefined
  const callback = ts.isCallExpression(parent.parent) ? parent.parent.arguments[0] : undefined
  if (!callback || !ts.isArrowFunction(callback)) return undefined
  const parameter = callback.parameters[0]?.name
  if (parameter && ts.isIdentifier(parameter)) {
    const uses = usesIn(callback.body, new Set([parameter.text]))
    const members = uses.flatMap((use) => ('member' in use && use.member ? [use.member] : []))
    return members.length === uses.length ? members : undefined
  }
  return propertiesOf(parameter)
}

/** @param {ts.BindingName | undefined} pattern @returns {string[] | undefined} */
function propertiesOf(pattern) {
  if (!pattern || !ts.isObjectBindingPattern(pattern)) return undefined
  return pattern.elements.map(({ propertyName, name }) => (propertyName ?? name).getText())
}

/**
 * The names that a node declares for what is within it.
 * @param {ts.Node} node
 * @returns {string[]}
 */
function namesInScopeOf(node) {
  if (ts.isFunctionLike(node)) {
    const own = ts.isFunctionExpression(node) && node.name ? [node.name.text] : []
    return [...own, ...node.parameters.flatMap(({ name }) => boundNames(name))]
  }
  if (ts.isBlock(node) || ts.isCaseClause(node) || ts.isDefaultClause(node))
    return [...node.statements].flatMap(namesDeclaredBy)
  if (ts.isForStatement(node) || ts.isForOfStatement(node) || ts.isForInStatement(node)) {
    const { initializer } = node
    return initializer && ts.isVariableDeclarationList(initializer)
      ? initializer.declarations.flatMap(({ name }) => boundNames(name))
      : []
  }
  return ts.isCatchClause(node) && node.variableDeclaration ? boundNames(node.variableDeclaration.name) : []
}

/** @param {ts.Statement} statement @returns {string[]} */
function namesDeclaredBy(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name))
  }
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) {
    return statement.name ? [statement.name.text] : []
  }
  return []
}

/** @param {ts.BindingName} name @returns {string[]} */
const boundNames = (name) =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))

/** @param {ts.Statement} statement */
const isExported = (statement) =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** @param {ts.Node} node */
const textOf = (node) => (ts.isStringLiteral(node) ? node.text : '')

/**
 * An expression without `as const`, `satisfies T` and parentheses.
 * @param {ts.Expression | undefined} expression
 * @returns {ts.Expression | undefined}
 */
export function bare(expression) {
  if (!expression) return undefined
  const isWrapped =
    ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) || ts.isParenthesizedExpression(expression)
  return isWrapped ? bare(expression.expression) : expression
}

/**
 * @param {(path: string) => string | undefined} read the text of a file of the repository, if there is one
 */
export function createSymbolGraph(read) {
  /** @type {Map<string, Module | undefined>} */
  const modules = new Map()
  const moduleAt = (/** @type {string} */ path) => {
    if (!modules.has(path)) {
      const source = /\.([cm]?[jt]s|tsx)$/.test(path) ? read(path) : undefined
      modules.set(path, source === undefined ? undefined : readModule(parse(path, source)))
    }
    return modules.get(path)
  }

  /** @param {string} specifier @param {string} path of the importing module */
  const resolve = (specifier, path) => {
    const name = specifier.split('?')[0] ?? specifier
    const [, workspace, rest] = name.match(/^@slipway\/([^/]+)\/(.+)$/) ?? []
    if (!workspace && !name.startsWith('.')) return undefined
    const file = workspace ? `packages/${workspace}/src/${rest}` : posix.join(posix.dirname(path), name)
    return [file, `${file}.ts`, `${file}.tsx`].find(moduleAt)
  }

  /**
   * @param {string} path of the module that imports
   * @param {string} from
   * @param {string} name
   * @param {string | undefined} member
   * @returns {string[]}
   */
  const importedSymbols = (path, from, name, member) => {
    const target = resolve(from, path)
    if (target) return exportedSymbols(target, name, member)
    return from.startsWith('.') ? [] : [`${from}#${name === '*' ? (member ?? '') : name}`]
  }

  /** @param {string} path @param {string} name @param {string} [member] @returns {string[]} */
  const exportedSymbols = (path, name, member) => {
    const module = moduleAt(path)
    if (!module) return []
    if (name === '*') {
      if (member !== undefined) return exportedSymbols(path, member)
      const all = [...module.exports.keys()].flatMap((name) => exportedSymbols(path, name))
      return [...all, ...module.allFrom.flatMap((from) => importedSymbols(path, from, '*', undefined))]
    }
    const found = module.exports.get(name)
    if (!found) return module.allFrom.flatMap((from) => importedSymbols(path, from, name, member))
    if (found.from) return importedSymbols(path, found.from, found.name, member)
    return symbolsNamed(module, found.name, member)
  }

  /** @param {Module} module @param {string} name @param {string} [member] @returns {string[]} */
  const symbolsNamed = (module, name, member) => {
    const imported = module.imports.get(name)
    if (imported) return importedSymbols(module.path, imported.from, imported.name, member)
    const full = `${name}.${member}`
    return [`${module.path}#${module.declarations.has(full) ? full : name}`]
  }

  /** @param {string} path @param {Use[]} uses */
  const symbolsOf = (path, uses) => {
    const module = moduleAt(path)
    if (!module) return []
    return uses.flatMap((use) => {
      if ('name' in use) return symbolsNamed(module, use.name, use.member)
      const target = resolve(use.from, path)
      const loaded = target ? [`${target}#`] : []
      const names = use.exports ?? ['*']
      return [...loaded, ...names.flatMap((name) => importedSymbols(path, use.from, name, undefined))]
    })
  }

  /** @param {string} symbol @returns {string[]} */
  const computeUsedBy = (symbol) => {
    const [path = '', name = ''] = symbol.split('#')
    const module = moduleAt(path)
    if (!module) return []
    if (name) return [`${path}#`, ...symbolsOf(path, module.declarations.get(name) ?? [])]
    const loaded = module.loads.flatMap((from) => resolve(from, path) ?? []).map((path) => `${path}#`)
    return [...loaded, ...symbolsOf(path, module.body)]
  }

  /** @type {Map<string, string[]>} */
  const known = new Map()
  const usedBy = (/** @type {string} */ symbol) => {
    const used = known.get(symbol) ?? [...new Set(computeUsedBy(symbol))]
    known.set(symbol, used)
    return used
  }

  return {
    symbolsOf,
    usedBy,
    /** Whether a symbol is declared. @param {string} symbol */
    has(symbol) {
      const [path = '', name = ''] = symbol.split('#')
      return moduleAt(path)?.declarations.has(name) ?? false
    },
    /**
     * What a module declares; of an object, its members.
     * @param {string} path
     */
    declaredIn(path) {
      const { declarations, members } = moduleAt(path) ?? {}
      return [...(declarations?.keys() ?? [])]
        .filter((name) => !members?.get(name)?.length)
        .map((name) => `${path}#${name}`)
    },
    /** The symbols of the members of an object. @param {string} symbol */
    membersOf(symbol) {
      const [path = '', name = ''] = symbol.split('#')
      return (moduleAt(path)?.members.get(name) ?? []).map((member) => `${symbol}.${member}`)
    },
    /** All that a module exports, and what it does when it is loaded. @param {string} path */
    symbolsIn: (path) => [`${path}#`, ...exportedSymbols(path, '*')],
    /**
     * These symbols, and all that they use.
     * @param {string[]} symbols
     */
    reachableFrom(symbols) {
      const reached = new Set(symbols)
      for (const symbol of reached) for (const used of usedBy(symbol)) reached.add(used)
      return reached
    },
  }
}
