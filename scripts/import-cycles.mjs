// Modules that import each other in a circle, imports of types and on demand (`import()`) included: none of them can be
// read, moved or tested without the others. No folders of a package may import each other in a circle either: the first
// folder below `src`, where a module beside these counts as one of its own.
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { filesUnder } from './lib/files.mjs'
import { inRepository } from './lib/repository.mjs'

const files = [...filesUnder('packages'), ...filesUnder('e2e')].filter((path) => /(?<!\.d)\.tsx?$/.test(path))

/** @param {string} path @returns {string[]} the modules of the repository that a module imports */
function importsOf(path) {
  /** @type {string[]} */
  const found = []
  /** @param {ts.Node} node */
  const visitNode = (node) => {
    const specifier = specifierOf(node)
    const imported = specifier && ts.isStringLiteral(specifier) && resolve(specifier.text, path)
    if (imported) found.push(imported)
    ts.forEachChild(node, visitNode)
  }
  visitNode(ts.createSourceFile(path, readFileSync(inRepository(path), 'utf8'), ts.ScriptTarget.Latest))
  return found
}

/** @param {ts.Node} node @returns {ts.Node | undefined} what an import, of whatever form, names */
function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0]
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
}

/** @param {string} specifier @param {string} importer */
function resolve(specifier, importer) {
  const [, name, rest] = /^@slipway\/(\w+)\/(.+)$/.exec(specifier) ?? []
  if (!name && !specifier.startsWith('.')) return undefined
  const base = name ? `packages/${name}/src/${rest}` : posix.join(posix.dirname(importer), specifier)
  return [base, `${base}.ts`, `${base}.tsx`].find((path) => /\.[jt]sx?$/.test(path) && existsSync(inRepository(path)))
}

/** @param {string} path @returns the folder of a module that a product ships; `undefined` for any other */
function folderOf(path) {
  const [, name, folder] = /^packages\/(\w+)\/src\/([^/]+)/.exec(path) ?? []
  return !folder || /\.test\.tsx?$/.test(path) ? undefined : `${name}/${folder}`
}

/** @type {Map<string, string[]>} */
const modules = new Map()
/** @type {Map<string, Map<string, string>>} by folder: the folders that it imports, each with the first such import */
const folders = new Map()

/** @param {string} path */
function read(path) {
  if (modules.has(path)) return
  const imported = importsOf(path)
  modules.set(path, imported)
  imported.forEach(read)
  const folder = folderOf(path)
  if (!folder) return
  const others = folders.get(folder) ?? new Map()
  folders.set(folder, others)
  for (const each of imported) {
    const other = folderOf(each)
    if (other && other !== folder && !others.has(other)) others.set(other, `${path} imports ${each}`)
  }
}
for (const path of files) read(path)

/**
 * Reports the circles of a graph.
 * @param {Iterable<string>} nodes
 * @param {(node: string) => Iterable<string>} next
 * @param {(from: string, to: string) => string} describe
 */
function reportCircles(nodes, next, describe) {
  /** @type {Set<string>} */
  const done = new Set()
  /** @param {string} node @param {string[]} path from the first node to the one before */
  function visit(node, path) {
    const start = path.indexOf(node)
    if (start >= 0) {
      const circle = [...path.slice(start), node]
      console.error(
        circle
          .slice(1)
          .map((each, index) => describe(circle[index] ?? '', each))
          .join('\n  '),
      )
      process.exitCode = 1
    } else if (!done.has(node)) {
      for (const each of next(node)) visit(each, [...path, node])
      done.add(node)
    }
  }
  for (const node of nodes) visit(node, [])
}

reportCircles(
  modules.keys(),
  (path) => modules.get(path) ?? [],
  (from, to) => `${from} imports ${to}`,
)
reportCircles(
  folders.keys(),
  (folder) => folders.get(folder)?.keys() ?? [],
  (from, to) => folders.get(from)?.get(to) ?? '',
)
