import { podType, type PolicyRule, roleBindingType, secretType } from '@slipway/kube/core-types'
import { inEachGroup, type ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '../builds/application'
import { componentType } from '../builds/component'
import { releaseType } from '../releases/release'
import { releasePlanType } from '../releases/release-plan'
import { pipelineRunType } from '../runs/pipeline-run'
import { integrationTestScenarioType } from '../snapshots/integration-test-scenario'
import { gives } from './missing-right'

/** Something that users do with the console, in a few words. */
export interface Capability {
  label: string
  /** Whether it changes something. */
  isWrite: boolean
  needs: readonly Need[]
}

type Need = readonly [verb: string, type: ResourceType, subresource?: string]

const each = (verbs: readonly string[], types: readonly ResourceType[]): Need[] =>
  types.flatMap((type) => verbs.map((verb): Need => [verb, type]))

const edit = ['create', 'update', 'patch']
const manage = [...edit, 'delete']

/** What distinguishes the roles of the platform, the most common first. */
export const capabilities: readonly Capability[] = [
  {
    label: 'See applications, components, runs, tests and releases',
    isWrite: false,
    needs: each(
      ['get', 'list'],
      [applicationType, componentType, pipelineRunType, integrationTestScenarioType, releaseType],
    ),
  },
  { label: 'Read logs', isWrite: false, needs: [['get', podType, 'log']] },
  { label: 'See who has access', isWrite: false, needs: [['list', roleBindingType]] },
  {
    label: 'Create and change applications and components',
    isWrite: true,
    needs: each(edit, [applicationType, componentType]),
  },
  { label: 'Manage integration tests', isWrite: true, needs: each(manage, [integrationTestScenarioType]) },
  {
    label: 'Manage release plans, trigger releases',
    isWrite: true,
    needs: each(manage, [releaseType, releasePlanType]),
  },
  {
    label: 'Delete applications and components',
    isWrite: true,
    needs: each(['delete'], [applicationType, componentType]),
  },
  { label: 'Stop pipeline runs', isWrite: true, needs: each(['patch'], [pipelineRunType]) },
  { label: 'Manage secrets', isWrite: true, needs: each(['list', ...manage], [secretType]) },
  { label: 'Give and change access', isWrite: true, needs: each(manage, [roleBindingType]) },
]

/** The capabilities that rules give. A kind that moves to another group counts if it is given in one of its groups. */
export const capabilitiesOf = (rules: readonly PolicyRule[]): readonly Capability[] =>
  capabilities.filter(({ needs }) =>
    needs.every(([verb, type, subresource]) =>
      inEachGroup(type).some((served) => gives(rules, { verb, type: served, subresource })),
    ),
  )
