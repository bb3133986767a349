// Modules that import each other in a circle, imports of types and on demand (`import()`) included: none of them can be
// read, moved or tested without the others.
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
  return [`${base}.ts`, `${base}.tsx`].find((path) => existsSync(inRepository(path)))
}

/** @type {Set<string>} */
const done = new Set()

/** @param {string} path @param {string[]} importers from the first to the one that imports this module */
function visit(path, importers) {
  if (importers.includes(path)) {
    console.error([...importers.slice(importers.indexOf(path)), path].join('\n  imports '))
    process.exitCode = 1
  } else if (!done.has(path)) {
    for (const imported of importsOf(path)) visit(imported, [...importers, path])
    done.add(path)
  }
}

for (const path of files) visit(path, [])
