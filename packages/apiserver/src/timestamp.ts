import type { Clock } from '@slipway/kube/clock'

/** The format used in objects: UTC with whole seconds. */
export const timestamp = (clock: Clock): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`
