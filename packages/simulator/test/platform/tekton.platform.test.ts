import { afterAll, beforeAll, expect, it } from 'vitest'
import { kinds } from '../tekton-kinds'
import { startKubelet } from './kubelet'
import { playKinds, type PlayedKinds } from './play-kinds'
import { startRealTekton, type RealTekton } from './real-tekton'

let tekton: RealTekton
let played: PlayedKinds

beforeAll(async () => {
  tekton = await startRealTekton()
  const { client, nopImage } = tekton
  played = playKinds(tekton, kinds, {
    startKubelet: (isHeld) => startKubelet({ client, nopImage, isHeld, onError: (error) => console.error(error) }),
  })
})

afterAll(async () => {
  await played.close()
  await tekton.close()
})

it.each(Object.entries(kinds))('%s', async (name, kind) => {
  const facts = await played.factsOf(name)
  await expect.poll(facts, { interval: 500 }).toEqual(kind.expected)
})
