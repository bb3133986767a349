import { afterAll, beforeAll, expect, it } from 'vitest'
import { kinds, type Kind } from '../tekton-kinds'
import { refusals } from '../tekton-refusals'
import { startKubelet } from './kubelet'
import { playKinds, type PlayedKinds } from './play-kinds'
import { startRealTekton, type RealTekton } from './real-tekton'

/** Those that fail in the simulator, but for one that the controller would try again for ever. */
const failing = Object.entries(refusals).filter(
  ([, { simulated }]) => !['Succeeded', 'Completed', 'CouldntGetPipeline'].includes(simulated),
)
const titleOf = (refusal: string) => `${refusal}, which the webhook would refuse`
const refusedKinds = Object.fromEntries(
  failing.map(([name, { spec }]): [string, Kind] => {
    const { pipelineSpec, ...rest } = spec
    return [titleOf(name), { pipeline: pipelineSpec, spec: rest, expected: { run: '' } }]
  }),
)

let tekton: RealTekton
let played: PlayedKinds

beforeAll(async () => {
  tekton = await startRealTekton()
  const { client, nopImage } = tekton
  played = playKinds(
    tekton,
    { ...kinds, ...refusedKinds },
    {
      startKubelet: (isHeld) => startKubelet({ client, nopImage, isHeld, onError: (error) => console.error(error) }),
    },
  )
})

afterAll(async () => {
  await played.close()
  await tekton.close()
})

it.each(Object.entries(kinds))('%s', async (name, kind) => {
  const facts = await played.factsOf(name)
  await expect.poll(facts, { interval: 500 }).toEqual(kind.expected)
})

it.each(failing)('%s, without a webhook, fails', async (name, { simulated, controller = simulated }) => {
  const facts = await played.factsOf(titleOf(name))
  expect((await facts()).run).toMatch(new RegExp(`^False ${controller} `))
})
