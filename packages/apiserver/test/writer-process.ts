import { sqliteStorage } from '../src/storage/sqlite'

/**
 * Writes forever, and reports each acknowledged write to its parent. Several concurrent writers create, change and delete
 * objects, so that commits are shared; the history is short, so that it is constantly compacted. Killed from outside, or
 * after a number of acknowledged writes, if there is one.
 */
const [path = '', limit = 'Infinity', end = 'kill'] = process.argv.slice(2)
let acknowledged = 0
const storage = sqliteStorage(path, { historyLength: 200 })
const writers = 16
const collection = '/counters'

async function writeOn(writer: number) {
  const key = `a/${writer}`
  // The number of writes is stored in a separate key, which is never deleted.
  const counter = `b/${writer}`
  for (;;) {
    const counted = storage.get(collection, counter)
    const count = Number(counted?.value.split(' ')[0] ?? 0) + 1
    // Sizes vary widely, so that commits end anywhere in a page.
    const value = `${count} ${'x'.repeat((count * 7919) % 9000)}`
    const revision = await storage.write({ collection, key: counter, expected: counted?.revision, type: 'put', value })
    process.stdout.write(`${writer} ${count} ${revision}\n`)
    if (++acknowledged >= Number(limit)) stop()
    const current = storage.get(collection, key)
    const type = current && count % 3 === 0 ? 'delete' : 'put'
    await storage.write({ collection, key, expected: current?.revision, type, value: String(count) })
  }
}
function stop() {
  if (end === 'kill') process.kill(process.pid, 'SIGKILL')
  storage.close()
  process.exit()
}

for (let writer = 0; writer < writers; writer++) void writeOn(writer)
