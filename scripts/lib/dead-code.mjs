import { isOfProduct } from './proof.mjs'
import { createSymbolGraph } from './symbol-graph.mjs'

/**
 * Entry points of the product (`scripts/entry-points.json`). Symbols are written `path#name`.
 * @typedef {object} EntryPoints
 * @property {string[]} console modules
 * @property {string[]} command modules of the command that starts the servers
 * @property {{ symbol: string, why: string }[]} doors that only tests open
 * @property {{ symbol: string, why: string }[]} ahead of the screens that will use them
 */

/**
 * Declarations, and members of declared objects, that nothing reaches from the entry points.
 * @param {object} repository
 * @param {string[]} repository.files
 * @param {(path: string) => string | undefined} repository.read
 * @param {EntryPoints} entryPoints
 * @returns {{ dead: string[], needless: string[] }} also the exceptions that are not needed
 */
export function findDeadCode({ files, read }, { console, command, doors, ahead }) {
  const graph = createSymbolGraph(read)
  const entries = [...console, ...command].flatMap(graph.symbolsIn)
  const reached = graph.reachableFrom(entries)
  const excepted = [...doors, ...ahead].map(({ symbol }) => symbol)
  const all = graph.reachableFrom([...entries, ...excepted])
  const declared = files.flatMap((path) => graph.declaredIn(path)).filter(isOfProduct)
  return {
    dead: declared.filter((symbol) => !all.has(symbol)),
    needless: excepted.filter((symbol) => reached.has(symbol) || !graph.has(symbol)),
  }
}
