import type { Condition, KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'

/** When a component nudges another: after a build of it has succeeded, or once the tests of that build have passed. */
export const nudgeModes = ['immediate', 'validated'] as const
export type NudgeMode = (typeof nudgeModes)[number]

/** One component nudges another. */
export interface Nudge {
  from: string
  to: string
  /** `immediate` if absent. */
  mode?: NudgeMode
  gatingGroup?: string
}

/**
 * All relationships of a namespace, where there is one: the platform then ignores what components name themselves
 * (`build-nudges-ref`). Source: integration-service, NudgeConfig v1beta2.
 */
export interface NudgeConfig extends KubeObject {
  spec?: { nudges?: Nudge[] }
  status?: { conditions?: Condition[]; lastValidationTime?: string }
}

export const nudgeConfigType = defineResource<NudgeConfig>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1beta2',
  kind: 'NudgeConfig',
  plural: 'nudgeconfigs',
  namespaced: true,
})

/** The only name that the platform accepts. */
export const nudgeConfigName = 'nudge-config'

export const nudgesIn = (config: NudgeConfig): readonly Nudge[] => config.spec?.nudges ?? []

export const modeOf = ({ mode = 'immediate' }: Nudge): NudgeMode => mode
