import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { inRepository } from './repository.mjs'

/**
 * @typedef {{ file: string, name?: string, isEntry?: boolean, imports?: string[], css?: string[] }} Chunk
 * @typedef {Record<string, Chunk>} Manifest source path -> chunk, as Vite writes it
 */

/** The page whose first load is measured. It is part of the entry or a separate file. */
const landingPage = 'src/features/overview/OverviewPage.tsx'

/**
 * Files that a browser must fetch before it can render the landing page: the entry, the landing page, and their imports.
 * @param {Manifest} manifest
 * @returns {{ js: string[], css: string[] }} file names in the built site
 */
export function firstLoadFiles(manifest) {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  /** @type {Set<string>} */
  const keys = new Set()
  const add = (/** @type {string} */ key) => {
    if (keys.has(key)) return
    keys.add(key)
    manifest[key]?.imports?.forEach(add)
  }
  for (const key of [...entries, landingPage]) add(key)
  const chunks = [...keys].flatMap((key) => manifest[key] ?? [])
  const unique = (/** @type {string[]} */ files) => [...new Set(files)]
  return {
    js: unique(chunks.map(({ file }) => file).filter((file) => file.endsWith('.js'))),
    css: unique(chunks.flatMap(({ css = [] }) => css)),
  }
}

/** Transfer size of the first load in bytes (gzip). */
export function firstLoadSizes() {
  const site = 'packages/console/dist'
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(inRepository(site, '.vite/manifest.json'), 'utf8'))
  const { js, css } = firstLoadFiles(manifest)
  const size = (/** @type {string[]} */ files) =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(inRepository(site, file)), { level: 9 }).length, 0)
  return { js: { files: js.length, bytes: size(js) }, css: { files: css.length, bytes: size(css) } }
}
