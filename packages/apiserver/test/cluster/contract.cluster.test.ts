import { afterAll, beforeAll, describe, expect, it, type RunnerTask } from 'vitest'
import { apiOf, type Target } from '../api-client'
import { describeContract, prepareServer } from '../contract'
import { createLeftovers } from '../leftovers'
import { realServer } from './real-server'

/** How many expectations of the contract hold only for the embedded server. The number may only decrease. */
const embeddedOnly = 82

describe('the API of a real kube-apiserver', () => {
  const leftovers = createLeftovers()
  const { url, token } = realServer()
  const target = (): Target => ({ url, token, isEmbedded: false, leftovers })
  beforeAll(() => prepareServer(apiOf(target())))
  afterAll(() => leftovers.remove(apiOf(target())))

  describeContract(target)

  it('meets the whole contract except for the known differences', ({ task }) => {
    const skipped = skippedIn(task.file)
    console.log(`${skipped} expectations of the contract hold only for the embedded server.`)
    expect(skipped).toBe(embeddedOnly)
  })
})

function skippedIn(task: RunnerTask): number {
  if (task.type === 'test') return task.mode === 'skip' ? 1 : 0
  return task.tasks.reduce((sum, inner) => sum + skippedIn(inner), 0)
}
