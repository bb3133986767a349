import { type Component, componentType } from '@slipway/model/builds/component'
import {
  findCycle,
  findRelationErrors,
  nudgesPatches,
  nudgeTypes,
  type Relation,
} from '@slipway/model/builds/component-relations'
import * as z from 'zod/mini'
import { patch, refOf, type Write } from '../../api/writes/writes'

export interface RelationshipsInput {
  relations: Relation[]
}

export const blankRelation: Relation = { source: '', type: 'nudges', targets: [] }

/** What a form of relationships is about. */
export interface RelationshipsScope {
  namespace: string
  /** All of the namespace, as they are now. */
  components: readonly Component[]
  /** The relations when the form was opened. */
  before: readonly Relation[]
}

export const relationshipsSchema = ({ components, before }: RelationshipsScope) =>
  z.object({
    relations: z
      .array(z.object({ source: z.string(), type: z.enum(nudgeTypes), targets: z.array(z.string()) }))
      .check(({ value, issues }) => {
        const errors = findRelationErrors(value)
        for (const { row, field, message } of errors)
          issues.push({ code: 'custom', path: [row, field], message, input: value })
        const cycle = errors.length === 0 && findCycle(components, before, value)
        if (cycle) issues.push({ code: 'custom', message: cycleMessage(cycle), input: value })
      }),
  })

const cycleMessage = (cycle: readonly string[]): string =>
  `These relationships form a cycle: ${cycle.join(' nudges ')}. A build of ${cycle[0]} would cause builds of all of them without end. Remove one of these relationships.`

const plannedPatches = ({ components, before }: RelationshipsScope, { relations }: RelationshipsInput) =>
  nudgesPatches(components, before, relations)

export const relationshipsWrites = (scope: RelationshipsScope, input: RelationshipsInput): Write[] =>
  plannedPatches(scope, input).map(({ component, patch: steps }) =>
    patch(componentType, { namespace: scope.namespace, name: component }, steps),
  )

/** Whether a cluster may accept the dry runs of later writes only once this one has been applied. */
export const isPrerequisite = (scope: RelationshipsScope, input: RelationshipsInput, write: Write): boolean =>
  plannedPatches(scope, input).some((each) => each.isPrerequisite && each.component === refOf(write).name)
