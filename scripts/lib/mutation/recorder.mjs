// Setup file of Vitest: writes the keys of the mutations that the tests of each requirement execute, and those that the tests
// of its neighbors do, without those that their file executes when it is loaded.
import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { pathInRepository } from '../report.mjs'
import { recorderName } from './mutations.mjs'
import { executedVariable, marks, recordedTestsVariable } from './vitest-run.mjs'

const file = process.env[executedVariable]
/** @type {{ files: string[], own: string, elsewhere: string[] }[]} */
const recorded = JSON.parse(readFileSync(process.env[recordedTestsVariable] ?? '', 'utf8'))
const subjects = recorded.map(({ files, own, elsewhere }) => ({
  files,
  own: new RegExp(own),
  elsewhere: elsewhere.map((names) => new RegExp(names)),
}))

/** @type {Map<string, Set<string>>} by what is written before the keys, and the neighbor */
const executed = new Map()
/** @type {Set<string> | undefined} */
let current
Object.assign(globalThis, { [recorderName]: (/** @type {string} */ key) => current?.add(key) })

beforeEach(() => {
  current = new Set()
})
afterEach(({ task }) => {
  const keys = current ?? new Set()
  current = undefined
  const path = pathInRepository(task.file.filepath)
  const name = fullNameOf(task)
  for (const [index, { files, own, elsewhere }] of subjects.entries()) {
    if (!files.includes(path)) continue
    if (own.test(name)) add(index + marks.own, keys)
    else {
      for (const [neighbor, names] of elsewhere.entries()) {
        if (names.test(name)) add(`${index}${marks.elsewhere} ${neighbor}`, keys)
      }
    }
  }
})
afterAll(() => {
  const lines = [...executed].flatMap(([group, keys]) => {
    const [start = ''] = group.split(' ')
    return [...keys].map((key) => `${start}${key}\n`)
  })
  if (file) appendFileSync(file, lines.join(''))
  executed.clear()
})

/** @param {string} group @param {Iterable<string>} keys */
function add(group, keys) {
  const known = executed.get(group) ?? new Set()
  for (const key of keys) known.add(key)
  executed.set(group, known)
}

/** The name of a test with those of its groups, as `--testNamePattern` reads it. */
const fullNameOf = (/** @type {import('vitest').RunnerTask} */ task) => {
  /** @type {string[]} */
  const names = []
  /** @type {import('vitest').RunnerTask | undefined} */
  let part = task
  for (; part; part = part.suite) names.unshift(part.name)
  return names.join(' ')
}
