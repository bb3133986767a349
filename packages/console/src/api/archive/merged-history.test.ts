import { type KubeObject, nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun, condition } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { markArchived, newestStart, originOf } from './origin'
import { byCreation, type MergedHistory, mergeHistory, mergeOnce } from './merged-history'

/** Merges one list after another, as a screen does. */
function merging() {
  let merged: MergedHistory<PipelineRun> | undefined
  return (live: readonly PipelineRun[] | undefined, archived: PipelineRun[]) => {
    merged = mergeHistory({ live, pages: [archived], selection: {}, newestBy: newestStart }, merged)
    return merged.items
  }
}
const run = (name: string, minute: number, status: PipelineRun['status'] = {}) =>
  aPipelineRun({
    metadata: { name, uid: name, creationTimestamp: `2026-01-31T09:0${minute}:00Z` },
    status,
  })
const ended = (minute: number) => ({
  startTime: `2026-01-31T10:0${minute}:00Z`,
  conditions: [condition('Succeeded', 'True')],
})

it('ACT-21 the newest start comes first, and waiting runs come before all that have started', () => {
  const merge = merging()
  const late = run('created first, started last', 0, ended(9))
  expect(merge([run('started', 5, ended(5)), late, run('waits', 1)], []).map(nameOf)).toEqual([
    'waits',
    'created first, started last',
    'started',
  ])
})

it('an archived run without a start does not count as waiting', () => {
  const merge = merging()
  const ghost = markArchived(run('ghost', 1))
  expect(merge([run('new', 5, ended(5))], [ghost]).map(nameOf)).toEqual(['new', 'ghost'])
})

it('keeps a run that the cluster has deleted, marked, until the archive has it', () => {
  const merge = merging()
  const [stays, goes] = [run('stays', 1, ended(1)), run('goes', 2, ended(2))]
  merge([stays, goes], [])
  const without = merge([stays], [])
  expect(without.map((row) => [nameOf(row), originOf(row)])).toEqual([
    ['goes', 'deleted'],
    ['stays', undefined],
  ])
  // The row of the deleted run re-renders once, and then stays the same.
  expect(merge([run('stays', 1, ended(3))], [])[1]).toBe(without[0])
  const archived = markArchived(run('goes', 2, ended(2)))
  expect(merge([stays], [archived]).map(originOf)).toEqual(['archive', undefined])
  expect(merge([stays, run('goes', 2, ended(2))], []).map(originOf)).toEqual([undefined, undefined])
})

it('ARCH-14 a run in overlapping pages appears once', () => {
  const merge = merging()
  const archived = ['a', 'b', 'a'].map((name) => markArchived(run(name, 1, ended(1))))
  expect(merge(undefined, archived).map(nameOf).toSorted()).toEqual(['a', 'b'])
})

it('returns the same array while nothing has changed', () => {
  const merge = merging()
  const runs = [run('a', 1), run('b', 2)]
  const archived: PipelineRun[] = []
  expect(merge([...runs], archived)).toBe(merge(runs, archived))
})

it('sorts objects of any kind newest first, across cluster and archive', () => {
  const snapshot = (name: string, day: number): KubeObject => ({
    apiVersion: 'appstudio.redhat.com/v1alpha1',
    kind: 'Snapshot',
    metadata: { name, uid: name, creationTimestamp: `2026-01-0${day}T09:00:00Z` },
  })
  const live = [snapshot('older', 2), snapshot('newest', 4)]
  const archived = [markArchived(snapshot('newer', 3)), markArchived(snapshot('oldest', 1))]
  expect(mergeOnce(live, archived, byCreation).map(nameOf)).toEqual(['newest', 'newer', 'older', 'oldest'])
})

it('does not change an earlier result', () => {
  const parts = { pages: [], selection: {}, newestBy: newestStart }
  const first = mergeHistory({ ...parts, live: [run('stays', 1), run('goes', 2)] })
  const [items, liveIds, deleted] = [[...first.items], new Set(first.liveIds), new Map(first.deleted)]
  mergeHistory({ ...parts, live: [run('stays', 1), run('comes', 3)] }, first)
  expect([first.items, first.liveIds, first.deleted]).toEqual([items, liveIds, deleted])
})
