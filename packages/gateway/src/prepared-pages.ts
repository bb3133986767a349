import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The document of a page that shows its layout before any script has come. */
export interface PreparedPage {
  /** Path below the folder of the site. */
  file: string
  html: string
  /** Its parts before and after the place for the content of the page; `undefined` if it has none. */
  parts: readonly [before: string, after: string] | undefined
  /** What the content security policy has to allow. */
  hashes: InlineHashes
}

export interface InlineHashes {
  scripts: readonly string[]
  styles: readonly string[]
}

/** Finds the document that the build has prepared for a path, if any. */
export type FindPreparedPage = (pathname: string) => Promise<PreparedPage | undefined>

/**
 * Reads which documents the build has prepared (`frames/pages.json`). A site without them works too: its pages show
 * their layout once their script has run.
 * @param folder with the built console
 */
export async function readPreparedPages(folder: string): Promise<FindPreparedPage> {
  const list = await readFile(join(folder, 'frames/pages.json'), 'utf8').catch(() => '[]')
  const pages = parsePages(JSON.parse(list)).map(({ pattern, file }) => ({ pattern: new RegExp(pattern), file }))
  // The name of a document contains a hash of its content.
  const known = new Map<string, Promise<PreparedPage | undefined>>()
  return async (pathname) => {
    const file = pages.find(({ pattern }) => pattern.test(pathname))?.file
    if (file === undefined) return undefined
    const page = known.get(file) ?? readPage(folder, file)
    known.set(file, page)
    return page
  }
}

/** A site that has been built anew meanwhile has other documents: its pages are sent without them. */
async function readPage(folder: string, file: string): Promise<PreparedPage | undefined> {
  const html = await readFile(join(folder, file), 'utf8').catch(() => undefined)
  if (html === undefined) return undefined
  const [before = '', after] = html.split(contentPlace)
  return { file, html, parts: after === undefined ? undefined : [before, after], hashes: inlineHashes(html) }
}

/** Behind the layout of a page, in front of everything that only the page itself needs. */
const contentPlace = '<!-- content -->'

const inlineHashes = (html: string): InlineHashes => ({
  scripts: contentsOf(html, /<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs).map(hashOf),
  styles: contentsOf(html, /<style[^>]*>(.*?)<\/style>/gs).map(hashOf),
})

const contentsOf = (html: string, element: RegExp): string[] =>
  [...html.matchAll(element)].map(([, content = '']) => content)

const hashOf = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

/** A content security policy that allows these inline scripts and styles too, and those with a nonce. */
export function allowInline(policy: string, { scripts, styles }: InlineHashes, nonce?: string): string {
  const nonces = nonce === undefined ? [] : [`'nonce-${nonce}'`]
  return policy
    .replace("script-src 'self'", () => ["script-src 'self'", ...scripts, ...nonces].join(' '))
    .replace("style-src 'self'", () => ["style-src 'self'", ...styles, ...nonces].join(' '))
}

/** @throws Error if the build has written something else */
function parsePages(value: unknown): { pattern: string; file: string }[] {
  if (!Array.isArray(value)) throw new Error('frames/pages.json is not a list.')
  return value.map((entry: unknown) => {
    const [pattern, file] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (typeof pattern !== 'string' || typeof file !== 'string' || !/^[\w-]+\.html$/.test(file))
      throw new Error('frames/pages.json has an entry that is not a pattern and a file.')
    return { pattern, file: `frames/${file}` }
  })
}
