import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { commands, flagNames, variableOf, type CommandName } from '../packages/slipway/src/flags'
import { anchorsIn, blocksIn, brokenLink, callsIn, documents, inlineCodeIn, linksIn, textOf } from './lib/documents.mjs'
import { commandOf, inRepository } from './lib/repository.mjs'

const names = Object.keys(commands) as CommandName[] // no other keys
const isCommand = (name: string): name is CommandName => names.some((each) => each === name)
const flagsOfAny = new Set(names.flatMap(flagNames))
/** Documents about the command only: elsewhere, options and variables of other programs occur too. */
const manuals = documents().filter(
  (file) =>
    /^(README\.md|docs\/((user|operator)\/)?[A-Za-z-]+\.md)$/.test(file) &&
    !['docs/benchmarks.md', 'docs/developer.md'].includes(file),
)

describe('reading a document', () => {
  it('finds headings as GitHub names them', () =>
    expect(
      anchorsIn('# A `b`: c, d\n\n```sh\n# no heading\n```\n\n## A [link](x.md)?\n\n## Twice\n\n## Twice\n'),
    ).toEqual(['a-b-c-d', 'a-link', 'twice', 'twice-1']))

  it('finds links in prose only', () =>
    expect(
      linksIn(
        '[a](b.md#c) `[d](e.md)` [f](https://g.example)\n\n[h]: i.md\n\n```md\n[j](k.md)\n```\n<img src="l.png" />',
      ),
    ).toEqual(['b.md#c', 'i.md', 'l.png']))

  it('finds blocks and their marks', () =>
    expect(blocksIn('a\n\n```sh execute\nb\n```\n\n- c\n\n  ```yaml\n  d: 1\n    e: 2\n  ```\n')).toEqual([
      { language: 'sh', marks: ['execute'], text: 'b\n', line: 3 },
      { language: 'yaml', marks: [], text: 'd: 1\n  e: 2\n', line: 9 },
    ]))

  it('finds calls of the command with their flags', () =>
    expect(
      callsIn(
        'slipway gateway \\\n  --port=1 --host h # --not\nnpm start -- doctor x\nslipway views --print-role | kubectl apply -f - --dry-run\nkubectl -n slipway get pods\nnpm start\n',
      ),
    ).toEqual([
      { command: 'gateway', flags: ['port', 'host'] },
      { command: 'doctor', flags: [] },
      { command: 'views', flags: ['print-role'] },
      { command: 'start', flags: [] },
    ]))

  it('says why a link leads nowhere', () => {
    expect(brokenLink('docs/glossary.md', 'nowhere.md')).toBe('docs/nowhere.md does not exist')
    expect(brokenLink('docs/glossary.md', '#nowhere')).toBe('docs/glossary.md has no heading #nowhere')
    expect(brokenLink('docs/glossary.md', '../README.md#licence')).toBeUndefined()
  })
})

test.each(documents())('every link in %s leads somewhere', (file) => {
  const broken = linksIn(textOf(file)).flatMap((link) => brokenLink(file, link) ?? [])
  expect(broken).toEqual([])
})

test.each(documents())('commands in %s exist with their flags', (file) => {
  const markdown = textOf(file)
  const shell = blocksIn(markdown).filter(({ language }) => ['sh', 'bash', 'console'].includes(language))
  const calls = [...shell.map(({ text }) => text), ...inlineCodeIn(markdown)].flatMap(callsIn)
  const unknown = calls.flatMap(({ command, flags }) =>
    isCommand(command)
      ? flags.filter((flag) => !flagNames(command).includes(flag)).map((flag) => `slipway ${command} --${flag}`)
      : [`slipway ${command}`],
  )
  expect(unknown).toEqual([])
})

test.each(manuals)('options and variables in %s exist', (file) => {
  const code = inlineCodeIn(textOf(file))
  const flags = code.flatMap((text) => /^--([a-z][a-z-]*)/.exec(text)?.[1] ?? [])
  expect(flags.filter((flag) => !flagsOfAny.has(flag))).toEqual([])
  const variables = new Set([...flagsOfAny].map(variableOf))
  const mentioned = textOf(file).match(/\bSLIPWAY_[A-Z_]+/g) ?? []
  expect(mentioned.filter((name) => !variables.has(name))).toEqual([])
})

test('the README lists every option of slipway start, with its variable and no other', () => {
  const rows = [...textOf('README.md').matchAll(/^\| `--([a-z-]+)` +\| (?:`(SLIPWAY_[A-Z_]+)`)?/gm)]
  const expected = flagNames('start').filter((name) => !['help', 'version'].includes(name))
  expect(rows.map(([, name]) => name).sort()).toEqual(expected.sort())
  for (const [, name = '', variable] of rows) if (variable) expect(variable).toBe(variableOf(name))
})

const executable = documents().flatMap((file) =>
  blocksIn(textOf(file))
    .filter(({ marks }) => marks.includes('execute'))
    .map((block) => ({ title: `${file}:${block.line}`, ...block })),
)

test('some commands of the documents are executed', () => expect(executable.length).toBeGreaterThan(2))

test.each(executable)('the commands at $title succeed', async ({ text }) => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-documents-'))
  const program = [process.execPath, commandOf('tsx'), inRepository('packages/slipway/src/main.ts')]
  await writeFile(join(folder, 'slipway'), `#!/bin/sh\nexec ${program.map((part) => `'${part}'`).join(' ')} "$@"\n`, {
    mode: 0o755,
  })
  try {
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}` }
    await promisify(execFile)('sh', ['-eu', '-c', text], { cwd: folder, env })
  } finally {
    await rm(folder, { recursive: true })
  }
})
