import { type KubeList, nameOf, specOf } from '@slipway/kube/object'
import type { Application } from '@slipway/model/builds/application'
import { useQuery } from '@tanstack/react-query'
import { isBeingDeleted } from '../../api/archive/origin'
import { applications } from '../../resources/applications'
import { fieldsOf } from '../../ui/form/fields'
import type { Option } from '../../ui/form/options'
import type { ReleasePlanInput } from './release-plan-form'

const { SelectField } = fieldsOf<ReleasePlanInput>()

/** One of the applications of the namespace. */
export function ApplicationField({ namespace }: { namespace: string }) {
  const options = useQuery({ ...applications.list(namespace), select: toOptions })
  return <SelectField name="application" label="Application" options={options} optionsNoun="applications" isRequired />
}

const toOptions = ({ items }: KubeList<Application>): Option[] =>
  items
    .filter((application) => !isBeingDeleted(application))
    .map(toOption)
    .toSorted((a, b) => (a.value < b.value ? -1 : 1))

function toOption(application: Application): Option {
  const name = nameOf(application)
  const { displayName } = specOf(application)
  return { value: name, description: displayName === name ? undefined : displayName }
}
