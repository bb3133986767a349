import { expect, it } from 'vitest'
import { applyFrame, pendingView } from '../src/client'
import { createUserRights } from '../src/host/user-rights'
import { openSession } from '../src/session'
import { createShelves } from '../src/shelves'
import { runLeaks } from './leak-run'

const engine = { createShelves, openSession, createUserRights, applyFrame, pendingView }
const isFull = process.env.SOAK === 'full'
/** Other steps each night. A failure names the seed of its run: `FUZZ_SEED=7` repeats it. */
const firstSeed = Number(process.env.FUZZ_SEED ?? (isFull ? Date.now() % 2 ** 31 : 1))

/** Each run starts with an empty cluster. */
const stepsPerRun = 1_000
const runCount = isFull ? 100 : 2

it('every frame has exactly what the list of its user has at its version, whatever happens', async () => {
  for (let seed = firstSeed; seed < firstSeed + runCount; seed++) {
    expect(await runLeaks(engine, { seed, steps: stepsPerRun })).toBeUndefined()
  }
})
