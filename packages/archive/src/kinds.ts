import type { Pod } from '@slipway/kube/core-types'
import type { Condition, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { LabelSelector } from '@slipway/kube/selector'

/** A kind of object that the archive follows, and when it keeps one. */
export interface ArchivedKind<T extends KubeObject = KubeObject> {
  type: ResourceType<T>
  /** Only those with these labels; all without. */
  labels?: LabelSelector
  /** It is kept from then on; one that is deleted before is kept as it was. */
  isFinished(object: T): boolean
  /**
   * It is a record of Tekton Results, and is told so by annotations once it and everything that it owns are kept:
   * whoever prunes the cluster waits for them.
   */
  isRecord?: boolean
  /** It is a kind of pods: their logs are kept too, once they are finished. */
  hasLogs?: boolean
}

/** Keeps the type of the objects known to `isFinished`. */
export const archivedKind = <T extends KubeObject>(kind: ArchivedKind<T>): ArchivedKind =>
  // Only objects of its own type reach it.
  kind as unknown as ArchivedKind

type Conditioned = KubeObject & { status?: { conditions?: Condition[] } }

/** Has the condition been decided, for good or bad? */
export const isDecided = (type: string) => (object: Conditioned) =>
  Boolean(object.status?.conditions?.some((each) => each.type === type && each.status !== 'Unknown'))

/** Have all containers of the pod ended? */
export const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed'
