import { afterAll, beforeAll, describe, expect, it, type RunnerTask } from 'vitest'
import { apiOf, type Target } from '../api-client'
import { describeContract, prepareServer } from '../contract'
import { createLeftovers } from '../leftovers'
import { realServer } from './real-server'

/** How many expectations of the contract hold for the embedded server only. It may only fall. */
const embeddedOnly = 83

describe('the API of a real kube-apiserver', () => {
  const leftovers = createLeftovers()
  const { url, token } = realServer()
  const target = (): Target => ({ url, token, isEmbedded: false, leftovers })
  beforeAll(() => prepareServer(apiOf(target())))
  afterAll(() => leftovers.remove(apiOf(target())))

  describeContract(target)

  it('is held to all of the contract but what is known to differ', ({ task }) => {
    const skipped = skippedIn(task.file)
    console.log(`${skipped} expectations of the contract hold for the embedded server only.`)
    expect(skipped).toBe(embeddedOnly)
  })
})

function skippedIn(task: RunnerTask): number {
  if (task.type === 'test') return task.mode === 'skip' ? 1 : 0
  return task.tasks.reduce((sum, inner) => sum + skippedIn(inner), 0)
}
