import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { inRepository, root } from './repository.mjs'

/**
 * @typedef {object} Block a fenced block of code
 * @property {string} language first word of its info string
 * @property {string[]} marks the other words
 * @property {string} text
 * @property {number} line
 */

/** Every Markdown file of the repository, relative to it. */
export const documents = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(inRepository(file)))

/** @param {string} file */
export const textOf = (file) => readFileSync(inRepository(file), 'utf8')

/**
 * Fenced blocks of a document, those in lists too.
 * @param {string} markdown
 * @returns {Block[]}
 */
export function blocksIn(markdown) {
  const found = markdown.matchAll(/^( *)(```+)([^\n`]*)\n([\s\S]*?)^\1\2 *$/gm)
  return [...found].map(({ index, 1: indent = '', 3: info = '', 4: text = '' }) => {
    const [language = '', ...marks] = info.trim().split(/\s+/)
    return {
      language,
      marks,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: markdown.slice(0, index).split('\n').length,
    }
  })
}

/** A document without its fenced blocks. @param {string} markdown */
export const proseOf = (markdown) => markdown.replaceAll(/^( *)(```+)[^\n`]*\n[\s\S]*?^\1\2 *$/gm, '')

/** What is in backticks in a document's prose. @param {string} markdown */
export const inlineCodeIn = (markdown) => [...proseOf(markdown).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/**
 * Anchors of a document's headings, as GitHub derives them.
 * @param {string} markdown
 */
export function anchorsIn(markdown) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const headings = [...proseOf(markdown).matchAll(/^#{1,6} +(.+?) *#* *$/gm)].map(([, text = '']) => text)
  return headings.map((heading) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
    const slug = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}

/** Addresses of a document's links and images, without those of the web. @param {string} markdown */
export function linksIn(markdown) {
  const prose = proseOf(markdown).replaceAll(/`[^`\n]*`/g, '')
  const links = [
    ...prose.matchAll(/\]\(([^()\s]+)\)/g),
    ...prose.matchAll(/^\[[^\]]+\]: +(\S+)/gm),
    ...prose.matchAll(/(?:src|srcset)="([^"]+)"/g),
  ].map(([, address = '']) => address)
  return links.filter((address) => !/^[a-z]+:/i.test(address))
}

/**
 * Why a link of a document leads nowhere; `undefined` if it leads somewhere.
 * @param {string} file
 * @param {string} link
 */
export function brokenLink(file, link) {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(inRepository(target))) return `${target} does not exist`
  if (anchor === undefined) return undefined
  const isDocument = statSync(inRepository(target)).isFile() && target.endsWith('.md')
  return isDocument && anchorsIn(textOf(target)).includes(anchor) ? undefined : `${target} has no heading #${anchor}`
}

/**
 * Calls of the command in a text of shell commands: the name of the command, `start` by default, and its flags.
 * @param {string} shell
 */
export function callsIn(shell) {
  const lines = shell.replaceAll(/\\\n/g, ' ').split('\n')
  return lines.flatMap((line) => {
    const call =
      /(?:^|[|&;`$(] *)(?:npx +)?(?:slipway|npm start(?: --)?|node packages\/slipway\/bin\/slipway\.mjs)(?= |$)(.*)/.exec(
        line.replace(/ +#.*$/, '').trim(),
      )
    if (!call) return []
    const words =
      (call[1] ?? '')
        .split(/[|;&)]/)[0]
        ?.trim()
        .split(/\s+/) ?? []
    const first = words[0] ?? ''
    return [
      {
        command: /^[a-z]/.test(first) ? first : 'start',
        flags: words.flatMap((word) => /^--([a-z][a-z-]*)/.exec(word)?.[1] ?? []),
      },
    ]
  })
}
