import { nameOf, type KubeList } from '@slipway/kube/object'
import type { Component } from '@slipway/model/builds/component'
import { components } from '../../resources/components'
import type { Option } from '../../ui/form/options'

/** The components that a secret can be linked to, for `useQuery`. */
export const componentOptions = (namespace: string) => ({ ...components.names(namespace), select: toOptions })

const toOptions = ({ items }: KubeList<Component>): Option[] =>
  items
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map((component) => ({ value: nameOf(component), description: component.spec.application }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1))
