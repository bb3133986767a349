import { sqliteStorage } from '../src/storage/sqlite'

/** Writes for ever, and prints the number of each write when it is answered. Ended from outside. */
const [path = ''] = process.argv.slice(2)
const storage = sqliteStorage(path)

async function writeOn(writer: number) {
  const key = `a/${writer}`
  let expected = storage.get('/counters', key)?.revision
  for (;;) {
    const count = Number(storage.get('/counters', key)?.value ?? 0) + 1
    expected = await storage.write({ collection: '/counters', key, expected, type: 'put', value: String(count) })
    process.stdout.write(`${writer} ${count} ${expected}\n`)
  }
}
// Several at once, so that commits are shared.
for (const writer of [1, 2, 3]) void writeOn(writer)
