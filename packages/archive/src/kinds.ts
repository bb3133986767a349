import type { Pod } from '@slipway/kube/core-types'
import type { Condition, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { LabelSelector } from '@slipway/kube/selector'

/** A kind of object to archive, and when. */
export interface ArchivedKind<T extends KubeObject = KubeObject> {
  type: ResourceType<T>
  /** Archive only objects with these labels; all by default. */
  labels?: LabelSelector
  /** Objects are archived once they are finished. One that is deleted earlier is archived in its last state. */
  isFinished(object: T): boolean
  /**
   * It is a record of Tekton Results, and is annotated as stored once it and everything it owns are archived. Pruners
   * wait for these annotations.
   */
  isRecord?: boolean
  /** It is a kind of pods: once they are finished, their logs are archived too. */
  hasLogs?: boolean
}

/** Lets `isFinished` know the type of the objects. */
export const archivedKind = <T extends KubeObject>(kind: ArchivedKind<T>): ArchivedKind =>
  // It only receives objects of its own type.
  kind as unknown as ArchivedKind

type Conditioned = KubeObject & { status?: { conditions?: Condition[] } }

/** Whether the condition is True or False. */
export const isDecided = (type: string) => (object: Conditioned) =>
  Boolean(object.status?.conditions?.some((each) => each.type === type && each.status !== 'Unknown'))

/** Whether all containers of the pod have ended. */
export const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed'
