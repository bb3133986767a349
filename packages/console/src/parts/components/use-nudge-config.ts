import { qualifiedPlural } from '@slipway/kube/resource-type'
import { isForbidden } from '@slipway/kube/status'
import { type NudgeConfig, nudgeConfigType } from '@slipway/model/builds/nudge-config'
import { useQuery } from '@tanstack/react-query'
import { failureText } from '../../api/messages'
import { knownTypes } from '../../api/served-types'
import { nudgeConfigs } from '../../resources/nudge-configs'

/** Where the relationships of a namespace are. */
export interface NudgeConfigState {
  isPending: boolean
  /** Absent if there is none, or if that is unknown. */
  config?: NudgeConfig
  /** Why it is unknown whether there is one: if so, what components name themselves does not count. */
  unknown?: string
}

export function useNudgeConfig(namespace: string): NudgeConfigState {
  const { data, error, isPending } = useQuery(nudgeConfigs.of(namespace))
  // What was read before does not count once the user may not read it.
  if (data && !isForbidden(error)) return { isPending, config: data }
  if (!error) return { isPending }
  const name = qualifiedPlural(knownTypes(nudgeConfigType)[0])
  if (isForbidden(error)) return { isPending, unknown: `Unknown: you may not read ${name} in ${namespace}.` }
  return { isPending, unknown: `Unknown: the ${name} of ${namespace} could not be read. ${failureText(error)}` }
}
