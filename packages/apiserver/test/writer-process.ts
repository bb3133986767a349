import { sqliteStorage } from '../src/storage/sqlite'

/**
 * Writes for ever, and tells its parent of each write when it is answered: creations, changes and deletions by several
 * writers at once, so that commits are shared, in a short history, so that it is compacted all the time. Ended from
 * outside.
 */
const [path = ''] = process.argv.slice(2)
const storage = sqliteStorage(path, { historyLength: 200 })
const writers = 16
const collection = '/counters'

async function writeOn(writer: number) {
  const key = `a/${writer}`
  // How often this writer has written is kept in a key of its own, which is never deleted.
  const counter = `b/${writer}`
  for (;;) {
    const counted = storage.get(collection, counter)
    const count = Number(counted?.value.split(' ')[0] ?? 0) + 1
    // Of very different sizes, so that commits end at any place in a page.
    const value = `${count} ${'x'.repeat((count * 7919) % 9000)}`
    const revision = await storage.write({ collection, key: counter, expected: counted?.revision, type: 'put', value })
    process.stdout.write(`${writer} ${count} ${revision}\n`)
    const current = storage.get(collection, key)
    const type = current && count % 3 === 0 ? 'delete' : 'put'
    await storage.write({ collection, key, expected: current?.revision, type, value: String(count) })
  }
}
for (let writer = 0; writer < writers; writer++) void writeOn(writer)
