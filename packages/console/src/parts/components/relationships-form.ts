import { type Component, componentType } from '@slipway/model/builds/component'
import {
  findCycle,
  findRelationErrors,
  nudgeConfigPatch,
  nudgesPatches,
  nudgeTypes,
  type Relation,
} from '@slipway/model/builds/component-relations'
import { type NudgeConfig, nudgeConfigName, nudgeConfigType, nudgeModes } from '@slipway/model/builds/nudge-config'
import * as z from 'zod/mini'
import { patch, refOf, type Write } from '../../api/writes/writes'

export interface RelationshipsInput {
  relations: Relation[]
}

/** @param config the NudgeConfig of the namespace, if it has one: only there, relations have a mode */
export const blankRelation = (config?: NudgeConfig): Relation => ({
  source: '',
  type: 'nudges',
  targets: [],
  ...(config && { mode: 'immediate' }),
})

/** What a form of relationships is about. */
export interface RelationshipsScope {
  namespace: string
  /** All of the namespace, as they are now. */
  components: readonly Component[]
  /** The relations when the form was opened. */
  before: readonly Relation[]
  /** Of the namespace, as it is now, if it has one: the platform then obeys only that. */
  config?: NudgeConfig | undefined
}

export const relationshipsSchema = ({ components, before, config }: RelationshipsScope) =>
  z.object({
    relations: z
      .array(
        z.object({
          source: z.string(),
          type: z.enum(nudgeTypes),
          targets: z.array(z.string()),
          mode: z.optional(z.enum(nudgeModes)),
        }),
      )
      .check(({ value, issues }) => {
        const errors = findRelationErrors(value)
        for (const { row, field, message } of errors)
          issues.push({ code: 'custom', path: [row, field], message, input: value })
        const cycle = errors.length === 0 && findCycle(components, before, value, config)
        if (cycle) issues.push({ code: 'custom', message: cycleMessage(cycle), input: value })
      }),
  })

const cycleMessage = (cycle: readonly string[]): string =>
  `These relationships form a cycle: ${cycle.join(' nudges ')}. A build of ${cycle[0]} would cause builds of all of them without end. Remove one of these relationships.`

const plannedPatches = ({ components, before }: RelationshipsScope, { relations }: RelationshipsInput) =>
  nudgesPatches(components, before, relations)

export function relationshipsWrites(scope: RelationshipsScope, input: RelationshipsInput): Write[] {
  const { namespace, before, config } = scope
  if (config) {
    const steps = nudgeConfigPatch(config, before, input.relations)
    return steps.length > 0 ? [patch(nudgeConfigType, { namespace, name: nudgeConfigName }, steps)] : []
  }
  return plannedPatches(scope, input).map(({ component, patch: steps }) =>
    patch(componentType, { namespace, name: component }, steps),
  )
}

/** Whether a cluster may accept the dry runs of later writes only once this one has been applied. */
export const isPrerequisite = (scope: RelationshipsScope, input: RelationshipsInput, write: Write): boolean =>
  !scope.config &&
  plannedPatches(scope, input).some((each) => each.isPrerequisite && each.component === refOf(write).name)
