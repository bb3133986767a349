import type { Clock } from '@slipway/kube/clock'

/** As objects carry it: UTC, whole seconds. */
export const timestamp = (clock: Clock): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`
