import { stored } from '../../lib/stored'

export const timeChoices = ['off', 'absolute', 'relative'] as const
/** `relative` means since the first line of the step. */
export type LogTimes = (typeof timeChoices)[number]

export const logTimes = stored<LogTimes>(
  'slipway-log-times',
  (value) => timeChoices.find((one) => one === value) ?? 'off',
)

/** Long lines wrap unless the user has turned this off. */
export const logWrap = stored<boolean>('slipway-log-wrap', (value) => value !== false)
