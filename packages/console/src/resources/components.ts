import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { resourcePath } from '@slipway/kube/path'
import { ApiError } from '@slipway/kube/status'
import { type Component, componentsOf, componentType } from '@slipway/model/supply-chain/component'
import { annotations } from '@slipway/model/labels'
import { queryOptions } from '@tanstack/react-query'
import { getQuery, listQuery } from '../api/queries'
import { countedComponentFields } from './listed-fields'

const listedFields: readonly FieldPath[] = [
  ...countedComponentFields,
  'metadata.creationTimestamp',
  ...[
    annotations.sample,
    annotations.buildRequest,
    annotations.buildStatus,
    annotations.lastApplied,
    annotations.gitProvider,
  ].map((key) => fieldPath('metadata', 'annotations', key)),
  'spec.source.git',
  'spec.source.url',
  'spec.containerImage',
  'status.lastBuiltCommit',
  'status.lastPromotedImage',
]

export const components = {
  /** With the fields that the table of components and the workflow show. */
  listed: (namespace: string) => listQuery(componentType, { namespace, mask: listedFields }),
  /** Only their names and applications. */
  counted: (namespace: string) => listQuery(componentType, { namespace, mask: countedComponentFields }),
  get: (namespace: string, name: string) => getQuery(componentType, { namespace, name }, { live: true }),
  /** The same, but not found while it is being deleted or if it belongs to another application. */
  ofApplication: (namespace: string, application: string, name: string) =>
    queryOptions({
      ...components.get(namespace, name),
      select: (component: Component): Component => {
        if (componentsOf([component], application).length > 0) return component
        throw new ApiError({
          code: 404,
          reason: 'NotFound',
          url: resourcePath(componentType, { namespace, name }),
          message: `The application ${application} has no component ${name}.`,
        })
      },
    }),
}
