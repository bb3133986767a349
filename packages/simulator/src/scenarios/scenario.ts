import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { FinishedLog } from '../tekton/history'
import type { World } from '../tekton/plan'

/** The built-in users that scenarios give access to, and their e-mail addresses. */
export type ScenarioUsers = Record<'admin' | 'maintainer' | 'contributor' | 'outsider', string>

/** What a scenario is made for. */
export interface ScenarioContext {
  nowMs: number
  world: World
  users: ScenarioUsers
  /** Where the simulated git host is served, without a final slash. */
  gitHostUrl: string
  /** Where people look at runs, without a final slash. */
  consoleUrl: string
}

/** One object of a scenario as it is to be, its status included. */
export interface Seed {
  type: ResourceType
  /**
   * Its `creationTimestamp` says when it was made; without one it was there before everything else. A uid stands for
   * the one that the cluster gives it, wherever it is mentioned.
   */
  object: KubeObject
  /** What the containers of a pod have said. */
  logs?: FinishedLog[]
  /**
   * Otherwise it is created, and left alone if it is there. `overwrite` takes the place of what the platform has made,
   * `remove` takes that away, and with `delete` somebody has deleted what was created, and its finalizers hold it.
   */
  mode?: 'overwrite' | 'remove' | 'delete'
}

/** What only the archive has. Its uids are its own. */
export interface ArchivedSeeds {
  objects: KubeObject[]
  logs: FinishedLog[]
}

/** A world at its beginning, as data. */
export interface Scenario {
  seeds(context: ScenarioContext): Iterable<Seed>
  /**
   * So many are written before the next are made, so that they need not all be in memory; all at once without it. They
   * come about in the order of their time, then: the first portion has those without one, and the oldest.
   */
  seedsAtOnce?: number
  /** In portions, so that they need not all be in memory. */
  archived?(context: ScenarioContext): Iterable<ArchivedSeeds>
}

/** A seed whose object is of its type. */
export const seed = <T extends KubeObject>(
  type: ResourceType<T>,
  object: T,
  more: Pick<Seed, 'logs' | 'mode'> = {},
): Seed => ({ type: type as ResourceType, object, ...more })
