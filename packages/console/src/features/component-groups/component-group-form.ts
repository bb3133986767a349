import { nameOf } from '@slipway/kube/object'
import { asArray, asRecord } from '@slipway/kube/parse'
import {
  type ComponentGroup,
  componentGroupType,
  findGroupCycle,
  memberKinds,
} from '@slipway/model/builds/component-group'
import {
  buildComponentGroup,
  type ComponentGroupContent,
  contentOf,
  editComponentGroup,
  type EditedMember,
  type EditedTest,
  toMembers,
  toTestGraph,
} from '@slipway/model/builds/component-group-edit'
import { gitRevisionError } from '@slipway/model/builds/pipeline-source'
import { findTestCycle } from '@slipway/model/builds/test-graph'
import { referenceError, resourceName } from '@slipway/model/resource-name'
import type { FieldPath } from 'react-hook-form'
import * as z from 'zod/mini'
import { create, replace, type Write } from '../../api/writes/writes'

export interface ComponentGroupInput extends ComponentGroupContent {
  /** Fixed for a group that exists. */
  name: string
}

export const nameTaken = 'Component group name already exists'

export const blankMember: EditedMember = { name: '', kind: 'component', version: '', branch: '', context: '' }
export const blankTest: EditedTest = { test: '', parents: [{ name: '', failFast: false }] }

export const emptyComponentGroup: ComponentGroupInput = { name: '', members: [blankMember], tests: [] }

export const editDefaults = (group: ComponentGroup): ComponentGroupInput => ({
  ...contentOf(group),
  name: nameOf(group),
})

const shape = z.object({
  name: z.string(),
  members: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(memberKinds),
      version: z.string(),
      branch: z.string(),
      context: z.string(),
      stored: z.optional(z.number()),
    }),
  ),
  tests: z.array(
    z.object({ test: z.string(), parents: z.array(z.object({ name: z.string(), failFast: z.boolean() })) }),
  ),
})

type FieldError = [path: (string | number)[], message: string | undefined]

/**
 * @param all the groups of the namespace, as far as they are known: a group may not contain itself through them
 * @param isNew whether its name must not be taken
 */
export const groupSchema = (all: readonly ComponentGroup[], isNew: boolean) =>
  shape.check(({ value, issues }) => {
    const errors: FieldError[] = [
      [['name'], isNew ? nameError(value.name, all.map(nameOf)) : undefined],
      ...value.members.flatMap((_, index) => memberErrors(value.members, index)),
      ...value.tests.flatMap((_, index) => testErrors(value.tests, index)),
    ]
    const hasErrors = errors.some(([, message]) => message)
    const content = toContent(value)
    const groups = hasErrors ? undefined : findGroupCycle(value.name, toMembers(content.members), all)
    const tests = hasErrors ? undefined : findTestCycle(toTestGraph(content.tests))
    for (const [path, message] of [
      ...errors,
      [
        ['members'],
        groups && `These groups would contain each other: ${groups.join(' contains ')}. Remove one of them.`,
      ],
      [
        ['tests'],
        tests &&
          `These tests would wait for each other: ${tests.toReversed().join(' waits for ')}. None of them could start. Remove one of these rows.`,
      ],
    ] satisfies FieldError[])
      if (message) issues.push({ code: 'custom', path, message, input: value })
  })

const nameError = (name: string, taken: readonly string[]): string | undefined =>
  taken.includes(name) ? nameTaken : resourceName.safeParse(name).error?.issues[0]?.message

function memberErrors(members: readonly EditedMember[], index: number): FieldError[] {
  const all = members.map(trimMember)
  const member = all[index] ?? blankMember
  const { name, version, branch, context } = member
  const isRepeated =
    name !== '' &&
    all.findIndex((other) => other.name === name && other.kind === member.kind && other.version === version) < index
  const isGroup = member.kind === 'componentGroup'
  return [
    [['members', index, 'name'], isRepeated ? 'This member is listed already.' : referenceError(name)],
    ...(isGroup
      ? []
      : ([
          [['members', index, 'version'], version === '' && (branch || context) ? 'Required' : undefined],
          [['members', index, 'branch'], branch === '' ? undefined : gitRevisionError(branch)],
          [['members', index, 'context'], contextError(context)],
        ] satisfies FieldError[])),
  ]
}

const contextError = (context: string): string | undefined =>
  context.startsWith('/') || /(^|\/)\.\.(\/|$)/.test(context)
    ? 'Must be a path from the root of the repository, without a leading slash and “..”.'
    : undefined

function testErrors(tests: readonly EditedTest[], index: number): FieldError[] {
  const { test = '', parents = [] } = tests[index] ?? {}
  const name = test.trim()
  const isRepeated = tests.findIndex((other) => other.test.trim() === name) < index
  const names = parents.map((parent) => parent.name.trim())
  return [
    [
      ['tests', index, 'test'],
      name === '' ? 'Required' : isRepeated ? 'Another row has this test.' : referenceError(name),
    ],
    ...names.map((parent, at): FieldError => {
      const path = ['tests', index, 'parents', at, 'name']
      if (parent === '') return [path, 'Required']
      if (parent === name) return [path, `${name} cannot wait for itself.`]
      return [path, names.indexOf(parent) < at ? 'It waits for this test already.' : referenceError(parent)]
    }),
  ]
}

const trimMember = (member: EditedMember): EditedMember => ({
  ...member,
  name: member.name.trim(),
  version: member.version.trim(),
  branch: member.branch.trim(),
  context: member.context.trim(),
})

const toContent = ({ members, tests }: ComponentGroupContent): ComponentGroupContent => ({
  members: members.map(trimMember),
  tests: tests.map(({ test, parents }) => ({
    test: test.trim(),
    parents: parents.map(({ name, failFast }) => ({ name: name.trim(), failFast })),
  })),
})

export const createWrites = (namespace: string, input: ComponentGroupInput): Write[] => [
  create(componentGroupType, buildComponentGroup({ namespace, name: input.name }, toContent(input))),
]

/**
 * Replaces the group, on condition that it is still `current`.
 * @param original the version that the form started from: only what the user changed since is written
 */
export const editWrites = (current: ComponentGroup, original: ComponentGroup, input: ComponentGroupInput): Write[] => [
  replace(componentGroupType, editComponentGroup(current, original, toContent(input))),
]

/** The fields that the members of a written group come from. */
export function groupErrorFields(write: Write): Record<string, FieldPath<ComponentGroupInput>> {
  const spec = asRecord(asRecord('object' in write ? write.object : undefined).spec)
  const fields: Record<string, FieldPath<ComponentGroupInput>> = {
    'metadata.name': 'name',
    'spec.components': 'members',
    'spec.testGraph': 'tests',
  }
  for (const index of asArray(spec.components).keys()) {
    const at = `spec.components.${index}.componentVersion`
    fields[`${at}.name`] = `members.${index}.version`
    fields[`${at}.version`] = `members.${index}.branch`
    fields[`${at}.context`] = `members.${index}.context`
  }
  for (const [index, test] of Object.keys(asRecord(spec.testGraph)).entries()) {
    fields[`spec.testGraph.${test}`] = `tests.${index}.parents`
  }
  return fields
}
