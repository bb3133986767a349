import { stored } from '../../lib/stored'

export const timeChoices = ['off', 'absolute', 'relative'] as const
/** `relative` is to the first line of the step. */
export type LogTimes = (typeof timeChoices)[number]

export const logTimes = stored<LogTimes>(
  'slipway-log-times',
  (value) => timeChoices.find((one) => one === value) ?? 'off',
)

/** Long lines are broken, unless somebody wants to see them as they are. */
export const logWrap = stored<boolean>('slipway-log-wrap', (value) => value !== false)
