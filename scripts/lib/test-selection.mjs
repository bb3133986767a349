// Which tests a change can reach. Where a module may load something that is not written in it, more tests are selected.
import { posix } from 'node:path'
import ts from 'typescript'
import { openedScreensFile } from './opened-screens.mjs'
import { parse } from './symbol-graph.mjs'

/**
 * @typedef {object} Repository
 * @property {ReadonlySet<string>} files all files, relative to the repository
 * @property {(path: string) => string} read
 *
 * @typedef {Record<string, string[]>} OpenedScreens test file -> names in `paths` of the screens that its tests open
 */

const testPatterns = [/^packages\/\w+\/(src|test)\/.*\.test\.tsx?$/, /^scripts\/.*\.test\.ts$/]

/** Whether `npm test` runs a file as a unit or component test. @param {string} path */
export const isTestFile = (path) =>
  testPatterns.some((pattern) => pattern.test(path)) && !path.includes('/cluster/') && !isPlatformTest(path)

/** @param {string} path */
export const isJourney = (path) => /^e2e\/[^/]+\.spec\.ts$/.test(path)

/** @param {string} path */
export const isClusterTest = (path) => path.endsWith('.cluster.test.ts')

/** @param {string} path */
export const isPlatformTest = (path) => path.endsWith('.platform.test.ts')

/** The route tree loads each screen when it is opened. Those outside of a namespace are in a file of their own beside it. */
const routesFile = 'packages/console/src/routes.tsx'
const routesFiles = [routesFile, 'packages/console/src/frame-routes.tsx']

/** Opens screens one by one, and records which. A test that gets the routes otherwise may open any. */
const renderRouteFile = 'packages/console/test/render-route.tsx'

/** What every test depends on, besides what `vitest.config.ts` imports. */
const affectsAllTests =
  /^(package-lock\.json|(packages\/[^/]+\/)?package\.json|\.npmrc|tsconfig[^/]*\.json|(packages\/[^/]+\/)?(tsconfig\.json|vite\.config\.ts)|vitest\.config\.ts)$/

/** Files that each test file of a project loads first. */
const setupFiles = ['scripts/lib/test-setup.ts']
const consoleSetupFiles = ['packages/console/test/setup.ts']

/**
 * The test files whose result a change of some files can change. Files may have been deleted.
 * @param {Repository} repository
 * @param {string[]} testFiles candidates
 * @param {string[]} changed
 * @param {OpenedScreens} [openedScreens] a test file that is missing here may open any screen
 * @returns {string[]}
 */
export function selectTests(repository, testFiles, changed, openedScreens = {}) {
  const graph = createFileGraph(repository)
  // The record of opened screens follows from the tests, and not the other way round.
  const isChanged = changeOf(changed.filter((file) => file !== openedScreensFile))
  if (changed.some((file) => affectsAllTests.test(file))) return testFiles
  if ([...graph.reachableFrom(['vitest.config.ts'])].some(isChanged)) return testFiles
  return testFiles.filter((file) => {
    const setup = file.startsWith('packages/console/') ? [...setupFiles, ...consoleSetupFiles] : setupFiles
    return [...graph.dependenciesOf(file, setup, openedScreens[file])].some(isChanged)
  })
}

/**
 * The journeys that changed themselves, or whose helpers did. They run the built product, of which any change may reach
 * any of them.
 * @param {Repository} repository
 * @param {string[]} journeys
 * @param {string[]} changed
 * @returns {string[]}
 */
export function selectJourneys(repository, journeys, changed) {
  const graph = createFileGraph(repository)
  const isChanged = changeOf(changed.filter((file) => file.startsWith('e2e/')))
  return journeys.filter((file) => [...graph.reachableFrom([file, 'e2e/playwright.config.ts'])].some(isChanged))
}

/**
 * Whether a file changed, or a file in a folder. An empty path is that of the whole repository.
 * @param {string[]} changed
 * @returns {(path: string) => boolean}
 */
function changeOf(changed) {
  const affected = new Set(changed.flatMap((file) => ['', ...foldersAbove(file), file]))
  return (path) => affected.has(path)
}

/** @param {Repository} repository */
function createFileGraph({ files, read }) {
  const folders = new Set([...files].flatMap(foldersAbove))
  /** @type {Map<string, { imports: string[], mentions: string[] }>} */
  const known = new Map()

  const edgesOf = (/** @type {string} */ path) => {
    const edges = known.get(path) ?? (isModule(path) ? readEdges(path) : { imports: [], mentions: [] })
    known.set(path, edges)
    return edges
  }

  const readEdges = (/** @type {string} */ path) => {
    const file = parse(path, read(path))
    const resolveAll = (/** @type {string[]} */ texts) => texts.flatMap((text) => resolve(text, path) ?? [])
    const specifiers = importsIn(file)
    const strings = stringsIn(file).filter((text) => !specifiers.includes(text))
    const imports = resolveAll(specifiers)
    const isReader = isTestCode(path) && readsFiles.test(file.text)
    const named = [...resolveAll(strings), ...(isReader ? strings.filter((text) => folders.has(text)) : [])]
    // A test that reads files of the repository without naming them may read any.
    const isUnclear = isReader && (named.length === 0 || listsUnnamedFiles(file.text))
    return { imports, mentions: [...imports, ...named, ...(isUnclear ? [''] : [])] }
  }

  /**
   * The file or folder that a text in a module names.
   * @param {string} text
   * @param {string} from
   */
  const resolve = (text, from) => {
    const name = text.split('?')[0] ?? ''
    if (!/[./]/.test(name) || /\s/.test(name)) return undefined
    const [, workspace, rest] = /^@slipway\/([^/]+)\/(.+)$/.exec(name) ?? []
    const folder = posix.dirname(from)
    const places = workspace
      ? [`packages/${workspace}/src/${rest}`]
      : [posix.join(folder, name), ...(name.startsWith('.') ? [] : [posix.normalize(name)])]
    const withoutSlash = places.map((place) => place.replace(/\/$/, ''))
    return (
      withoutSlash.flatMap((place) => [place, `${place}.ts`, `${place}.tsx`]).find((place) => files.has(place)) ??
      withoutSlash.find((place) => folders.has(place) && !`${folder}/`.startsWith(`${place}/`))
    )
  }

  /** @param {string[]} start @param {(path: string) => string[]} edges @param {Set<string>} [reached] */
  const reach = (start, edges, reached = new Set()) => {
    for (const path of start) reached.add(path)
    for (const path of reached) for (const edge of edges(path)) reached.add(edge)
    return reached
  }

  const ofRoutes = routesFiles.filter((file) => files.has(file)).map((file) => readScreens(parse(file, read(file))))
  /** @type {Map<string, string[]>} */
  const screens = new Map(ofRoutes.flatMap((screensOfFile) => [...screensOfFile]))
  const screenFiles = new Set([...screens.values()].flat().flatMap((text) => resolve(text, routesFile) ?? []))
  const withoutScreens = (/** @type {string} */ path) => {
    const { mentions } = edgesOf(path)
    return routesFiles.includes(path) ? mentions.filter((edge) => !screenFiles.has(edge)) : mentions
  }

  return {
    /** Modules that these import, directly and indirectly, whatever else they name. @param {string[]} start */
    reachableFrom: (start) => reach(start, (path) => edgesOf(path).imports),
    /**
     * @param {string} testFile
     * @param {string[]} setup
     * @param {string[] | undefined} opened
     */
    dependenciesOf(testFile, setup, opened) {
      const start = [testFile, ...setup]
      const reached = reach(start, withoutScreens)
      if (!reached.has(routesFile)) return reached
      // Without what only `renderRoute` needs.
      const own = reach(start, (path) => (path === renderRouteFile ? [] : withoutScreens(path)))
      const rendersRoutes = [...own].some(
        (path) => path !== renderRouteFile && isModule(path) && isTestCode(path) && read(path).includes('renderRoute'),
      )
      const recorded = opened ?? (rendersRoutes ? undefined : [])
      const names = recorded && !own.has(routesFile) ? recorded : [...screens.keys()]
      const loaded = names.flatMap((name) => screens.get(name) ?? [...screenFiles])
      return reach(
        loaded.flatMap((text) => resolve(text, routesFile) ?? text),
        withoutScreens,
        reached,
      )
    },
  }
}

const isModule = (/** @type {string} */ path) => /\.([cm]?[jt]s|tsx)$/.test(path)
const isTestCode = (/** @type {string} */ path) => /\.test\.tsx?$|\/test\//.test(path)
const readsFiles = /\bimport\.meta\.(dirname|filename|url)\b|\b(inRepository|filesUnder|process\.cwd)\b/

/** Whether code lists the files of a folder that is not written in the call. @param {string} text */
const listsUnnamedFiles = (text) =>
  /\b(filesUnder|readdir(Sync)?|glob(Sync)?)\b(?!\(')/.test(text.replaceAll(/^import .*$/gm, ''))

/** @param {string} path */
function foldersAbove(path) {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/**
 * Strings in the code that runs: what it imports, at once or on demand, and other files that it names.
 * @param {ts.SourceFile} file
 */
function stringsIn(file) {
  /** @type {string[]} */
  const strings = []
  const visit = (/** @type {ts.Node} */ node) => {
    if (isOfTypes(node)) return
    if (ts.isStringLiteralLike(node)) strings.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return strings
}

/** @param {ts.SourceFile} file */
const importsIn = (file) =>
  file.statements.flatMap((statement) => {
    if (isOfTypes(statement) || !(ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))) return []
    const { moduleSpecifier } = statement
    return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : []
  })

/** @param {ts.Node} node */
const isOfTypes = (node) =>
  (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
  (ts.isExportDeclaration(node) && node.isTypeOnly)

/**
 * The modules of `screen(paths.release, () => import('./features/…'))`, by the name in `paths` of their route.
 * @param {ts.SourceFile} file
 */
function readScreens(file) {
  /** @type {Map<string, string[]>} */
  const screens = new Map()
  const shared = sharedModulesIn(file)
  const visit = (/** @type {ts.Node} */ node, /** @type {string[]} */ names) => {
    if (ts.isVariableDeclaration(node) && shared.has(node.name.getText())) return
    const own = routeNames(node)
    const within = own.length > 0 ? own : names
    const module = ts.isIdentifier(node) ? shared.get(node.text) : importedBy(node, file)
    if (module !== undefined) {
      if (within.length === 0) throw new Error(`${file.fileName} loads ${module} for no path.`)
      for (const name of within) screens.set(name, [...(screens.get(name) ?? []), module])
    }
    ts.forEachChild(node, (child) => visit(child, within))
  }
  visit(file, [])
  return screens
}

/**
 * The modules of screens at two addresses, which one function loads: `const overview = () => import('./features/…')`.
 * @param {ts.SourceFile} file
 * @returns {Map<string, string>} by the name of the function
 */
function sharedModulesIn(file) {
  const declarations = file.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
  )
  return new Map(
    declarations.flatMap(({ name, initializer }) => {
      const module = initializer && ts.isArrowFunction(initializer) && importedBy(initializer.body, file)
      return module ? [/** @type {const} */ ([name.getText(), module])] : []
    }),
  )
}

/** The module that an expression imports on demand, if it is one. @param {ts.Node} node @param {ts.SourceFile} file */
function importedBy(node, file) {
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined
  const [specifier] = node.arguments
  if (!specifier || !ts.isStringLiteral(specifier)) throw new Error(`${file.fileName} imports no fixed module.`)
  return specifier.text
}

/**
 * The names of the path of a route, or those of a list of paths that have the same route.
 * @param {ts.Node} node
 */
function routeNames(node) {
  if (ts.isSpreadElement(node)) return namesIn(node)
  if (ts.isCallExpression(node)) {
    const [path] = node.arguments
    return path && ts.isPropertyAccessExpression(path) ? namesIn(path) : []
  }
  if (!ts.isObjectLiteralExpression(node)) return []
  const path = node.properties.find((property) => property.name?.getText() === 'path')
  return path ? namesIn(path) : []
}

/** @param {ts.Node} node */
const namesIn = (node) => [...node.getText().matchAll(/\bpaths\.(\w+)/g)].map(([, name = '']) => name)
