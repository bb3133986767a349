import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { forkWithLittleMemory } from './memory'

const megabyte = 1024 * 1024
const program = fileURLToPath(new URL('../test/retained-memory.mjs', import.meta.url))

it('a process with little memory has a small young generation, and returns blocks that it frees', async () => {
  const child = forkWithLittleMemory(program)
  const [retained] = (await once(child, 'message')) as unknown[]
  const { youngBytes, addedBytes, blocks } = retained as Record<'youngBytes' | 'addedBytes' | 'blocks', number> // As sent.
  expect(blocks).toBe(100)
  expect(youngBytes / megabyte).toBeLessThanOrEqual(12)
  // It retains blocks of 25 MB; without these options, it was 170 MB.
  expect(addedBytes / megabyte).toBeLessThan(80)
})
