import { qualifiedPlural } from '@slipway/kube/resource-type'
import type { KubeObject } from '@slipway/kube/object'
import { componentGroupType } from '@slipway/model/builds/component-group'
import { nudgeConfigType } from '@slipway/model/builds/nudge-config'

/**
 * Which state of the platform the simulator follows: `current` is that of August 2026, `legacy` that of the winter
 * before. docs/simulating.md lists what differs.
 */
export const platformVersions = ['current', 'legacy'] as const
export type PlatformVersion = (typeof platformVersions)[number]

/** Kinds that the legacy platform does not have. */
const newerKinds = [componentGroupType, nudgeConfigType].map(qualifiedPlural)

/** The objects that install a platform, without the definitions of kinds that it does not have. */
export const objectsOfPlatform = <T extends KubeObject>(platform: PlatformVersion, objects: readonly T[]): T[] =>
  objects.filter(({ metadata }) => platform === 'current' || !newerKinds.includes(metadata.name ?? ''))
