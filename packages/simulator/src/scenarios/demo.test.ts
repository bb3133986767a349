import type { ConfigMap } from '@slipway/kube/core-types'
import { componentGroupType } from '@slipway/model/builds/component-group'
import { nudgeConfigType } from '@slipway/model/builds/nudge-config'
import { annotations, labels } from '@slipway/model/labels'
import { parsePublicInfo, publicInfoLocation } from '@slipway/model/platform/public-info'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type GroupMember, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { testStatusesOf } from '@slipway/model/snapshots/snapshot-tests'
import { expect, it } from 'vitest'
import { startMs, worldOf } from '../../test/tekton'
import { managedLabel } from '../kueue/admission-queue'
import type { PlatformVersion } from '../platform-version'
import { clusterSettings } from './cluster-settings'
import { demo } from './demo'
import { demoTour } from './demo-tour'
import type { ScenarioContext } from './scenario'

const context = {
  nowMs: startMs,
  world: worldOf('demo'),
  users: { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor', outsider: 'outsider' },
  gitHostUrl: 'https://git.slipway.test',
  consoleUrl: 'https://console.slipway.test',
}

const publicInfoOf = (over: Partial<ScenarioContext>) => {
  const info = clusterSettings({ ...context, ...over }).find(
    ({ object }) => object.metadata.name === publicInfoLocation.name,
  )
  return parsePublicInfo(info?.object as ConfigMap) // the seed of this name is one
}

it('demo contains a tour only where the cluster exists for it alone', () => {
  expect(publicInfoOf({}).tour).toEqual([])
  expect(publicInfoOf({ hasTour: true }).tour).toEqual(demoTour)
})

it('the tour of the demo names only namespaces, applications, components and plans that it contains', () => {
  const names = new Set([...demo.seeds(context)].map(({ object }) => object.metadata.name))
  for (const { path, text } of demoTour) {
    const [, namespace, application] = /^\/ns\/([^/]+)(?:\/applications\/([^/?]+))?/.exec(path) ?? []
    expect(names).toContain(namespace)
    if (application) expect(names).toContain(application)
    for (const name of text.match(/\b[a-z]+-[a-z]+\b/g) ?? []) expect(names).toContain(name)
  }
})

it('demo contains a tested group of pull requests to two components', () => {
  const seeds = [...demo.seeds(context)]
  // The object of a seed has its type.
  const snapshots = seeds.flatMap(({ type, object }) => (type.kind === snapshotType.kind ? [object as Snapshot] : []))
  const runs = seeds.flatMap(({ type, object }) => (type.kind === pipelineRunType.kind ? [object as PipelineRun] : []))
  const [group, ...others] = snapshots.filter(({ metadata }) => metadata.labels?.[labels.snapshotType] === 'group')
  if (!group || others.length > 0) throw new Error('expected one group snapshot')
  const members = JSON.parse(group.metadata.annotations?.[annotations.groupMembers] ?? '[]') as GroupMember[]
  expect(members.map(({ component }) => component)).toEqual(['checkout-api', 'checkout-web'])
  for (const member of members) {
    const snapshot = snapshots.find(({ metadata }) => metadata.name === member.snapshot)
    expect(snapshot?.metadata.annotations?.[annotations.createGroupSnapshotStatus]).toContain(group.metadata.name)
    const image = (each: Snapshot | undefined) => each?.spec.components?.find(({ name }) => name === member.component)
    expect(image(group)).toEqual(image(snapshot))
    expect(runs.map(({ metadata }) => metadata.name)).toContain(member.buildPipelineRun)
  }
  expect(testStatusesOf(group).map(({ testPipelineRunName }) => testPipelineRunName)).toEqual(
    runs
      .filter(({ metadata }) => metadata.labels?.[labels.snapshot] === group.metadata.name)
      .map(({ metadata }) => metadata.name),
  )
  expect(testStatusesOf(group)).toHaveLength(2)
})

it('demo contains a group decision for every pull request, so that controllers make none', () => {
  const snapshots = [...demo.seeds(context)].flatMap(({ type, object }) =>
    type.kind === snapshotType.kind && object.metadata.labels?.[labels.pullRequestGroupSha] ? [object] : [],
  )
  const isComponent = ({ metadata }: (typeof snapshots)[number]) =>
    metadata.labels?.[labels.snapshotType] === 'component'
  const components = snapshots.filter(isComponent)
  expect(components.length).toBeGreaterThan(2)
  for (const { metadata } of components) {
    expect(metadata.annotations).toHaveProperty([annotations.createGroupSnapshotStatus])
  }
})

it('demo of the legacy platform has none of the kinds and marks that came later', () => {
  const later = [
    ...[nudgeConfigType.kind, componentGroupType.kind, managedLabel, 'managedPipelineAttempts', 'retryInfo'],
    ...[annotations.spanContext, labels.queueName, labels.releaseAttempt],
  ]
  const found = (platform: PlatformVersion) => {
    const text = JSON.stringify([...demo.seeds({ ...context, platform })])
    return later.filter((mark) => text.includes(mark))
  }
  expect(found('current')).toEqual(later)
  expect(found('legacy')).toEqual([])
})
