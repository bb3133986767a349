import { Alert } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/builds/component'
import { toTestGraph } from '@slipway/model/builds/component-group-edit'
import { unknownTests } from '@slipway/model/builds/test-graph'
import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { isBeingDeleted } from '../../api/archive/origin'
import { componentGroups } from '../../resources/component-groups'
import { components } from '../../resources/components'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { fieldsOf } from '../../ui/form/fields'
import type { Option } from '../../ui/form/options'
import { blankMember, blankTest, type ComponentGroupInput } from './component-group-form'

const { CheckboxField, ComboboxField, FieldRows, SelectField, TextField } = fieldsOf<ComponentGroupInput>()

interface ComponentGroupFieldsProps {
  namespace: string
  /** Name of a group that exists: its integration tests name it. */
  group?: string
}

/** What can be changed of every component group. */
export const ComponentGroupFields = ({ namespace, group }: ComponentGroupFieldsProps) => (
  <>
    <MembersField namespace={namespace} group={group} />
    <TestsField namespace={namespace} group={group} />
  </>
)

const toOptions = (names: readonly string[]): Option[] => [...new Set(names)].toSorted().map((value) => ({ value }))

const kinds = [
  { value: 'component', label: 'Component' },
  { value: 'componentGroup', label: 'Component group' },
] as const

function MembersField({ namespace, group }: ComponentGroupFieldsProps) {
  const found = useQuery(components.versions(namespace)).data?.items.filter((each) => !isBeingDeleted(each)) ?? []
  const groups = useQuery(componentGroups.listed(namespace)).data?.items ?? []
  const names = {
    component: toOptions(found.map(nameOf)),
    componentGroup: toOptions(groups.map(nameOf).filter((name) => name !== group)),
  }
  return (
    <FieldRows
      name="members"
      label="Members"
      description="Versions of components, and groups whose members belong to this group too."
      noun="member"
      newRow={() => blankMember}
      isOrderFixed
    >
      {(index) => <MemberFields index={index} names={names} found={found} />}
    </FieldRows>
  )
}

interface MemberFieldsProps {
  index: number
  names: Record<'component' | 'componentGroup', Option[]>
  found: readonly Component[]
}

function MemberFields({ index, names, found }: MemberFieldsProps) {
  const { trigger, formState } = useFormContext<ComponentGroupInput>()
  const kind = useWatch<ComponentGroupInput, `members.${number}.kind`>({ name: `members.${index}.kind` })
  const name = useWatch<ComponentGroupInput, `members.${number}.name`>({ name: `members.${index}.name` })
  const component = found.find((each) => nameOf(each) === name.trim())
  const versions = (component && specOf(component).source?.versions) ?? []
  return (
    <>
      <SelectField
        name={`members.${index}.kind`}
        label="Kind"
        options={kinds}
        onValue={() => formState.isDirty && void trigger('members')}
        isRequired
      />
      <ComboboxField name={`members.${index}.name`} label="Name" options={names[kind]} isRequired />
      {kind === 'component' && (
        <>
          <ComboboxField
            name={`members.${index}.version`}
            label="Version"
            options={toOptions(versions.map((version) => version.name))}
          />
          <TextField
            name={`members.${index}.branch`}
            label="Branch"
            description="Finds builds that do not say which version they are of."
          />
          <TextField name={`members.${index}.context`} label="Context directory" />
        </>
      )}
    </>
  )
}

function TestsField({ namespace, group }: ComponentGroupFieldsProps) {
  const all = useQuery(integrationTestScenarios.contexts(namespace)).data?.items
  const own = group === undefined ? undefined : all?.filter((test) => specOf(test).componentGroup === group).map(nameOf)
  const options = toOptions(own ?? all?.filter((test) => specOf(test).componentGroup).map(nameOf) ?? [])
  return (
    <>
      <FieldRows
        name="tests"
        label="Order of integration tests"
        description="Tests that wait for others. All tests that are not listed start at once."
        noun="test"
        newRow={() => blankTest}
        isOrderFixed
      >
        {(index) => (
          <>
            <ComboboxField name={`tests.${index}.test`} label="Integration test" options={options} isRequired />
            <FieldRows
              name={`tests.${index}.parents`}
              label="Starts after"
              noun="earlier test"
              newRow={() => ({ name: '', failFast: false })}
              isOrderFixed
            >
              {(at) => (
                <>
                  <ComboboxField
                    name={`tests.${index}.parents.${at}.name`}
                    label="Earlier test"
                    options={options}
                    isRequired
                  />
                  <CheckboxField name={`tests.${index}.parents.${at}.failFast`} label="Skip if that fails" />
                </>
              )}
            </FieldRows>
          </>
        )}
      </FieldRows>
      {own && <UnknownTests own={own} />}
    </>
  )
}

/** A test may be added later, so that one that does not exist is no error. */
function UnknownTests({ own }: { own: readonly string[] }) {
  const tests = useWatch<ComponentGroupInput, 'tests'>({ name: 'tests' })
  const unknown = unknownTests(toTestGraph(tests), own).filter((name) => name !== '')
  if (unknown.length === 0) return null
  return (
    <Alert isInline variant="warning" component="p" title="Some tests do not exist">
      This group has no integration test {unknown.join(', ')}. What waits for it cannot start before there is one.
    </Alert>
  )
}
