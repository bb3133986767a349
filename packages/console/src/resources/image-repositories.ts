import { nameOf, namespaceOf } from '@slipway/kube/object'
import { type ImageRepository, imageRepositoryType, type ImageVisibility } from '@slipway/model/builds/image-repository'
import { labels } from '@slipway/model/labels'
import { listQuery } from '../api/queries'
import { patch, type Write } from '../api/writes/writes'

export const imageRepositories = {
  /** Those of a component; it rarely has more than one. */
  ofComponent: (namespace: string, component: string) =>
    listQuery(imageRepositoryType, { namespace, labels: { [labels.imageComponent]: component } }),
}

/** Requests that the images of a repository become public or private; the image controller changes it at the registry. */
export const visibilityWrite = (repository: ImageRepository, visibility: ImageVisibility): Write =>
  patch(
    imageRepositoryType,
    { namespace: namespaceOf(repository), name: nameOf(repository) },
    repository.spec.image
      ? [{ op: 'add', path: '/spec/image/visibility', value: visibility }]
      : [{ op: 'add', path: '/spec/image', value: { visibility } }],
  )
