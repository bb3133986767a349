import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { KubeObject } from '@slipway/kube/object'
import { cpuMsOf } from '../../../scripts/lib/cpu-time'
import { chainsOf, type ChainParts, gapsOf } from '../src/search/chain'
import { searchTermOf } from '../src/search-term'
import { aChainWorld } from '../src/testing/chain-world'
import { pipelineRunView } from '../src/views/pipeline-runs'
import { releaseView } from '../src/views/releases'
import { snapshotView } from '../src/views/snapshots'
import { measure, print, printHead, printMachine } from './measure'

/** From any identifier of 2,000 objects to its chain and the gaps of that, without the requests of a browser. */

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heapMB = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1e6
}

const world = aChainWorld(79, 2_000)
const texts = new Map<KubeObject, readonly string[]>([
  ...world.runs.map((run) => [run, pipelineRunView.identifiers(run)] as const),
  ...world.snapshots.map((each) => [each, snapshotView.identifiers(each)] as const),
  ...world.releases.map((each) => [each, releaseView.identifiers(each)] as const),
])
const identifiers = [...new Set([...texts.values()].flat())].map(searchTermOf)

function found(term: string): ChainParts {
  const has = (object: KubeObject) => texts.get(object)?.some((each) => each.toLowerCase().startsWith(term)) ?? false
  const { runs, snapshots, releases } = world
  return { runs: runs.filter(has), snapshots: snapshots.filter(has), releases: releases.filter(has) }
}

const chainsFor = (term: string) => {
  const keys = new Set(chainsOf(found(term)).map(({ key }) => key))
  return chainsOf(world)
    .filter(({ key }) => keys.has(key))
    .map((chain) => ({ chain, gaps: gapsOf(chain) }))
}

let next = 0
const aTerm = () => identifiers[(next += 97) % identifiers.length] ?? ''

printHead()
print('Objects', String(world.runs.length + world.snapshots.length + world.releases.length))
print('Identifiers', String(identifiers.length))
for (let warm = 0; warm < 20; warm++) chainsFor(aTerm())
const before = heapMB()
measure('From an identifier to its chains, among all objects', () => chainsFor(aTerm()), '100 ms')
const times = identifiers.filter((_, index) => index % 10 === 0).map((term) => cpuMsOf(() => chainsFor(term)))
print('The slowest of a tenth of all identifiers', `${Math.max(...times).toFixed(1)} ms`, '100 ms')
measure('All chains', () => chainsOf(world))
print('Memory retained after all of it', `${Math.max(0, heapMB() - before).toFixed(1)} MB`)
printMachine()
