import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { type Engine, runLeaks } from './leak-run'

/**
 * The leak test has to find each of these faults. A fault is planted in a copy of the engine, so that the engine itself
 * has nothing that is there for tests only.
 */
interface Fault {
  name: string
  file: string
  /** Appears once in the file. */
  code: string
  instead: string
}

const faults: Fault[] = [
  {
    name: 'rows are shown before it is known whether the user may see them',
    file: 'session.ts',
    code: "verdicts[at] === 'allowed'",
    instead: "verdicts[at] !== 'denied'",
  },
  {
    name: 'rows are shown while the first review is under way',
    file: 'session.ts',
    code: "verdicts[at] === 'allowed'",
    instead: "(verdicts[at] === 'allowed' || verdicts[at] === 'pending')",
  },
  {
    name: 'a right that was lost goes on counting',
    file: 'session.ts',
    code: 'for (const namespace of lost) release(view, namespace)',
    instead: '',
  },
  {
    name: 'a slow client keeps the rows of a right that was lost',
    file: 'session.ts',
    code: "if (!isDrained()) send({ type: 'denied', id: view.id, denied: view.denied, unknown: view.unknown })",
    instead: '',
  },
  {
    name: 'changes while a client is slow are forgotten',
    file: 'session.ts',
    code: 'function onShelf(view: View) {',
    instead: 'function onShelf(view: View) {\n    if (!isDrained()) return',
  },
  {
    name: 'frames pile up for a slow client',
    file: 'session.ts',
    code: '|| isHeld(view) || !isDrained()',
    instead: '|| isHeld(view)',
  },
  {
    name: 'a window does not wait for the version that it has to reach',
    file: 'session.ts',
    code: 'const isHeld = (view: View): boolean =>',
    instead: 'const isHeld = (view: View): boolean => false &&',
  },
  {
    name: 'a window is shared by users who may read different namespaces',
    file: 'shelves.ts',
    code: 'const isCurrent = known?.revisions === revisions && known.shelves.every((shelf, at) => shelf === shelves[at])',
    instead: 'const isCurrent = known !== undefined',
  },
  {
    name: 'what was deleted during a gap stays',
    file: 'shelf.ts',
    code: 'if (!seen.has(uid)) rows.remove(uid)',
    instead: 'seen.has(uid)',
  },
  {
    name: 'a list after a gap is shown while it is incomplete',
    file: 'shelf.ts',
    code: 'if (version === undefined) put(row)',
    instead: 'if (row) put(row)',
  },
  {
    name: 'an object of another namespace gets into a shelf',
    file: 'rows.ts',
    code: '|| namespaceOf(object) !== namespace',
    instead: '',
  },
  {
    name: 'a row is found at the slot of another one after a deletion',
    file: 'rows.ts',
    code: 'if (moved !== undefined) slots.set(moved, slot)',
    instead: '',
  },
  {
    name: 'a derived row is not made again when one of its members changes',
    file: 'grouped-shelf.ts',
    code: 'for (const key of [before, now])',
    instead: 'for (const key of before === now ? [] : [before, now])',
  },
  {
    name: 'a derived row keeps a member that has become one of another row',
    file: 'grouped-shelf.ts',
    code: 'uidsByKey.get(before)?.delete(uid)',
    instead: 'uidsByKey.get(before)',
  },
  {
    name: 'a derived row stays when its last member is gone',
    file: 'grouped-shelf.ts',
    code: 'else rows.remove(uid)',
    instead: '',
  },
  {
    name: 'a facet counts rows that another filter excludes',
    file: 'matches.ts',
    code: 'if (failure !== 0 && failure !== filter + 1) continue',
    instead: '',
  },
  {
    name: 'a value that no row has any more is taken for a new one',
    file: 'columns.ts',
    code: 'codeOf.delete(key)',
    instead: '',
  },
  {
    name: 'rows that only change places stay where they were',
    file: 'picture.ts',
    code: 'uids.length === before.window.rows.length && uids.every((uid, at) => uid === before.window.rows[at]?.uid)',
    instead: 'uids.length === before.window.rows.length',
  },
  {
    name: 'a right to all namespaces outlives the binding that gave it',
    file: 'host/user-rights.ts',
    code: '(concern.namespace === undefined || concern.namespace === namespace)',
    instead: '(concern.namespace === undefined ? namespace !== undefined : concern.namespace === namespace)',
  },
  {
    name: 'a right to all namespaces counts while it is not known',
    file: 'host/user-rights.ts',
    code: "if (verdict === 'allowed' || verdict === 'pending') return verdict",
    instead: "if (verdict !== 'denied') return verdict === 'pending' ? verdict : 'allowed'",
  },
  {
    name: 'a right in one namespace counts in all of them',
    file: 'host/user-rights.ts',
    code: 'namespace === undefined ? qualifiedPlural(type) : `${qualifiedPlural(type)}/${namespace}`',
    instead: 'qualifiedPlural(type)',
  },
  {
    name: 'a right to one kind counts for another',
    file: 'host/user-rights.ts',
    code: 'namespace === undefined ? qualifiedPlural(type) : `${qualifiedPlural(type)}/${namespace}`',
    instead: 'namespace === undefined ? type.group : `${type.group}/${namespace}`',
  },
  {
    name: 'a user who may list but not watch sees rows',
    file: 'host/user-rights.ts',
    code: "['list', 'watch'].map(",
    instead: "['list'].map(",
  },
  {
    name: 'an authorizer that is behind is not asked again',
    file: 'host/user-rights.ts',
    code: 'if (sentMs < confirmedMs) {',
    instead: 'if (sentMs < 0) {',
  },
  {
    name: 'a right that cannot be reviewed after a change stays',
    file: 'host/user-rights.ts',
    code: 'entry.validUntilMs = Math.min(entry.validUntilMs, clock.now() + changedVerdictMs)',
    instead: '',
  },
  {
    name: 'a right that cannot be confirmed after a change stays',
    file: 'host/user-rights.ts',
    code: 'entry.validUntilMs = entry.changedMs + changedVerdictMs',
    instead: 'entry.validUntilMs = now + verdictMs',
  },
  {
    name: 'members of a group keep what the group has lost',
    file: 'host/grants.ts',
    code: '...groups.map(groupKey),',
    instead: '',
  },
  {
    name: 'a user who is taken out of a binding keeps the right',
    file: 'host/grants.ts',
    code: 'return [...before, entry.binding]',
    instead: 'return [entry.binding]',
  },
]

const inPackage = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const copies = inPackage('../../.cache/views-with-faults')

afterAll(() => rmSync(copies, { recursive: true, force: true }))

async function engineWith({ file, code, instead }: Fault, at: number): Promise<Engine> {
  const folder = join(copies, `${process.pid}-${at}`)
  mkdirSync(folder, { recursive: true })
  cpSync(inPackage('src'), folder, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  const source = readFileSync(join(folder, file), 'utf8')
  expect(source.split(code), `${file} has the code once`).toHaveLength(2)
  writeFileSync(
    join(folder, file),
    source.replace(code, () => instead),
  )
  const load = (name: string): Promise<Partial<Engine>> => import(/* @vite-ignore */ join(folder, name))
  const modules = await Promise.all(['shelves.ts', 'session.ts', 'client.ts', 'host/user-rights.ts'].map(load))
  // They export what those of the product export.
  return Object.assign({}, ...modules) as Engine
}

it.each(faults.map((fault, at) => ({ ...fault, at })))('the leak test notices that $name', async ({ at, ...fault }) => {
  const engine = await engineWith(fault, at)
  let found: string | undefined
  for (let seed = 1; seed <= 20; seed++) found ??= await runLeaks(engine, { seed, steps: 1_000 })
  expect(found).toBeDefined()
})
