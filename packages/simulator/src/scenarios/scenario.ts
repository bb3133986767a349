import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { PlatformVersion } from '../platform-version'
import type { FinishedLog } from '../tekton/history'
import type { World } from '../tekton/facts'

/** The built-in users that scenarios give access to, and their e-mail addresses. */
export type ScenarioUsers = Record<'admin' | 'maintainer' | 'contributor' | 'outsider', string>

/** Inputs of a scenario. */
export interface ScenarioContext {
  nowMs: number
  world: World
  users: ScenarioUsers
  /** URL of the simulated git host, without a trailing slash. */
  gitHostUrl: string
  /** URL of the console, without a trailing slash. */
  consoleUrl: string
  /** Default: `current`. */
  platform?: PlatformVersion
  /** Whether the console offers a tour: only where the cluster exists for this scenario alone. */
  hasTour?: boolean
}

/** One object of a scenario, including its status. */
export interface Seed {
  type: ResourceType
  /**
   * `creationTimestamp` determines when it is created; without one, before all others. Its uid, wherever it occurs, is
   * replaced by the one that the cluster assigns.
   */
  object: KubeObject
  /** Logs of the containers of a pod. */
  logs?: FinishedLog[]
  /**
   * By default it is created unless it exists. `overwrite` replaces an object of the platform, `remove` deletes one,
   * and `delete` creates the object and deletes it, so that its finalizers hold it.
   */
  mode?: 'overwrite' | 'remove' | 'delete'
}

/** Objects that are only in the archive. Their uids are not replaced. */
export interface ArchivedSeeds {
  objects: KubeObject[]
  logs: FinishedLog[]
}

/** The initial contents of a cluster, as data. */
export interface Scenario {
  seeds(context: ScenarioContext): Iterable<Seed>
  /**
   * Number of seeds per portion, so that not all are in memory at once; without it, there is one portion. Portions are
   * in chronological order; the first contains the seeds without a time and the oldest ones.
   */
  seedsAtOnce?: number
  /** In portions, so that not all are in memory at once. */
  archived?(context: ScenarioContext): Iterable<ArchivedSeeds>
}

/** A seed whose object is of its type. */
export const seed = <T extends KubeObject>(
  type: ResourceType<T>,
  object: T,
  more: Pick<Seed, 'logs' | 'mode'> = {},
): Seed => ({ type: type as ResourceType, object, ...more })
