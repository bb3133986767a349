import { posix } from 'node:path'

/** A picture of a document, as `![…](path)`, `src="path"` or `srcset="path"`. */
const reference = /!\[[^\]]*\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"\s]+)"/g

/**
 * What is wrong with the pictures of documents: missing files, files that no document shows, pictures in one theme only.
 * @param {Map<string, string>} documents Markdown texts by path, relative to the repository
 * @param {string[]} pictures paths of the existing files, relative to the repository
 * @returns {string[]} one message for each problem
 */
export function pictureProblems(documents, pictures) {
  /** @type {Map<string, string>} */
  const shown = new Map()
  for (const [document, text] of documents) {
    for (const [, link = '', source = link] of text.matchAll(reference)) {
      if (!/^\w+:/.test(source)) shown.set(posix.join(posix.dirname(document), source), document)
    }
  }
  const existing = new Set(pictures)
  return [
    ...[...shown]
      .filter(([picture]) => !existing.has(picture))
      .map(([path, by]) => `${by} shows ${path}, which is missing.`),
    ...pictures.filter((picture) => !shown.has(picture)).map((path) => `No document shows ${path}.`),
    ...pictures
      .map((path) => ({ path, other: otherTheme(path) }))
      .filter(({ other }) => !existing.has(other))
      .map(({ path, other }) => `${path} has no counterpart ${other}.`),
  ]
}

/** @param {string} path */
const otherTheme = (path) =>
  path.endsWith('-dark.png') ? path.replace(/dark\.png$/, 'light.png') : path.replace(/(-light)?\.png$/, '-dark.png')
