import { annotations, copiedPacKey, labels } from '../labels'
import type { Release } from '../releases/release'
import type { PipelineRun } from '../runs/pipeline-run'
import type { ChainParts } from '../search/chain'
import type { Snapshot } from '../snapshots/snapshot'
import { aPipelineRun, aRelease, condition } from '../testing'
import { randomNumbers } from './random-numbers'
import { aSnapshot } from './tests-and-releases'

const succeeded = [condition('Succeeded', 'True', 'Completed')]

/** A world of commits, some of whose objects have been deleted: in four namespaces. */
export function aChainWorld(seed: number, size: number): ChainParts {
  const random = randomNumbers(seed)
  const pick = (count: number) => Math.floor(random() * count)
  const hex = (length: number) => Array.from({ length }, () => pick(16).toString(16)).join('')
  const world = { runs: [] as PipelineRun[], snapshots: [] as Snapshot[], releases: [] as Release[] }
  const keep = <T>(list: T[], object: T) => random() < 0.85 && list.push(object)
  for (let at = 0; world.runs.length + world.snapshots.length + world.releases.length < size; at++) {
    const own = { namespace: `team-${pick(4)}`, creationTimestamp: new Date(at * 60_000).toISOString() }
    const commit = hex(40)
    const facts = { [annotations.pacShaTitle]: `Change ${pick(40)}`, [annotations.pacSender]: `user-${pick(40)}` }
    const git = pick(2) === 0 ? { [labels.pullRequestNumber]: String(pick(30) + 1) } : {}
    const snapshotName = `app-${at}`
    keep(
      world.runs,
      aPipelineRun({
        metadata: {
          ...own,
          name: `api-${at}-on-push`,
          uid: `b${at}`,
          labels: { [labels.commitSha]: commit, [labels.pipelineType]: 'build', ...git },
          annotations: { ...facts, [labels.snapshot]: snapshotName },
        },
        status: { conditions: succeeded, results: [{ name: 'IMAGE_DIGEST', value: `sha256:${hex(64)}` }] },
      }),
    )
    // Users create some snapshots themselves, which name no commit.
    const isManual = pick(20) === 0
    keep(
      world.snapshots,
      aSnapshot({
        metadata: {
          ...own,
          name: snapshotName,
          uid: `s${at}`,
          annotations: facts,
          labels: {
            [labels.buildPipelineRun]: `api-${at}-on-push`,
            ...(isManual ? {} : { [copiedPacKey(labels.commitSha)]: commit }),
          },
        },
      }),
    )
    for (const scenario of ['unit', 'policy'])
      keep(
        world.runs,
        aPipelineRun({
          metadata: {
            ...own,
            name: `${scenario}-${at}`,
            uid: `t${scenario}${at}`,
            labels: {
              [labels.scenario]: scenario,
              [labels.pipelineType]: 'test',
              [labels.snapshot]: snapshotName,
              [labels.commitSha]: undefined,
              [copiedPacKey(labels.commitSha)]: commit,
            },
          },
        }),
      )
    if (pick(2) === 0)
      keep(
        world.releases,
        aRelease({ metadata: { ...own, name: `rel-${at}`, uid: `r${at}` }, spec: { snapshot: snapshotName } }),
      )
  }
  return world
}
