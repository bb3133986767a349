import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { type Component, componentsOf, componentType } from '@slipway/model/builds/component'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { annotations } from '@slipway/model/labels'
import { componentFields, componentNameFields } from '@slipway/model/views/component-fields'
import { queryOptions } from '@tanstack/react-query'
import type { AccessCheck } from '../api/access/access-review'
import { getQuery, listQuery } from '../api/queries'
import { notFoundError } from './not-found'

const sourceFields: readonly FieldPath[] = [
  ...componentNameFields,
  fieldPath('metadata', 'annotations', annotations.gitProvider),
  'spec.source.git',
  'spec.source.url',
]

export const components = {
  /** With the fields that the table of components, the workflow and the dialog of relationships show. */
  listed: (namespace: string) => listQuery(componentType, { namespace, mask: componentFields }),
  /** Only their names, applications and the secrets that they name themselves. */
  names: (namespace: string) => listQuery(componentType, { namespace, mask: componentNameFields }),
  /** Their names, applications and where they are built from. */
  sources: (namespace: string) => listQuery(componentType, { namespace, mask: sourceFields }),
  /** Their names, applications and versions. */
  versions: (namespace: string) =>
    listQuery(componentType, { namespace, mask: [...componentNameFields, 'spec.source.versions'] }),
  get: (namespace: string, name: string) => getQuery(componentType, { namespace, name }, { live: true }),
  /** A component of an application; not found while it is being deleted or if it belongs to another application. */
  ofApplication: (namespace: string, application: string, name: string) =>
    queryOptions({
      ...components.get(namespace, name),
      select: (component: Component): Component => {
        if (componentsOf([component], application).length > 0) return component
        throw notFoundError(
          componentType,
          { namespace, name },
          `The application ${application} has no component ${name}.`,
        )
      },
    }),
}

/** The permissions needed to import a component, with the repository of its images (specification 3, section 6). */
export const importComponentChecks = (namespace: string): AccessCheck[] => [
  { verb: 'create', type: componentType, namespace },
  { verb: 'create', type: imageRepositoryType, namespace },
]
